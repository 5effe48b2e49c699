import { is } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { features, JOBS } from "../../../../api/features.ts";
import { termsOf, wordsOf } from "../../../../api/platform/database/columns.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// Every rule is tried on the tables that the migrations make, with rows that break one rule only.

const tables = features
  .flatMap((feature) => Object.values<unknown>(feature.tables))
  .filter((value) => is(value, PgTable))
  .map((table) => getTableConfig(table));

const wordColumns = tables.flatMap(({ name, columns }) =>
  columns.flatMap((column) => {
    const words = wordsOf(column);
    return words === null ? [] : [{ title: `${name}.${column.name}`, table: name, column, words }];
  }),
);

const foreignKeys = tables.flatMap(({ name: table, foreignKeys: keys }) =>
  keys.map((key) => {
    const { columns, foreignTable } = key.reference();
    const parent = getTableConfig(foreignTable).name;
    const name = key.getName();
    const title = `${table} (${columns.map((column) => column.name).join(", ")})`;
    return { title, name, table, parent };
  }),
);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** A value that a column accepts, as SQL. */
function sqlValue(column: PgColumn): string {
  const type = column.getSQLType();
  const word = wordsOf(column)?.[0];
  if (type.endsWith("[]")) return word === undefined ? "'{}'" : `'{${word}}'`;
  if (word !== undefined) return `'${word}'`;
  if (type === "uuid") return "gen_random_uuid()";
  if (type.startsWith("timestamp")) return "now()";
  if (type === "boolean") return "true";
  if (type === "bytea") return "'\\x01'";
  if (type.startsWith("json")) return "'{}'";
  if (type === "text") return "'text'";
  return "1";
}

/** Triggers of foreign keys do not run for a replica; CHECKs do. */
const WITHOUT_FOREIGN_KEYS = ["set local session_replication_role = replica"];

/** Adds a row in which every column has a value, after other statements, and undoes all of it. */
async function insertRow(
  name: string,
  changed: Readonly<Record<string, string>>,
  before: readonly string[],
): Promise<void> {
  const table = tables.find((known) => known.name === name);
  if (table === undefined) throw new Error(`There is no table ${name}.`);
  const columns = table.columns.map((column) => `"${column.name}"`).join(", ");
  const values = table.columns.map((column) => changed[column.name] ?? sqlValue(column)).join(", ");
  await client.query("begin");
  try {
    for (const statement of before) await client.query(statement);
    await client.query(`insert into app.${name} (${columns}) values (${values})`);
  } finally {
    await client.query("rollback");
  }
}

describe("the terms of tables", () => {
  const termsByName = new Map(
    features
      .flatMap((feature) => Object.values<unknown>(feature.tables))
      .filter((value) => is(value, PgTable))
      .map((table) => [getTableConfig(table).name, termsOf(table)]),
  );

  it("are stated for every table of the database", async () => {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'app'",
    );
    expect(rows.map(({ name }) => name).filter((name) => !termsByName.has(name))).toEqual([]);
    expect(rows.length).toBe(termsByName.size);
  });

  it("say in sentences what is lost with a table", () => {
    for (const [name, { lostWith }] of termsByName)
      expect({ name, lostWith }).toMatchObject({ lostWith: expect.stringMatching(/^[A-Z].+\.$/) });
  });

  it("say how long rows are kept, and name jobs that exist", () => {
    for (const [name, { kept }] of termsByName) {
      if ("forever" in kept) {
        expect({ name, ...kept }).toMatchObject({ forever: expect.stringMatching(/^[A-Z].+\.$/) });
      } else if ("days" in kept) {
        expect({ name, isPositive: kept.days > 0 }).toEqual({ name, isPositive: true });
      } else if (kept.removedBy.includes(".")) {
        expect(Object.keys(JOBS)).toContain(kept.removedBy);
      }
    }
  });

  it("never let a chronicle be dropped", () => {
    for (const name of ["chronicle", "chronicle_state", "chronicle_batch", "chronicle_counter"]) {
      expect(Object.keys(termsByName.get(name)?.kept ?? {})).toEqual(["forever"]);
    }
  });

  it("name those that are in public answers, whose changes triggers count", async () => {
    const { rows } = await client.query<{ name: string; triggers: string[] }>(
      `select c.relname as name, array_agg(t.tgname::text order by t.tgname) as triggers
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'app'::regnamespace and t.tgname like 'public_change%' and t.tgenabled = 'O'
       group by 1 order by 1`,
    );
    const named = [...termsByName].flatMap(([name, { inPublicAnswers }]) =>
      inPublicAnswers ? [name] : [],
    );
    const triggers = ["delete", "insert", "truncate", "update"].map(
      (event) => `public_change_${event}`,
    );
    expect(rows).toEqual(named.sort().map((name) => ({ name, triggers })));
  });

  it("promise to rebuild the public records of agents", () => {
    const rebuilt = [...termsByName].flatMap(([name, { rebuiltFrom }]) =>
      rebuiltFrom === null ? [] : [`${name} from ${rebuiltFrom}`],
    );
    expect(rebuilt.sort()).toEqual([
      "alignment_snapshot from storage",
      "chronicle from storage",
      "chronicle_batch from chain",
      "chronicle_counter from storage",
      "chronicle_state from storage",
      "document_version from storage",
      "registration from storage",
      "storage_item from storage",
    ]);
  });
});

