import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { DidDocuments } from "../../../../api/features/did/documents.ts";
import { createKeySets, type KeySetRecord } from "../../../../api/features/did/key-sets.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import type { IndexedAgent } from "../../../../api/soul/index-reads.ts";
import type { SoulRef } from "../../../../api/soul/soul-ref.ts";
import {
  type AgentKeySet,
  agentKeySet,
  agentKeySetJson,
  agentKeysHash,
  archiveIdOf,
} from "../../../../protocol/index.ts";
import { didCoreProblems } from "../../../fixtures/did-core.ts";
import { ED25519_KEY, P256_KEY } from "../../../fixtures/public-keys.ts";
import { testApp } from "../../helpers.ts";

const OWNER = `0x${"1".repeat(40)}` as const;
const BUYER = `0x${"2".repeat(40)}` as const;
const ID = `${"A".repeat(42)}E`;
const NOW = new Date("2026-12-01T00:00:00Z");
const LATER = NOW.getTime() / 1000 + 3600;
const AT = { block: 7n, timestamp: 7n };

const ED25519 = {
  ...ED25519_KEY,
  use: "sig",
  exp: LATER,
};
const P256 = {
  ...P256_KEY,
  use: "enc",
  exp: LATER,
};
const PLACE = { chainId: 31_337, soulRegistry: `0x${"5".repeat(40)}` } as const;
const SET = agentKeySet([ED25519, P256], { ...PLACE, tokenId: 3n });
const FIRST_FORM = { keys: SET.keys };
const COPY = agentKeySet([ED25519, P256], { ...PLACE, tokenId: 4n });
const JSON_TEXT = agentKeySetJson(SET);
const recorded = (epoch: number, set: AgentKeySet = SET): KeySetRecord => ({
  epoch,
  keysHash: agentKeysHash(set),
  archiveId: archiveIdOf(ID),
  hasAgentWallet: true,
});

interface World {
  readonly record: KeySetRecord | null;
  readonly archived: string | null;
  readonly passportOwner: string;
  readonly status: string;
  readonly fresh: boolean;
}

/** An agent in epoch 2 whose owner set the keys, with the changes of one test. */
function world(change: Partial<World> = {}) {
  const { record, archived, passportOwner, status, fresh }: World = {
    record: recorded(2),
    archived: JSON_TEXT,
    passportOwner: OWNER,
    status: "SEALED",
    fresh: true,
    ...change,
  };
  const agent = {
    soul: {
      name: "aurora",
      tokenId: 3n,
      epoch: 2,
      status,
      sealer: OWNER,
      operator: null,
      mintTimestamp: 1n,
      didArchiveId: null,
    },
    passport: { owner: passportOwner, uri: null },
  } as unknown as IndexedAgent;
  const unused = async () => {
    throw new Error("Not part of this test.");
  };
  const reads = {
    agent: async (ref: SoulRef) => {
      const isKnown =
        ref.kind === "name" ? ref.name === "aurora" : ref.kind === "tokenId" && ref.tokenId === 3n;
      return { at: AT, value: isKnown ? agent : null };
    },
    passport: unused,
  };
  const keySets = createKeySets({
    ...PLACE,
    reads,
    keys: { keysOf: async () => ({ at: AT, value: record }) },
    age: { isFresh: () => fresh, behind: () => new ApiError("INDEX_BEHIND") },
    stored: async (id) =>
      id === ID && archived !== null ? { data: new TextEncoder().encode(archived) } : null,
  });
  const dids: DidDocuments = {
    chainId: 31337,
    reads,
    keySets,
    now: NOW,
    records: { of: async () => null },
    files: { read: unused },
  };
  const app = testApp({ keySets, dids });
  return { get: async (path: string) => app.request(path) };
}

