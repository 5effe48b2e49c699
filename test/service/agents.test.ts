import { SDK } from "agent0-sdk";
import { Ajv } from "ajv";
import { type Hex, type LocalAccount, parseEventLogs } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDomainVerification } from "../../api/features/domains/domains.ts";
import {
  identityRegistryAbi,
  organizationRegistryAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import registrationSchema from "../fixtures/erc8004-registration.schema.json" with { type: "json" };
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Finding agents, and the files that prove their registrations, on the running service.
let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

interface Agent {
  readonly owner: LocalAccount;
  readonly name: string;
  readonly tokenId: number;
  readonly passportId: number;
}

async function newAgent(owner = newAccount(), change: object = {}): Promise<Agent> {
  const name = freshName();
  const { answer } = await service.register(name, owner, change);
  const { tokenId, erc8004AgentId: passportId } = answer.body;
  return { owner, name, tokenId, passportId };
}

/** One agent for all tests that only read it. */
let shared: Promise<Agent> | undefined;
function anAgent(): Promise<Agent> {
  shared ??= newAgent();
  return shared;
}

async function burn({ owner, tokenId }: Agent): Promise<bigint> {
  const { client, contracts, fund } = service.chain;
  await fund(owner.address);
  const hash = await client.writeContract({
    account: owner,
    address: contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "burn",
    args: [
      {
        tokenId: BigInt(tokenId),
        epoch: 1,
        version: 0,
        reasonHash: `0x${"00".repeat(32)}`,
        nonce: 0n,
        deadline: 0n,
      },
      "0x",
    ],
  });
  return (await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })).blockNumber;
}

const head = () => service.chain.client.getBlockNumber({ cacheTime: 0 });

/** An organization that the agent's owner founds, with the agent as its only member. */
async function organizationOf({ owner, tokenId }: Agent): Promise<number> {
  const { client, contracts, fund } = service.chain;
  await fund(owner.address);
  const place = { address: contracts.organizationRegistry, abi: organizationRegistryAbi } as const;
  const mined = (hash: Hex) => client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  const ignored = { nonce: 0n, deadline: 0n };
  const founded = { name: "Herons", admin: owner.address, ...ignored };
  await mined(
    await client.writeContract({
      ...place,
      account: owner,
      functionName: "create",
      args: [founded, "0x"],
    }),
  );
  const organizationId = await client.readContract({
    ...place,
    functionName: "organizationCount",
  });
  const entry = { tokenId: BigInt(tokenId), epoch: 1, organizationId, version: 0, ...ignored };
  const noConsent = { ...ignored, signature: "0x" } as const;
  await mined(
    await client.writeContract({
      ...place,
      account: owner,
      functionName: "join",
      args: [entry, "0x", noConsent],
    }),
  );
  return Number(organizationId);
}

const list = (query: string) => service.get(`/v1/agents?${query}`);
const names = (answer: { body: { agents: { agentName: string }[] } }) =>
  answer.body.agents.map(({ agentName }) => agentName);
const registry = () => `eip155:31337:${service.chain.contracts.identityRegistry}`;

