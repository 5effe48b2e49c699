import { randomBytes } from "node:crypto";
import { bytesToHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../../../api/kernel/errors.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createMetrics } from "../../../../api/platform/metrics/metrics.ts";
import type { Content } from "../../../../api/platform/storage/ans104.ts";
import { createItemSigner } from "../../../../api/platform/storage/ans104.ts";
import { createBundler, UploadError } from "../../../../api/platform/storage/bundler.ts";
import { confirmUploads } from "../../../../api/platform/storage/confirm-uploads.ts";
import { createGateway } from "../../../../api/platform/storage/gateways.ts";
import { createStorageHttp } from "../../../../api/platform/storage/http.ts";
import { createStorageItems } from "../../../../api/platform/storage/items.store.ts";
import { createLocalStorage } from "../../../../api/platform/storage/local.ts";
import { createPermanentStorage } from "../../../../api/platform/storage/permanent.ts";
import { uploadUrl } from "../../../../api/platform/storage/settings.ts";
import type { UploadOutcome } from "../../../../api/platform/storage/uploads.ts";
import { createBundlerStorage } from "../../../../api/platform/storage/uploads.ts";
import { hasPromtool } from "../../../fixtures/alert-rules.ts";
import type { Behaviour, TestBundler } from "../../../fixtures/bundler.ts";
import { receipt, startBundler, startGateway } from "../../../fixtures/bundler.ts";
import { Killed, Life, mortal } from "../../../fixtures/mortal.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { alertsOf } from "../../../fixtures/watched-process.ts";
import { capturedLog } from "../../helpers.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const signer = createItemSigner(bytesToHex(randomBytes(32)));
const UNKNOWN_ID = "A".repeat(43);
const never = new AbortController().signal;
const http = createStorageHttp();

let database: TestDatabase;
let connection: DatabaseConnection;
let bundler: TestBundler;
let now: Date;
const clock = () => now;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  await http.close();
});
beforeEach(async () => {
  now = new Date("2026-03-01T12:00:00Z");
  bundler = await startBundler();
  await connection.pool.query("delete from app.storage_item");
});
afterEach(() => bundler.stop());

const anything = (): Content => ({ data: randomBytes(40), contentType: "application/json" });

/** A process of the service. It waits no real time between two tries. */
function newProcess({
  life = new Life(() => false),
  kind = "turbo",
  url = bundler.url,
  timeoutMs = 5_000,
  observe = (_outcome: UploadOutcome) => {},
} = {}) {
  const pauses: number[] = [];
  const outcomes: UploadOutcome[] = [];
  const { log, entries } = capturedLog();
  const items = mortal(createStorageItems(connection.db, clock), life);
  const storage = createBundlerStorage({
    items,
    log,
    clock,
    patienceMs: 30_000,
    bundler: mortal(createBundler({ url: uploadUrl(url, kind), http, timeoutMs }), life),
    observe(outcome) {
      outcomes.push(outcome);
      observe(outcome);
    },
    pause: async (ms) => void pauses.push(ms),
  });
  const archive = createPermanentStorage(signer, storage);
  return { archive, storage, items, pauses, outcomes, entries, log };
}

const uploadOf = async (id: string) =>
  (await connection.pool.query("select * from app.storage_upload where id = $1", [id])).rows[0];

async function stageOf(id: string) {
  for await (const state of createStorageItems(connection.db, clock).states()) {
    if (state.id === id) return state.stage;
  }
  return null;
}

async function failureOf(work: Promise<unknown>): Promise<UploadError> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ type: "STORAGE_UNAVAILABLE", status: 503 });
  const { cause } = error as ApiError;
  expect(cause).toBeInstanceOf(UploadError);
  return cause as UploadError;
}

