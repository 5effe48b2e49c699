import { type SQL, sql } from "drizzle-orm";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import { decodeCheckpoint, firstOf, indexedUpTo, readable } from "../../soul/index-views.store.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import { lockKeysOf } from "../keys/index.ts";
import { endSessionsOf } from "../sign-in/index.ts";
import { OWNED_ROWS, type OwnedRows } from "./inventory.ts";
import type { ExportedRows, PrivateDataStore, SaltChoice } from "./private-data.ts";

/** Rows of one kind in an export. */
const MAX_ROWS = 10_000;

type Row = Readonly<Record<string, unknown>>;

export interface PrivateDataStoreOptions {
  readonly db: Database;
  readonly age: Pick<IndexAge, "isFresh" | "behind">;
  readonly secrets: Pick<Secrets, "decrypt">;
}

/** Data of owners in Postgres, by the list in `inventory.ts`. */
export function createPrivateDataStore({
  db,
  age,
  secrets,
}: PrivateDataStoreOptions): PrivateDataStore {
  async function assertIndexed(): Promise<void> {
    const { point, checkpoint } = indexedUpTo;
    const rows = await readable(() => db.select({ point }).from(checkpoint));
    const at = decodeCheckpoint(firstOf(rows).point);
    if (!age.isFresh(at)) throw age.behind(at);
  }

  function shown(row: Row): Row {
    const entries = Object.entries(row).map(([column, value]) => {
      if (column === "salt_encrypted") return ["salt", saltOf(row)];
      const isTime = column.endsWith("_at") && typeof value === "string";
      return [camelCase(column), isTime ? new Date(value).toISOString() : value];
    });
    return Object.fromEntries(entries);
  }

  function saltOf({ salt_encrypted: sealed, soul_hash: soulHash }: Row): string {
    // PostgreSQL writes bytes in JSON as `\x` and hex digits.
    const bytes = Buffer.from(String(sealed).slice(2), "hex");
    return `0x${secrets.decrypt(SALT_PURPOSE, bytes, String(soulHash)).toString("hex")}`;
  }

  async function rowsOf(tx: Executor, owned: OwnedRows, account: string): Promise<ExportedRows> {
    const { table, name, description, deletion, columns, order } = owned;
    const found = await tx.execute<{ row: Row }>(
      sql`select to_jsonb(shown) as row from (
            select ${sql.raw(columns.map((column) => `t.${column}`).join(", "))}
            from ${sql.raw(`app.${table}`)} t
            where ${bound(owned.owned, account)}
            order by ${sql.raw(`t.${order}`)} desc limit ${MAX_ROWS + 1}
          ) shown`,
    );
    return {
      name,
      description,
      deletion,
      rows: found.rows.slice(0, MAX_ROWS).map(({ row }) => shown(row)),
      complete: found.rows.length <= MAX_ROWS,
    };
  }

  return {
    assertIndexed,

    async read(holder) {
      await assertIndexed();
      const account = holder.toLowerCase();
      // One state of all tables.
      return readable(() =>
        db.transaction(
          async (tx) => {
            const lists: ExportedRows[] = [];
            for (const owned of OWNED_ROWS) lists.push(await rowsOf(tx, owned, account));
            return lists;
          },
          { isolationLevel: "repeatable read", accessMode: "read only" },
        ),
      );
    },

    async delete(tx, { account: holder, salts, deletedAt }) {
      const account = holder.toLowerCase();
      // A rotation or an exchange in the meantime would issue a key that this deletion does not see.
      const agents = await tx.execute<{ token_id: string }>(
        sql`select distinct token_id from chain.soul_epoch where sealer = ${account} order by token_id`,
      );
      for (const { token_id: tokenId } of agents.rows) await lockKeysOf(tx, BigInt(tokenId));
      await endSessionsOf(tx, { owner: holder, passportId: null, at: new Date(deletedAt) });
      for (const owned of OWNED_ROWS) {
        const statement = deletionOf(owned, account, salts);
        if (statement !== null) await tx.execute(statement);
      }
    },
  };
}

/** The statement that deletes or clears these rows; null when they stay as they are. */
function deletionOf({ table, owned, deletion }: OwnedRows, account: string, salts: SaltChoice) {
  const rows = sql`${sql.raw(`app.${table}`)} t`;
  const isOwned = bound(owned, account);
  switch (deletion.kind) {
    case "kept":
      return null;
    case "with-salts":
      return salts === "delete" ? sql`delete from ${rows} where ${isOwned}` : null;
    case "deleted":
      return sql`delete from ${rows} where ${isOwned}`;
    case "cleared": {
      const also = sql.raw(deletion.where ?? "true");
      return sql`update ${rows} set ${sql.raw(deletion.set)} where ${isOwned} and ${also}`;
    }
  }
}

/** A condition of the inventory, with the account in place of `$1`. */
function bound(condition: string, account: string): SQL {
  const parts = condition.split("$1").map((part) => sql.raw(part));
  return sql`(${sql.join(parts, sql`${account}`)})`;
}

function camelCase(column: string): string {
  return column.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
