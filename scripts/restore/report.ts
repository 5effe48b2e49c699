import type pg from "pg";
import { rebuildAgents, rebuildSnapshots } from "./agents.ts";
import { rebuildChronicles } from "./chronicles.ts";
import type { RebuiltItems } from "./items.ts";
import { namedItems } from "./named-items.ts";
import { type Rebuilt, stateOf, type TableState, viewState } from "./rebuilt-table.ts";
import { REBUILT, tableTerms } from "./tables.ts";

/** Every table before a loss: those of the service by `app.<name>`, those of the index by `chain.<name>`. */
export type States = Readonly<Record<string, TableState>>;

/** A table after the restore. */
interface TableReport {
  readonly table: string;
  readonly rebuiltFrom: "chain" | "storage" | null;
  /** Null where nothing says how many there were. */
  readonly expected: number | null;
  readonly present: number;
  /** Of these, the rows that this run added. */
  readonly added: number;
  /** Against what chain and storage say, and the recorded hash where there is one. */
  readonly hash: "equal" | "different" | null;
  /** What stays lost with it; null of the index. */
  readonly lostWith: string | null;
}

export interface Report {
  /** Whether everything that can be rebuilt is there. */
  readonly isComplete: boolean;
  readonly tables: readonly TableReport[];
  readonly problems: readonly string[];
}

export interface RestoreWork {
  readonly client: pg.Client;
  readonly items: RebuiltItems;
  /** Ids of items that no record names. */
  readonly ids: readonly string[];
  readonly before: States | null;
  /** What is anchored up to this block is final. */
  readonly settledBlock: bigint;
}

/** Adds everything that chain and permanent storage have and the database lacks. */
export async function rebuildEverything(work: RestoreWork): Promise<Report> {
  const { client, items, ids, before, settledBlock } = work;
  const problems: string[] = [];
  for (const id of ids) {
    if ((await items.content(id, true)) === null)
      problems.push(`The item ${id} of --items is not on permanent storage.`);
  }
  problems.push(...(await namedItems(client, items)));
  const parts = [
    await rebuildChronicles(client, items, settledBlock),
    await rebuildAgents(client, items),
    await rebuildSnapshots(client, items, settledBlock),
  ];
  const rebuilt = new Map<string, Rebuilt>();
  for (const { tables, problems: found } of parts) {
    for (const [name, table] of tables) rebuilt.set(name, table);
    problems.push(...found);
  }
  const { required, present, added, altered } = items.counts();
  const there = [...required].filter((id) => present.has(id)).length;
  problems.push(
    ...[...altered].map((id) => `The copy of the item ${id} is altered, and no gateway has it.`),
  );
  rebuilt.set(REBUILT.storageItem.name, {
    expected: required.size,
    present: there,
    added,
    isEqual: there === required.size,
  });
  const tables = [
    ...(await indexTables(client, before)),
    ...(await serviceTables(client, rebuilt, before)),
  ];
  const isComplete = tables.every(isThere) && problems.length === 0;
  return { isComplete, tables, problems };
}

const isThere = ({ rebuiltFrom, hash }: TableReport) =>
  rebuiltFrom === null || hash !== "different";

async function indexTables(client: pg.Client, before: States | null): Promise<TableReport[]> {
  const states = await viewStates(client, before !== null);
  return Object.entries(states).map(([table, { rows, hash }]): TableReport => {
    const recorded = before?.[table];
    return {
      table,
      rebuiltFrom: "chain",
      expected: recorded?.rows ?? null,
      present: rows,
      added: 0,
      hash: recorded === undefined ? null : sameness(recorded.hash === hash),
      lostWith: null,
    };
  });
}

async function serviceTables(
  client: pg.Client,
  rebuilt: ReadonlyMap<string, Rebuilt>,
  before: States | null,
): Promise<TableReport[]> {
  const reports: TableReport[] = [];
  for (const [name, { rebuiltFrom, lostWith }] of tableTerms()) {
    const table = `app.${name}`;
    const recorded = before?.[table];
    const found = rebuilt.get(name);
    if (rebuiltFrom === null || found === undefined) {
      const present = await countOf(client, name);
      const expected = recorded?.rows ?? null;
      reports.push({ table, rebuiltFrom, expected, present, added: 0, hash: null, lostWith });
      continue;
    }
    const spec = Object.values(REBUILT).find((one) => one.name === name);
    if (spec === undefined) throw new Error(`Nothing says what is rebuilt of ${table}.`);
    const now = recorded === undefined ? null : await stateOf(client, spec);
    const isEqual = found.isEqual && (now === null || now.hash === recorded?.hash);
    reports.push({
      table,
      rebuiltFrom,
      expected: recorded?.rows ?? found.expected,
      present: now?.rows ?? found.present,
      added: found.added,
      hash: sameness(isEqual),
      lostWith,
    });
  }
  return reports;
}

const sameness = (isEqual: boolean) => (isEqual ? "equal" : "different");

/** Every table as it is now, to be compared after a restore. */
export async function recordedStates(client: pg.Client): Promise<States> {
  const states: Record<string, TableState> = await viewStates(client, true);
  for (const name of tableTerms().keys()) {
    const spec = Object.values(REBUILT).find((one) => one.name === name);
    states[`app.${name}`] =
      spec === undefined
        ? { rows: await countOf(client, name), hash: null }
        : await stateOf(client, spec);
  }
  return states;
}

async function viewStates(client: pg.Client, hashed: boolean): Promise<Record<string, TableState>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = to_regnamespace('chain')
       and relkind = 'v' and left(relname, 1) <> '_' order by 1`,
  );
  const states: Record<string, TableState> = {};
  for (const { name } of rows) {
    states[`chain.${name}`] = hashed
      ? await viewState(client, name)
      : { rows: await countOf(client, name, "chain"), hash: null };
  }
  return states;
}

async function countOf(client: pg.Client, name: string, schema = "app"): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from ${schema}."${name}"`,
  );
  return rows[0]?.count ?? 0;
}

/** The report for people. */
export function written({ isComplete, tables, problems }: Report): string {
  const line = ({ table, expected, present, added, hash }: TableReport) =>
    [
      table.padEnd(30),
      `${present} of ${expected ?? "?"} rows`.padEnd(22),
      added === 0 ? "" : `${added} added`,
      hash ?? "",
    ]
      .join("  ")
      .trimEnd();
  const back = tables.filter(({ rebuiltFrom }) => rebuiltFrom !== null);
  const notAll = back.filter(({ lostWith }) => lostWith !== null);
  const gone = tables.filter(({ rebuiltFrom }) => rebuiltFrom === null);
  return `${[
    "Rebuilt from the chain and from permanent storage:",
    ...back.map((table) => `  ${line(table)}`),
    "",
    "Of these tables, a lost database loses for good:",
    ...notAll.map(({ table, lostWith }) => `  ${table}: ${lostWith}`),
    "",
    "Not rebuilt. A lost database loses for good:",
    ...gone.map(({ table, present, lostWith }) => `  ${table} (${present} rows now): ${lostWith}`),
    "",
    ...problems,
    isComplete
      ? "Everything that can be rebuilt is there."
      : "Something that can be rebuilt is missing or different.",
  ].join("\n")}\n`;
}