describe("columns with a list of words", () => {
  it("are found in the tables", () => {
    expect(wordColumns.length).toBeGreaterThan(25);
  });

  it.each(wordColumns)(
    "$title accepts its words and refuses another one",
    async ({ table, column, words }) => {
      const value = (word: string) =>
        column.getSQLType().endsWith("[]") ? `array['${word}']` : `'${word}'`;
      for (const word of words)
        await insertRow(table, { [column.name]: value(word) }, WITHOUT_FOREIGN_KEYS);
      await expect(
        insertRow(table, { [column.name]: value("another") }, WITHOUT_FOREIGN_KEYS),
      ).rejects.toMatchObject({ code: "23514", constraint: `${table}_${column.name}_check` });
    },
  );

  it("refuses a tier that does not exist", async () => {
    for (const tier of ["0", "4"]) {
      await expect(
        insertRow("sign_in_nonce", { min_tier: tier }, WITHOUT_FOREIGN_KEYS),
      ).rejects.toMatchObject({
        code: "23514",
        constraint: "sign_in_nonce_min_tier_check",
      });
    }
  });
});

describe("foreign keys", () => {
  it("exist between the rows that belong together, with what a deletion does", async () => {
    const { rows } = await client.query<{ rule: string }>(
      `select conrelid::regclass || ' -> ' || confrelid::regclass
         || case confdeltype when 'c' then ' cascade' when 'a' then '' else confdeltype::text end as rule
       from pg_constraint where contype = 'f' and connamespace = 'app'::regnamespace order by 1`,
    );
    expect(rows.map(({ rule }) => rule)).toEqual([
      "app.alignment_snapshot -> app.alignment_batch",
      "app.audit_try -> app.audit",
      "app.chronicle_state -> app.chronicle",
      "app.chronicle_state -> app.chronicle_batch",
      "app.claim_draft -> app.agent_registration cascade",
      "app.console_cookie -> app.session cascade",
      "app.derived_chronicle -> app.chronicle",
      "app.disclosure_request -> app.disclosure",
      "app.endpoint_check -> app.endpoint_check_set cascade",
      "app.operation_party -> app.operation",
      "app.operation_signature -> app.operation",
      "app.operation_subject -> app.operation",
      "app.storage_upload -> app.storage_item cascade",
      "app.webhook_delivery -> app.webhook cascade",
      "app.webhook_delivery -> app.webhook_event cascade",
      "app.webhook_try -> app.webhook_delivery cascade",
    ]);
  });

  it.each(foreignKeys)("$title refuses a row without its $parent", async (key) => {
    const others = foreignKeys.filter(
      ({ table, name }) => table === key.table && name !== key.name,
    );
    const without = others.map(
      ({ name }) => `alter table app.${key.table} drop constraint ${name}`,
    );
    await expect(insertRow(key.table, {}, without)).rejects.toMatchObject({
      code: "23503",
      constraint: key.name,
    });
  });
});
