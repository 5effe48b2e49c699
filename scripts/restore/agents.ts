import { randomUUID } from "node:crypto";
import type pg from "pg";
import {
  type AlignmentDocument,
  InvalidAlignmentDocumentError,
  parseAlignmentDocument,
  storageIdOf,
} from "../../protocol/index.ts";
import type { Outcome } from "./chronicles.ts";
import { jsonOf } from "./chronicles.ts";
import type { RebuiltItems } from "./items.ts";
import { type Rebuilt, type RebuiltRow, rebuild } from "./rebuilt-table.ts";
import { REBUILT } from "./tables.ts";

const SOUL_ARCHIVE = "svc-soul-archive/1";

/** What a soul's archive says; see `soulArchiveJson`. */
interface SoulArchive {
  readonly format: string;
  readonly agentName: string;
  readonly owner: string;
  readonly merkleLeaves: unknown;
  readonly publicIdentity: unknown;
  readonly soulDocuments: readonly SoulDocument[];
}

interface SoulDocument {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly format: string;
  readonly contentHash: string;
  readonly immutable: boolean;
}

/** An archive that the index names, with the epoch that it began. */
interface NamedArchive {
  readonly token_id: string;
  readonly name: string;
  readonly epoch: number;
  readonly archive_id: string;
  readonly timestamp: string;
}

/** The first archive of each epoch: of the registration, and of each reseal. */
const ARCHIVES = `
  select distinct on (token_id, epoch) token_id, name, epoch, archive_id, timestamp from (
    select soul.token_id, soul.name, revision.epoch, revision.archive_id, revision.timestamp,
      revision.revision as place
    from chain.soul_revision as revision join chain.soul as soul using (token_id)
    where revision.kind <> 'REVISION' and revision.archive_id is not null
    union all
    select token_id, name, epoch, archive_id, mint_timestamp, 2147483647
    from chain.soul where sealed_at is null and archive_id is not null
  ) as named order by token_id, epoch, place`;

/** Registrations and documents, from the archives of souls and the chronicles. */
export async function rebuildAgents(client: pg.Client, items: RebuiltItems): Promise<Outcome> {
  const problems: string[] = [];
  const registrations: RebuiltRow[] = [];
  const documents: DocumentRow[] = [];
  const named = await client.query<NamedArchive>(ARCHIVES);
  let expected = 0;
  for (const archive of named.rows) {
    const content = await items.content(archive.archive_id, true);
    if (content === null) {
      problems.push(
        `The archive of soul ${archive.token_id}, ${archive.archive_id}, is not on permanent storage.`,
      );
      if (archive.epoch === 1) expected += 1;
      continue;
    }
    const soul = jsonOf(content.data) as SoulArchive | null;
    // Another registrar writes archives of its own form.
    if (soul?.format !== SOUL_ARCHIVE || soul.agentName !== archive.name) continue;
    if (archive.epoch === 1) {
      expected += 1;
      registrations.push(registrationRow(soul, archive));
    }
    documents.push(...soul.soulDocuments.map((document) => declaredRow(document, archive)));
  }
  const versions = await withItems(client, await withAnnounced(client, documents));
  const tables = new Map<string, Rebuilt>();
  const { registration, documentVersion } = REBUILT;
  tables.set(
    registration.name,
    await rebuild(client, registration, await missing(client, registrations), expected),
  );
  tables.set(documentVersion.name, await rebuild(client, documentVersion, versions));
  return { tables, problems };
}

function registrationRow(soul: SoulArchive, { archive_id, timestamp }: NamedArchive): RebuiltRow {
  const { format: _format, merkleLeaves, ...published } = soul;
  const at = timeOf(timestamp);
  return {
    id: randomUUID(),
    name: soul.agentName,
    owner: soul.owner,
    state: "complete",
    payload: { request: published },
    leaves: merkleLeaves,
    archive_id,
    created_at: at,
    updated_at: at,
  };
}

/** No constraint of the table says that a name is registered once: only that of its open ones. */
async function missing(client: pg.Client, rows: readonly RebuiltRow[]): Promise<RebuiltRow[]> {
  const { rows: known } = await client.query<{ id: string; name: string }>(
    "select id, name from app.registration where state = 'complete'",
  );
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  return rows.map((row) => ({ ...row, id: ids.get(String(row.name)) ?? row.id }));
}

function declaredRow(document: SoulDocument, { token_id, epoch, timestamp }: NamedArchive) {
  const { id, type, title, format, contentHash, immutable } = document;
  return {
    token_id,
    epoch,
    document_id: id,
    version: 1,
    type,
    title,
    format,
    content_hash: contentHash,
    immutable,
    archive_id: null as string | null,
    uploaded_at: timeOf(timestamp) as string | null,
    chronicle_id: null as string | null,
    breaks_immutability: false,
  };
}

type DocumentRow = ReturnType<typeof declaredRow>;