describe("GET /v1/agents", () => {
  it("returns for each agent what a reader needs to continue", async () => {
    const operator = newAccount().address;
    const one = await newAgent(newAccount(), { operatorAddress: operator });
    const answer = await list(`owner=${one.owner.address}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      agents: [
        {
          agentName: one.name,
          tokenId: one.tokenId,
          did: `did:svc:31337:${one.name}`,
          agentType: "specialist",
          genesisStatus: "SEALED",
          soulValidity: "valid",
          owner: one.owner.address,
          operator,
          erc8004AgentId: one.passportId,
          organizationId: 0,
          mintTimestamp: expect.stringMatching(/^20.*Z$/),
          profileUrl: `${service.url}/agents/${one.name}`,
        },
      ],
      nextCursor: null,
    });
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("x-svc-block")).toMatch(/^[0-9]+$/);
    const etag = answer.headers.get("etag") ?? "";
    const again = await service.request(`/v1/agents?owner=${one.owner.address}`, {
      headers: { "if-none-match": etag },
    });
    expect(again.status).toBe(304);
  });

  it("returns every page once, also while agents are added", async () => {
    const owner = newAccount();
    const expected: string[] = [];
    for (let count = 0; count < 5; count += 1) expected.push((await newAgent(owner)).name);
    const found: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page = await list(
        `owner=${owner.address.toLowerCase()}&limit=2${cursor ? `&cursor=${cursor}` : ""}`,
      );
      found.push(...names(page));
      cursor = page.body.nextCursor;
      pages += 1;
      if (pages === 1) expected.push((await newAgent(owner)).name);
    } while (cursor !== null);
    expect(found).toEqual(expected);
    expect(pages).toBe(3);
  });

  it("finds by the beginning of a name, by account, by DID, and by both readings of digits", async () => {
    const operator = newAccount();
    const one = await newAgent(newAccount(), { operatorAddress: operator.address });
    const found = async (q: string) => names(await list(`limit=100&q=${encodeURIComponent(q)}`));
    expect(await found(one.name.slice(0, -1))).toContain(one.name);
    expect(await found(one.name.toUpperCase())).toEqual([one.name]);
    expect(await found(`did:svc:31337:${one.name}`)).toEqual([one.name]);
    expect(await found(one.owner.address)).toEqual([one.name]);
    expect(await found(operator.address.toLowerCase())).toEqual([one.name]);
    expect(await found(`agent-${one.passportId}`)).toEqual([one.name]);
    expect(await found(`${one.tokenId}`)).toContain(one.name);
    expect(await found(`${one.passportId}`)).toContain(one.name);
    for (const wildcard of ["%", "_", `${one.name.slice(0, -1)}_`, "*"]) {
      expect(await found(wildcard)).toEqual([]);
    }
  });

  it("filters by type, validity and category", async () => {
    const owner = newAccount();
    const one = await newAgent(owner, {
      agentType: "specialist",
      publicIdentity: { category: "commerce" },
    });
    const found = async (query: string) => names(await list(`owner=${owner.address}&${query}`));
    expect(await found("type=specialist&category=commerce&validity=valid")).toEqual([one.name]);
    expect(await found("type=assistant")).toEqual([]);
    expect(await found("category=wellness")).toEqual([]);
    expect(await found("validity=not_linked")).toEqual([]);
    expect(await found("validity=suspended")).toEqual([]);
  });

  it.each(["registered", "newest", "name"])("pages through the order %s once", async (sort) => {
    const owner = newAccount();
    const agents = [];
    for (let count = 0; count < 3; count += 1) agents.push((await newAgent(owner)).name);
    const expected =
      sort === "name" ? agents.toSorted() : sort === "newest" ? agents.toReversed() : agents;
    const found: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await list(`owner=${owner.address}&sort=${sort}&limit=1${from}`);
      expect(page.body.agents).toHaveLength(1);
      found.push(...names(page));
      cursor = page.body.nextCursor;
    }
    expect(found).toEqual(expected);
  });

  it("follows a passport to its new owner, and an operator to its agents", async () => {
    const operator = newAccount();
    const acting = await newAgent(newAccount(), { operatorAddress: operator.address });
    const own = await newAgent(operator);
    expect(names(await list(`operator=${operator.address}`))).toEqual([acting.name, own.name]);
    // The agent's own account is its operator, not its owner.
    expect(names(await list(`operator=${acting.owner.address}`))).toEqual([]);

    const buyer = newAccount();
    await service.chain.fund(own.owner.address);
    const block = await service.chain.transferPassport(
      BigInt(own.passportId),
      own.owner,
      buyer.address,
    );
    const bought = await list(`owner=${buyer.address}&minBlock=${block}`);
    expect(bought.body.agents).toMatchObject([
      { agentName: own.name, owner: buyer.address, soulValidity: "suspended" },
    ]);
    expect(names(await list(`owner=${own.owner.address}`))).toEqual([]);
    expect(names(await list(`owner=${buyer.address}&validity=suspended`))).toEqual([own.name]);
    expect(names(await list(`owner=${buyer.address}&validity=valid`))).toEqual([]);
  });

  it("finds a passport's souls, burned ones too, and every filter must hold", async () => {
    const one = await newAgent();
    const block = await burn(one);
    const query = `erc8004AgentId=${one.passportId}`;
    const burned = await list(`${query}&minBlock=${block}`);
    expect(burned.body.agents).toMatchObject([
      { agentName: one.name, genesisStatus: "BURNED", soulValidity: "not_linked" },
    ]);
    expect(names(await list(`${query}&owner=${one.owner.address}`))).toEqual([one.name]);
    expect(names(await list(`${query}&owner=${newAccount().address}`))).toEqual([]);
    expect((await list(`erc8004AgentId=${2 ** 52}`)).body).toEqual({
      agents: [],
      nextCursor: null,
    });
  });

  it("finds the members of an organization, while their seals are valid", async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    const organizationId = await organizationOf(one);
    const joined = await list(`organizationId=${organizationId}&minBlock=${await head()}`);
    expect(joined.body).toEqual({
      agents: [expect.objectContaining({ agentName: one.name, organizationId })],
      nextCursor: null,
    });
    const independent = await list(`owner=${other.owner.address}`);
    expect(independent.body.agents).toMatchObject([{ organizationId: 0 }]);
    expect(names(await list(`organizationId=${organizationId + 1}`))).toEqual([]);

    const buyer = newAccount().address;
    await service.chain.transferPassport(BigInt(one.passportId), one.owner, buyer);
    const sold = await list(`organizationId=${organizationId}&minBlock=${await head()}`);
    expect(sold.body).toEqual({ agents: [], nextCursor: null });
    const still = await list(`owner=${buyer}`);
    expect(still.body.agents).toMatchObject([{ agentName: one.name, organizationId: 0 }]);
  });

  it.each([
    ["owner", "owner=0x12"],
    ["operator", "operator=alice"],
    ["erc8004AgentId", "erc8004AgentId=-1"],
    ["erc8004AgentId", "erc8004AgentId=9007199254740992"],
    ["organizationId", "organizationId=0"],
    ["cursor", "cursor=0"],
    ["cursor", "sort=name&cursor=5"],
    ["cursor", "sort=newest&cursor=aurora"],
    ["q", "q="],
    ["type", "type=robot"],
    ["validity", "validity=yes"],
    ["category", "category=none"],
    ["sort", "sort=age"],
    ["cursor", "cursor=abc"],
    ["cursor", "cursor=9999999999999999"],
    ["limit", "limit=0"],
    ["limit", "limit=101"],
    ["limit", "limit=x"],
    ["minBlock", "minBlock=x"],
  ])("refuses an invalid %s: %s", async (path, query) => {
    const { status, body } = await list(query);
    expect([status, body.error.type]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.error.details.issues).toMatchObject([{ path }]);
  });
});

describe("domain verification", () => {
  it("is the pair of the agent's registration", async () => {
    const one = await newAgent();
    const { status, body } = await service.get(`/v1/domain-verification/${one.name}`);
    expect([status, body]).toEqual([
      200,
      { registrations: [{ agentId: one.passportId, agentRegistry: registry() }] },
    ]);
    const file = await service.get(`/v1/registration-file/${one.name}`);
    expect(file.body.registrations).toEqual(body.registrations);
    // A token id names the agent as well.
    const byId = await service.get(`/v1/domain-verification/${one.tokenId}`);
    expect([byId.status, byId.body]).toEqual([200, body]);
    const fileById = await service.get(`/v1/registration-file/${one.tokenId}`);
    expect([fileById.status, fileById.body]).toEqual([200, file.body]);
    const none = await service.get("/v1/registration-file/9007199254740991");
    expect([none.status, none.body.error.type]).toEqual([404, "NOT_FOUND"]);
  });

  it("answers 404 for a burned agent and an unknown one", async () => {
    const one = await newAgent();
    const block = await burn(one);
    const path = `/v1/domain-verification/${one.name}?minBlock=${block}`;
    expect((await service.get(path)).body.error.type).toBe("NOT_FOUND");
    const unknown = await service.get("/v1/domain-verification/unknown-name");
    expect([unknown.status, unknown.body.error.type]).toEqual([404, "NOT_FOUND"]);
    const invalid = await service.get("/v1/domain-verification/a");
    expect([invalid.status, invalid.body.error.type]).toEqual([400, "INVALID_NAME"]);
  });

  it("lists every registered agent in the service's own file", async () => {
    const { rows } = await service.pool.query(
      "select passport_id::text as id from chain.soul where status <> 'BURNED' order by passport_id",
    );
    const path = `${service.url}/.well-known/agent-registration.json`;
    const answer = await fetch(path);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(answer.headers.get("cache-control")).toBe("max-age=300");
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    expect(rows.length).toBeGreaterThan(5);
    const file = await answer.json();
    expect(file).toEqual({
      registrations: rows.map(({ id }) => ({ agentId: Number(id), agentRegistry: registry() })),
    });

    const plain = await fetch(path, { headers: { "accept-encoding": "gzip;q=0, identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.json()).toEqual(file);
    const etag = plain.headers.get("etag") ?? "";
    expect((await fetch(path, { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  it("serves the registration file beside the agent's page", async () => {
    const one = await newAgent();
    const file = await service.get(`/agents/${one.name}/registration.json`);
    expect(file.status).toBe(200);
    expect(file.body).toEqual((await service.get(`/v1/registration-file/${one.name}`)).body);
    expect(file.headers.get("cache-control")).toBe("max-age=3600, stale-while-revalidate=7200");
    expect(file.headers.get("etag")).toMatch(/^".+"$/);
    expect(file.headers.get("access-control-allow-origin")).toBe("*");
    const unknown = await service.get("/agents/unknown-name/registration.json");
    expect([unknown.status, unknown.body.error.type]).toEqual([404, "NOT_FOUND"]);
  });
});

const passportUri = (passportId: number): Promise<string> =>
  service.chain.client.readContract({
    address: service.chain.contracts.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "tokenURI",
    args: [BigInt(passportId)],
  });

/** The passport's file as an independent client reads it: from the chain, then from a gateway. */
async function writtenFile({ passportId }: Agent): Promise<Record<string, unknown>> {
  const uri = await passportUri(passportId);
  expect(uri).toMatch(/^ar:\/\/[A-Za-z0-9_-]{43}$/);
  return (await service.get(`/ar/${uri.slice("ar://".length)}`)).body;
}

/** A passport that `owner` registers without the service. */
async function passportAt(uri: string, owner = newAccount()): Promise<bigint> {
  const { client, contracts, fund } = service.chain;
  await fund(owner.address);
  const hash = await client.writeContract({
    account: owner,
    address: contracts.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "register",
    args: [uri],
  });
  const { logs } = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  const [log] = parseEventLogs({ abi: identityRegistryAbi, eventName: "Registered", logs });
  if (!log) throw new Error("No passport was registered.");
  return log.args.agentId;
}

const everything = {
  publicIdentity: {
    tagline: "Up before the birds.",
    website: "https://heron.example",
    serviceEndpoints: {
      "Agent.Card-v1": "https://heron.example/card",
      A2a: "https://heron.example/a2a",
      MCP: "https://heron.example/mcp",
    },
    x402Support: true,
  },
};

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
const isRegistrationFile = ajv.compile(registrationSchema);

/** Where a file breaks the standard's text, and which rule. */
function breaches(file: unknown): (readonly [path: string, rule: string])[] {
  isRegistrationFile(file);
  return (isRegistrationFile.errors ?? []).map((one) => [one.instancePath, one.keyword] as const);
}

describe("the registration file, for clients that know only the standard", () => {
  it("has the standard's form, with every optional field and with none", async () => {
    const full = await writtenFile(await newAgent(newAccount(), everything));
    expect(breaches(full)).toEqual([]);
    expect(full).toMatchObject({ x402Support: true, services: { length: 7 } });
    const bare = await writtenFile(await newAgent(newAccount(), { publicIdentity: {} }));
    expect(breaches(bare)).toEqual([]);
    expect(bare).toMatchObject({ description: "", services: { length: 3 } });
  });

  it.each<[path: string, rule: string, change: object]>([
    ["", "required", { image: undefined }],
    ["/type", "const", { type: "https://eips.ethereum.org/EIPS/eip-8004" }],
    ["/name", "minLength", { name: "" }],
    ["/image", "pattern", { image: "heron.png" }],
    ["/x402Support", "type", { x402Support: "yes" }],
    ["/endpoints", "false schema", { endpoints: [] }],
    ["/x402support", "false schema", { x402support: true }],
    ["/services", "type", { services: {} }],
    ["/services/0", "required", { services: [{ name: "web" }] }],
    ["/services/0/endpoint", "pattern", { services: [{ name: "DID", endpoint: "heron" }] }],
    ["/services/0/endpoint", "pattern", { services: [{ name: "MCP", endpoint: "heron" }] }],
    ["/registrations", "minItems", { registrations: [] }],
    ["/registrations/0", "required", { registrations: [{ agentRegistry: "eip155:1:0x0" }] }],
    [
      "/registrations/0/agentRegistry",
      "pattern",
      { registrations: [{ agentId: 0, agentRegistry: "eip155:1:0x12" }] },
    ],
    ["/supportedTrust", "type", { supportedTrust: "sbt-bound" }],
  ])("would break it with an invalid %j (%s)", async (path, rule, change) => {
    const file = await writtenFile(await anAgent());
    expect(breaches({ ...file, ...change })).toContainEqual([path, rule]);
  });

  it("is read by agent0-sdk from a gateway's URL, but not from `ar://`", async () => {
    const agent = await newAgent(newAccount(), everything);
    const uri = await passportUri(agent.passportId);
    const atGateway = `${service.url}/ar/${uri.slice("ar://".length)}`;
    const passport = await passportAt(atGateway);
    const { rpcUrl, contracts } = service.chain;
    const sdk = new SDK({
      chainId: 31337,
      rpcUrl,
      registryOverrides: { 31337: { IDENTITY: contracts.identityRegistry } },
    });

    const read = (await sdk.loadAgent(`31337:${passport}`)).getRegistrationFile();
    const written = await writtenFile(agent);
    expect(read).toEqual({
      agentId: `31337:${passport}`,
      agentURI: atGateway,
      name: agent.name,
      description: "Up before the birds.",
      image: written.image,
      endpoints: [
        { type: "Svc", value: `${service.url}/agents/${agent.name}`, meta: { version: "0.4" } },
        {
          type: "Svc-API",
          value: `${service.url}/v1/verify/${agent.name}`,
          meta: { version: "0.4" },
        },
        { type: "DID", value: `did:svc:31337:${agent.name}`, meta: { version: "v1" } },
        { type: "A2A", value: "https://heron.example/a2a" },
        { type: "MCP", value: "https://heron.example/mcp" },
        { type: "web", value: "https://heron.example" },
        { type: "Agent.Card-v1", value: "https://heron.example/card" },
      ],
      trustModels: ["sbt-bound"],
      active: true,
      x402support: true,
      owners: [],
      operators: [],
      metadata: {},
      updatedAt: expect.any(Number),
    });
    await expect(sdk.loadAgent(`31337:${agent.passportId}`)).rejects.toThrow(
      `Failed to load registration file: Unsupported URI scheme: ${uri}`,
    );
  });

  it("is understood in its older spelling", async () => {
    const older = { endpoints: [{ name: "MCP", endpoint: "https://older.example/mcp" }] };
    const uri = `data:application/json,${encodeURIComponent(JSON.stringify(older))}`;
    const passport = await passportAt(uri);
    const { body } = await service.get(`/v1/did/agent-${passport}?minBlock=${await head()}`);
    expect(body.service).toEqual([
      {
        id: `did:svc:31337:agent-${passport}#service-1`,
        type: "MCP",
        serviceEndpoint: "https://older.example/mcp",
      },
    ]);
  });
});

describe("the service's own file", () => {
  const context = {
    chainId: 8453,
    identityRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  } as const;

  function domains(registeredPassports: () => Promise<readonly string[]>) {
    let now = 0;
    const verification = createDomainVerification({
      context,
      reads: { agent: () => Promise.reject(new Error("not asked")) },
      registered: { registeredPassports },
      keepMs: 60_000,
      clock: () => new Date(now),
    });
    return { ...verification, pass: (ms: number) => (now += ms) };
  }

  it("is one query a minute, however many clients ask", async () => {
    let queries = 0;
    const { ofService, pass } = domains(async () => {
      queries += 1;
      return [String(queries)];
    });
    const files = await Promise.all([ofService(), ofService(), ofService()]);
    expect(new Set(files).size).toBe(1);
    pass(59_999);
    expect(await ofService()).toBe(files[0]);
    expect(queries).toBe(1);
    pass(1);
    expect((await ofService()).tag).not.toBe(files[0]?.tag);
    expect(queries).toBe(2);
  });

  it("is queried again after a failure", async () => {
    let fails = true;
    const { ofService } = domains(async () => {
      if (fails) throw new Error("down");
      return [];
    });
    await expect(ofService()).rejects.toThrow("down");
    fails = false;
    expect(Buffer.from((await ofService()).plain).toString()).toBe('{"registrations":[]}');
  });

  it("holds a hundred thousand agents in a few hundred kilobytes on the wire", async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => String(index));
    const { plain, gzipped } = await domains(async () => ids).ofService();
    const { registrations } = JSON.parse(Buffer.from(plain).toString());
    expect(registrations).toHaveLength(100_000);
    expect(registrations[99_999]).toEqual({
      agentId: 99_999,
      agentRegistry: `eip155:8453:${context.identityRegistry}`,
    });
    expect(plain.length).toBeLessThan(10_000_000);
    expect(gzipped.length).toBeLessThan(600_000);
  });
});

