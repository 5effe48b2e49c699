import type { ChronicleCategory } from "../../../protocol/index.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import type { ChronicleInput } from "./content.ts";

/** A chronicle that follows from what the service carried out. */
export interface DerivedChronicle extends ChronicleInput {
  /** Names what it follows from. */
  readonly key: string;
  readonly category: ChronicleCategory;
}

/** Where chronicles are noted in the transaction that makes them due. */
export interface DerivedChronicleStore {
  /** Notes it together with the job that records it. */
  add(transaction: Transaction, derived: DerivedChronicle): Promise<void>;
  /** Null without one, or when it is recorded already. */
  due(key: string): Promise<DerivedChronicle | null>;
  recorded(key: string, chronicleId: bigint): Promise<void>;
}

/** The name of the job that records what is due. */
export const DERIVE_JOB = "chronicle.derive";

export type DerivedChronicles = ReturnType<typeof createDerivedChronicles>;

/** Records pending chronicles exactly once, also after a crash. */
export function createDerivedChronicles({
  store,
  chronicles,
}: {
  readonly store: Pick<DerivedChronicleStore, "due" | "recorded">;
  readonly chronicles: {
    /** Records once under a key, however often it is asked to. */
    derive(input: ChronicleInput, key: string): Promise<{ readonly chronicleId: bigint }>;
  };
}) {
  async function record(key: string): Promise<void> {
    const due = await store.due(key);
    if (due === null) return;
    const { tokenId, category, data } = due;
    const chronicle = await chronicles.derive({ tokenId, category, data }, `derived:${key}`);
    await store.recorded(key, chronicle.chronicleId);
  }

  const job: JobHandler = ({ key }) => record(String(key));
  return {
    /** Records what is due now, if it can be recorded now; else its job does, and tells when that fails for long. */
    attempt: (key: string) => record(key).catch(() => {}),
    job,
  };
}
