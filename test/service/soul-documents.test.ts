import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDerivedChronicleStore } from "../../api/features/chronicles/derived.store.ts";
import { createDocumentStore } from "../../api/features/documents/documents.store.ts";
import {
  createSoulDocumentService,
  type SoulDocumentDeps,
} from "../../api/features/documents/documents.ts";
import { createUploadStore } from "../../api/features/documents/uploads.store.ts";
import type { DeclaredDocument } from "../../api/features/documents/uploads.ts";
import { createDocumentUploads, UPLOAD_TIME_MS } from "../../api/features/documents/uploads.ts";
import { generateApiKey, hashApiKey } from "../../api/kernel/api-keys.ts";
import { ApiError } from "../../api/kernel/errors.ts";
import { createLinks } from "../../api/kernel/links.ts";
import { connectDatabase, type DatabaseConnection } from "../../api/platform/database/connect.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { createSecrets } from "../../api/platform/secrets/secrets.ts";
import type { ChainSoul } from "../../api/soul/chain-soul.ts";
import { createChainReads } from "../../api/soul/indexed.store.ts";
import { type Answer, newAccount, refusal } from "../api/features/sign-in/harness.ts";
import {
  bearer,
  newAgent,
  ownerSession,
  soulWithDocuments,
  type TestAgent,
} from "../fixtures/agents.ts";
import { chainSoul, chainSouls } from "../fixtures/chain-soul.ts";
import { createKeptTables, keptJobs } from "../fixtures/chronicles.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// Soul documents over HTTP: real contracts, the real index, real Postgres. Cases that need a clock
// or a dead chain are tested on the service itself, over the same database.

let service: Service;
let connection: DatabaseConnection;
let uploads: ReturnType<typeof createDocumentUploads>;
const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

beforeAll(async () => {
  service = await sharedService();
  const { rows } = await service.pool.query("select current_database() as name");
  const url = new URL((service.pool.options as { connectionString: string }).connectionString);
  url.pathname = `/${rows[0].name}`;
  connection = connectDatabase(url.href, createLog("silent"));
  await createKeptTables(connection);
  uploads = createDocumentUploads({
    store: createUploadStore(connection.db),
    secrets,
    links: createLinks(service.url),
    clock: () => new Date(),
  });
});
afterAll(async () => {
  await connection?.close();
  await service?.stop();
});

const hashOf = (content: string | Uint8Array): Hex =>
  `0x${createHash("sha256").update(content).digest("hex")}`;

const declared = (content: string, change: Partial<DeclaredDocument> = {}): DeclaredDocument => ({
  id: "manifesto",
  type: "manifesto",
  title: "What herons are owed",
  format: "markdown",
  contentHash: hashOf(content),
  immutable: false,
  ...change,
});

/** The upload URLs that a registration issues for the documents that its seal declared. */
async function issued(agent: TestAgent, documents: readonly DeclaredDocument[]) {
  const soul = { tokenId: BigInt(agent.tokenId), epoch: 1 };
  return connection.db.transaction((tx) =>
    uploads.issue(tx as never, { ...soul, operationId: randomUUID(), documents }),
  );
}

async function issuedUrl(agent: TestAgent, document: DeclaredDocument): Promise<string> {
  const [one] = await issued(agent, [document]);
  if (!one) throw new Error("Nothing was issued.");
  return one.uploadUrl;
}

const send = (url: string, content: string | Uint8Array, headers: Record<string, string> = {}) =>
  service.request(url.replace(service.url, ""), {
    method: "POST",
    headers: { "content-type": "text/markdown", ...headers },
    body: content as BodyInit,
  });

const list = (agent: TestAgent) => service.get(`/v1/soul-documents/${agent.name}`);

const record = async (agent: TestAgent, content: string, change: object = {}) => {
  const { contentHash, id: documentId, type: documentType, title, format } = declared(content);
  const data = { documentId, documentType, title, format, contentHash, ...change };
  const answer = await service.post(
    "/v1/chronicle",
    { tokenId: agent.tokenId, category: "document", data },
    bearer(agent.apiKey),
  );
  expect(answer.status).toBe(201);
  return answer.body;
};

const askUrl = (
  agent: TestAgent,
  content: string,
  change: object = {},
  headers: Record<string, string> = bearer(agent.apiKey),
) =>
  service.post(
    `/v1/soul-documents/${agent.tokenId}/upload-url`,
    { tokenId: agent.tokenId, documentId: "manifesto", contentHash: hashOf(content), ...change },
    headers,
  );

