import { isNull } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { indexFault, passportDifference } from "./tables.ts";

/** What of the index is known to be wrong. */
interface IndexFaults {
  /** Ranges of blocks that it has to read again. */
  readonly open: number;
  /** Passports that are answered from the chain. */
  readonly passports: number;
}

export async function indexFaults(db: Database): Promise<IndexFaults> {
  const [open, passports] = await Promise.all([
    db.$count(indexFault, isNull(indexFault.mendedAt)),
    db.$count(passportDifference),
  ]);
  return { open, passports };
}
