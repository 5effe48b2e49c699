import type { Hex } from "viem";
import { encodeAbiParameters, keccak256, stringToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindingRegistryAbi } from "../../protocol/generated/abi.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Bindings over HTTP, beside the same decisions sent to the contract by owners themselves.

let service: Service;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
let verbs: ReturnType<typeof ownerSigned>;

beforeAll(async () => {
  service = await sharedService();
  receiver = await startOpenReceiver(service);
  verbs = ownerSigned(service);
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

const LEVELS = ["none", "revoked", "limited", "verified", "trusted"];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.000Z$/;
const TX = /^0x[0-9a-f]{64}$/;
const CONTEXT = "Shares its bird counts.";

const idOf = (from: number, to: number): Hex =>
  keccak256(
    encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [BigInt(from), BigInt(to)]),
  );

const wish = (from: TestAgent, to: Pick<TestAgent, "tokenId">, change: object = {}) => ({
  tokenId: from.tokenId,
  partnerTokenId: to.tokenId,
  trustLevel: "verified",
  context: CONTEXT,
  ...change,
});

const create = (body: object, headers: Record<string, string> = {}) =>
  service.post("/v1/binding", body, headers);

const change = (id: string, body: object, headers: Record<string, string> = {}) =>
  verbs.send("PUT", `/v1/binding/${id}`, body, headers);

const list = async (agent: Pick<TestAgent, "name">, query = "") => {
  const { status, body } = await service.get(`/v1/binding/${agent.name}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** The owner's own transaction. */
async function bindDirectly(
  { owner, tokenId }: TestAgent,
  to: Pick<TestAgent, "tokenId">,
  trustLevel: string,
  context = CONTEXT,
  epochs = { epoch: 1, toEpoch: 1 },
) {
  const { chain } = service;
  await chain.fund(owner.address);
  const registry = { address: chain.contracts.bindingRegistry, abi: bindingRegistryAbi } as const;
  const ids = [BigInt(tokenId), BigInt(to.tokenId)] as const;
  const { version } = await chain.client.readContract({
    ...registry,
    functionName: "recordOf",
    args: ids,
  });
  const message = {
    fromTokenId: ids[0],
    toTokenId: ids[1],
    trustLevel: LEVELS.indexOf(trustLevel),
    context,
    version,
    nonce: 0n,
    deadline: 0n,
    ...epochs,
  };
  const hash = await chain.client.writeContract({
    ...registry,
    functionName: "setBinding",
    args: [message, "0x"],
    account: owner,
  });
  return verbs.mined(hash);
}

const recordOf = (from: TestAgent, to: Pick<TestAgent, "tokenId">) =>
  service.chain.client.readContract({
    address: service.chain.contracts.bindingRegistry,
    abi: bindingRegistryAbi,
    functionName: "recordOf",
    args: [BigInt(from.tokenId), BigInt(to.tokenId)],
  });

const signedWish = (from: TestAgent, to: TestAgent, more: object = {}, key = from.owner) =>
  verbs.signed("binding", wish(from, to, more), key);

describe("POST /v1/binding", () => {
  it("binds with SERVICE authority by the agent's key", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const { status, body, headers } = await create(wish(from, to), bearer(from.apiKey));
    expect([status, body]).toEqual([
      201,
      {
        bindingId: idOf(from.tokenId, to.tokenId),
        fromAgent: from.name,
        toAgent: to.name,
        fromTokenId: from.tokenId,
        toTokenId: to.tokenId,
        trustLevel: "verified",
        context: CONTEXT,
        authority: "SERVICE",
        authoritySince: body.createdAt,
        txHash: expect.stringMatching(TX),
        createdAt: expect.stringMatching(TIME),
      },
    ]);
    expect(await recordOf(from, to)).toMatchObject({
      trustLevel: LEVELS.indexOf("verified"),
      authority: 1,
      version: 0,
      serviceVersion: 1,
      contextHash: keccak256(stringToHex(CONTEXT)),
    });
    const listed = {
      bindingId: body.bindingId,
      trustLevel: "verified",
      context: CONTEXT,
      authority: "SERVICE",
      authoritySince: body.createdAt,
      live: true,
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
      txHash: body.txHash,
    };
    const minBlock = headers.get("x-svc-block");
    expect(await list(from, `?minBlock=${minBlock}`)).toEqual({
      agentName: from.name,
      tokenId: from.tokenId,
      erc8004AgentId: from.passportId,
      genesisStatus: "SEALED",
      totalBindings: 1,
      page: 1,
      limit: 25,
      bindings: [
        { ...listed, direction: "outbound", partnerAgent: to.name, partnerTokenId: to.tokenId },
      ],
      nextCursor: null,
    });
    expect((await list(to)).bindings).toEqual([
      { ...listed, direction: "inbound", partnerAgent: from.name, partnerTokenId: from.tokenId },
    ]);
  });

  it("binds with SERVICE authority by the owner's session", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const { accessToken } = await ownerSession(service, from.owner);
    const { status, body } = await create(wish(from, to), bearer(accessToken));
    expect([status, body.authority]).toEqual([201, "SERVICE"]);
  });

  it("binds with OWNER authority by the owner's signature, over what the service wrote", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const before = await create(wish(from, to), bearer(from.apiKey));
    const signed = await signedWish(from, to, {
      trustLevel: "trusted",
      context: "Counts with us.",
    });
    const { status, body } = await create(signed);
    expect([status, body]).toEqual([
      201,
      {
        ...before.body,
        trustLevel: "trusted",
        context: "Counts with us.",
        authority: "OWNER",
        authoritySince: expect.stringMatching(TIME),
        txHash: expect.stringMatching(TX),
      },
    ]);
    expect(body.txHash).not.toBe(before.body.txHash);
    expect(await recordOf(from, to)).toMatchObject({ authority: 2, version: 1, serviceVersion: 1 });
    const [listed] = (await list(from)).bindings;
    expect(listed).toMatchObject({ authority: "OWNER", authoritySince: body.authoritySince });
    // The same signed request gives the same answer.
    expect((await create(signed)).body).toEqual(body);
    expect(await recordOf(from, to)).toMatchObject({ version: 1 });
  });

  it("never replaces a binding of the owner by one of the service, not even to revoke it", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const { body: made } = await create(await signedWish(from, to));
    const refused = {
      status: 403,
      type: "WALLET_SIGNATURE_REQUIRED",
      details: { typedData: "/v1/typed-data/binding" },
    };
    const byKey = await create(wish(from, to, { trustLevel: "trusted" }), bearer(from.apiKey));
    expect(refusal(byKey)).toEqual(refused);
    expect(byKey.body.error.message).toBe(
      "A change of a binding that the owner set requires the owner's wallet signature. POST /v1/typed-data/binding returns what to sign.",
    );
    const revocation = { tokenId: from.tokenId, trustLevel: "revoked" };
    expect(refusal(await change(made.bindingId, revocation, bearer(from.apiKey)))).toEqual(refused);
    expect(await recordOf(from, to)).toMatchObject({ authority: 2, version: 1, serviceVersion: 0 });
  });

  it("answers a repetition under one Idempotency-Key without a second write", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const headers = { ...bearer(from.apiKey), "Idempotency-Key": idempotencyKey() };
    const first = await create(wish(from, to), headers);
    const again = await create(wish(from, to), headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await recordOf(from, to)).toMatchObject({ serviceVersion: 1 });
  });

  it("is refused to every other credential, and changes nothing", async () => {
    const [from, to, stranger] = [
      await newAgent(service),
      await newAgent(service),
      await newAgent(service),
    ];
    const body = wish(from, to);
    const session = await ownerSession(service, stranger.owner);
    const identity = await ownerSession(service, from.owner, { scope: ["identity"] });
    const provisional = await verbs.provisionalKey();
    expect(refusal(await create(body))).toEqual({ status: 401, type: "UNAUTHORIZED", details: {} });
    for (const [credential, type] of [
      [stranger.apiKey, "FORBIDDEN"],
      [to.apiKey, "FORBIDDEN"],
      [session.accessToken, "FORBIDDEN"],
      [identity.accessToken, "MANAGE_SCOPE_REQUIRED"],
      [provisional, "FULL_KEY_REQUIRED"],
    ] as const) {
      expect(refusal(await create(body, bearer(credential)))).toEqual({
        status: 403,
        type,
        details: {},
      });
    }
    for (const owner of [to.owner, newAccount()]) {
      const signed = await signedWish(from, to, {}, owner);
      expect(refusal(await create(signed))).toEqual({
        status: 403,
        type: "NOT_OWNER",
        details: {},
      });
    }
    const forged = {
      ...(await signedWish(from, to, {}, stranger.owner)),
      signer: from.owner.address,
    };
    expect(refusal(await create(forged))).toMatchObject({ status: 401, type: "INVALID_SIGNATURE" });
    expect(await recordOf(from, to)).toMatchObject({ authority: 0 });
  });

  it("refuses a message that is not about the request, and a withheld one after a later decision", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const withheld = await signedWish(from, to);
    const other = { ...withheld, trustLevel: "trusted", context: "Other words." };
    expect(refusal(await create(other))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [
          { path: "message.trustLevel", message: "This request needs 4" },
          { path: "message.context", message: "This request needs Other words." },
        ],
      },
    });
    await create(await signedWish(from, to, { trustLevel: "limited" }));
    expect(refusal(await create(withheld))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "message.version", message: "This request needs 1" }] },
    });
  });

  it("refuses bad input with the path of each problem", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const tooLong = "é".repeat(513);
    for (const [body, issue] of [
      [wish(from, from), { path: "partnerTokenId", message: "An agent is not bound to itself" }],
      [
        wish(from, to, { context: tooLong }),
        { path: "context", message: "Longer than 1024 bytes" },
      ],
      [
        wish(from, to, { trustLevel: "none" }),
        {
          path: "trustLevel",
          message: 'Invalid option: expected one of "trusted"|"verified"|"limited"|"revoked"',
        },
      ],
      [
        wish(from, to, { signer: from.owner.address, signature: "0x01" }),
        { path: "message", message: "Missing beside the others" },
      ],
    ] as const) {
      expect(refusal(await create(body, bearer(from.apiKey)))).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        details: { issues: [issue] },
      });
    }
    const unknown = await create(wish(from, { tokenId: 9_999_999 }), bearer(from.apiKey));
    expect(refusal(unknown)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    expect(unknown.body.error.message).toBe("There is no agent with token id 9999999.");
    const ofUnknownAgent = await service.post("/v1/typed-data/binding", {
      ...wish(from, to),
      tokenId: 9_999_999,
    });
    expect(refusal(ofUnknownAgent)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    expect(await recordOf(from, to)).toMatchObject({ authority: 0 });
  });

  it("refuses an agent whose passport was sold, by key and by signature, as the contract does", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const signed = await signedWish(from, to);
    await service.chain.fund(from.owner.address);
    const buyer = newAccount();
    const sold = await service.chain.transferPassport(
      BigInt(from.passportId),
      from.owner,
      buyer.address,
    );
    await service.get(`/v1/profile/${from.name}?minBlock=${sold}`);
    for (const answer of [
      await create(wish(from, to), bearer(from.apiKey)),
      await create(signed),
      await service.post("/v1/typed-data/binding", wish(from, to)),
    ]) {
      expect(refusal(answer)).toMatchObject({ status: 409, type: "SUSPENDED" });
    }
    await expect(bindDirectly(from, to, "verified")).rejects.toThrow("NoOwner");
  });
});

describe("PUT /v1/binding/:bindingId", () => {
  it("changes the level by key, keeps the context, and returns the previous level", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const { body: made } = await create(
      wish(from, to, { trustLevel: "limited" }),
      bearer(from.apiKey),
    );
    const body = { tokenId: from.tokenId, trustLevel: "trusted" };
    const changed = await change(made.bindingId, body, bearer(from.apiKey));
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...made,
        previousTrustLevel: "limited",
        trustLevel: "trusted",
        txHash: expect.stringMatching(TX),
        updatedAt: expect.stringMatching(TIME),
      },
    ]);
    expect(changed.body.txHash).not.toBe(made.txHash);
  });

  it("revokes by the owner's signature, prepared with the binding's id, and by the owner's own call alike", async () => {
    const [from, signedTo, calledTo] = [
      await newAgent(service),
      await newAgent(service),
      await newAgent(service),
    ];
    const { body: made } = await create(wish(from, signedTo), bearer(from.apiKey));
    await create(wish(from, calledTo), bearer(from.apiKey));
    const wanted = { bindingId: made.bindingId, tokenId: from.tokenId, trustLevel: "revoked" };
    const { bindingId, ...signed } = await verbs.signed("binding", wanted, from.owner);
    const revoked = await change(bindingId, signed);
    expect([revoked.status, revoked.body]).toMatchObject([
      200,
      {
        previousTrustLevel: "verified",
        trustLevel: "revoked",
        context: CONTEXT,
        authority: "OWNER",
      },
    ]);
    const { blockNumber } = await bindDirectly(from, calledTo, "revoked");
    const { bindings } = await list(from, `?minBlock=${blockNumber}`);
    const facts = bindings.map(
      ({ trustLevel, authority, context, live }: Record<string, unknown>) => ({
        trustLevel,
        authority,
        context,
        live,
      }),
    );
    const fact = { trustLevel: "revoked", authority: "OWNER", context: CONTEXT, live: true };
    expect(facts).toEqual([fact, fact]);
  });

  it("refuses the binding of another agent, an unknown one, and another agent's key", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const { body: made } = await create(wish(from, to), bearer(from.apiKey));
    const byPartner = { tokenId: to.tokenId, trustLevel: "revoked" };
    const foreign = await change(made.bindingId, byPartner, bearer(to.apiKey));
    expect(refusal(foreign)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    expect(foreign.body.error.message).toBe(
      `The agent with token id ${to.tokenId} made no binding with this id.`,
    );
    const body = { tokenId: from.tokenId, trustLevel: "revoked" };
    expect(refusal(await change(idOf(1, 99_999), body, bearer(from.apiKey)))).toMatchObject({
      type: "NOT_FOUND",
    });
    expect(refusal(await change(made.bindingId, body, bearer(to.apiKey)))).toMatchObject({
      status: 403,
      type: "FORBIDDEN",
    });
    expect(refusal(await change("0x12", body, bearer(from.apiKey)))).toMatchObject({
      details: { issues: [{ path: "bindingId", message: "Not 32 bytes in hex with 0x" }] },
    });
    expect((await list(from)).bindings).toMatchObject([{ trustLevel: "verified" }]);
  });
});

describe("GET /v1/binding/:name", () => {
  it("filters by direction and level, and pages, for a name and a token id", async () => {
    const hub = await newAgent(service);
    const partners: TestAgent[] = [];
    for (const trustLevel of ["limited", "verified", "trusted"]) {
      const partner = await newAgent(service);
      partners.push(partner);
      await create(wish(hub, partner, { trustLevel }), bearer(hub.apiKey));
      await create(wish(partner, hub, { trustLevel: "limited" }), bearer(partner.apiKey));
    }
    const names = async (query: string, reference: string | number = hub.name) => {
      const { status, body } = await service.get(`/v1/binding/${reference}?${query}`);
      expect(status).toBe(200);
      const rows = body.bindings as { partnerAgent: string; direction: string }[];
      return [
        body.totalBindings,
        ...rows.map((row) => [row.direction, row.partnerAgent].join(" ")),
      ];
    };
    const newestFirst = partners.map(({ name }) => name).reverse();
    const outbound = newestFirst.map((name) => `outbound ${name}`);
    expect(await names("direction=outbound")).toEqual([3, ...outbound]);
    expect(await names("direction=outbound", hub.tokenId)).toEqual([3, ...outbound]);
    expect(await names("direction=inbound&limit=2")).toEqual([
      3,
      ...newestFirst.slice(0, 2).map((name) => `inbound ${name}`),
    ]);
    expect(await names("direction=inbound&limit=2&page=2")).toEqual([
      3,
      `inbound ${partners[0]?.name}`,
    ]);
    expect(await names("page=9")).toEqual([6]);
    const first = await list(hub, "?limit=4");
    const cursor = first.nextCursor;
    // A binding of later is on the first page: it moves none to the next one.
    await create(wish(hub, await newAgent(service)), bearer(hub.apiKey));
    const rest = await list(hub, `?limit=4&cursor=${cursor}`);
    const ids = [...first.bindings, ...rest.bindings].map(({ bindingId }) => bindingId);
    expect([ids.length, new Set(ids).size]).toEqual([6, 6]);
    expect(rest).toMatchObject({ totalBindings: 7, page: null, limit: 4, nextCursor: null });
    expect(await names("trustLevel=limited")).toHaveLength(5);
    expect(await names("trustLevel=trusted&direction=both")).toEqual([1, outbound[0]]);

    for (const [query, path, message] of [
      [
        "direction=sideways",
        "direction",
        'Invalid option: expected one of "inbound"|"outbound"|"both"',
      ],
      ["limit=101", "limit", "Not 1 to 100"],
      ["page=0", "page", "Not 1 to 1000000"],
      [`page=2&cursor=${cursor}`, "cursor", "Send either cursor or page, not both"],
    ]) {
      expect(refusal(await service.get(`/v1/binding/${hub.name}?${query}`))).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        details: { issues: [{ path, message }] },
      });
    }
  });

  it("answers before the claim, also to a provisional key, and not for an unknown name", async () => {
    const name = freshName();
    const { apiKey } = await agentVerbs(service).registerAgent(name);
    const { status, body } = await service.request(`/v1/binding/${name}`, {
      headers: bearer(apiKey),
    });
    expect([status, body]).toEqual([
      200,
      {
        agentName: name,
        tokenId: null,
        erc8004AgentId: null,
        genesisStatus: "PROVISIONAL",
        totalBindings: 0,
        page: 1,
        limit: 25,
        bindings: [],
        nextCursor: null,
      },
    ]);
    const unknown = await service.get(`/v1/binding/${freshName()}`);
    expect(refusal(unknown)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    expect(refusal(await service.get("/v1/binding/No_Name"))).toMatchObject({
      status: 400,
      type: "INVALID_NAME",
    });
  });

  it("shows that a binding is not live while the passport of either agent is sold", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    await create(wish(from, to), bearer(from.apiKey));
    await service.chain.fund(to.owner.address);
    const sold = await service.chain.transferPassport(
      BigInt(to.passportId),
      to.owner,
      newAccount().address,
    );
    const { bindings } = await list(from, `?minBlock=${sold}`);
    expect(bindings).toMatchObject([{ trustLevel: "verified", live: false }]);
    // The owner may still revoke it.
    const revoked = await create(await signedWish(from, to, { trustLevel: "revoked" }));
    expect([revoked.status, revoked.body.trustLevel]).toEqual([201, "revoked"]);
  });
});

describe("GET /v1/binding/:bindingId/history", () => {
  it("lists every change with its authority, also the owner's own calls", async () => {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const { body: made } = await create(
      wish(from, to, { trustLevel: "limited" }),
      bearer(from.apiKey),
    );
    const { body: owned } = await create(await signedWish(from, to));
    const called = await bindDirectly(from, to, "revoked", "Over.");
    const path = `/v1/binding/${made.bindingId}/history`;
    const { status, body } = await service.get(`${path}?minBlock=${called.blockNumber}`);
    const first = await service.get(`${path}?limit=2`);
    const rest = await service.get(`${path}?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.changes, ...rest.body.changes]).toEqual(body.changes);
    expect([rest.body.page, rest.body.nextCursor]).toEqual([null, null]);
    const common = { epoch: 1, partnerEpoch: 1, changedAt: expect.stringMatching(TIME) };
    const owner = { ...common, authority: "OWNER", setBy: from.owner.address };
    expect([status, body]).toEqual([
      200,
      {
        bindingId: made.bindingId,
        fromAgent: from.name,
        toAgent: to.name,
        totalChanges: 3,
        page: 1,
        limit: 25,
        changes: [
          {
            ...owner,
            previousTrustLevel: "verified",
            trustLevel: "revoked",
            context: "Over.",
            txHash: called.transactionHash,
          },
          {
            ...owner,
            previousTrustLevel: "limited",
            trustLevel: "verified",
            context: CONTEXT,
            txHash: owned.txHash,
          },
          {
            ...common,
            authority: "SERVICE",
            setBy: stackAccounts().relayer.address,
            previousTrustLevel: null,
            trustLevel: "limited",
            context: CONTEXT,
            txHash: made.txHash,
          },
        ],
        nextCursor: null,
      },
    ]);
    const last = await service.get(`${path}?limit=1&page=3`);
    expect(last.body.changes).toMatchObject([{ authority: "SERVICE", previousTrustLevel: null }]);
    const unknown = await service.get(`/v1/binding/${idOf(1, 99_999)}/history`);
    expect(refusal(unknown)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    expect(unknown.body.error.message).toBe("There is no binding with this id.");
  });
});