/** Announces a content, gets its URL and uploads it. */
async function change(agent: TestAgent, content: string, fields: object = {}): Promise<Answer> {
  await record(agent, content, fields);
  const asked = await askUrl(agent, content);
  expect(asked.status).toBe(200);
  return send(asked.body.uploadUrl, content);
}

const issue = (path: string, message: string) => ({
  status: 400,
  type: "INVALID_REQUEST",
  details: { issues: [{ path, message }] },
});

const usedAt = async (url: string) => {
  const token = new URL(url).searchParams.get("token") ?? "";
  const { rows } = await connection.pool.query(
    "select used_at from app.document_upload where token_hash = $1",
    [createHash("sha256").update(token).digest()],
  );
  return rows[0]?.used_at;
};

describe("a document that was declared with the seal", () => {
  const content = "# Herons\n\nLeave them alone.\n";
  let agent: TestAgent;
  let answer: Answer;
  beforeAll(async () => {
    const document = declared(content, { immutable: true });
    const owner = newAccount();
    const name = freshName();
    const soul = { ...soulWithDocuments([document], name), soulDocuments: [document] };
    const registeredAt = Date.now();
    const { body: registered } = (await service.register(name, owner, soul)).answer;
    const { tokenId, erc8004AgentId: passportId, apiKey } = registered;
    agent = { owner, name, tokenId, passportId, apiKey };
    const upload = `${service.url}/v1/soul-documents/upload/manifesto?token=`;
    expect(registered.documentUploadUrls).toEqual([
      {
        id: "manifesto",
        uploadUrl: expect.stringMatching(/\?token=[A-Za-z0-9_-]{43}$/),
        expiresAt: expect.stringMatching(/^20.*Z$/),
      },
    ]);
    const [{ uploadUrl: url, expiresAt }] = registered.documentUploadUrls;
    expect(url.startsWith(upload)).toBe(true);
    expect(Date.parse(expiresAt) - registeredAt).toBeGreaterThanOrEqual(UPLOAD_TIME_MS);
    const before = await list(agent);
    expect(before.body.documents).toEqual([
      {
        id: "manifesto",
        type: "manifesto",
        title: "What herons are owed",
        format: "markdown",
        immutable: true,
        immutabilityBroken: false,
        version: 1,
        contentHash: document.contentHash,
        arweaveTxId: null,
        arweaveUrl: null,
        uploadedAt: null,
        previousVersions: [],
        merkleVerification: {
          leafIndex: 11,
          inMerkleTree: true,
          note: "The sealed Merkle root commits to this content hash, in the leaf soul.documents.",
        },
      },
    ]);
    answer = await send(url, content);
  });

  it("is stored under its hash", async () => {
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        documentId: "manifesto",
        tokenId: agent.tokenId,
        version: 1,
        contentHash: hashOf(content),
        hashVerified: true,
        arweaveTxId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        arweaveUrl: `${service.url}/ar/${answer.body.arweaveTxId}`,
        immutable: true,
        uploadedAt: expect.stringMatching(/^20.*Z$/),
      },
    ]);
    const stored = await fetch(answer.body.arweaveUrl);
    expect(await stored.text()).toBe(content);
    expect(stored.headers.get("content-security-policy")).toContain("sandbox");
  });

  it("is listed with its place in the tree, and cached like a profile", async () => {
    const { status, headers, body } = await list(agent);
    expect([status, body]).toEqual([
      200,
      {
        agentName: agent.name,
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        documents: [
          {
            id: "manifesto",
            type: "manifesto",
            title: "What herons are owed",
            format: "markdown",
            immutable: true,
            immutabilityBroken: false,
            version: 1,
            contentHash: hashOf(content),
            arweaveTxId: answer.body.arweaveTxId,
            arweaveUrl: answer.body.arweaveUrl,
            uploadedAt: answer.body.uploadedAt,
            previousVersions: [],
            merkleVerification: {
              leafIndex: 11,
              inMerkleTree: true,
              note: "The sealed Merkle root commits to this content hash, in the leaf soul.documents.",
            },
          },
        ],
      },
    ]);
    expect(headers.get("cache-control")).toBe("max-age=3600, stale-while-revalidate=7200");
    expect(headers.get("x-svc-block")).toMatch(/^[1-9][0-9]*$/);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    const held = { "If-None-Match": headers.get("etag") ?? "" };
    const again = await service.request(`/v1/soul-documents/${agent.tokenId}`, { headers: held });
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  it("leaves a permanent record when it changes although it was declared immutable", async () => {
    const other = "# Herons\n\nFeed them.\n";
    await record(agent, other);
    expect(refusal(await askUrl(agent, other, { immutable: false }))).toEqual(
      issue("immutable", "It was declared immutable, which cannot be taken back"),
    );
    const asked = await askUrl(agent, other);
    const changed = await send(asked.body.uploadUrl, other);
    expect(changed.body).toMatchObject({ version: 2, immutable: true });
    const { body } = await list(agent);
    expect(body.documents[0]).toMatchObject({
      version: 2,
      immutable: true,
      immutabilityBroken: true,
      contentHash: hashOf(other),
      previousVersions: [
        {
          version: 1,
          contentHash: hashOf(content),
          breaksImmutability: false,
          arweaveTxId: answer.body.arweaveTxId,
          arweaveUrl: answer.body.arweaveUrl,
          uploadedAt: answer.body.uploadedAt,
        },
      ],
      merkleVerification: {
        leafIndex: 11,
        inMerkleTree: false,
        note: "The sealed leaf soul.documents holds version 1 of this document. Chronicle 1 announced this content.",
      },
    });
    const { body: life } = await service.get(
      `/v1/chronicle/${agent.name}?includeDetails=true&changeType=immutable_document_changed`,
    );
    expect(life.chronicles).toHaveLength(1);
    expect(life.chronicles[0]).toMatchObject({
      category: "document",
      detail: {
        authority: "service",
        data: {
          changeType: "immutable_document_changed",
          documentId: "manifesto",
          documentType: "manifesto",
          format: "markdown",
          title: "What herons are owed",
          contentHash: hashOf(other),
          previousContentHash: hashOf(content),
          version: 2,
          announcedBy: 1,
          epoch: 1,
        },
      },
    });

    const third = await change(agent, "# Herons\n\nAsk them.\n");
    expect(third.body.version).toBe(3);
    const [now] = (await list(agent)).body.documents;
    expect(now.immutabilityBroken).toBe(true);
    expect(now.previousVersions.map((one: Answer["body"]) => one.breaksImmutability)).toEqual([
      true,
      false,
    ]);
  });
});

