import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { expect, it } from "vitest";
import { OTHER_TABLES, OWNED_ROWS } from "../../../../api/features/private-data/inventory.ts";
import { features } from "../../../../api/features.ts";

const columnsOf = new Map(
  features
    .flatMap((feature) => Object.values<unknown>(feature.tables))
    .filter((value) => is(value, PgTable))
    .map((table) => getTableConfig(table))
    .map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]),
);

it("says of every table whether its rows belong to owners", () => {
  const owned = [...new Set(OWNED_ROWS.map(({ table }) => table))];
  const others = Object.keys(OTHER_TABLES);
  expect(owned.filter((table) => others.includes(table))).toEqual([]);
  expect([...owned, ...others].toSorted()).toEqual([...columnsOf.keys()].toSorted());
});

it("names each kind of rows once", () => {
  const names = OWNED_ROWS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

it.each(OWNED_ROWS)("exports only columns of $table, for $name", ({ table, columns, order }) => {
  const known = columnsOf.get(table);
  const named = [...columns, order].map((column) => column.replace(/::text as \w+$/, ""));
  expect(named.filter((column) => !known?.has(column))).toEqual([]);
});

it("says why rows stay, wherever some do", () => {
  const unexplained = OWNED_ROWS.filter(
    ({ deletion }) => deletion.kind !== "deleted" && !deletion.why.endsWith("."),
  );
  expect(unexplained).toEqual([]);
});