describe("binding.created and binding.revoked", () => {
  const EVENTS = ["binding.created", "binding.revoked"];

  /** What both agents of a new pair receive while `act` binds, changes and revokes. */
  async function eventsOf(
    act: (from: TestAgent, to: TestAgent, level: string) => Promise<unknown>,
  ) {
    const [from, to] = [await newAgent(service), await newAgent(service)];
    const [sent, received] = [
      await receiver.subscribe(from, EVENTS),
      await receiver.subscribe(to, EVENTS),
    ];
    for (const level of ["limited", "trusted", "revoked", "revoked", "verified"]) {
      await act(from, to, level);
    }
    const common = {
      bindingId: idOf(from.tokenId, to.tokenId),
      fromAgent: from.name,
      fromTokenId: from.tokenId,
      toAgent: to.name,
      toTokenId: to.tokenId,
    };
    const bodies = (events: Awaited<ReturnType<typeof sent.arrived>>) =>
      events
        .map(({ event, data }) => ({ event, data }))
        // They may arrive in any order, and several blocks can have one time.
        .sort((a, b) => `${a.data.trustLevel}`.localeCompare(`${b.data.trustLevel}`));
    return {
      common,
      sent: bodies(await sent.arrived(3)),
      received: bodies(await received.arrived(3)),
    };
  }

  const expected = (common: object, direction: string, authority: string) => {
    const data = { ...common, direction, authority };
    const time = expect.stringMatching(TIME);
    return [
      { event: "binding.created", data: { ...data, trustLevel: "limited", createdAt: time } },
      {
        event: "binding.revoked",
        data: { ...data, trustLevel: "revoked", previousTrustLevel: "trusted", revokedAt: time },
      },
      { event: "binding.created", data: { ...data, trustLevel: "verified", createdAt: time } },
    ];
  };

  // At the same time: what binds an agent is sent to webhooks in rounds of some seconds.
  it.concurrent.each([
    [
      "a key",
      "SERVICE",
      async (from: TestAgent, to: TestAgent, trustLevel: string) => {
        const { status } = await create(wish(from, to, { trustLevel }), bearer(from.apiKey));
        expect(status).toBe(201);
      },
    ],
    [
      "the owner's signature",
      "OWNER",
      async (from: TestAgent, to: TestAgent, trustLevel: string) => {
        const { status } = await create(await signedWish(from, to, { trustLevel }));
        expect(status).toBe(201);
      },
    ],
    [
      "the owner's own calls",
      "OWNER",
      (from: TestAgent, to: TestAgent, trustLevel: string) => bindDirectly(from, to, trustLevel),
    ],
  ] as const)("reach both agents once for what %s did", async (_by, authority, act) => {
    const { common, sent, received } = await eventsOf(act);
    expect(sent).toEqual(expected(common, "outbound", authority));
    expect(received).toEqual(expected(common, "inbound", authority));
  });
});

describe("the registry's rules", () => {
  it("are the service's: a key ends with its epoch", async () => {
    const from = await newAgent(service);
    const { rows } = await service.pool.query(
      "update app.api_key set epoch = 7 where token_id = $1 returning epoch",
      [from.tokenId],
    );
    expect(rows).toEqual([{ epoch: 7 }]);
    const to = await newAgent(service);
    const answer = await create(wish(from, to), bearer(from.apiKey));
    expect(refusal(answer)).toEqual({ status: 401, type: "UNAUTHORIZED", details: {} });
    expect(await recordOf(from, to)).toMatchObject({ authority: 0 });
  });
});
