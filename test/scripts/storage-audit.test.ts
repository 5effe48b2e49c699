import { randomBytes } from "node:crypto";
import { bytesToHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DatabaseConnection } from "../../api/platform/database/connect.ts";
import { connectDatabase } from "../../api/platform/database/connect.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { createItemSigner, openItem } from "../../api/platform/storage/ans104.ts";
import { lastAudit } from "../../api/platform/storage/audits.store.ts";
import { createStorageItems } from "../../api/platform/storage/items.store.ts";
import { archiveIdOf } from "../../protocol/storage-id.ts";
import { jobsCommand } from "../../scripts/jobs/command.ts";
import { hasPromtool } from "../fixtures/alert-rules.ts";
import type { TestGateway } from "../fixtures/bundler.ts";
import { startGateway } from "../fixtures/bundler.ts";
import type { TestDatabase } from "../fixtures/postgres.ts";
import { createDatabase } from "../fixtures/postgres.ts";
import { alertsOf } from "../fixtures/watched-process.ts";

const signer = createItemSigner(bytesToHex(randomBytes(32)));
const HOUR = 3_600_000;
const UNKNOWN_ID = "A".repeat(43);

let database: TestDatabase;
let connection: DatabaseConnection;
let stored: Map<string, Buffer>;
let gateway: TestGateway;
let host: string;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});
beforeEach(async () => {
  stored = new Map();
  gateway = await startGateway(stored);
  host = new URL(gateway.url).host;
});
afterEach(async () => {
  await gateway.stop();
  await connection.pool.query("delete from app.storage_item");
  await connection.pool.query("delete from app.chronicle_batch");
});

async function audit(environment: Record<string, string> = { GATEWAY_URLS: gateway.url }) {
  const printed: string[] = [];
  const complained: string[] = [];
  const status = await jobsCommand(["storage", "audit"], {
    environment: { DATABASE_URL: database.url, ...environment },
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
  });
  return { status, lines: printed.join("").split("\n").slice(0, -1), complained };
}

type Step = "begun" | "acknowledged" | "seen";

/** An item of the bundler driver, `hoursAgo` old, at the given stage. */
async function item(hoursAgo: number, ...steps: readonly Step[]) {
  const content = { data: randomBytes(50), contentType: "text/plain" };
  const signed = await signer.sign(content);
  const { id, bytes } = signed;
  const at = new Date(Date.now() - hoursAgo * HOUR);
  const items = createStorageItems(connection.db, () => at);
  await items.keepForUpload(signed, await openItem(signed));
  if (steps.includes("begun")) await items.begin(id);
  if (steps.includes("acknowledged")) await items.acknowledged(id, { id });
  if (steps.includes("seen")) await items.seen(id);
  return { id, bytes, items, serve: () => stored.set(id, bytes) };
}

const alter = (id: string) =>
  connection.pool.query(
    "update app.storage_item set bytes = set_byte(bytes, length(bytes) - 1, (get_byte(bytes, length(bytes) - 1) + 1) % 256) where id = $1",
    [id],
  );

/** Lines sorted by their subject, because several items are read at once. */
const sorted = (lines: readonly string[]) => lines.toSorted();

