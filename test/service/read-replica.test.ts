import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { ownerSession } from "../fixtures/agents.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import {
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from "../fixtures/replicated-postgres.ts";
import { type Service, startService } from "../fixtures/service.ts";

// A service with a real streaming replica, whose replay the tests pause: what is read from it then
// stays as it was.

let servers: ReplicatedPostgres;
let service: Service;

beforeAll(async () => {
  servers = await startReplicatedPostgres();
  service = await startService({
    createDatabase: async () => ({ url: servers.primaryUrl, drop: async () => {} }),
    environment: {
      DATABASE_READ_URL: servers.replicaUrl,
      DATABASE_READ_MAX_LAG_MS: "60000",
      DATABASE_READ_WAIT_MS: "100",
    },
  });
}, 240_000);
afterAll(async () => {
  await service?.stop();
  await servers?.stop();
});

const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` });
const status = async (credential: string) =>
  (await service.request("/v1/status", { headers: bearer(credential) })).status;

/** The names that the list shows to a caller who knows this write. */
async function listedNames(position?: string): Promise<string[]> {
  const headers = position === undefined ? {} : { "X-Svc-Position": position };
  const { body } = await service.request("/v1/agents?limit=100", { headers });
  return body.agents.map(({ agentName }: { agentName: string }) => agentName);
}

async function newAgent() {
  const owner = newAccount();
  const { answer } = await service.register(freshName(), owner);
  const { tokenId, apiKey, agentName } = answer.body;
  const { accessToken } = await ownerSession(service, owner);
  const position = answer.headers.get("x-svc-position") ?? "";
  return { tokenId, apiKey, agentName, session: accessToken, position };
}

/** Statements on the replica, without those that look how far it is. */
const statements = () =>
  servers
    .replicaStatements()
    .filter((statement) => !/pg_is_in_recovery|^set |^select 1$|pg_wal_/.test(statement));

async function pauseReplay(): Promise<void> {
  await servers.pauseReplay();
  onTestFinished(servers.resumeReplay);
}

describe("reads that a replica may answer", () => {
  it("show a caller its own write, and another caller an older state", async () => {
    const before = await newAgent();
    // The replica has it: the caller that knows the write is answered there.
    await expect.poll(() => listedNames()).toContain(before.agentName);
    await pauseReplay();
    const { agentName, position } = await newAgent();
    expect(position).toMatch(/^w[0-9a-f]{16}$/);
    expect(await listedNames(position)).toContain(agentName);
    expect(await listedNames()).not.toContain(agentName);
    expect(await listedNames()).toContain(before.agentName);
    // A position that cannot be read is no reason to answer an old state.
    expect(await listedNames("w1")).toContain(agentName);
  });

  it("are the only ones that ask it", async () => {
    const { agentName, tokenId, apiKey, session } = await newAgent();
    statements();
    expect(await status(apiKey)).toBe(200);
    expect(await status(session)).toBe(200);
    await service.get(`/v1/profile/${agentName}`);
    await service.get(`/v1/soul-validity/${tokenId}`);
    await service.request(`/v1/keys?tokenId=${tokenId}`, { headers: bearer(session) });
    await service.post(
      "/v1/keys/rotate",
      { tokenId },
      {
        ...bearer(session),
        "Idempotency-Key": idempotencyKey(),
      },
    );
    await service.post("/api/v1/auth/token/introspect", { token: session });
    expect(statements()).toEqual([]);

    await service.request("/v1/agents", { headers: bearer(session) });
    const asked = statements();
    expect(asked.length).toBeGreaterThan(0);
    // Lists of the index, where it is known to be wrong, and what owners say in public: none of the tables that hold
    // credentials, nonces or answers.
    const own = asked.flatMap((statement) =>
      [...statement.matchAll(/"app"\."(\w+)"/g)].map(([, table]) => table),
    );
    expect([...new Set(own)].toSorted()).toEqual([
      "passport_difference",
      "public_identity",
      "registration",
    ]);
  });
});

describe("authority", () => {
  it("ends at once, also when the replica still shows it", async () => {
    const { tokenId, apiKey, session } = await newAgent();
    expect(await status(apiKey)).toBe(200);
    await pauseReplay();
    const rotated = await service.post(
      "/v1/keys/rotate",
      { tokenId },
      {
        ...bearer(session),
        "Idempotency-Key": idempotencyKey(),
      },
    );
    expect(rotated.status).toBe(200);
    expect(await status(apiKey)).toBe(401);
    expect((await service.request("/v1/agents", { headers: bearer(apiKey) })).status).toBe(401);

    const sessions = await service.request(`/v1/sessions?tokenId=${tokenId}`, {
      headers: bearer(session),
    });
    const [own] = sessions.body.sessions;
    const ended = await service.request(`/v1/sessions/${own.sessionId}`, {
      method: "DELETE",
      headers: bearer(session),
    });
    expect(ended.status).toBeLessThan(300);
    expect(await status(session)).toBe(401);
  });

  it("repeats an answer under its Idempotency-Key without acting again", async () => {
    const { tokenId, session } = await newAgent();
    await pauseReplay();
    const headers = { ...bearer(session), "Idempotency-Key": idempotencyKey() };
    const first = await service.post("/v1/keys/rotate", { tokenId }, headers);
    const again = await service.post("/v1/keys/rotate", { tokenId }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});
