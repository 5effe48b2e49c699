import { and, count, eq, gt, isNull, sql } from "drizzle-orm";
import type { Executor } from "../../../platform/database/connect.ts";
import { mailConfirmation } from "../tables.ts";
import type { ConfirmationRows } from "./ports.ts";

/** Confirmations of mail addresses, in Postgres. */
export function confirmationRows(db: Executor): ConfirmationRows {
  return {
    async lockAddress(addressHash) {
      const name = `mail ${addressHash.toString("hex")}`;
      await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
    },

    async countConfirmations({ addressHash, subject }, since) {
      const countOf = async (which: ReturnType<typeof eq>) => {
        const [row] = await db
          .select({ asked: count() })
          .from(mailConfirmation)
          .where(and(which, gt(mailConfirmation.createdAt, since)));
        return row?.asked ?? 0;
      };
      return {
        ofAddress: await countOf(eq(mailConfirmation.addressHash, addressHash)),
        ofSubject: await countOf(eq(mailConfirmation.subject, subject)),
      };
    },

    async insertConfirmation(confirmation) {
      await db.insert(mailConfirmation).values(confirmation);
    },

    async findConfirmation(which) {
      const [row] = await db
        .select()
        .from(mailConfirmation)
        .where(
          "id" in which
            ? eq(mailConfirmation.id, which.id)
            : eq(mailConfirmation.tokenHash, which.tokenHash),
        );
      return row ?? null;
    },

    async useConfirmation(tokenHash, at) {
      const [row] = await db
        .update(mailConfirmation)
        .set({ usedAt: at })
        .where(
          and(
            eq(mailConfirmation.tokenHash, tokenHash),
            isNull(mailConfirmation.usedAt),
            gt(mailConfirmation.expiresAt, at),
          ),
        )
        .returning({ webhookId: mailConfirmation.webhookId });
      return row ?? null;
    },
  };
}
