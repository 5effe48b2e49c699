import { type BuildExtraConfigColumns, getTableColumns, sql } from "drizzle-orm";
import {
  check,
  customType,
  PgArray,
  type PgColumn,
  type PgColumnBuilderBase,
  type PgTable,
  type PgTableExtraConfigValue,
  pgSchema,
  timestamp,
} from "drizzle-orm/pg-core";
import type { Address, Hex } from "viem";
import { exactJsonText, fromExactJson } from "./exact-json.ts";

/**
 * Data that only the service holds. Chain data is in the indexer's schema, which can be rebuilt.
 */
export const app = pgSchema("app");

/** How long the rows of a table are kept. */
export type Retention =
  /** Why none is ever deleted. */
  | { readonly forever: string }
  /** Its feature deletes rows. */
  | { readonly removedBy: string; readonly when: string }
  /** The job `rows.forget` deletes rows. */
  | {
      readonly days: number;
      /** The column of the moment from which the days count. Rows without one stay. */
      readonly since: string;
      /** How `since` is written when it is text, such as `YYYY-MM`. Its start counts. */
      readonly written?: string;
      /** SQL of a condition that rows must meet as well. */
      readonly only?: string;
    };

/** What follows from a table's purpose. Every table states it where it is declared. */
export interface TableTerms {
  readonly kept: Retention;
  /**
   * Where its rows come from again when the database is lost: `npm run restore:verify` rebuilds
   * them. Null when they cannot be rebuilt.
   */
  readonly rebuiltFrom: "chain" | "storage" | null;
  /** What stays lost with the database, for operators. */
  readonly lostWith: string;
  /**
   * Anonymous answers are made from it, and may be kept while no row of it changes. A migration gives it
   * the triggers of `app.count_public_change`.
   */
  readonly inPublicAnswers?: true;
}

const terms = new WeakMap<PgTable, TableTerms>();
const inPublicAnswers = new Set<string>();

/** Whether changes of this table of `app` are counted: see `TableTerms.inPublicAnswers`. */
export function isInPublicAnswers(name: string): boolean {
  return inPublicAnswers.has(name);
}

/** The terms of a table that `appTable` made. */
export function termsOf(table: PgTable): TableTerms {
  const found = terms.get(table);
  if (found === undefined) throw new Error("This table was not made by appTable.");
  return found;
}

/**
 * A table of the service. Every `text` column with an `enum` gets a CHECK from the same list, so
 * that its type and the database accept the same words.
 */
export function appTable<Name extends string, Columns extends Record<string, PgColumnBuilderBase>>(
  name: Name,
  tableTerms: TableTerms,
  columns: Columns,
  constraints: (
    table: BuildExtraConfigColumns<Name, Columns, "pg">,
  ) => PgTableExtraConfigValue[] = () => [],
) {
  // Drizzle calls the function later, with columns that know no words: those of the table do.
  let checked: readonly PgColumn[] = [];
  const table = app.table(name, columns, (self) => [
    ...checked.flatMap((column) => wordCheck(name, column)),
    ...constraints(self),
  ]);
  checked = Object.values<PgColumn>(getTableColumns(table as PgTable));
  terms.set(table as PgTable, tableTerms);
  if (tableTerms.inPublicAnswers) inPublicAnswers.add(name);
  return table;
}

/** The words that a column accepts; null when it accepts any value of its type. */
export function wordsOf(column: PgColumn): readonly string[] | null {
  const { enumValues } = column instanceof PgArray ? column.baseColumn : column;
  return enumValues === undefined || enumValues.length === 0 ? null : enumValues;
}

function wordCheck(tableName: string, column: PgColumn): PgTableExtraConfigValue[] {
  const words = wordsOf(column);
  if (words === null) return [];
  const list = words.map((word) => `'${word.replaceAll("'", "''")}'`).join(", ");
  const isOneOf = column instanceof PgArray ? `<@ array[${list}]::text[]` : `in (${list})`;
  return [check(`${tableName}_${column.name}_check`, sql.raw(`"${column.name}" ${isOneOf}`))];
}

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A moment, as a `Date`. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** Bytes as 0x-prefixed hex digits. */
export const hex = customType<{ data: Hex; driverData: string }>({ dataType: () => "text" });

/** An account or a contract. */
export const address = customType<{ data: Address; driverData: string }>({
  dataType: () => "text",
});

/** An id or amount of the chain. */
export const uint256 = customType<{ data: bigint; driverData: string }>({
  dataType: () => "numeric(78, 0)",
  toDriver: (value) => value.toString(),
  fromDriver: (digits) => BigInt(digits),
});

/**
 * JSON that may hold bigints. SQL that reads into it finds them as `exactJsonText` writes them, as
 * marked objects.
 */
export const exactJson = <Value>(name: string) =>
  customType<{ data: Value; driverData: unknown }>({
    dataType: () => "jsonb",
    toDriver: (value) => exactJsonText(value),
    fromDriver: (json) => fromExactJson<Value>(json),
  })(name);
