import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chronicleDraft } from "../../api/features/chronicles/content.ts";
import { createDerivedChronicleStore } from "../../api/features/chronicles/derived.store.ts";
import { createDerivedChronicles } from "../../api/features/chronicles/derived.ts";
import { shownAddresses } from "../../api/features/profile/display.ts";
import { PublicIdentityBodySchema } from "../../api/features/profile/public-identity.schemas.ts";
import { createPublicIdentityStore } from "../../api/features/profile/public-identity.store.ts";
import { MAX_IDENTITY_BYTES } from "../../api/features/profile/public-identity.ts";
import { CATEGORIES } from "../../api/features/registration/schemas.ts";
import { generateApiKey, hashApiKey } from "../../api/kernel/api-keys.ts";
import { connectDatabase, type DatabaseConnection } from "../../api/platform/database/connect.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { declaredIdentity } from "../../api/soul/declared-identity.ts";
import type { DisplaySettings } from "../../api/soul/display-settings.ts";
import { canonicalJson } from "../../protocol/index.ts";
import { type Answer, newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { createKeptTables, keptJobs } from "../fixtures/chronicles.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// Public identity and display settings of agents, over HTTP: real contracts, the real index, real
// Postgres.

let service: Service;
let connection: DatabaseConnection;
beforeAll(async () => {
  service = await sharedService();
  const { rows } = await service.pool.query("select current_database() as name");
  const url = new URL((service.pool.options as { connectionString: string }).connectionString);
  url.pathname = `/${rows[0].name}`;
  connection = connectDatabase(url.href, createLog("silent"));
  await createKeptTables(connection);
});
afterAll(async () => {
  await connection?.close();
  await service?.stop();
});

const put = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  service.request(path, {
    method: "PUT",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const identify = (
  agent: TestAgent,
  publicIdentity: unknown,
  headers: Record<string, string> = bearer(agent.apiKey),
) =>
  put(`/v1/public-identity/${agent.tokenId}`, { tokenId: agent.tokenId, publicIdentity }, headers);

const show = (
  agent: TestAgent,
  displaySettings: unknown,
  headers: Record<string, string> = bearer(agent.apiKey),
) => put(`/v1/profile/${agent.name}/display`, { displaySettings }, headers);

const profile = async (agent: TestAgent) => (await service.get(`/v1/profile/${agent.name}`)).body;

/** The credentials of every caller that may not act on `agent`, each with its refusal. */
async function strangers() {
  const other = await newAgent(service);
  const provisional = generateApiKey("provisional");
  await connection.pool.query(
    `insert into app.api_key (hash, kind, holder, hint, registration_id, created_at) values ($1, 'provisional', 'agent', 'a1B2', $2, now())`,
    [hashApiKey(provisional), randomUUID()],
  );
  const { accessToken } = await ownerSession(service, other.owner);
  return [
    [{}, "UNAUTHORIZED"],
    [bearer("nonsense"), "UNAUTHORIZED"],
    [bearer(provisional), "FULL_KEY_REQUIRED"],
    [bearer(other.apiKey), "FORBIDDEN"],
    [bearer(accessToken), "FORBIDDEN"],
  ] as const;
}

async function sell(agent: TestAgent) {
  const buyer = newAccount();
  await service.chain.fund(agent.owner.address);
  const { passportId, owner } = agent;
  const block = await service.chain.transferPassport(BigInt(passportId), owner, buyer.address);
  await service.get(`/v1/profile/${agent.name}?minBlock=${block}`);
  return buyer;
}

const identity = {
  bio: "Counts herons.\nAnd grebes.",
  category: "knowledge",
  tags: ["birds", "rivers"],
  modelFamily: "heron-7",
  contacts: [
    { type: "website", value: "https://herons.example" },
    { type: "x", value: "@herons" },
    { type: "did", value: "did:web:herons.example" },
  ],
};

describe("a public identity", () => {
  it("begins with the registration's values, and is replaced as a whole", async () => {
    const agent = await newAgent(service, {
      publicIdentity: {
        bio: "At first.",
        tags: ["early"],
        category: "other",
        tagline: "Hello.",
        image: "https://herons.example/face.png",
      },
    });
    const before = await profile(agent);
    expect(before.publicIdentity).toEqual({
      bio: "At first.",
      category: "other",
      tags: ["early"],
      modelFamily: null,
      contacts: [],
    });
    expect(before.avatarUrl).toBe("https://herons.example/face.png");

    const sentAt = Date.now();
    const { status, body, headers } = await identify(agent, identity);
    expect([status, body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        agentName: agent.name,
        publicIdentity: identity,
        updatedAt: expect.any(String),
      },
    ]);
    expect(Date.parse(body.updatedAt)).toBeGreaterThanOrEqual(sentAt);
    expect(headers.get("cache-control")).toBe("no-store");
    const after = await profile(agent);
    expect(after.publicIdentity).toEqual(identity);
    expect(after.soulHash).toBe(before.soulHash);
    expect(after.avatarUrl).toBe(before.avatarUrl);

    const { profile: signedIn } = await ownerSession(service, agent.owner, { scope: ["profile"] });
    expect(signedIn).toMatchObject({
      bio: identity.bio,
      category: identity.category,
      tags: identity.tags,
      contacts: identity.contacts,
    });

    expect((await identify(agent, { tags: ["last"] })).body.publicIdentity).toEqual({
      bio: null,
      category: null,
      tags: ["last"],
      modelFamily: null,
      contacts: [],
    });
  });

  it("is recorded with every change, beyond the day's five chronicles", async () => {
    const agent = await newAgent(service);
    for (let number = 1; number <= 6; number += 1) {
      expect((await identify(agent, { ...identity, bio: `Number ${number}` })).status).toBe(200);
    }
    // Setting the same value is not a change.
    const sixth = { ...identity, bio: "Number 6" };
    const [first, again] = [await identify(agent, sixth), await identify(agent, sixth)];
    expect(again.body).toEqual(first.body);
    const { body } = await service.get(`/v1/chronicle/${agent.name}?includeDetails=true`);
    expect(body.pagination.total).toBe(6);
    expect(body.chronicles[0]).toMatchObject({
      category: "other",
      changeType: "public_identity_updated",
      status: "queued",
      detail: {
        authority: "service",
        data: {
          changeType: "public_identity_updated",
          version: 6,
          epoch: 1,
          publicIdentity: sixth,
        },
      },
    });
    const own = await service.post(
      "/v1/chronicle",
      { tokenId: agent.tokenId, category: "experience", data: { title: "A day out" } },
      bearer(agent.apiKey),
    );
    expect(own.status).toBe(201);
  });

  it("accepts only the full key or the owner's session for a change", async () => {
    const agent = await newAgent(service);
    for (const [headers, type] of await strangers()) {
      expect([type, refusal(await identify(agent, identity, headers)).type]).toEqual([type, type]);
    }
    const { accessToken } = await ownerSession(service, agent.owner);
    expect((await identify(agent, identity, bearer(accessToken))).status).toBe(200);
    expect((await identify(agent, { bio: "Key" })).status).toBe(200);
    const path = `/v1/public-identity/${agent.tokenId}`;
    const elsewhere = { tokenId: agent.tokenId + 1, publicIdentity: identity };
    expect(refusal(await put(path, elsewhere, bearer(agent.apiKey)))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "tokenId", message: `The path says ${agent.tokenId}` }] },
    });

    const buyer = await sell(agent);
    expect(refusal(await identify(agent, identity)).type).toBe("SUSPENDED");
    const buyers = await ownerSession(service, buyer);
    expect(refusal(await identify(agent, identity, bearer(buyers.accessToken))).type).toBe(
      "SUSPENDED",
    );
    expect((await profile(agent)).publicIdentity.bio).toBe("Key");
  });

  it("of another epoch is not returned", async () => {
    const agent = await newAgent(service);
    await identify(agent, identity);
    const move = "update app.public_identity set epoch = 0 where token_id = $1";
    await connection.pool.query(move, [agent.tokenId]);
    expect((await profile(agent)).publicIdentity).toMatchObject({
      bio: null,
      category: "knowledge",
      tags: [],
    });
  });

  it.each([
    ["bio", "x".repeat(501), "bio"],
    ["bio", 7, "bio"],
    ["category", "herons", "category"],
    ["tags", ["Birds"], "tags.0"],
    ["tags", [""], "tags.0"],
    ["tags", Array(21).fill("a"), "tags"],
    ["modelFamily", "x".repeat(65), "modelFamily"],
    ["contacts", Array(21).fill({ type: "x", value: "@a" }), "contacts"],
    ["contacts", [{ type: "fax", value: "1" }], "contacts.0.type"],
    ["contacts", [{ type: "x", value: "" }], "contacts.0.value"],
    ["contacts", [{ type: "x", value: "@a", note: "b" }], "contacts.0.note"],
    ["contacts", [{ type: "website", value: "javascript:alert(1)" }], "contacts.0.value"],
    ["contacts", [{ type: "a2a", value: "https://a:b@herons.example" }], "contacts.0.value"],
    ["contacts", [{ type: "did", value: "herons" }], "contacts.0.value"],
    ["contacts", [{ type: "github", value: "a\u0007" }], "contacts.0.value"],
    ["mood", "calm", "mood"],
  ])("with %s %j is refused where it is wrong", async (key, value, path) => {
    const answer = refusal(
      await put(
        "/v1/public-identity/1",
        { tokenId: 1, publicIdentity: { [key]: value } },
        await keyOf1(),
      ),
    );
    expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
    const { issues } = answer.details as { issues: { path: string }[] };
    expect(issues.map((one) => one.path)).toEqual([`publicIdentity.${path}`]);
  });
});