interface Announcement {
  readonly token_id: string;
  readonly chronicle_id: string;
  readonly epoch: number;
  readonly recorded_at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Versions that a chronicle announced and whose content is stored: these were uploaded. */
async function withAnnounced(
  client: pg.Client,
  declared: readonly DocumentRow[],
): Promise<DocumentRow[]> {
  const { rows } = await client.query<Announcement>(
    `select token_id, chronicle_id, epoch, recorded_at, data from app.chronicle as announced
     where category = 'document' and authority <> 'service'
       and change_type <> 'immutable_document_changed' and data ->> 'documentId' is not null
       and exists (select from app.storage_item as item where encode(item.data_hash, 'hex')
         = lower(right(announced.data ->> 'contentHash', 64)))
     order by token_id, epoch, chronicle_id`,
  );
  const versions = [...declared];
  for (const { data, token_id, epoch, chronicle_id, recorded_at } of rows) {
    const text = (key: string, otherwise: string | undefined) =>
      typeof data[key] === "string" ? (data[key] as string) : (otherwise ?? "");
    const id = text("documentId", "");
    const content_hash = `0x${text("contentHash", "").slice(-64).toLowerCase()}`;
    const current = versions.findLast(
      (one) => one.token_id === token_id && one.epoch === epoch && one.document_id === id,
    );
    if (current?.content_hash === content_hash) continue;
    versions.push({
      token_id,
      epoch,
      document_id: id,
      version: (current?.version ?? 0) + 1,
      type: text("documentType", current?.type),
      title: text("title", current?.title),
      format: text("format", current?.format),
      content_hash,
      immutable: current?.immutable === true || data.immutable === true,
      archive_id: null,
      uploaded_at: recorded_at.toISOString(),
      chronicle_id,
      breaks_immutability: current?.immutable ?? false,
    });
  }
  return versions;
}

/** The stored items by their contents' hashes: no record names the item of a document. */
async function withItems(client: pg.Client, rows: readonly DocumentRow[]): Promise<DocumentRow[]> {
  const { rows: found } = await client.query<{ id: string; hash: string }>(
    `select min(id) as id, '0x' || encode(data_hash, 'hex') as hash from app.storage_item
     where '0x' || encode(data_hash, 'hex') = any ($1) group by 2`,
    [rows.map(({ content_hash }) => content_hash)],
  );
  const ids = new Map(found.map(({ id, hash }) => [hash, id]));
  return rows.map((row) => {
    const archive_id = ids.get(row.content_hash) ?? null;
    return { ...row, archive_id, uploaded_at: archive_id === null ? null : row.uploaded_at };
  });
}

interface IndexedScore {
  readonly token_id: string;
  readonly name: string;
  readonly scored_block: string;
  readonly epoch: number;
  readonly score: number;
  readonly previous_score: number;
  readonly is_first: boolean;
  readonly archive_id: `0x${string}`;
  readonly timestamp: string;
  readonly tx: string;
}

/** Recorded snapshots, from the chain and from the archived documents that they were scored by. */
export async function rebuildSnapshots(
  client: pg.Client,
  items: RebuiltItems,
  settledBlock: bigint,
): Promise<Outcome> {
  const problems: string[] = [];
  const rows: RebuiltRow[] = [];
  const { rows: scores } = await client.query<IndexedScore>(
    `select scored.*, soul.name, not exists (select from chain.alignment as earlier
       where earlier.token_id = scored.token_id and earlier.epoch = scored.epoch
         and (earlier.block, earlier.log_index) < (scored.block, scored.log_index)) as is_first
     from chain.alignment as scored join chain.soul as soul using (token_id)
     where scored.block <= $1 order by scored.block, scored.log_index`,
    [settledBlock.toString()],
  );
  for (const score of scores) {
    const id = storageIdOf(score.archive_id);
    const content = await items.content(id, true);
    const of = `of the score of soul ${score.token_id} at block ${score.scored_block}`;
    if (content === null) problems.push(`The document ${of}, ${id}, is not on permanent storage.`);
    else {
      const row = snapshotRow(score, id, content.data);
      if (row === null) problems.push(`The item ${id} is not the document ${of}.`);
      else rows.push(row);
    }
  }
  const { alignmentSnapshot } = REBUILT;
  const known = await client.query<{ token_id: string; scored_block: string; id: string }>(
    "select token_id, scored_block, id from app.alignment_snapshot where state = 'recorded'",
  );
  const key = (row: RebuiltRow) => `${row.token_id} ${row.scored_block}`;
  const ids = new Map(known.rows.map((row) => [key({ ...row }), row.id]));
  const named = rows.map((row) => ({ ...row, id: ids.get(key(row)) ?? row.id }));
  const rebuilt = await rebuild(client, alignmentSnapshot, named, scores.length);
  return { tables: new Map([[alignmentSnapshot.name, rebuilt]]), problems };
}

function snapshotRow(score: IndexedScore, archiveId: string, data: Uint8Array): RebuiltRow | null {
  const document = documentIn(data);
  if (document === null || document.tokenId.toString() !== score.token_id) return null;
  const { block, breakdown } = document;
  const scoredAt = new Date(Number(block.timestamp) * 1000).toISOString();
  return {
    id: randomUUID(),
    token_id: score.token_id,
    agent_name: score.name,
    epoch: score.epoch,
    trigger: "scheduled",
    state: "recorded",
    created_at: scoredAt,
    scored_block: score.scored_block,
    scored_hash: block.hash,
    scored_at: scoredAt,
    score: score.score,
    breakdown,
    archive_id: archiveId,
    previous_score: score.is_first && score.previous_score === 0 ? null : score.previous_score,
    tx_hash: score.tx,
    recorded_at: timeOf(score.timestamp),
  };
}

function documentIn(data: Uint8Array): AlignmentDocument | null {
  try {
    return parseAlignmentDocument(data);
  } catch (error) {
    if (error instanceof InvalidAlignmentDocumentError) return null;
    throw error;
  }
}

function timeOf(seconds: string): string {
  return new Date(Number(seconds) * 1000).toISOString();
}