describe("npm run jobs -- storage audit", () => {
  it("finds no problem in a sound archive", async () => {
    (await item(100, "begun", "acknowledged", "seen")).serve();
    await item(2, "begun", "acknowledged");
    await item(2);
    expect(await audit()).toEqual({
      status: 0,
      lines: [
        "Items: 3. Copies here: 3 intact, 0 altered, 0 of them repaired.",
        "Uploads: 1 seen at a gateway, 1 acknowledged, 0 without a known end, 1 never stored; 0 items are only here.",
        `${host}: 1 as stored, 1 missing, 0 altered, 0 without an answer.`,
        "Named by records: 0 stored, 0 not stored.",
        "Nothing is wrong.",
      ],
      complained: [],
    });
    expect(await lastAudit(connection.db)).toMatchObject({ items: 3, problems: 0 });
  });

  it("needs no gateway", async () => {
    const signed = await signer.sign({ data: randomBytes(9), contentType: "text/plain" });
    await createStorageItems(connection.db, () => new Date()).keep(signed, await openItem(signed));
    const { status, lines } = await audit({});
    expect(status).toBe(0);
    expect(lines).toEqual([
      "Items: 1. Copies here: 1 intact, 0 altered, 0 of them repaired.",
      "Uploads: 0 seen at a gateway, 0 acknowledged, 0 without a known end, 0 never stored; 1 items are only here.",
      "Named by records: 0 stored, 0 not stored.",
      "Nothing is wrong.",
    ]);
  });

  it("names each problem, repairs what it can, and fails", async () => {
    const lost = await item(25, "begun", "acknowledged");
    const open = await item(2, "begun");
    await open.items.failed(open.id, {
      failure: "unavailable",
      message: "no answer",
      outcome: "unknown",
    });
    const altered = await item(2, "begun", "acknowledged");
    await alter(altered.id);
    const repaired = await item(2, "begun", "acknowledged");
    repaired.serve();
    await alter(repaired.id);
    const tampered = await item(2, "begun", "acknowledged");
    gateway.answer((path) =>
      path === `/raw/${tampered.id}` ? { status: 200, body: Buffer.from("other") } : undefined,
    );

    const found = await audit();
    expect(found.status).toBe(1);
    const problems = [
      `${lost.id}  no gateway has it, although the bundler acknowledged it`,
      `${open.id}  its upload has no known end: unavailable (no answer)`,
      `${altered.id}  the copy here is altered, and no gateway has the intact item`,
      `${repaired.id}  the copy here was altered; it is repaired from a gateway`,
      `${tampered.id}  ${host} serves altered content`,
    ];
    expect(sorted(found.lines.slice(0, 5))).toEqual(sorted(problems));
    expect(found.lines.slice(5)).toEqual([
      "Items: 5. Copies here: 3 intact, 2 altered, 1 of them repaired.",
      "Uploads: 0 seen at a gateway, 4 acknowledged, 1 without a known end, 0 never stored; 0 items are only here.",
      `${host}: 1 as stored, 1 missing, 1 altered, 0 without an answer.`,
      "Named by records: 0 stored, 0 not stored.",
      "Problems: 5.",
    ]);

    const again = await audit();
    expect(again.lines).not.toContain(problems[3]);
    expect(again.lines.at(-1)).toBe("Problems: 4.");
  });

  it("reports what no gateway has, however often it was uploaded again", async () => {
    const lost = await item(25, "begun", "acknowledged");
    const { id } = lost;
    await createStorageItems(connection.db, () => new Date()).acknowledged(id, { id });
    const { status, lines } = await audit();
    expect(status).toBe(1);
    expect(lines[0]).toBe(`${id}  no gateway has it, although the bundler acknowledged it`);
    expect(lines.at(-1)).toBe("Problems: 1.");
  });

  it("reports since when the account is empty, until an upload succeeds again", async () => {
    const refused = await item(3, "begun");
    await refused.items.failed(refused.id, {
      failure: "out_of_balance",
      message: "402",
      outcome: "not_stored",
    });
    const { status, lines } = await audit({});
    expect(status).toBe(1);
    expect(lines[0]).toMatch(
      /^out of balance: the bundler's account is empty since [0-9T:.Z-]+ or longer; uploads that it stopped: 1$/,
    );
    await item(2, "begun", "acknowledged");
    expect((await audit({})).status).toBe(0);
  });

  it("distinguishes a gateway's outage from a loss", async () => {
    await item(100, "begun", "acknowledged", "seen");
    gateway.answer(() => ({ status: 500 }));
    const { status, lines } = await audit();
    expect(status).toBe(1);
    expect(lines[0]).toBe(`${host}  it did not answer for 1 of the items`);
    expect(lines.at(-1)).toBe("Problems: 1.");
  });

  it("checks that the items named by records are stored", async () => {
    const good = await item(2, "begun", "acknowledged");
    const unfinished = await item(0.5, "begun");
    const ids = [good.id, unfinished.id, UNKNOWN_ID];
    for (const [index, id] of ids.entries()) {
      await connection.pool.query(
        "insert into app.chronicle_batch (id, stage, leaf_count, archive_id, created_at) values ($1, 'built', 1, $2, now())",
        [index + 1, id],
      );
    }
    const { status, lines } = await audit({});
    expect(status).toBe(1);
    expect(sorted(lines.slice(0, 2))).toEqual(
      sorted([
        `${unfinished.id}  batch 2 names it, and it is not stored`,
        `${UNKNOWN_ID}  batch 3 names it, and it is not stored`,
      ]),
    );
    expect(lines.slice(-2)).toEqual(["Named by records: 1 stored, 2 not stored.", "Problems: 2."]);
  });

  it("checks the items named by documents and by the index, each once", async () => {
    const { pool } = connection;
    const anId = async () =>
      (await signer.sign({ data: randomBytes(9), contentType: "text/plain" })).id;
    const lost = await Promise.all(Array.from({ length: 6 }, anId));
    const [document, soul, revision, did, batch, file] = lost as [
      ...[string, string, string, string, string, string],
    ];
    const { id: stored } = await item(2, "begun", "acknowledged");
    const none = `0x${"0".repeat(64)}`;
    const insertDocument = `insert into app.document_version
      (token_id, epoch, document_id, version, type, title, format, content_hash, immutable, archive_id)
      values (7, 1, 'manifesto', $1, 'text', 'Manifesto', 'text/plain', '0x00', false, $2)`;
    await pool.query(insertDocument, [1, document]);
    await pool.query(insertDocument, [2, null]);
    // The columns of the index that name an item, as the index creates them.
    await pool.query(`create schema if not exists chain;
      create table chain.soul (token_id numeric(78), passport_id numeric(78), status text, archive_id text);
      create table chain.soul_revision (token_id numeric(78), revision integer, archive_id text);
      create table chain.did_archive (token_id numeric(78), archive_id text);
      create table chain.batch (id numeric(78), leaves_archive_id text);
      create table chain.passport (id numeric(78), uri text)`);
    try {
      await pool.query(
        "insert into chain.soul values (7, 70, 'SEALED', $1), (8, 80, 'BURNED', null), (9, 90, 'SEALED', $2), (10, 100, 'SEALED', $2)",
        [soul, stored],
      );
      await pool.query(
        "insert into chain.soul_revision values (7, 1, $1), (7, 2, $2), (9, 1, null)",
        [revision, stored],
      );
      await pool.query("insert into chain.did_archive values (7, $1), (7, $2), (9, $3)", [
        ...[archiveIdOf(did), none, archiveIdOf(stored)],
      ]);
      await pool.query("insert into chain.batch values (3, $1)", [archiveIdOf(batch)]);
      // The owner is responsible for a passport without a living soul, and for URIs outside the
      // service's storage.
      await pool.query(
        "insert into chain.passport values (70, $1), (80, $2), (90, 'https://agent.example/card'), (100, 'ar://x'), (110, $2), (111, null)",
        [`ar://${file}`, `ar://${UNKNOWN_ID}`],
      );
      const { status, lines } = await audit({});
      expect(status).toBe(1);
      expect(lines.slice(0, -4)).toEqual([
        `${document}  version 1 of document manifesto of soul 7 names it, and it is not stored`,
        `${soul}  soul 7 names it, and it is not stored`,
        `${revision}  revision 1 of soul 7 names it, and it is not stored`,
        `${did}  DID document of soul 7 names it, and it is not stored`,
        `${batch}  anchored batch 3 names it, and it is not stored`,
        `${file}  passport 70 of soul 7 names it, and it is not stored`,
      ]);
      expect(lines.slice(-2)).toEqual([
        "Named by records: 3 stored, 6 not stored.",
        "Problems: 6.",
      ]);
    } finally {
      await pool.query("drop schema chain cascade");
      await pool.query("delete from app.document_version");
    }
  });

  it("reads every item of many, and reports its progress", async () => {
    const items = createStorageItems(connection.db, () => new Date());
    for (let index = 0; index < 501; index += 1) {
      const signed = await signer.sign({ data: randomBytes(8), contentType: "text/plain" });
      await items.keep(signed, await openItem(signed));
    }
    const { status, lines, complained } = await audit({});
    expect([status, complained]).toEqual([0, ["500 of 501 items read\n"]]);
    expect(lines[0]).toBe("Items: 501. Copies here: 501 intact, 0 altered, 0 of them repaired.");
  });

  it("refuses invalid gateways", async () => {
    const { status, complained } = await audit({ GATEWAY_URLS: "ftp://gateway.example" });
    expect([status, complained.join("")]).toEqual([
      2,
      "GATEWAY_URLS must be https URLs (http only on a loopback address), each an origin or with {id}, separated by commas.\nnpm run jobs -- --help explains the commands.\n",
    ]);
  });
});

describe.skipIf(!hasPromtool)("the alert that fires", () => {
  const alerts = () => alertsOf({ sources: { storageAudit: () => lastAudit(connection.db) } });

  it("when the last audit found a problem", async () => {
    const { id } = await item(2);
    await alter(id);
    await audit();
    expect(await alerts()).toEqual(["StorageAuditProblems"]);
  });

  it("when the last audit ended nine days ago", async () => {
    await audit();
    expect(await alerts()).toEqual([]);
    await connection.pool.query(
      "update app.storage_audit set finished_at = finished_at - interval '9 days'",
    );
    expect(await alerts()).toEqual(["StorageAuditOverdue"]);
  });
});