describe("an upload", () => {
  it("sends the signed item and is stored with its receipt", async () => {
    const { archive, outcomes, pauses } = newProcess();
    const content = anything();
    const expected = await signer.sign(content);
    expect(await archive.idOf(content)).toBe(expected.id);
    expect(bundler.uploads).toEqual([]);
    expect(await stageOf(expected.id)).toBeNull();

    expect(await archive.archive(content)).toBe(expected.id);
    expect(bundler.uploads).toEqual([
      { path: "/v1/tx", contentType: "application/octet-stream", id: expected.id },
    ]);
    expect(bundler.kept.get(expected.id)?.equals(expected.bytes)).toBe(true);
    expect(await uploadOf(expected.id)).toEqual({
      id: expected.id,
      was_only_here: false,
      open_tries: 0,
      tries: 1,
      last_failure: null,
      last_message: null,
      receipt: receipt(expected.id),
      touched_at: now,
      next_look_at: new Date(now.getTime() + 60_000),
      acknowledged_at: now,
      seen_at: null,
    });
    expect([outcomes, pauses]).toEqual([["acknowledged"], []]);
    expect((await archive.read(expected.id))?.contentType).toBe("application/json");
  });

  it("is made once, however often the content is archived", async () => {
    const { archive } = newProcess();
    const content = anything();
    const id = await archive.archive(content);
    expect(await archive.archive(content)).toBe(id);
    expect(await newProcess().archive.archive(content)).toBe(id);
    expect(bundler.uploads).toHaveLength(1);
  });

  it.each(["turbo", "irys"] as const)("that is repeated succeeds at %s", async (kind) => {
    const service = await startBundler(kind);
    try {
      const content = anything();
      const { archive } = newProcess({ kind, url: service.url });
      const id = await archive.archive(content);
      // The database of another deployment, or a restored one, does not know it.
      await connection.pool.query("delete from app.storage_item");
      expect(await newProcess({ kind, url: service.url }).archive.archive(content)).toBe(id);
      expect(service.uploads).toHaveLength(2);
      expect([...service.kept.keys()]).toEqual([id]);
      expect(await uploadOf(id)).toMatchObject({ receipt: { repeated: true }, open_tries: 0 });
      expect(await stageOf(id)).toBe("acknowledged");
    } finally {
      await service.stop();
    }
  });

  it("uses the upload path of its kind of bundler", async () => {
    expect(uploadUrl("https://up.example/", "/ans104/in")).toBe("https://up.example/ans104/in");
    expect(uploadUrl("https://up.example", "irys")).toBe("https://up.example/tx/ethereum");
    expect(uploadUrl("https://up.example", "turbo")).toBe("https://up.example/v1/tx");
  });

  it("of one content by many callers at once is one item", async () => {
    const content = anything();
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => newProcess().archive.archive(content)),
    );
    expect(new Set(ids).size).toBe(1);
    expect([...bundler.kept.keys()]).toEqual([ids[0]]);
    expect(await uploadOf(ids[0] ?? "")).toMatchObject({ open_tries: 0, acknowledged_at: now });
  });

  it("succeeds after a short outage", async () => {
    bundler.next({ kind: "answers", status: 503 }, { kind: "breaks" });
    const { archive, outcomes, pauses } = newProcess();
    const id = await archive.archive(anything());
    expect(outcomes).toEqual(["unavailable", "unavailable", "acknowledged"]);
    expect(pauses).toEqual([250, 1_500]);
    expect(await uploadOf(id)).toMatchObject({ tries: 3, open_tries: 0, last_failure: null });
  });

  it("waits as long as the bundler asks for, if that is short", async () => {
    const throttled = (seconds: string): Behaviour => ({
      kind: "answers",
      status: 429,
      body: "slow down",
      headers: { "Retry-After": seconds },
    });
    bundler.next(throttled("3"));
    const { archive, pauses } = newProcess();
    await archive.archive(anything());
    expect(pauses).toEqual([3_000]);

    bundler.next(throttled("60"));
    const impatient = newProcess();
    const error = await failureOf(impatient.archive.archive(anything()));
    expect([error.failure, error.outcome, impatient.pauses]).toEqual([
      ...["throttled", "not_stored", []],
    ]);
  });
});

