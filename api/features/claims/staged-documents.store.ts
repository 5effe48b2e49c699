import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { agentRegistration } from "./tables.ts";

export type StagedDocuments = ReturnType<typeof createStagedDocuments>;

/** Texts of agents' documents, until they are on permanent storage. */
export function createStagedDocuments(db: Database) {
  return {
    /** The text that the agent sent; null without one, or once it was deleted. */
    async find(registrationId: string): Promise<string | null> {
      const [row] = await db
        .select({ text: agentRegistration.document })
        .from(agentRegistration)
        .where(eq(agentRegistration.id, registrationId));
      return row?.text ?? null;
    },
    /** Deletes the text of a claimed registration, which is needed no longer. */
    async forget(registrationId: string): Promise<void> {
      await db
        .update(agentRegistration)
        .set({ document: null })
        .where(
          and(eq(agentRegistration.id, registrationId), eq(agentRegistration.state, "claimed")),
        );
    },
  };
}
