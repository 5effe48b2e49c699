import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { registration } from "../../soul/tables.ts";

/** Id of the archived soul that a completed registration of this service made; null when it made none of this name. */
export async function archiveOfRegistered(db: Database, name: string): Promise<string | null> {
  const [row] = await db
    .select({ result: registration.result })
    .from(registration)
    .where(and(eq(registration.name, name), eq(registration.state, "complete")));
  return (row?.result as { readonly archiveId: string } | undefined)?.archiveId ?? null;
}
