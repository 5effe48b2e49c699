import { describe, expect, it } from "vitest";
import { usesDatabaseAlone } from "../../../../api/kernel/database-alone.ts";
import {
  noteStatement,
  readsPublicRows,
} from "../../../../api/platform/database/public-statements.ts";
// Each table says where it is declared whether it is in public answers.
import "../../../../api/features.ts";

describe("a statement reads rows whose changes are counted alone", () => {
  it.each([
    'select "soul"."token_id" from "chain"."soul" join chain.passport on true',
    'select "id" from "app"."chronicle" where "chronicle"."token_id" = $1',
    "select 1 from app.display_setting",
    'select "known_now", "apply"."app" from "chain"."soul" as "apply"',
  ])("%s", (text) => {
    expect(readsPublicRows(text)).toBe(true);
  });
});

describe("a statement reads something else", () => {
  it.each([
    'select * from "app"."chronicle" join "app"."api_key" on true',
    "select * from APP . session",
    'select * from "jobs"."job"',
    "select * from app_migrations.migration",
    'select * from "chain"."soul" where now() > $1',
    "select CURRENT_TIMESTAMP",
    "select random ()",
    "select app.some_function()",
  ])("%s", (text) => {
    expect(readsPublicRows(text)).toBe(false);
  });
});

describe("work is of the database alone", () => {
  const usesAlone = (...texts: (string | undefined)[]) =>
    usesDatabaseAlone(async () => {
      await Promise.resolve();
      for (const text of texts) noteStatement(text);
    });

  it("when each of its statements is, however often it was sent", async () => {
    const text = 'select * from "app"."public_identity"';
    expect([await usesAlone(text), await usesAlone(text, text)]).toEqual([true, true]);
  });

  it("unless one is not, or is not known", async () => {
    const other = "select * from app.webhook";
    expect([await usesAlone("select 1", other), await usesAlone(other)]).toEqual([false, false]);
    expect(await usesAlone("select 1", undefined)).toBe(false);
  });
});
