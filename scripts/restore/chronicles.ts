import type pg from "pg";
import { bytesToHex, type Hex, hexToBytes, sha256 } from "viem";
import {
  buildChronicleTree,
  CHRONICLE_BATCH_FORMAT,
  CHRONICLE_FORMAT,
  chronicleLeaf,
  storageIdOf,
} from "../../protocol/index.ts";
import type { RebuiltItems } from "./items.ts";
import { type Rebuilt, type RebuiltRow, rebuild } from "./rebuilt-table.ts";
import { REBUILT } from "./tables.ts";

/** A batch as the index has it. */
interface IndexedBatch {
  readonly id: string;
  readonly root: Hex;
  readonly previous_root: Hex;
  readonly leaf_count: string;
  readonly leaves_archive_id: Hex;
  readonly timestamp: string;
  readonly block: string;
  readonly tx: Hex;
}

type ListEntry = readonly [leaf: Hex, tokenId: string, chronicleId: string, archiveId: string];

interface ArchivedRecord {
  readonly epoch: number;
  readonly category: string;
  readonly changeType: string;
  readonly data: unknown;
}

/** Items that are fetched at the same time. */
const AT_ONCE = 10;
/** How far the clocks of service and chain may differ, in seconds. */
const CLOCKS = 86_400n;

/** What a part of the restore adds to its report. */
export interface Outcome {
  readonly tables: ReadonlyMap<string, Rebuilt>;
  readonly problems: readonly string[];
}

/** Batches from the chain, and their chronicles from the archived lists and records. */
export async function rebuildChronicles(
  client: pg.Client,
  items: RebuiltItems,
  settledBlock: bigint,
): Promise<Outcome> {
  const problems: string[] = [];
  const { rows: batches } = await client.query<IndexedBatch>(
    "select * from chain.batch where block <= $1 order by id",
    [settledBlock.toString()],
  );
  const chronicles: RebuiltRow[] = [];
  const states: RebuiltRow[] = [];
  let leaves = 0;
  for (const batch of batches) {
    leaves += Number(batch.leaf_count);
    const list = await listOf(batch, items);
    if (typeof list === "string") {
      problems.push(list);
      continue;
    }
    const tree = buildChronicleTree(Buffer.concat(list.map(([leaf]) => hexToBytes(leaf))));
    for (let first = 0; first < list.length; first += AT_ONCE) {
      const entries = list.slice(first, first + AT_ONCE);
      const found = await Promise.all(entries.map((entry) => chronicleOf(entry, batch, items)));
      for (const [offset, chronicle] of found.entries()) {
        const [leaf, tokenId, chronicleId] = entries[offset] as ListEntry;
        if (typeof chronicle === "string") problems.push(chronicle);
        else {
          chronicles.push(chronicle);
          states.push({
            token_id: tokenId,
            chronicle_id: chronicleId,
            tx_hash: null,
            batch_id: batch.id,
            leaf: bytea(leaf),
            proof: bytea(bytesToHex(tree.proofBytes(first + offset))),
          });
        }
      }
    }
  }
  chronicles.sort(byTime);
  const order = new Map(chronicles.map((row, place) => [keyOf(row), place]));
  states.sort((a, b) => (order.get(keyOf(a)) ?? 0) - (order.get(keyOf(b)) ?? 0));
  const tables = new Map<string, Rebuilt>();
  const add = async (
    table: (typeof REBUILT)[keyof typeof REBUILT],
    rows: RebuiltRow[],
    n: number,
  ) => tables.set(table.name, await rebuild(client, table, rows, n));
  await add(REBUILT.chronicleBatch, batches.map(batchRow), batches.length);
  await add(REBUILT.chronicle, chronicles, leaves);
  await joinBatches(client, states);
  await add(REBUILT.chronicleState, states, leaves);
  const counters = await counterRows(client);
  await raiseCounters(client);
  await add(REBUILT.chronicleCounter, counters, counters.length);
  return { tables, problems };
}

/** The archived list, if it is the one that the root on chain commits to; otherwise what is wrong. */
async function listOf(batch: IndexedBatch, items: RebuiltItems): Promise<ListEntry[] | string> {
  const id = storageIdOf(batch.leaves_archive_id);
  const content = await items.content(id, true);
  if (content === null) return `The list of batch ${batch.id}, ${id}, is not on permanent storage.`;
  const wrong = `The item ${id} is not the list of batch ${batch.id}.`;
  const list = jsonOf(content.data) as { format?: unknown; leaves?: ListEntry[] } | null;
  if (list?.format !== CHRONICLE_BATCH_FORMAT || !Array.isArray(list.leaves)) return wrong;
  const bytes = Buffer.concat(list.leaves.map(([leaf]) => hexToBytes(leaf)));
  return buildChronicleTree(bytes).root === batch.root ? list.leaves : wrong;
}