describe("an upload that is not acknowledged", () => {
  const html = "<html>Welcome!</html>";
  const cases: readonly (readonly [
    string,
    Behaviour,
    { failure: string; message: string; stage: string; tries: number },
  ])[] = [
    [
      "with an empty account",
      { kind: "answers", status: 402, body: "Not enough balance for transaction" },
      {
        failure: "out_of_balance",
        message: "The bundler answered 402: Payment Required Not enough balance for transaction",
        stage: "kept",
        tries: 1,
      },
    ],
    [
      "with an empty account, in another wording",
      { kind: "answers", status: 400, body: "Insufficient balance" },
      {
        failure: "out_of_balance",
        message: "The bundler answered 400: Bad Request Insufficient balance",
        stage: "kept",
        tries: 1,
      },
    ],
    [
      "because the key is blocked",
      { kind: "answers", status: 403, body: "Forbidden" },
      {
        failure: "refused",
        message: "The bundler answered 403: Forbidden Forbidden",
        stage: "kept",
        tries: 1,
      },
    ],
    [
      "because the address is another one now",
      { kind: "answers", status: 302, headers: { Location: "https://elsewhere.example/" } },
      {
        failure: "refused",
        message: "The bundler answered 302: Found",
        stage: "kept",
        tries: 1,
      },
    ],
    [
      "because it is too large",
      { kind: "answers", status: 413, body: "" },
      {
        failure: "too_large",
        message: "The bundler answered 413: Payload Too Large",
        stage: "kept",
        tries: 1,
      },
    ],
    [
      "because it is too large, in another wording",
      { kind: "answers", status: 400, body: "Data item is too large" },
      {
        failure: "too_large",
        message: "The bundler answered 400: Bad Request Data item is too large",
        stage: "kept",
        tries: 1,
      },
    ],
    [
      "while the service is down",
      { kind: "answers", status: 503, body: "" },
      {
        failure: "unavailable",
        message: "The bundler answered 503: Service Unavailable",
        stage: "uploading",
        tries: 3,
      },
    ],
    [
      "when the connection breaks",
      { kind: "breaks" },
      {
        failure: "unavailable",
        message: "127.0.0.1 did not answer (UND_ERR_SOCKET).",
        stage: "uploading",
        tries: 3,
      },
    ],
    [
      "but as another item",
      {
        kind: "keeps, then answers",
        status: 200,
        body: JSON.stringify(receipt(UNKNOWN_ID)),
      },
      {
        failure: "wrong_answer",
        message: `The bundler's answer is wrong: it was acknowledged as another item, ${UNKNOWN_ID}.`,
        stage: "uploading",
        tries: 1,
      },
    ],
    [
      "but with a page",
      { kind: "keeps, then answers", status: 200, body: html },
      {
        failure: "wrong_answer",
        message: `The bundler's answer is wrong: no receipt came with status 200 (OK ${html}).`,
        stage: "uploading",
        tries: 1,
      },
    ],
    [
      "but with a receipt without an id",
      { kind: "keeps, then answers", status: 200, body: '{"timestamp":1}' },
      {
        failure: "wrong_answer",
        message:
          'The bundler\'s answer is wrong: no receipt came with status 200 (OK {"timestamp":1}).',
        stage: "uploading",
        tries: 1,
      },
    ],
    [
      "but with words that only look like it came before",
      { kind: "keeps, then answers", status: 201, body: html },
      {
        failure: "wrong_answer",
        message: `The bundler's answer is wrong: no receipt came with status 201 (Created ${html}).`,
        stage: "uploading",
        tries: 1,
      },
    ],
    [
      "but with nothing at all",
      { kind: "answers", status: 202, body: "" },
      {
        failure: "wrong_answer",
        message: "The bundler's answer is wrong: no receipt came with status 202 (Accepted).",
        stage: "uploading",
        tries: 1,
      },
    ],
    [
      "because another item came before",
      { kind: "answers", status: 202, body: `${UNKNOWN_ID} was already uploaded` },
      {
        failure: "wrong_answer",
        message: `The bundler's answer is wrong: no receipt came with status 202 (Accepted ${UNKNOWN_ID} was already uploaded).`,
        stage: "uploading",
        tries: 1,
      },
    ],
  ];

  it.each(cases)("%s is not stored", async (_why, behaviour, expected) => {
    const { failure, stage, tries } = expected;
    const message = expected.message.replace("127.0.0.1", new URL(bundler.url).host);
    bundler.always(behaviour);
    const { archive, outcomes, entries } = newProcess();
    const content = anything();
    const error = await failureOf(archive.archive(content));
    expect(error.failure).toBe(failure);
    expect(error.message).toBe(message);
    expect(error.outcome).toBe(stage === "kept" ? "not_stored" : "unknown");
    expect(outcomes).toEqual(Array(tries).fill(failure));

    const id = await archive.idOf(content);
    expect(await stageOf(id)).toBe(stage);
    expect(await uploadOf(id)).toMatchObject({
      acknowledged_at: null,
      receipt: null,
      last_failure: failure,
      last_message: message,
      tries,
      open_tries: stage === "kept" ? 0 : tries,
    });
    // It is not announced: neither in this answer nor to later reads.
    expect(await archive.read(id)).toBeNull();
    expect(await archive.readItem(id)).toBeNull();

    const levels = new Set(entries().map(({ level }) => level));
    expect(levels).toEqual(new Set([tries === 3 || failure === "too_large" ? "warn" : "error"]));
    expect(entries()[0]).toMatchObject({ id, failure, bundler: new URL(bundler.url).host });

    // Once the cause is gone, the same request stores the same item, under the same id.
    bundler.always({ kind: "good" });
    expect(await archive.archive(content)).toBe(id);
    expect([...bundler.kept.keys()]).toEqual([id]);
    expect(await stageOf(id)).toBe("acknowledged");
  });

  it("is not stored by the same empty answer, however often it comes", async () => {
    bundler.always({ kind: "answers", status: 202 });
    const { archive, storage, outcomes } = newProcess();
    const content = anything();
    await failureOf(archive.archive(content));
    await failureOf(archive.archive(content));
    now = new Date(now.getTime() + HOUR);
    expect(await storage.settle(never)).toBe(0);
    expect(outcomes).toEqual(Array(3).fill("wrong_answer"));
    expect(await stageOf(await archive.idOf(content))).toBe("uploading");
    expect(bundler.kept.size).toBe(0);
  });

  it("counts as stored on an empty answer once an earlier try may have stored it", async () => {
    bundler.next({ kind: "keeps, then breaks" }, { kind: "answers", status: 202 });
    const { archive, outcomes } = newProcess();
    const id = await archive.archive(anything());
    expect(outcomes).toEqual(["unavailable", "acknowledged"]);
    expect(await uploadOf(id)).toMatchObject({ receipt: { repeated: true }, open_tries: 0 });
    expect(await stageOf(id)).toBe("acknowledged");

    // A refused try stored nothing.
    bundler.next({ kind: "answers", status: 429 }, { kind: "answers", status: 202 });
    const other = newProcess();
    expect((await failureOf(other.archive.archive(anything()))).failure).toBe("wrong_answer");
    expect(other.outcomes).toEqual(["throttled", "wrong_answer"]);
  });

  it("reports to operators that the account is empty", async () => {
    bundler.always({ kind: "answers", status: 402 });
    const { archive, entries } = newProcess();
    await failureOf(archive.archive(anything()));
    expect(entries()).toMatchObject([
      {
        level: "error",
        failure: "out_of_balance",
        msg: "out of balance: nothing can be stored until the bundler's account is funded",
      },
    ]);
  });

  it("to an unreachable bundler is certainly not stored", async () => {
    await bundler.stop();
    const { archive } = newProcess();
    const content = anything();
    const error = await failureOf(archive.archive(content));
    expect([error.failure, error.outcome]).toEqual(["unreachable", "not_stored"]);
    expect(error.message).toBe(`${new URL(bundler.url).host} cannot be reached (ECONNREFUSED).`);
    expect(await stageOf(await archive.idOf(content))).toBe("kept");
    bundler = await startBundler();
  });

  it("in time is abandoned with an unknown outcome", async () => {
    bundler.always({ kind: "keeps, then is silent" });
    const { archive } = newProcess({ timeoutMs: 50 });
    const content = anything();
    const error = await failureOf(archive.archive(content));
    expect([error.failure, error.outcome]).toEqual(["unavailable", "unknown"]);
    expect(error.message).toBe(`${new URL(bundler.url).host} did not answer (timeout).`);
    expect(await stageOf(await archive.idOf(content))).toBe("uploading");
    bundler.release();
  });

  it("stays open while any of its tries may have stored it", async () => {
    const content = anything();
    bundler.always({ kind: "keeps, then breaks" });
    const { archive } = newProcess();
    await failureOf(archive.archive(content));
    bundler.always({ kind: "answers", status: 402 });
    await failureOf(archive.archive(content));
    const id = await archive.idOf(content);
    expect(await uploadOf(id)).toMatchObject({ open_tries: 3, last_failure: "out_of_balance" });
    expect(await stageOf(id)).toBe("uploading");
  });
});

