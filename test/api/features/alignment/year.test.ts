import { getTableColumns, getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFactSource } from "../../../../api/features/alignment/facts/facts.store.ts";
import { createPassportFileAt } from "../../../../api/features/alignment/facts/passport-file.ts";
import { createScoring } from "../../../../api/features/alignment/snapshots/scoring.store.ts";
import { createItemSigner } from "../../../../api/platform/storage/ans104.ts";
import * as indexed from "../../../../indexer/ponder.schema.ts";
import { verifyAlignment } from "../../../../kit/alignment/index.ts";
import { archiveIdOf, parseAlignmentDocument } from "../../../../protocol/index.ts";
import { createIndexTables } from "../../../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { CONTRACTS, yearOfAgents } from "../../../fixtures/year-of-agents.ts";
import { replay } from "../../../indexer/replay.ts";

// The service scores 200 agents from its index, at three times of a year; a reader recomputes every
// score from the chain's logs and the archive item alone. The index is a replay of the same logs.

const AGENTS = 200;
const SCORED_ON = [125, 245, 365];

const TABLES = [
  ...[indexed.soul, indexed.passport, indexed.soulEpoch, indexed.soulRevision],
  ...[indexed.operatorChange, indexed.spend, indexed.bindingChange, indexed.feedback],
  ...[indexed.validation, indexed.validationResponse, indexed.membership],
  ...[indexed.membershipChange, indexed.organization, indexed.organizationAdmin],
  indexed.alignment,
];

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  await createIndexTables(pool, TABLES);
  // What only the service knows: its readers take these counts from the archive item.
  await pool.query(`
    insert into app.chronicle (token_id, chronicle_id, epoch, category, change_type, recorded_at,
      data, content_hash, archive_id, leaf, authority, operation_key)
      select n, k, 1, 'experience', 'operator_change', to_timestamp(0), '{}', 'hash', 'archive',
        decode(md5(n || '-' || k), 'hex'), 'service', n || '-' || k
      from generate_series(1, ${AGENTS}) as n, generate_series(1, n % 4) as k`);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

type Year = ReturnType<typeof yearOfAgents>;

/** Makes the index what it is after the chain's last block. */
async function index({ ledger }: Year): Promise<void> {
  const rows = await replay(ledger.client, CONTRACTS, TABLES.map(getTableName));
  for (const table of TABLES) {
    const name = getTableName(table);
    const columns: Record<string, { readonly name: string }> = getTableColumns(table);
    const records = (rows[name] ?? []).map((row) =>
      Object.fromEntries(
        (JSON.parse(row) as string[]).flatMap((entry) => {
          const at = entry.indexOf("=");
          const column = columns[entry.slice(0, at)];
          return column === undefined ? [] : [[column.name, entry.slice(at + 1)]];
        }),
      ),
    );
    await pool.query(`truncate chain."${name}"`);
    await pool.query(
      `insert into chain."${name}" select * from json_populate_recordset(null::chain."${name}", $1)`,
      [JSON.stringify(records)],
    );
  }
  const { number, timestamp = 0n } = ledger.last();
  const digits = (value: bigint | number, width: number) => String(value).padStart(width, "0");
  const checkpoint = [digits(timestamp, 10), digits(31_337, 16), digits(number, 16), digits(0, 33)];
  await pool.query(
    "update chain._ponder_checkpoint set latest_checkpoint = $1, safe_checkpoint = $1",
    [checkpoint.join("")],
  );
}

it("gives 200 agents the same scores from chain and archive as from the service, for a year", async () => {
  const year = yearOfAgents(AGENTS, 20_260_401);
  const signer = createItemSigner(generatePrivateKey());
  const scoring = createScoring({
    facts: createFactSource({
      db: drizzle(pool),
      place: { chainId: 31_337, identityRegistry: CONTRACTS.identityRegistry },
      fileAt: createPassportFileAt(
        async () => ({ state: "missing" }),
        "https://agents.example/ar/",
      ),
    }),
    chainId: 31_337,
    contracts: CONTRACTS,
    issuer: signer.address,
    clock: () => new Date(0),
    block: (blockNumber) => year.ledger.client.getBlock({ blockNumber }),
  });
  const deployment = { chainId: 31_337, contracts: CONTRACTS, startBlock: 0n };

  const scores = new Set<number>();
  const kinds = new Set<string>();
  const wrong: unknown[] = [];
  let compared = 0;
  for (const day of SCORED_ON) {
    year.liveUntil(day);
    await index(year);
    const born = year.agents.filter(({ bornOn }) => bornOn <= day);
    const open = born.map(({ tokenId, name, epoch }) => ({
      id: name,
      tokenId,
      epoch,
      createdAt: new Date(0),
    }));
    const items = new Map<string, Uint8Array>();
    const records: Parameters<Year["record"]>[0][number][] = [];
    for (const { id, result } of await scoring.score(open)) {
      if (result.kind !== "scored") continue;
      const data = new TextEncoder().encode(result.snapshot.content);
      const signed = await signer.sign({ data, contentType: "application/json" });
      items.set(id, signed.bytes);
      const { tokenId, epoch, score, facts } = parseAlignmentDocument(data);
      records.push({ tokenId, epoch, score: score ?? -1, archiveId: archiveIdOf(signed.id) });
      scores.add(score ?? -1);
      for (const { kind } of facts) kinds.add(kind);
    }
    year.record(records);

    for (const [name, item] of items) {
      const verdict = await verifyAlignment(name, {
        client: year.ledger.client,
        deployment,
        source: { item },
      });
      compared += 1;
      if (verdict.verdict !== "valid") wrong.push([day, name, verdict]);
    }
  }
  expect(wrong).toEqual([]);
  // The year is worth comparing only if it is eventful.
  expect(compared).toBeGreaterThan(400);
  expect(scores.size).toBeGreaterThan(25);
  expect([...kinds].toSorted()).toEqual([
    "binding",
    "feedback",
    "membership",
    "operator",
    "organization",
    "overspending",
    "payment",
    "registered",
    "resealed",
    "reviewer",
    "revised",
    "sealed",
    "validation",
  ]);
}, 300_000);