let firstKey: Promise<Record<string, string>> | undefined;
/** The key of any agent: a malformed request is refused before anything else is checked. */
function keyOf1() {
  firstKey ??= newAgent(service).then(({ apiKey }) => bearer(apiKey));
  return firstKey;
}

describe("every identity within its limits", () => {
  const text = (maxLength: number) => fc.string({ unit: "grapheme", maxLength, minLength: 1 });
  const fits = (max: number) => (value: string) => value.length <= max;
  const lower = text(64)
    .map((tag) => tag.toLowerCase())
    .filter(fits(64));
  const contact = fc.oneof(
    fc.record({
      type: fc.constantFrom("x", "github", "discord", "neural"),
      value: text(256)
        .filter(fits(256))
        .filter((value) => !/\p{Cc}/u.test(value)),
    }),
    fc.record({
      type: fc.constantFrom("website", "a2a", "mcp"),
      value: fc.webUrl().filter(fits(256)),
    }),
  );
  const valid = fc.record(
    {
      bio: text(500).filter(fits(500)),
      category: fc.constantFrom(...CATEGORIES),
      tags: fc.array(lower, { maxLength: 20 }),
      modelFamily: text(64).filter(fits(64)),
      contacts: fc.array(contact, { maxLength: 20 }),
    },
    { requiredKeys: [] },
  );

  it("is accepted, and fits a chronicle", () => {
    fc.assert(
      fc.property(valid, (publicIdentity) => {
        const parsed = PublicIdentityBodySchema.parse({ tokenId: 1, publicIdentity });
        expect(parsed.publicIdentity).toEqual(publicIdentity);
        const declared = declaredIdentity(parsed.publicIdentity);
        if (Buffer.byteLength(canonicalJson(declared)) > MAX_IDENTITY_BYTES) return;
        const changeType = "public_identity_updated";
        const data = { changeType, publicIdentity: declared, version: 2 ** 31, epoch: 65_535 };
        expect(chronicleDraft({ tokenId: 1n, category: "other", data }).changeType).toBe(
          changeType,
        );
      }),
    );
  });

  it("has no valid neighbour beyond them", () => {
    const beyond = fc.oneof(
      fc.string({ minLength: 501, maxLength: 600 }).map((bio) => ({ bio })),
      fc.string({ minLength: 65, maxLength: 99 }).map((modelFamily) => ({ modelFamily })),
      fc.array(lower, { minLength: 21, maxLength: 25 }).map((tags) => ({ tags })),
      fc.constantFrom("A", "é".toUpperCase(), "aB").map((tag) => ({ tags: [tag] })),
      fc.array(contact, { minLength: 21, maxLength: 25 }).map((contacts) => ({ contacts })),
      fc.string({ maxLength: 20 }).map((name) => ({ [`_${name}`]: 1 })),
    );
    fc.assert(
      fc.property(valid, beyond, (publicIdentity, wrong) => {
        const body = { tokenId: 1, publicIdentity: { ...publicIdentity, ...wrong } };
        expect(PublicIdentityBodySchema.safeParse(body).success).toBe(false);
      }),
    );
  });

  it("that no chronicle could hold is refused", async () => {
    const agent = await newAgent(service);
    const contacts = Array(20).fill({ type: "discord", value: "鷺".repeat(256) });
    expect(refusal(await identify(agent, { contacts }))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [
          { path: "publicIdentity", message: `Larger than ${MAX_IDENTITY_BYTES} bytes as JSON` },
        ],
      },
    });
  });
});