/** The chronicle that a leaf commits to; what is wrong when it cannot be found. */
async function chronicleOf(
  [leaf, tokenId, chronicleId, archiveId]: ListEntry,
  batch: IndexedBatch,
  items: RebuiltItems,
): Promise<RebuiltRow | string> {
  const of = `of chronicle ${chronicleId} of soul ${tokenId}`;
  const content = await items.content(archiveId, true);
  if (content === null) return `The record ${of}, ${archiveId}, is not on permanent storage.`;
  const record = jsonOf(content.data) as (ArchivedRecord & { format?: unknown }) | null;
  if (record?.format !== CHRONICLE_FORMAT) return `The item ${archiveId} is not the record ${of}.`;
  const { epoch, category, changeType, data } = record;
  const contentHash = sha256(content.data);
  const chronicle = { category, changeType, contentHash };
  const ids = { tokenId: BigInt(tokenId), chronicleId: BigInt(chronicleId) };
  const second = secondOf(leaf, { ...chronicle, ...ids }, BigInt(batch.timestamp));
  if (second === null) return `The item ${archiveId} is not what the leaf ${of} commits to.`;
  return {
    token_id: tokenId,
    chronicle_id: chronicleId,
    epoch,
    category,
    change_type: changeType,
    recorded_at: new Date(Number(second) * 1000).toISOString(),
    data,
    content_hash: contentHash,
    archive_id: archiveId,
    leaf: bytea(leaf),
    new_soul_hash: null,
    authority: "restored",
    operation_key: `restored:${tokenId}:${chronicleId}`,
  };
}

/**
 * Only the leaf has the time: it is found by trying, from the batch's own time backwards. Most are
 * within an hour.
 */
function secondOf(
  leaf: Hex,
  chronicle: Omit<Parameters<typeof chronicleLeaf>[0], "timestamp">,
  anchoredAt: bigint,
): bigint | null {
  for (let distance = 0n; distance <= MOST_DISTANCE; distance += 1n) {
    const seconds =
      distance > CLOCKS ? [anchoredAt - distance] : [anchoredAt - distance, anchoredAt + distance];
    for (const timestamp of seconds) {
      if (timestamp > 0n && chronicleLeaf({ ...chronicle, timestamp }) === leaf) return timestamp;
    }
  }
  return null;
}

/** A batch may have waited for a long time, as when the relayer had no funds. */
const MOST_DISTANCE = 30n * 86_400n;

function batchRow(batch: IndexedBatch): RebuiltRow {
  const at = new Date(Number(batch.timestamp) * 1000).toISOString();
  return {
    id: batch.id,
    stage: "confirmed",
    leaf_count: batch.leaf_count,
    root: batch.root,
    previous_root: batch.previous_root,
    archive_id: storageIdOf(batch.leaves_archive_id),
    failures: 0,
    tx_hash: batch.tx,
    block_number: batch.block,
    created_at: at,
    anchored_at: at,
    confirmed_at: at,
    announced_seq: 0,
    announced_at: at,
  };
}

/** Chronicles that a backup has as queued, and that were anchored after it. */
async function joinBatches(client: pg.Client, states: readonly RebuiltRow[]): Promise<void> {
  await client.query(
    `update app.chronicle_state as state set batch_id = rebuilt.batch_id, proof = rebuilt.proof
     from jsonb_populate_recordset(null::app.chronicle_state, $1) as rebuilt
     where state.token_id = rebuilt.token_id and state.chronicle_id = rebuilt.chronicle_id
       and state.leaf = rebuilt.leaf and state.batch_id is null and state.tx_hash is null`,
    [JSON.stringify(states)],
  );
}

async function counterRows(client: pg.Client): Promise<RebuiltRow[]> {
  const { rows } = await client.query<{ token_id: string; last_id: string }>(
    "select token_id, max(chronicle_id) as last_id from app.chronicle group by 1 order by 1",
  );
  return rows.map((row) => ({
    ...row,
    day: "",
    day_count: 0,
    mandatory_day: "",
    mandatory_day_count: 0,
  }));
}

/** A backup's counter would give the number of a rebuilt chronicle again. */
async function raiseCounters(client: pg.Client): Promise<void> {
  await client.query(
    `update app.chronicle_counter as counter set last_id = newest.id
     from (select token_id, max(chronicle_id) as id from app.chronicle group by 1) as newest
     where newest.token_id = counter.token_id and newest.id > counter.last_id`,
  );
}

function byTime(a: RebuiltRow, b: RebuiltRow): number {
  const [left, right] = [String(a.recorded_at), String(b.recorded_at)];
  if (left !== right) return left < right ? -1 : 1;
  return Number(BigInt(String(a.chronicle_id)) - BigInt(String(b.chronicle_id)));
}

const keyOf = (row: RebuiltRow) => `${row.token_id} ${row.chronicle_id}`;

const bytea = (hex: Hex) => `\\x${hex.slice(2)}`;

/** Null for anything that is not JSON. */
export function jsonOf(data: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data));
  } catch {
    return null;
  }
}