describe("what other sites show of an agent", () => {
  const partOf = ({ tokenId }: Agent) => `/sitemaps/agents-${Math.ceil(tokenId / 10_000)}.xml`;
  const text = async (path: string) => (await fetch(`${service.url}${path}`)).text();

  it("is in the site map and its badge until it is burned", async () => {
    const agent = await newAgent();
    const page = `<loc>${service.url}/agents/${agent.name}</loc>`;
    expect(await text("/sitemap.xml")).toContain(`<loc>${service.url}${partOf(agent)}</loc>`);
    expect(await text(partOf(agent))).toContain(page);
    expect(await text(`/agents/${agent.name}/badge.svg`)).toContain(`<title>${agent.name}: valid`);

    const block = await burn(agent);
    await service.get(`/v1/profile/${agent.name}?minBlock=${block}`);
    expect(await text(partOf(agent))).not.toContain(page);
    expect(await text(`/agents/${agent.name}/badge.svg`)).toContain(`<title>${agent.name}: burned`);
  });

  it("names its own page and picture", async () => {
    const { name } = await anAgent();
    const page = await text(`/agents/${name}`);
    expect(page).toContain(`<link rel="canonical" href="${service.url}/agents/${name}"/>`);
    const picture = `${service.url}/agents/${name}/card.png`;
    expect(page).toContain(`<meta property="og:image" content="${picture}"/>`);
    const { status, headers } = await fetch(picture, { method: "HEAD" });
    expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
  });
});