describe("the job that settles uploads", () => {
  it("finds an item that the bundler has but did not acknowledge", async () => {
    bundler.next(...Array(3).fill({ kind: "keeps, then breaks" }));
    const { archive, storage } = newProcess();
    const content = anything();
    await failureOf(archive.archive(content));
    const id = await archive.idOf(content);

    // It is due later: another process may still be uploading it.
    expect(await storage.settle(never)).toBe(0);
    now = new Date(now.getTime() + HOUR);
    expect(await storage.settle(never)).toBe(1);
    expect(await stageOf(id)).toBe("acknowledged");
    expect([...bundler.kept.keys()]).toEqual([id]);
    expect(Buffer.from((await archive.read(id))?.data ?? [])).toEqual(content.data);
    expect(await storage.settle(never)).toBe(0);
  });

  it("waits with growing delays while the bundler does not answer", async () => {
    bundler.always({ kind: "answers", status: 503 });
    const { archive, storage } = newProcess();
    const content = anything();
    await failureOf(archive.archive(content));
    const id = await archive.idOf(content);
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { next_look_at: next } = await uploadOf(id);
      waits.push((next.getTime() - now.getTime()) / 60_000);
      now = next;
      expect(await storage.settle(never)).toBe(0);
    }
    expect(waits).toEqual([8, 16, 32, 64, 64, 64]);
    expect((await uploadOf(id)).tries).toBe(9);
  });

  it("uploads no item that was certainly not stored, and deletes it after a week", async () => {
    bundler.always({ kind: "answers", status: 402 });
    const { archive, storage } = newProcess();
    const content = anything();
    await failureOf(archive.archive(content));
    const id = await archive.idOf(content);
    bundler.always({ kind: "good" });
    now = new Date(now.getTime() + 167 * HOUR);
    expect(await storage.settle(never)).toBe(0);
    expect(await stageOf(id)).toBe("kept");
    now = new Date(now.getTime() + 2 * HOUR);
    expect(await storage.settle(never)).toBe(0);
    expect(await stageOf(id)).toBeNull();
    expect(bundler.kept.size).toBe(0);
  });

  it("never deletes an announced item", async () => {
    const { archive, storage } = newProcess();
    const id = await archive.archive(anything());
    now = new Date(now.getTime() + 10_000 * HOUR);
    await storage.settle(never);
    expect(await stageOf(id)).toBe("acknowledged");
  });

  it("uploads items of the embedded driver, which stay readable meanwhile", async () => {
    const local = createPermanentStorage(signer, createLocalStorage(connection.db, clock));
    const ids = await Promise.all([anything(), anything()].map((one) => local.archive(one)));
    const { archive, storage } = newProcess();
    bundler.always({ kind: "answers", status: 503 });
    expect(await storage.settle(never)).toBe(0);
    for (const id of ids) {
      expect(await stageOf(id)).toBe("only_here");
      expect(await archive.read(id)).not.toBeNull();
    }
    bundler.always({ kind: "good" });
    expect(await storage.settle(never)).toBe(0);
    now = new Date(now.getTime() + 2 * MINUTE);
    expect(await storage.settle(never)).toBe(2);
    for (const id of ids) expect(await stageOf(id)).toBe("acknowledged");
    expect(new Set(bundler.kept.keys())).toEqual(new Set(ids));
  });

  it("continues past items that the bundler refuses, and deletes none of them", async () => {
    const local = createPermanentStorage(signer, createLocalStorage(connection.db, clock));
    const refused: string[] = [];
    for (let index = 0; index < 50; index += 1) refused.push(await local.archive(anything()));
    now = new Date(now.getTime() + HOUR);
    const newest = await local.archive(anything());

    const { archive, storage } = newProcess();
    bundler.always({ kind: "answers", status: 402 });
    expect(await storage.settle(never)).toBe(0);
    expect(await stageOf(newest)).toBe("only_here");
    bundler.always({ kind: "good" });
    expect(await storage.settle(never)).toBe(1);
    expect(await stageOf(newest)).toBe("acknowledged");
    expect([...bundler.kept.keys()]).toEqual([newest]);
    expect(bundler.uploads).toHaveLength(51);

    const [id = ""] = refused;
    expect(await uploadOf(id)).toMatchObject({
      was_only_here: true,
      tries: 1,
      open_tries: 0,
      last_failure: "out_of_balance",
      next_look_at: new Date(now.getTime() + 2 * MINUTE),
    });
    now = new Date(now.getTime() + 1_000 * HOUR);
    expect(await createStorageItems(connection.db, clock).forgetNeverSent(now)).toBe(0);
    expect(await stageOf(id)).toBe("only_here");
    expect(await archive.read(id)).not.toBeNull();
    expect(await storage.settle(never)).toBe(50);
    for (const one of refused) expect(await stageOf(one)).toBe("acknowledged");
  });

  it("keeps readable an item that is stored only here, when archiving it again is refused", async () => {
    const content = anything();
    const local = createPermanentStorage(signer, createLocalStorage(connection.db, clock));
    const id = await local.archive(content);
    const { archive, storage } = newProcess();
    bundler.always({ kind: "answers", status: 402 });
    expect((await failureOf(archive.archive(content))).failure).toBe("out_of_balance");
    expect(await stageOf(id)).toBe("only_here");
    expect(await archive.read(id)).not.toBeNull();
    bundler.always({ kind: "good" });
    now = new Date(now.getTime() + HOUR);
    expect(await storage.settle(never)).toBe(1);
    expect(await stageOf(id)).toBe("acknowledged");
  });

  it("gives no upload to two processes at once", async () => {
    bundler.next(...Array(3).fill({ kind: "keeps, then breaks" }));
    await failureOf(newProcess().archive.archive(anything()));
    now = new Date(now.getTime() + HOUR);
    const settled = await Promise.all(
      [newProcess(), newProcess(), newProcess()].map(({ storage }) => storage.settle(never)),
    );
    expect(settled.reduce((sum, count) => sum + count)).toBe(1);
    expect(bundler.uploads).toHaveLength(4);
  });

  it("uploads no item that was altered in the database", async () => {
    bundler.next(...Array(3).fill({ kind: "breaks" }));
    const { archive, storage, entries } = newProcess();
    const content = anything();
    await failureOf(archive.archive(content));
    const id = await archive.idOf(content);
    await connection.pool.query(
      "update app.storage_item set bytes = bytes || '\\x00' where id = $1",
      [id],
    );
    now = new Date(now.getTime() + HOUR);
    expect(await storage.settle(never)).toBe(0);
    expect(bundler.uploads).toHaveLength(3);
    expect(entries().at(-1)).toMatchObject({
      level: "error",
      msg: "an item cannot be uploaded",
      id,
    });
  });
});