describe("a chronicle that the service owes", () => {
  const derive = () => vi.fn(async () => ({ chronicleId: 7n }));

  it("is recorded once, by the first process", async () => {
    const store = createDerivedChronicleStore({
      db: connection.db,
      jobs: keptJobs,
      clock: () => new Date(),
    });
    const identities = createPublicIdentityStore({ db: connection.db, derived: store });
    const soul = { tokenId: 987_654_321n, epoch: 3 };
    const change = await identities.replace(soul, declaredIdentity({ bio: "Owed" }), new Date());
    const key = "public-identity:987654321:3:1";
    expect(change.derivedKey).toBe(key);
    const { rows } = await connection.pool.query(
      "select payload from test_job where payload #>> '{data,key}' = $1",
      [key],
    );
    expect(rows).toEqual([
      {
        payload: {
          data: { key },
          options: { singletonKey: key, startAfter: expect.any(String) },
        },
      },
    ]);

    const failing = vi.fn().mockRejectedValue(new Error("storage is down"));
    const broken = createDerivedChronicles({ store, chronicles: { derive: failing } });
    await broken.attempt(key);
    await expect(broken.job({ key }, new AbortController().signal)).rejects.toThrow(
      "storage is down",
    );
    await connection.pool.query(
      `insert into app.chronicle (token_id, chronicle_id, epoch, category, change_type, recorded_at,
         data, content_hash, archive_id, leaf, authority, operation_key)
       values ($1, 7, $2, 'other', 'other', now(), '{}', '0x', 'archive', '', 'service', $3)`,
      [soul.tokenId, soul.epoch, `derived:${key}`],
    );
    const chronicles = { derive: derive() };
    const derived = createDerivedChronicles({ store, chronicles });
    await derived.job({ key }, new AbortController().signal);
    await derived.attempt(key);
    expect(chronicles.derive.mock.calls).toEqual([
      [
        {
          tokenId: soul.tokenId,
          category: "other",
          data: {
            changeType: "public_identity_updated",
            publicIdentity: declaredIdentity({ bio: "Owed" }),
            version: 1,
            epoch: 3,
          },
        },
        `derived:${key}`,
      ],
    ]);
  });

  it("does not exist without the change that it records", async () => {
    const store = createPublicIdentityStore({
      db: connection.db,
      derived: {
        add: async () => {
          throw new Error("killed");
        },
      },
    });
    const soul = { tokenId: 987_654_322n, epoch: 1 };
    const replacing = store.replace(soul, declaredIdentity({ bio: "Never" }), new Date());
    await expect(replacing).rejects.toThrow("killed");
    const { rows } = await connection.pool.query(
      "select 1 from app.public_identity where token_id = 987654322",
    );
    expect(rows).toEqual([]);
  });

  it("versions an identity once per change, however many arrive at once", async () => {
    const agent = await newAgent(service);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) => identify(agent, { bio: `Number ${number}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { body } = await service.get(`/v1/chronicle/${agent.name}?includeDetails=true`);
    const versions = body.chronicles.map((one: Answer["body"]) => one.detail.data.version);
    expect(versions.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const last = body.chronicles.find((one: Answer["body"]) => one.detail.data.version === 8);
    expect((await profile(agent)).publicIdentity).toEqual(last.detail.data.publicIdentity);
  });
});

const defaults: DisplaySettings = {
  ownerAddress: "full",
  operatorAddress: "full",
  operatorLabel: "",
  showWalletBalances: false,
  showTransactionCount: false,
};

describe("display settings", () => {
  it("show everything until they are set, and keep the settings that a request does not name", async () => {
    const operator = newAccount().address;
    const agent = await newAgent(service, { operatorAddress: operator });
    const path = `/v1/profile/${agent.name}/display`;
    const first = await service.get(path);
    expect([first.status, first.body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        agentName: agent.name,
        displaySettings: defaults,
        updatedAt: null,
      },
    ]);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect(first.headers.get("x-svc-block")).toMatch(/^[1-9][0-9]*$/);
    expect(await profile(agent)).toMatchObject({
      owner: agent.owner.address,
      operator,
      operatorLabel: null,
    });

    const sentAt = Date.now();
    const hidden = await show(agent, { ownerAddress: "hidden", operatorLabel: "Night desk" });
    const expected = { ...defaults, ownerAddress: "hidden", operatorLabel: "Night desk" };
    expect([hidden.status, hidden.body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        agentName: agent.name,
        displaySettings: expected,
        updatedAt: expect.any(String),
      },
    ]);
    expect(Date.parse(hidden.body.updatedAt)).toBeGreaterThanOrEqual(sentAt);
    expect((await service.get(path)).body).toEqual(hidden.body);
    expect(await profile(agent)).toMatchObject({
      owner: null,
      operator,
      operatorLabel: "Night desk",
    });

    const truncated = await put(
      `/v1/profile/${agent.tokenId}/display`,
      { displaySettings: { operatorAddress: "truncated", showWalletBalances: true } },
      bearer(agent.apiKey),
    );
    expect(truncated.body.displaySettings).toEqual({
      ...expected,
      operatorAddress: "truncated",
      showWalletBalances: true,
    });
    const shown = `${operator.slice(0, 6)}…${operator.slice(-4)}`;
    expect(shown).toHaveLength(11);
    expect(await profile(agent)).toMatchObject({ owner: null, operator: shown });
    // Data that every verifier needs stays public.
    const { body: validity } = await service.get(`/v1/soul-validity/${agent.tokenId}`);
    expect(validity.currentPassportOwner).toBe(agent.owner.address);
  });

  it("of an owner who acts for the agent cannot contradict themselves", async () => {
    const agent = await newAgent(service);
    await show(agent, { ownerAddress: "hidden" });
    expect(await profile(agent)).toMatchObject({ owner: null, operator: null });
    await show(agent, { ownerAddress: "full", operatorAddress: "truncated" });
    const { address } = agent.owner;
    const shown = `${address.slice(0, 6)}…${address.slice(-4)}`;
    expect(await profile(agent)).toMatchObject({ owner: shown, operator: shown });
    expect(shownAddresses({ owner: null, operator: address }, defaults)).toEqual({
      owner: null,
      operator: address,
    });
  });

  it("accept only the full key or the owner's session for a change", async () => {
    const agent = await newAgent(service);
    const change = { operatorLabel: "x" };
    for (const [headers, type] of await strangers()) {
      expect([type, refusal(await show(agent, change, headers)).type]).toEqual([type, type]);
    }
    const { accessToken } = await ownerSession(service, agent.owner);
    expect((await show(agent, change, bearer(accessToken))).status).toBe(200);
    const unknown = { ...agent, name: "unknown-name" };
    expect(refusal(await show(unknown, change)).type).toBe("NOT_FOUND");
    expect(refusal(await service.get("/v1/profile/unknown-name/display")).type).toBe("NOT_FOUND");

    await show(agent, { ownerAddress: "hidden" });
    const buyer = await sell(agent);
    expect(refusal(await show(agent, change)).type).toBe("SUSPENDED");
    const buyers = await ownerSession(service, buyer);
    expect(refusal(await show(agent, change, bearer(buyers.accessToken))).type).toBe("SUSPENDED");
    const move = "update app.display_setting set epoch = 0 where token_id = $1";
    await connection.pool.query(move, [agent.tokenId]);
    expect((await profile(agent)).owner).toBe(buyer.address);
  });

  it.each([
    [{ ownerAddress: "blurred" }, "ownerAddress"],
    [{ operatorAddress: null }, "operatorAddress"],
    [{ operatorLabel: "x".repeat(129) }, "operatorLabel"],
    [{ operatorLabel: "a\nb" }, "operatorLabel"],
    [{ showWalletBalances: "yes" }, "showWalletBalances"],
    [{ showTransactionCount: 1 }, "showTransactionCount"],
    [{ showBalance: true }, "showBalance"],
  ])("%j are refused where they are wrong", async (settings, path) => {
    const agent = { name: "any-agent", tokenId: 1 } as TestAgent;
    const answer = refusal(await show(agent, settings, await keyOf1()));
    expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
    const { issues } = answer.details as { issues: { path: string }[] };
    expect(issues.map((one) => one.path)).toEqual([`displaySettings.${path}`]);
  });
});

describe("an agent's activity", () => {
  it("counts its tasks, and was last active with its newest record", async () => {
    const agent = await newAgent(service, { publicFields: {} });
    const before = await profile(agent);
    expect(before.activity).toEqual({
      tasksCompleted: 0,
      lifetimeEarned: "0.00",
      currency: "USDC",
      agentBindings: 0,
      lastActive: before.mintTimestamp,
    });
    const recordOf = (changeType: string) =>
      service.post(
        "/v1/chronicle",
        { tokenId: agent.tokenId, category: "achievement", data: { changeType } },
        bearer(agent.apiKey),
      );
    await recordOf("task_completed");
    await recordOf("task_completed");
    const { body: other } = await recordOf("task_failed");
    const { activity } = await profile(agent);
    expect(activity.tasksCompleted).toBe(2);
    const latest = Math.max(Date.parse(other.timestamp), Date.parse(before.mintTimestamp));
    expect(Date.parse(activity.lastActive)).toBe(latest);
  });
});
