import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createStopStore,
  wasStopped,
} from "../../../../api/features/emergency-stop/stops.store.ts";
import { apiKeyStore, issueOwnerKey } from "../../../../api/features/keys/api-keys.store.ts";
import { replaceKeys } from "../../../../api/features/keys/rotation.store.ts";
import { liveCredentials } from "../../../../api/features/sign-in/live-credentials.store.ts";
import { createWebhookSecrets } from "../../../../api/features/webhooks/secrets.ts";
import { createWebhookStore } from "../../../../api/features/webhooks/webhooks.store.ts";
import {
  createWebhookEpochs,
  createWebhookService,
} from "../../../../api/features/webhooks/webhooks.ts";
import type { Credential } from "../../../../api/kernel/access.ts";
import { generateApiKey, storedKeyOf } from "../../../../api/kernel/api-keys.ts";
import type { DatabaseConnection, Executor } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { createSecrets } from "../../../../api/platform/secrets/secrets.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { OWNER } from "../../../fixtures/webhooks.ts";
import { capturedLog } from "../../helpers.ts";

// An emergency stop in the instant in which a request issues a webhook or a key, on real Postgres.
// The process that issues it may die right afterwards: nothing takes anything back here.

let database: TestDatabase;
let connection: DatabaseConnection;
beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log);
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});

const clock = () => new Date();
const assertLive = liveCredentials(clock);
const newKey = () => storedKeyOf(generateApiKey("live"));

let lastToken = 0n;
let tokenId: bigint;
let credential: Extract<Credential, { kind: "key" }>;
beforeEach(async () => {
  lastToken += 1n;
  tokenId = lastToken;
  const key = newKey();
  credential = { kind: "key", hash: key.hash };
  await connection.db.transaction((tx) =>
    issueOwnerKey(tx, { ...key, tokenId, epoch: 1, at: clock() }, wasStopped),
  );
});

function webhooks() {
  return createWebhookService({
    store: createWebhookStore(connection.db),
    queue: { send: async () => {} },
    http: { assertPublicUrl: async (url) => url },
    secrets: createWebhookSecrets(createSecrets([{ version: 1, key: Buffer.alloc(32, 7) }])),
    confirmations: { ask: async () => {} },
    access: { authorise: async () => {} },
    assertLive,
    agents: {
      // Of the whole record, only this is used.
      agent: async () =>
        ({
          at: { block: 1n, timestamp: 1n },
          value: { soul: { epoch: 1, sealer: OWNER, status: "SEALED" } },
        }) as never,
    },
    clock,
  });
}

function create() {
  const caller = { kind: "full", id: "agent", tokenId, epoch: 1, suspended: false } as const;
  const url = "https://heron.example/events";
  const webhook = { tokenId, url, events: ["binding.created"], notifyEmail: null } as const;
  return webhooks().create(caller, webhook, randomUUID(), credential);
}

function stop(tx: Executor) {
  const webhookEpochs = createWebhookEpochs(createWebhookStore(connection.db), clock);
  const agent = {
    stopId: randomUUID(),
    tokenId,
    name: `heron-${tokenId}`,
    epoch: 1,
    passportId: tokenId,
    owner: OWNER,
  };
  return createStopStore({ db: connection.db, webhookEpochs, clock }).stop(tx, agent, "signature");
}

/** Resolves once another transaction waits for a lock that this one holds. */
const isAwaited = () =>
  expect
    .poll(async () => {
      const { rowCount } = await connection.pool.query(
        `select 1 from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
      );
      return rowCount;
    })
    .toBe(1);

async function liveWebhooks() {
  const { rowCount } = await connection.pool.query(
    "select from app.webhook where token_id = $1 and ended_at is null",
    [tokenId],
  );
  return rowCount;
}
async function liveKeys() {
  const { rowCount } = await connection.pool.query(
    "select from app.api_key where token_id = $1 and revoked_at is null",
    [tokenId],
  );
  return rowCount;
}

describe("an emergency stop in the same instant", () => {
  it("lets no webhook be stored that waited for it", async () => {
    let created: Promise<unknown> | undefined;
    await connection.db.transaction(async (tx) => {
      await stop(tx);
      created = create().catch((error: unknown) => error);
      await isAwaited();
    });
    expect(await created).toMatchObject({ type: "UNAUTHORIZED" });
    expect(await liveWebhooks()).toBe(0);
  });

  it("ends a webhook that was stored before it", async () => {
    await create();
    expect(await liveWebhooks()).toBe(1);
    expect((await connection.db.transaction(stop)).webhooks).toBe(1);
    expect(await liveWebhooks()).toBe(0);
  });

  it("lets no key be issued by a rotation that waited for it", async () => {
    let rotated: Promise<unknown> | undefined;
    await connection.db.transaction(async (tx) => {
      await stop(tx);
      rotated = replaceKeys(connection.db, assertLive, {
        key: newKey(),
        tokenId,
        epoch: 1,
        at: clock(),
        graceMs: 0,
        credential,
      }).catch((error: unknown) => error);
      await isAwaited();
    });
    expect(await rotated).toMatchObject({ type: "UNAUTHORIZED" });
    expect(await liveKeys()).toBe(0);
  });

  it("has ended the key of an epoch whose beginning is finished after it", async () => {
    const key = newKey();
    await connection.db.transaction(stop);
    await connection.db.transaction((tx) =>
      issueOwnerKey(tx, { ...key, tokenId, epoch: 1, at: clock() }, wasStopped),
    );
    expect((await apiKeyStore(connection.db).find(key.hash))?.revokedAt).toBeInstanceOf(Date);
    const next = newKey();
    await connection.db.transaction((tx) =>
      issueOwnerKey(tx, { ...next, tokenId, epoch: 2, at: clock() }, wasStopped),
    );
    expect((await apiKeyStore(connection.db).find(next.hash))?.revokedAt).toBeNull();
  });
});
