import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MIGRATIONS = "api/platform/database/migrations";

interface Journal {
  readonly entries: { readonly idx: number; readonly tag: string; readonly when: number }[];
}

/** A copy of the built service in `directory` that is one version ahead: it has one migration more. */
export function makeNextVersion(root: string, directory: string): string {
  const version = join(directory, "next-version");
  cpSync(root, version, { recursive: true, verbatimSymlinks: true });
  addMigration(
    join(version, MIGRATIONS),
    "9000_note",
    "alter table app.operation add column note text;--> statement-breakpoint\nalter table app.idempotency add column note text;",
  );
  return version;
}

/** Adds a migration after those in `folder`. */
export function addMigration(folder: string, tag: string, sql: string): void {
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8")) as Journal;
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error("There is no migration.");
  journal.entries.push({ idx: last.idx + 1, tag, when: last.when + 1 });
  writeFileSync(path, JSON.stringify(journal));
  writeFileSync(join(folder, `${tag}.sql`), sql);
}