describe("a document that was added after the seal", () => {
  it("is in the tree once a revision of the soul commits to it", async () => {
    const agent = await newAgent(service);
    expect((await change(agent, "Added.")).status).toBe(200);
    const verification = async () =>
      (await list(agent)).body.documents[0].merkleVerification.inMerkleTree;
    expect(await verification()).toBe(false);

    const revised = soulWithDocuments([declared("Added.")]);
    const body = {
      tokenId: agent.tokenId,
      category: "technical",
      data: {
        changeType: "soul_revision",
        newSoulHash: revised.soulHash,
        newSoulMerkleRoot: revised.soulMerkleRoot,
        newSoulSalt: revised.soulSalt,
        merkleLeaves: revised.merkleLeaves,
      },
    };
    const { body: typedData } = await service.post("/v1/typed-data/chronicle", body);
    const signature = await agent.owner.signTypedData(typedData);
    const signed = { ...body, signature, message: typedData.message, signer: agent.owner.address };
    expect((await service.post("/v1/chronicle", signed)).status).toBe(201);
    expect(await verification()).toBe(true);
  });
});

describe("a new document", () => {
  it("needs a chronicle that announces exactly this content", async () => {
    const agent = await newAgent(service);
    const content = "Seen at dawn.";
    const refused = await askUrl(agent, content);
    expect(refusal(refused)).toEqual({
      status: 403,
      type: "FORBIDDEN",
      details: {
        requiredChronicle: {
          category: "document",
          data: { documentId: "manifesto", contentHash: hashOf(content) },
        },
      },
    });
    expect(refused.body.error.message).toContain("POST /v1/chronicle");
    await record(agent, "Something else.");
    expect((await askUrl(agent, content)).status).toBe(403);
    await record(agent, content, { documentId: "other" });
    expect((await askUrl(agent, content)).status).toBe(403);
    // Hex in another spelling is the same hash.
    await record(agent, content, { contentHash: hashOf(content).slice(2).toUpperCase() });
    const before = Date.now();
    const asked = await askUrl(agent, content);
    expect([asked.status, asked.body]).toEqual([
      200,
      {
        documentId: "manifesto",
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        uploadUrl: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:[0-9]+\/v1\/soul-documents\/upload\/manifesto\?token=[A-Za-z0-9_-]{43}$/,
        ),
        expiresAt: expect.any(String),
      },
    ]);
    expect(Date.parse(asked.body.expiresAt)).toBeGreaterThanOrEqual(before + UPLOAD_TIME_MS);
    expect(Date.parse(asked.body.expiresAt)).toBeLessThanOrEqual(Date.now() + UPLOAD_TIME_MS);
    expect(asked.headers.get("cache-control")).toBe("no-store");

    expect((await send(asked.body.uploadUrl, content)).status).toBe(200);
    expect((await list(agent)).body.documents).toMatchObject([
      {
        id: "manifesto",
        version: 1,
        immutable: false,
        immutabilityBroken: false,
        merkleVerification: {
          inMerkleTree: false,
          note: "The sealed leaf soul.documents does not hold this document. Chronicle 3 announced this content.",
        },
      },
    ]);
    expect(refusal(await askUrl(agent, content))).toEqual(
      issue("contentHash", "The document has this content already"),
    );
  });

  it("returns to an earlier content only by another chronicle", async () => {
    const agent = await newAgent(service);
    const [first, second] = ["One heron.", "Two herons."];
    expect((await change(agent, first)).body.version).toBe(1);
    expect((await change(agent, second)).body.version).toBe(2);
    expect(refusal(await askUrl(agent, first)).type).toBe("FORBIDDEN");
    expect((await change(agent, first)).body.version).toBe(3);
    const { body } = await list(agent);
    expect(body.documents).toHaveLength(1);
    expect(
      body.documents[0].previousVersions.map(({ version, contentHash }: Answer["body"]) => [
        version,
        contentHash,
      ]),
    ).toEqual([
      [2, hashOf(second)],
      [1, hashOf(first)],
    ]);
    // The same bytes give the same item.
    expect(body.documents[0].arweaveTxId).toBe(body.documents[0].previousVersions[1].arweaveTxId);
  });

  it("takes its fields from the chronicle, and from the request where the chronicle has none", async () => {
    const agent = await newAgent(service);
    const content = "Silent.";
    const silent = { title: undefined, documentType: undefined, format: undefined };
    await record(agent, content, silent);
    expect(refusal(await askUrl(agent, content)).details).toEqual({
      issues: ["type", "title", "format"].map((path) => ({
        path,
        message: "Required here or in the chronicle",
      })),
    });
    const fields = { type: "note", title: "Silence", format: "txt", immutable: true };
    const asked = await askUrl(agent, content, fields);
    const uploaded = await send(asked.body.uploadUrl, content);
    expect(uploaded.body.immutable).toBe(true);
    expect((await list(agent)).body.documents).toMatchObject([fields]);
    const stored = await service.get(`/ar/${uploaded.body.arweaveTxId}`);
    expect(stored.headers.get("content-type")).toBe("text/plain; charset=utf-8");

    const other = await newAgent(service);
    await record(other, content);
    expect(refusal(await askUrl(other, content, { title: "Other", format: "pdf" }))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [
          { path: "title", message: "The record has What herons are owed" },
          { path: "format", message: "The record has markdown" },
        ],
      },
    });
    await record(other, content, { format: "html" });
    const page = refusal(await askUrl(other, content));
    expect(page).toEqual(
      issue("format", expect.stringMatching(/^Use one of markdown, md, /) as never),
    );
  });

  it("ends the earlier URL with a later one", async () => {
    const agent = await newAgent(service);
    await record(agent, "A");
    const first = await askUrl(agent, "A");
    const second = await askUrl(agent, "A");
    expect(refusal(await send(first.body.uploadUrl, "A")).type).toBe("GONE");
    expect((await send(second.body.uploadUrl, "A")).status).toBe(200);
  });

  it("is issued one URL for one Idempotency-Key", async () => {
    const agent = await newAgent(service);
    await record(agent, "A");
    const key = { ...bearer(agent.apiKey), "Idempotency-Key": idempotencyKey() };
    const first = await askUrl(agent, "A", {}, key);
    const again = await askUrl(agent, "A", {}, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("access to upload URLs", () => {
  it("is for the agent's full key and its owner's session alone", async () => {
    const agent = await newAgent(service);
    const other = await newAgent(service);
    await record(agent, "A");
    const provisional = generateApiKey("provisional");
    await connection.pool.query(
      `insert into app.api_key (hash, kind, holder, hint, registration_id, created_at) values ($1, 'provisional', 'agent', 'a1B2', $2, now())`,
      [hashApiKey(provisional), randomUUID()],
    );
    const session = (owner: TestAgent) => ownerSession(service, owner.owner);
    const cases = [
      [{}, "UNAUTHORIZED"],
      [bearer("nonsense"), "UNAUTHORIZED"],
      [bearer(provisional), "FULL_KEY_REQUIRED"],
      [bearer(other.apiKey), "FORBIDDEN"],
      [bearer((await session(other)).accessToken), "FORBIDDEN"],
    ] as const;
    for (const [headers, type] of cases) {
      expect([type, refusal(await askUrl(agent, "A", {}, headers)).type]).toEqual([type, type]);
    }
    const { accessToken } = await session(agent);
    expect((await askUrl(agent, "A", {}, bearer(accessToken))).status).toBe(200);
    expect((await askUrl(agent, "A")).status).toBe(200);
    expect(refusal(await askUrl(agent, "A", { tokenId: other.tokenId }))).toEqual(
      issue("tokenId", `The path says ${agent.tokenId}`),
    );
  });

  it("ends once the passport has moved, and so do issued upload URLs", async () => {
    const agent = await newAgent(service);
    await record(agent, "A");
    const asked = await askUrl(agent, "A");
    const { accessToken } = await ownerSession(service, agent.owner);
    const buyer = newAccount();
    const { chain } = service;
    await chain.fund(agent.owner.address);
    const sold = await chain.transferPassport(BigInt(agent.passportId), agent.owner, buyer.address);
    await service.get(`/v1/profile/${agent.name}?minBlock=${sold}`);
    expect(refusal(await askUrl(agent, "A"))).toMatchObject({ status: 409, type: "SUSPENDED" });
    expect(refusal(await askUrl(agent, "A", {}, bearer(accessToken))).status).toBe(401);
    const buyers = await ownerSession(service, buyer);
    expect(refusal(await askUrl(agent, "A", {}, bearer(buyers.accessToken))).type).toBe(
      "SUSPENDED",
    );
    expect(refusal(await send(asked.body.uploadUrl, "A"))).toEqual({
      status: 409,
      type: "SUSPENDED",
      details: {},
    });
    expect(await usedAt(asked.body.uploadUrl)).toBeNull();
    expect((await list(agent)).status).toBe(200);
  });
});

describe("an upload", () => {
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await newAgent(service);
  });
  const id = () => `d-${randomBytes(6).toString("hex")}`;

  it("of other bytes is refused, and the token still works", async () => {
    const url = await issuedUrl(agent, declared("right", { id: id() }));
    expect(refusal(await send(url, "wrong"))).toEqual({
      status: 422,
      type: "HASH_MISMATCH",
      details: { field: "contentHash", expected: hashOf("right"), computed: hashOf("wrong") },
    });
    expect(refusal(await send(url, ""))).toEqual(issue("", "The document is empty"));
    expect(await usedAt(url)).toBeNull();
    expect((await send(url, "right")).status).toBe(200);
    expect(refusal(await send(url, "right"))).toEqual({
      status: 401,
      type: "CODE_USED",
      details: {},
    });
  });

  it("accepts any bytes, of any declared type", async () => {
    const bytes = randomBytes(100_000);
    const document = { ...declared("", { id: id(), format: "pdf" }), contentHash: hashOf(bytes) };
    const url = await issuedUrl(agent, document);
    const { status, body } = await send(url, bytes, { "content-type": "text/html" });
    expect(status).toBe(200);
    const stored = await fetch(body.arweaveUrl);
    expect(stored.headers.get("content-type")).toBe("application/octet-stream");
    expect(stored.headers.get("content-disposition")).toContain("attachment");
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it("has at most 10 MiB", async () => {
    const limit = 10 * 1024 * 1024;
    const bytes = Buffer.alloc(limit, "a");
    const document = { ...declared("", { id: id() }), contentHash: hashOf(bytes) };
    const url = await issuedUrl(agent, document);
    expect(refusal(await send(url, Buffer.alloc(limit + 1, "a")))).toEqual({
      status: 413,
      type: "PAYLOAD_TOO_LARGE",
      details: { limitBytes: limit },
    });
    expect((await send(url, bytes)).status).toBe(200);
  });

  it("needs the token of this very document", async () => {
    const [one, two] = [declared("same", { id: id() }), declared("same", { id: id() })];
    const url = await issuedUrl(agent, one);
    await issuedUrl(agent, two);
    const swapped = url.replace(one.id, two.id);
    const refused = await send(swapped, "same");
    expect(refusal(refused)).toEqual({ status: 403, type: "FORBIDDEN", details: {} });
    expect(refused.body.error.message).toBe("This upload URL is for another document.");
    expect(await usedAt(url)).toBeNull();

    const path = `/v1/soul-documents/upload/${one.id}`;
    for (const token of ["", "x", "A".repeat(43), "é"]) {
      const answer = refusal(await send(`${path}?token=${token}`, "same"));
      expect([token, answer]).toEqual([token, { status: 410, type: "GONE", details: {} }]);
    }
    expect(refusal(await send(path, "same"))).toMatchObject({ type: "INVALID_REQUEST" });
    const strange = await send(`/v1/soul-documents/upload/..%2fx?token=${"A".repeat(43)}`, "same");
    expect(refusal(strange)).toEqual(
      issue("documentId", "Use 1 to 128 letters, digits, dots, underscores and hyphens"),
    );
  });

  it("after its expiry is refused", async () => {
    const url = await issuedUrl(agent, declared("late", { id: id() }));
    await connection.pool.query("update app.document_upload set expires_at = now()");
    expect(refusal(await send(url, "late"))).toEqual({ status: 410, type: "GONE", details: {} });
    expect(await usedAt(url)).toBeNull();
  });

  it("under an Idempotency-Key is answered again", async () => {
    const url = await issuedUrl(agent, declared("again", { id: id() }));
    const key = { "Idempotency-Key": idempotencyKey() };
    const first = await send(url, "again", key);
    const again = await send(url, "again", key);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it("wins once of fifty at a time", async () => {
    const document = declared("race", { id: id() });
    const url = await issuedUrl(agent, document);
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(url, "race")));
    const outcomes = answers.map((answer) =>
      answer.status === 200 ? "stored" : refusal(answer).type,
    );
    expect(outcomes.toSorted()).toEqual([...Array(49).fill("CODE_USED"), "stored"]);
    const { rows } = await connection.pool.query(
      "select version, archive_id from app.document_version where document_id = $1",
      [document.id],
    );
    const winner = answers.find(({ status }) => status === 200)?.body;
    expect(rows).toEqual([{ version: 1, archive_id: winner.arweaveTxId }]);
  });

  it("stores its token as a hash only", async () => {
    const url = await issuedUrl(agent, declared("hash", { id: id() }));
    const token = new URL(url).searchParams.get("token") ?? "";
    const { rows } = await connection.pool.query(
      "select t::text as row from app.document_upload t",
    );
    const text = rows.map(({ row }) => row).join("\n");
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token, "base64url").toString("hex"));
    expect((await service.logLines()).join("")).not.toContain(token);
  });
});

describe("an issued upload URL", () => {
  it("is returned again for the same operation, and asking again loses nothing", async () => {
    const agent = await newAgent(service);
    const soul = { tokenId: BigInt(agent.tokenId), epoch: 1 };
    const documents = [declared("b", { id: "b" }), declared("a", { id: "a" })];
    const operationId = randomUUID();
    const ask = () => uploads.issue(connection.db, { ...soul, operationId, documents });
    const first = await ask();
    expect(first.map(({ id }) => id)).toEqual(["a", "b"]);
    expect((await send(first[0]?.uploadUrl ?? "", "a")).status).toBe(200);
    expect(await ask()).toEqual(first);
    expect(await uploads.issued(operationId)).toEqual(first);
    expect(await uploads.issued(randomUUID())).toEqual([]);
    expect(refusal(await send(first[0]?.uploadUrl ?? "", "a")).type).toBe("CODE_USED");
    expect((await send(first[1]?.uploadUrl ?? "", "b")).status).toBe(200);
  });

  it("survives a new master key", async () => {
    const agent = await newAgent(service);
    const operationId = randomUUID();
    const old = { version: 1, key: randomBytes(32) };
    const uploadsWith = (keys: Parameters<typeof createSecrets>[0]) =>
      createDocumentUploads({
        store: createUploadStore(connection.db),
        secrets: createSecrets(keys),
        links: createLinks(service.url),
        clock: () => new Date(),
      });
    const first = await uploadsWith([old]).issue(connection.db, {
      tokenId: BigInt(agent.tokenId),
      epoch: 1,
      operationId,
      documents: [declared("x")],
    });
    const rotated = uploadsWith([{ version: 2, key: randomBytes(32) }, old]);
    expect(await rotated.issued(operationId)).toEqual(first);
  });

  it("is not needed for a document that was stored before", async () => {
    const document = declared("stored before");
    const agent = await newAgent(service, soulWithDocuments([document]));
    const soul = { tokenId: BigInt(agent.tokenId), epoch: 1 };
    const archiveId = randomBytes(32).toString("base64url");
    const stored = { ...soul, document, archiveId };
    await uploads.recordStored(connection.db, stored);
    await uploads.recordStored(connection.db, stored);
    expect((await list(agent)).body.documents).toMatchObject([
      { id: "manifesto", version: 1, arweaveTxId: archiveId, previousVersions: [] },
    ]);
  });

  it("for a document without an upload can be requested again without a chronicle", async () => {
    const document = declared("forgotten", { immutable: true });
    const agent = await newAgent(service, soulWithDocuments([document]));
    await issued(agent, [document]);
    expect(refusal(await askUrl(agent, "forgotten", { title: "Other" }))).toEqual(
      issue("title", "The record has What herons are owed"),
    );
    const asked = await askUrl(agent, "forgotten");
    const uploaded = await send(asked.body.uploadUrl, "forgotten");
    expect(uploaded.body).toMatchObject({ version: 1, immutable: true });
    expect((await list(agent)).body.documents[0].merkleVerification.inMerkleTree).toBe(true);
  });
});

describe("the service alone", () => {
  const NOW = new Date("2031-02-03T04:05:06Z");

  /** The documents of a token that no chain knows, with the parts that a test replaces. */
  function world(parts: Partial<SoulDocumentDeps> & { soul?: Partial<ChainSoul> } = {}) {
    const tokenId = BigInt(`0x${randomBytes(6).toString("hex")}`);
    const { db } = connection;
    let now = NOW;
    const clock = () => now;
    const store = createDocumentStore({
      db,
      derived: createDerivedChronicleStore({ db, jobs: keptJobs, clock }),
    });
    const issuing = createDocumentUploads({
      store: createUploadStore(db),
      secrets,
      links: createLinks("http://x"),
      clock,
    });
    const archived: { data: Uint8Array; contentType: string }[] = [];
    const documents = createSoulDocumentService({
      store,
      secrets,
      clock,
      reads: createChainReads(connection.pool),
      souls: chainSouls(chainSoul({ tokenId, ...parts.soul })),
      archive: {
        archive: async (content) => {
          archived.push(content);
          return createHash("sha256").update(content.data).digest("base64url");
        },
      },
      issue: (change) => issuing.issueChange(db, change),
      derived: { attempt: async () => {} },
      ...parts,
    });
    const token = async (document: DeclaredDocument) => {
      const declaredBy = { tokenId, epoch: 1, operationId: randomUUID(), documents: [document] };
      const [one] = await issuing.issue(db, declaredBy);
      return new URL(one?.uploadUrl ?? "").searchParams.get("token") ?? "";
    };
    return {
      documents,
      token,
      store,
      archived,
      tokenId,
      later: (ms: number) => {
        now = new Date(NOW.getTime() + ms);
      },
    };
  }

  const refusalOf = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      if (error instanceof ApiError) return error.type;
      throw error;
    }
    return "answered";
  };

  it("accepts a document until its last millisecond", async () => {
    const { documents, token, later, archived } = world();
    const first = await token(declared("x"));
    later(UPLOAD_TIME_MS);
    expect(await refusalOf(documents.upload("manifesto", first, Buffer.from("x")))).toBe("GONE");
    later(UPLOAD_TIME_MS - 1);
    const made = await documents.upload("manifesto", first, Buffer.from("x"));
    expect(made.document.uploadedAt).toEqual(new Date(NOW.getTime() + UPLOAD_TIME_MS - 1));
    expect(archived.map(({ contentType }) => contentType)).toEqual(["text/markdown"]);
  });

  it.each([
    [{ epoch: 2 }, "GONE"],
    [{ status: "BURNED" }, "BURNED"],
    [{ status: "PROVISIONAL" }, "FORBIDDEN"],
    [{ passportOwner: null }, "SUSPENDED"],
  ] as const)("refuses uploads to a soul that is %o: %s", async (soul, type) => {
    const { documents, token, archived } = world({ soul });
    const issued = await token(declared("x"));
    expect(await refusalOf(documents.upload("manifesto", issued, Buffer.from("x")))).toBe(type);
    expect(archived).toEqual([]);
  });

  it("refuses uploads to a soul that was never registered: NOT_FOUND", async () => {
    const { documents, token, archived } = world({ souls: chainSouls() });
    const issued = await token(declared("x"));
    expect(await refusalOf(documents.upload("manifesto", issued, Buffer.from("x")))).toBe(
      "NOT_FOUND",
    );
    expect(archived).toEqual([]);
  });

  it("stores nothing that it cannot check, and consumes nothing that it did not store", async () => {
    const chainless = world({
      souls: {
        soul: async () => {
          throw new ApiError("CHAIN_UNAVAILABLE");
        },
      },
    });
    const one = await chainless.token(declared("x"));
    const upload = () => chainless.documents.upload("manifesto", one, Buffer.from("x"));
    expect(await refusalOf(upload())).toBe("CHAIN_UNAVAILABLE");
    expect(chainless.archived).toEqual([]);

    let down = true;
    const storageless = world({
      archive: {
        archive: async ({ data }) => {
          if (down) throw new ApiError("STORAGE_UNAVAILABLE");
          return createHash("sha256").update(data).digest("base64url");
        },
      },
    });
    const two = await storageless.token(declared("y"));
    const retry = () => storageless.documents.upload("manifesto", two, Buffer.from("y"));
    expect(await refusalOf(retry())).toBe("STORAGE_UNAVAILABLE");
    down = false;
    expect((await retry()).document.version).toBe(1);
  });

  it("resumes with the same item when it died between storing and recording", async () => {
    const { documents, token, store, archived, tokenId } = world();
    const dying = vi.spyOn(store, "record").mockRejectedValueOnce(new Error("killed"));
    const one = await token(declared("x"));
    await expect(documents.upload("manifesto", one, Buffer.from("x"))).rejects.toThrow("killed");
    const soul = { tokenId, epoch: 1 };
    expect((await store.current(soul, "manifesto"))?.archiveId).toBeNull();
    const { document } = await documents.upload("manifesto", one, Buffer.from("x"));
    expect(dying).toHaveBeenCalledTimes(2);
    const [first, second] = archived;
    expect(second).toEqual(first);
    expect(await store.current(soul, "manifesto")).toEqual(document);
  });

  it("owes a chronicle for a broken declaration from the transaction that breaks it", async () => {
    const { documents, token, store, tokenId } = world();
    const kept = declared("kept", { immutable: true });
    await documents.upload("manifesto", await token(kept), Buffer.from("kept"));
    const soul = { tokenId, epoch: 1 };
    const { db } = connection;
    const issuing = createDocumentUploads({
      store: createUploadStore(db),
      secrets,
      links: createLinks("http://x"),
      clock: () => NOW,
    });
    const { uploadUrl } = await issuing.issueChange(db, {
      ...soul,
      operationId: randomUUID(),
      chronicleId: 9n,
      document: declared("broken", { immutable: true }),
    });
    const broken = new URL(uploadUrl).searchParams.get("token") ?? "";
    await documents.upload("manifesto", broken, Buffer.from("broken"));
    const due = await createDerivedChronicleStore({ db, jobs: keptJobs, clock: () => NOW }).due(
      `immutable-document:${tokenId}:1:manifesto:2`,
    );
    expect(due).toMatchObject({
      tokenId,
      category: "document",
      data: { previousContentHash: kept.contentHash, announcedBy: 9 },
    });
    const { rows } = await connection.pool.query(
      "select payload from test_job where name = 'chronicle.derive' and payload #>> '{data,key}' = $1",
      [due?.key],
    );
    expect(rows).toHaveLength(1);
    expect((await store.current(soul, "manifesto"))?.breaksImmutability).toBe(true);
  });
});

describe("the list", () => {
  it("is of an existing agent", async () => {
    const unknown = await service.get("/v1/soul-documents/unknown-name");
    expect(refusal(unknown)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    expect(refusal(await service.get("/v1/soul-documents/No_Name")).type).toBe("INVALID_NAME");
    const agent = await newAgent(service);
    expect((await list(agent)).body).toEqual({
      agentName: agent.name,
      tokenId: agent.tokenId,
      erc8004AgentId: agent.passportId,
      documents: [],
    });
  });
});