describe("a process that is killed between any two steps of storing", () => {
  it("leaves an item that is stored or not announced, and the next process stores it once", async () => {
    let step = 1;
    for (let survived = false; !survived && step < 50; step += 1) {
      const content = anything();
      const id = (await signer.sign(content)).id;
      const { archive } = newProcess({ life: new Life((at) => at === step) });
      const outcome = await archive.archive(content).catch((error: unknown) => error);
      survived = outcome === id;
      if (!survived) expect((outcome as ApiError).cause).toBeInstanceOf(Killed);

      const announced = await newProcess().archive.read(id);
      if (announced !== null || survived) expect(bundler.kept.has(id)).toBe(true);
      // An item that may be stored is not forgotten.
      if (bundler.kept.has(id)) expect(["uploading", "acknowledged"]).toContain(await stageOf(id));

      const uploadsBefore = bundler.uploads.length;
      expect(await newProcess().archive.archive(content)).toBe(id);
      expect(await newProcess().archive.archive(content)).toBe(id);
      expect(bundler.uploads.length - uploadsBefore).toBeLessThanOrEqual(1);
      expect(bundler.kept.has(id)).toBe(true);
      expect(await stageOf(id)).toBe("acknowledged");
      expect(await newProcess().archive.read(id)).not.toBeNull();
    }
    // keepForUpload, begin, upload, acknowledged: before and after each of them.
    expect(step - 1).toBe(9);
    expect(bundler.kept.size).toBe(9);
  });

  it("leaves an upload that the next process settles", async () => {
    let step = 1;
    for (let survived = false; !survived && step < 50; step += 1) {
      const content = anything();
      const id = (await signer.sign(content)).id;
      const { archive } = newProcess({ life: new Life((at) => at === step) });
      survived = (await archive.archive(content).catch(() => null)) === id;
      const was = await stageOf(id);
      now = new Date(now.getTime() + HOUR);
      await newProcess().storage.settle(never);
      // A started upload is finished. One that never started waits for the next request.
      expect(await stageOf(id)).toBe(was === "uploading" ? "acknowledged" : was);
      if (was === "uploading" || was === "acknowledged") expect(bundler.kept.has(id)).toBe(true);
    }
    expect(step - 1).toBe(9);
  });
});

