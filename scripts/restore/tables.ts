import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { features } from "../../api/features.ts";
import { type TableTerms, termsOf } from "../../api/platform/database/columns.ts";
import type { RebuiltTable } from "./rebuilt-table.ts";

const ANCHORED = "select id from app.chronicle_batch where stage in ('anchored', 'confirmed')";

/** The numbers of an agent's chronicles that are anchored. */
const ANCHORED_IDS = `select anchored.chronicle_id from app.chronicle_state as anchored
  where anchored.token_id = "row".token_id and anchored.batch_id in (${ANCHORED})`;

const IS_ANCHORED = `chronicle_id in (${ANCHORED_IDS})`;

/** What is rebuilt of each table, and what of it is as it was. */
export const REBUILT = {
  storageItem: {
    name: "storage_item",
    key: ["id"],
    exact: ["id", "encode(sha256(bytes), 'hex')", "data_hash", "content_type"],
    which: "true",
  },
  chronicleBatch: {
    name: "chronicle_batch",
    key: ["id"],
    exact: ["id", "leaf_count", "root", "previous_root", "archive_id", "tx_hash", "block_number"],
    which: "stage in ('anchored', 'confirmed')",
  },
  chronicle: {
    name: "chronicle",
    key: ["token_id", "chronicle_id"],
    exact: [
      "token_id",
      "chronicle_id",
      "epoch",
      "category",
      "change_type",
      "date_trunc('second', recorded_at)",
      "data",
      "content_hash",
      "archive_id",
      "leaf",
      "new_soul_hash",
    ],
    which: IS_ANCHORED,
  },
  chronicleState: {
    name: "chronicle_state",
    key: ["token_id", "chronicle_id"],
    exact: ["token_id", "chronicle_id", "tx_hash", "batch_id", "leaf", "proof"],
    which: `batch_id in (${ANCHORED})`,
  },
  chronicleCounter: {
    name: "chronicle_counter",
    key: ["token_id"],
    // Numbers of chronicles that were never anchored may be given again.
    exact: ["token_id", `last_id >= (select max(chronicle_id) from (${ANCHORED_IDS}) as ids)`],
    which: `exists (${ANCHORED_IDS})`,
  },
  registration: {
    name: "registration",
    key: ["name"],
    exact: [
      "name",
      "owner",
      "state",
      "payload #> '{request,publicIdentity}'",
      "leaves",
      "archive_id",
    ],
    which: "state = 'complete'",
  },
  documentVersion: {
    name: "document_version",
    key: ["token_id", "epoch", "document_id", "version"],
    exact: [
      "token_id",
      "epoch",
      "document_id",
      "version",
      "type",
      "title",
      "format",
      "content_hash",
      "immutable",
      "archive_id",
      "chronicle_id",
      "breaks_immutability",
    ],
    which: `chronicle_id is null or ${IS_ANCHORED}`,
  },
  alignmentSnapshot: {
    name: "alignment_snapshot",
    key: ["token_id", "scored_block"],
    exact: [
      "token_id",
      "agent_name",
      "epoch",
      "state",
      "scored_block",
      "scored_hash",
      "scored_at",
      "score",
      "breakdown",
      "archive_id",
      "previous_score",
      "tx_hash",
      "recorded_at",
    ],
    which: "state = 'recorded'",
  },
} as const satisfies Record<string, RebuiltTable>;

/** The terms of every table of the schema `app`, by name. */
export function tableTerms(): ReadonlyMap<string, TableTerms> {
  const tables = features
    .flatMap((feature) => Object.values<unknown>(feature.tables))
    .filter((value) => is(value, PgTable));
  return new Map(
    tables
      .map((table) => [getTableConfig(table).name, termsOf(table)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