describe("GET /v1/agents/{name}/jwks.json", () => {
  it.each(["aurora", "3"])("answers the bytes that the chain commits to, for %s", async (name) => {
    const answer = await world().get(`/v1/agents/${name}/jwks.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/jwk-set+json");
    expect(answer.headers.get("cache-control")).toContain("max-age=300");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(`0x${createHash("sha256").update(bytes).digest("hex")}`).toBe(agentKeysHash(SET));
    expect(JSON.parse(bytes.toString())).toEqual(SET);
  });

  it("answers a set of the first form, which names no agent", async () => {
    const archived = agentKeySetJson(FIRST_FORM);
    const answer = await world({ archived, record: recorded(2, FIRST_FORM) }).get(
      "/v1/agents/aurora/jwks.json",
    );
    expect([answer.status, await answer.text()]).toEqual([200, archived]);
  });

  it.each<[string, Partial<World>]>([
    ["no keys were ever set", { record: null }],
    ["the keys were withdrawn", { record: { ...recorded(2), keysHash: null, archiveId: null } }],
    ["the keys are of an earlier epoch", { record: recorded(1) }],
    ["the agentWallet is not the operator", { record: { ...recorded(2), hasAgentWallet: false } }],
    ["the passport was sold", { passportOwner: BUYER }],
    ["the soul is burned", { status: "BURNED" }],
    ["the soul is not sealed", { status: "PROVISIONAL" }],
    ["the archive holds other bytes", { archived: `${JSON_TEXT}\n` }],
    [
      "the archive holds a copy of another agent's keys",
      { archived: agentKeySetJson(COPY), record: recorded(2, COPY) },
    ],
    [
      "the archive holds no key set",
      {
        archived: "{}",
        record: {
          ...recorded(2),
          keysHash: `0x${createHash("sha256").update("{}").digest("hex")}`,
        },
      },
    ],
  ])("answers 404 when %s", async (_what, change) => {
    const answer = await world(change).get("/v1/agents/aurora/jwks.json");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: {
        type: "NOT_FOUND",
        message:
          "No keys speak for the agent aurora now: its owner set none, the soul is not valid, or the keys need the passport's agentWallet to be the operator.",
      },
    });
  });

  it("answers 404 for an unknown agent", async () => {
    const answer = await world().get("/v1/agents/unknown/jwks.json");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: { type: "NOT_FOUND", message: "There is no agent unknown." },
    });
  });

  it.each<[string, Partial<World>]>([
    ["STORAGE_UNAVAILABLE", { archived: null }],
    ["INDEX_BEHIND", { fresh: false }],
  ])("answers 503 with %s", async (type, change) => {
    const answer = await world(change).get("/v1/agents/aurora/jwks.json");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { type } });
  });
});

describe("a DID document", () => {
  const did = "did:svc:31337:aurora";
  const documentOf = async (change?: Partial<World>) =>
    (await world(change).get("/v1/did/aurora")).json();
  const methodsOf = (body: { verificationMethod: { id: string }[] }) =>
    body.verificationMethod.map(({ id }) => id);
  const kidOf = (crv: string) => SET.keys.find((key) => key.crv === crv)?.kid;

  it("lists the keys by use, with their expiry", async () => {
    const body = await documentOf();
    const { exp: _end, ...jwk } = ED25519;
    expect(didCoreProblems(body, did)).toEqual([]);
    expect(body.verificationMethod).toContainEqual({
      id: `${did}#${kidOf("Ed25519")}`,
      type: "JsonWebKey",
      controller: did,
      expires: "2026-12-01T01:00:00.000Z",
      publicKeyJwk: { ...jwk, kid: kidOf("Ed25519") },
    });
    expect(body.authentication).toEqual([`${did}#owner`, `${did}#${kidOf("Ed25519")}`]);
    expect(body.assertionMethod).toEqual(body.authentication);
    expect(body.keyAgreement).toEqual([`${did}#${kidOf("P-256")}`]);
  });

  it.each<[string, Partial<World>]>([
    ["of an earlier epoch", { record: recorded(1) }],
    ["of a sold passport", { passportOwner: BUYER }],
    ["that are not the archived ones", { archived: "{}" }],
  ])("lists no keys %s", async (_what, change) => {
    const body = await documentOf(change);
    expect(methodsOf(body)).toEqual([`${did}#owner`]);
    expect(body).not.toHaveProperty("keyAgreement");
    expect(didCoreProblems(body, did)).toEqual([]);
  });

  it("lists no expired key", async () => {
    const ended = agentKeySet([{ ...ED25519, exp: NOW.getTime() / 1000 }, P256], {
      ...PLACE,
      tokenId: 3n,
    });
    const archived = agentKeySetJson(ended);
    const body = await documentOf({ archived, record: recorded(2, ended) });
    expect(methodsOf(body)).toEqual([`${did}#owner`, `${did}#${kidOf("P-256")}`]);
    expect(body.authentication).toEqual([`${did}#owner`]);
  });
});