describe("the job that checks gateways", () => {
  async function lookAtGatewaysOnce(...urls: readonly string[]) {
    const { items, storage, log, entries } = newProcess();
    const gateways = urls.map((url) => createGateway({ url, http, timeoutMs: 5_000 }));
    const seen = await confirmUploads({ items, gateways, storage, clock, log }, never);
    return { seen, entries: entries() };
  }

  it("records once what a gateway serves", async () => {
    const gateway = await startGateway(bundler.kept);
    try {
      const id = await newProcess().archive.archive(anything());
      now = new Date(now.getTime() + HOUR);
      expect((await lookAtGatewaysOnce(gateway.url)).seen).toBe(1);
      expect(await stageOf(id)).toBe("seen");
      expect((await uploadOf(id)).seen_at).toEqual(now);
      now = new Date(now.getTime() + 100 * HOUR);
      expect((await lookAtGatewaysOnce(gateway.url)).seen).toBe(0);
      expect(gateway.requestedPaths).toEqual([`/raw/${id}`]);
    } finally {
      await gateway.stop();
    }
  });

  it("uploads an item that does not appear within a day again, under its id", async () => {
    const gateway = await startGateway(bundler.kept);
    try {
      const content = anything();
      const id = await newProcess().archive.archive(content);
      const first = now;
      bundler.lose(id);
      now = new Date(now.getTime() + HOUR);
      // Archiving it again uploads nothing, and so changes nothing.
      await newProcess().archive.archive(content);
      expect((await lookAtGatewaysOnce(gateway.url)).seen).toBe(0);
      expect(await uploadOf(id)).toMatchObject({
        seen_at: null,
        // The delay equals the time since the upload.
        next_look_at: new Date(now.getTime() + HOUR),
      });
      expect(bundler.uploads).toHaveLength(1);

      now = new Date(now.getTime() + 24 * HOUR);
      const late = await lookAtGatewaysOnce(gateway.url);
      expect(late.seen).toBe(0);
      expect(late.entries).toMatchObject([
        { level: "error", msg: "an acknowledged item does not appear; it is uploaded again", id },
      ]);
      expect([...bundler.kept.keys()]).toEqual([id]);
      expect(await uploadOf(id)).toMatchObject({
        acknowledged_at: first,
        touched_at: now,
        receipt: receipt(id),
      });
      // The next time is a day later again.
      bundler.lose(id);
      now = new Date(now.getTime() + 23 * HOUR);
      await lookAtGatewaysOnce(gateway.url);
      expect(bundler.uploads).toHaveLength(2);
      now = new Date(now.getTime() + 23 * HOUR);
      await lookAtGatewaysOnce(gateway.url);
      expect(bundler.uploads).toHaveLength(3);

      now = new Date(now.getTime() + HOUR);
      expect((await lookAtGatewaysOnce(gateway.url)).seen).toBe(1);
    } finally {
      await gateway.stop();
    }
  });

  it("uploads nothing again while a gateway that may have it fails", async () => {
    const [without, failing] = await Promise.all([
      startGateway(new Map()),
      startGateway(new Map()),
    ]);
    try {
      const id = await newProcess().archive.archive(anything());
      failing.answer(() => ({ status: 503 }));
      now = new Date(now.getTime() + 25 * HOUR);
      expect(await lookAtGatewaysOnce(without.url, failing.url)).toEqual({ seen: 0, entries: [] });
      expect(await uploadOf(id)).toMatchObject({
        next_look_at: new Date(now.getTime() + 6 * HOUR),
      });
      now = new Date(now.getTime() + 6 * HOUR);
      expect(await lookAtGatewaysOnce(failing.url)).toEqual({ seen: 0, entries: [] });
      expect(bundler.uploads).toHaveLength(1);

      failing.answer(() => undefined);
      now = new Date(now.getTime() + 6 * HOUR);
      await lookAtGatewaysOnce(without.url, failing.url);
      expect(bundler.uploads).toHaveLength(2);
    } finally {
      await Promise.all([without.stop(), failing.stop()]);
    }
  });

  it("checks items whose copy is altered with growing delays", async () => {
    const gateway = await startGateway(bundler.kept);
    try {
      const id = await newProcess().archive.archive(anything());
      await connection.pool.query(
        "update app.storage_item set bytes = bytes || '\\x00' where id = $1",
        [id],
      );
      now = new Date(now.getTime() + HOUR);
      expect((await lookAtGatewaysOnce(gateway.url)).entries).toMatchObject([
        { level: "error", msg: "the service's copy of an item was altered", id },
      ]);
      expect(await uploadOf(id)).toMatchObject({
        seen_at: null,
        next_look_at: new Date(now.getTime() + HOUR),
      });
      expect(gateway.requestedPaths).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });

  it("does not accept altered content as the item", async () => {
    const gateway = await startGateway(bundler.kept);
    try {
      const id = await newProcess().archive.archive(anything());
      gateway.answer(() => ({ status: 200, body: Buffer.from("other") }));
      now = new Date(now.getTime() + HOUR);
      const { seen, entries } = await lookAtGatewaysOnce(gateway.url);
      expect(seen).toBe(0);
      expect(entries).toMatchObject([
        { level: "error", msg: "a gateway serves altered content", id },
      ]);
      expect(await stageOf(id)).toBe("acknowledged");
    } finally {
      await gateway.stop();
    }
  });
});

describe.skipIf(!hasPromtool)("the alerts that fire", () => {
  it.each<readonly [string, Behaviour, readonly string[]]>([
    ["the account is empty", { kind: "answers", status: 402 }, ["StorageUploadsRefused"]],
    [
      "the bundler is down",
      { kind: "answers", status: 503 },
      ["StorageUploadsUnavailable", "StorageUploadsUnsettled"],
    ],
    [
      "the bundler answers with a page",
      { kind: "keeps, then answers", status: 200, body: "<html>Welcome!</html>" },
      ["StorageUploadsRefused", "StorageUploadsUnsettled"],
    ],
  ])("when %s", async (_why, behaviour, expected) => {
    bundler.always(behaviour);
    const metrics = createMetrics();
    const { archive, items } = newProcess({ observe: metrics.upload });
    const firing = await alertsOf({
      metrics,
      sources: { unsettledUploads: items.countUnsettled },
      work: () => failureOf(archive.archive(anything())),
    });
    expect(firing).toEqual(expected);
  });
});
