import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MIGRATIONS, migrationProblems } from "../../scripts/checks/migrations.ts";

const directory = mkdtempSync(join(tmpdir(), "migrations-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const RELEASE = "0.6.0";
const CONTRACT = "-- contract: since 0.5.0, 0003_before. No release since then reads the column.\n";
let folders = 0;

/** What is wrong with one migration that follows the released ones and `0003_before`. */
async function problemsOf(sql: string): Promise<string[]> {
  folders += 1;
  const folder = join(directory, String(folders));
  mkdirSync(join(folder, "meta"), { recursive: true });
  const tags = ["0000_initial", "0001_audits", "0002_alignment", "0003_before", "0004_new"];
  writeFileSync(
    join(folder, "meta/_journal.json"),
    JSON.stringify({ entries: tags.map((tag, idx) => ({ idx, tag, when: idx + 1 })) }),
  );
  // Released migrations are not checked.
  for (const tag of tags) writeFileSync(join(folder, `${tag}.sql`), "drop table app.audit;\n");
  writeFileSync(join(folder, "0003_before.sql"), "alter table app.audit add column note text;\n");
  writeFileSync(join(folder, "0004_new.sql"), sql);
  const problems = await migrationProblems(folder, RELEASE);
  return problems.map((problem) => problem.replace(`${join(folder, "0004_new.sql")}: `, ""));
}

describe("the check of migrations", () => {
  it("finds nothing in the service's own", async () => {
    expect(await migrationProblems(MIGRATIONS, RELEASE)).toEqual([]);
  });

  it.each([
    ["a new table with its indexes and references", newTable()],
    ["a new column", "alter table app.audit add column note text;"],
    [
      "a new column with a constant default",
      "alter table app.audit add column tries integer not null default 0;",
    ],
    [
      "a rule for new rows only",
      "alter table app.audit add constraint audit_note_check check (note <> '') not valid;",
    ],
    ["a rule that holds already", "alter table app.audit validate constraint audit_note_check;"],
    [
      "a reference of new rows only",
      "alter table app.audit add constraint audit_fk foreign key (id) references app.session (id) not valid;",
    ],
    [
      "an index that is built concurrently",
      'drop index concurrently if exists "app"."audit_note";--> statement-breakpoint\ncreate index concurrently "audit_note" on "app"."audit" ("note");',
    ],
    ["a contraction", `${CONTRACT}alter table app.audit drop column note;`],
  ])("accepts %s", async (_title, sql) => {
    expect(await problemsOf(sql)).toEqual([]);
  });

  it.each([
    ["drops a column", "alter table app.audit drop column scope;", /ban-drop-column/],
    ["drops a table", "drop table app.audit;", /ban-drop-table/],
    ["renames a column", "alter table app.audit rename column scope to place;", /renaming-column/],
    ["renames a table", "alter table app.audit rename to audits;", /renaming-table/],
    [
      "adds a required column",
      "alter table app.audit add column note text not null;",
      /adding-required-field/,
    ],
    [
      "requires a column",
      "alter table app.audit alter column record set not null;",
      /adding-not-nullable-field/,
    ],
    [
      "changes a type",
      "alter table app.audit alter column scope set data type integer;",
      /changing-column-type/,
    ],
    [
      "builds an index under a lock",
      'create index "audit_scope" on "app"."audit" ("scope");',
      /require-concurrent-index-creation/,
    ],
    ["drops an index under a lock", 'drop index "app"."audit_scope";', /concurrent-index-deletion/],
    [
      "checks all rows under a lock",
      "alter table app.audit add constraint c check (scope <> '');",
      /constraint-missing-not-valid/,
    ],
    [
      "checks all references under a lock",
      "alter table app.audit add constraint c foreign key (id) references app.session (id);",
      /constraint-missing-not-valid/,
    ],
    [
      "makes a column unique under a lock",
      "alter table app.audit add constraint c unique (scope);",
      /disallowed-unique-constraint/,
    ],
    ["changes rows", "update app.audit set scope = '';", /^Changes rows/],
    ["moves a table", "alter table app.audit set schema public;", /^Moves a table/],
    ["drops a function", "drop function app.refuse();", /^Drops what/],
    ["drops a default", "alter table app.audit alter column scope drop default;", /^The previous/],
    [
      "leaves an invalid index after an interruption",
      "create index concurrently audit_scope on app.audit (scope);",
      /^Drop audit_scope first/,
    ],
    [
      "mixes a concurrent index with other statements",
      "drop index concurrently if exists app.i;--> statement-breakpoint\ncreate index concurrently i on app.audit (scope);--> statement-breakpoint\nalter table app.audit add column note text;",
      /^Not a concurrent index/,
    ],
    [
      "contracts what this release stopped using",
      "-- contract: since 0.6.0, 0003_before. Nothing reads it.\nalter table app.audit drop column note;",
      /^It removes what 0\.6\.0 stopped using, in 0\.6\.0/,
    ],
    [
      "contracts without an earlier migration",
      "-- contract: since 0.5.0, 0009_later. Nothing reads it.\nalter table app.audit drop column note;",
      /^It needs 0009_later, which is not an earlier migration/,
    ],
    [
      "states a contraction that cannot be read",
      "-- contract: the column is unused\nalter table app.audit drop column note;",
      /^A contraction is stated as/,
    ],
    [
      "renames a column in a contraction",
      `${CONTRACT}alter table app.audit rename column scope to place;`,
      /renaming-column/,
    ],
  ])("refuses one that %s", async (_title, sql, problem) => {
    const problems = await problemsOf(sql);
    expect(problems).toContainEqual(expect.stringMatching(problem));
  });
});

function newTable(): string {
  return [
    'create table "app"."place" ("id" text primary key not null, "audit_id" uuid not null);',
    'alter table "app"."place" add constraint "place_audit" foreign key ("audit_id") references "app"."audit"("id");',
    'create index "place_audit_id" on "app"."place" using btree ("audit_id");',
  ].join("--> statement-breakpoint\n");
}
