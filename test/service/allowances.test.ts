import {
  type Address,
  erc20Abi,
  getAddress,
  type Hex,
  type LocalAccount,
  parseAbi,
  parseSignature,
  zeroAddress,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowanceVaultAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { bearer } from "../fixtures/agents.ts";
import type { OwnedAgent } from "../fixtures/owner-signed.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Owners set over HTTP what their agents may pay; the vault decides, and reads come from the chain.

let service: Service;
let world: ReturnType<typeof ownerSigned>;
beforeAll(async () => {
  service = await sharedService();
  world = ownerSigned(service);
});
afterAll(() => service?.stop());

const MINT_ABI = parseAbi(["function mint(address account, uint256 amount)"]);
const PERMIT_ABI = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);
const LIMITS = { perTransaction: 2_000_000, dailyLimit: 5_000_000 };
const VALID_UNTIL = "2100-01-01T00:00:00.000Z";
const VALID_SECONDS = Date.parse(VALID_UNTIL) / 1000;
const REF = `0x${"7e".repeat(32)}` as const;
const ZERO = `0x${"00".repeat(32)}` as const;

const path = ({ tokenId }: Pick<OwnedAgent, "tokenId">, rest = "") =>
  `/v1/allowance/${tokenId}${rest}`;
const limitsOf = ({ tokenId }: Pick<OwnedAgent, "tokenId">, change: object = {}) => ({
  tokenId,
  ...LIMITS,
  validUntil: VALID_UNTIL,
  ...change,
});
const signed = (agent: OwnedAgent, change: object = {}, key = agent.owner, message: object = {}) =>
  world.signed("allowance", limitsOf(agent, change), key, message);
const signedEnd = (agent: OwnedAgent, key = agent.owner) =>
  world.signed("allowance-end", { tokenId: agent.tokenId }, key);
const post = (agent: OwnedAgent, body: unknown) => world.send("POST", path(agent), body);
const set = async (agent: OwnedAgent, change: object = {}) =>
  post(agent, await signed(agent, change));
const end = (agent: OwnedAgent, body: unknown) => world.send("DELETE", path(agent), body);
const get = async (agent: Pick<OwnedAgent, "tokenId">, rest = "") => service.get(path(agent, rest));
const canSpend = async (agent: OwnedAgent, amount: number) =>
  (await get(agent, `/can-spend?amount=${amount}`)).body;
const header = (body: unknown) => ({
  "X-Svc-Owner-Signature": Buffer.from(JSON.stringify(body)).toString("base64url"),
});
const endByHeader = (agent: OwnedAgent, value: Record<string, string>) =>
  service.request(path(agent), { method: "DELETE", headers: value });

const onChain = ({ tokenId }: OwnedAgent) =>
  service.chain.client.readContract({
    address: service.chain.contracts.allowanceVault,
    abi: allowanceVaultAbi,
    functionName: "allowanceOf",
    args: [BigInt(tokenId)],
  });

/** A transaction of `account`, once it is indexed. */
async function send(account: LocalAccount, call: object): Promise<bigint> {
  const hash = await service.chain.client.writeContract({ account, ...call } as never);
  const { blockNumber } = await world.mined(hash);
  // Every read of the index waits for a block before it answers.
  await get({ tokenId: 1 }, `/history?minBlock=${blockNumber}`);
  return blockNumber;
}

const vault = (functionName: string, args: readonly unknown[]) => ({
  address: service.chain.contracts.allowanceVault,
  abi: allowanceVaultAbi,
  functionName,
  args,
});

async function setDirectly(agent: OwnedAgent, change: object = {}): Promise<bigint> {
  const { version } = await onChain(agent);
  const struct = {
    tokenId: BigInt(agent.tokenId),
    epoch: 1,
    version,
    perTransaction: BigInt(LIMITS.perTransaction),
    dailyLimit: BigInt(LIMITS.dailyLimit),
    validUntil: VALID_SECONDS,
    onlyWithAgentWallet: false,
    nonce: 0n,
    deadline: 0n,
    ...change,
  };
  return send(agent.owner, vault("setAllowance", [struct, "0x"]));
}

async function endDirectly(agent: OwnedAgent): Promise<bigint> {
  const { version } = await onChain(agent);
  const struct = { tokenId: BigInt(agent.tokenId), epoch: 1, version, nonce: 0n, deadline: 0n };
  return send(agent.owner, vault("deactivate", [struct, "0x"]));
}

/** Gives the owner money, and lets the vault move some of it. */
async function fund({ owner }: OwnedAgent, balance: bigint, approved = balance): Promise<void> {
  const { stablecoin: address, allowanceVault } = service.chain.contracts;
  await send(owner, {
    address,
    abi: MINT_ABI,
    functionName: "mint",
    args: [owner.address, balance],
  });
  await send(owner, {
    address,
    abi: erc20Abi,
    functionName: "approve",
    args: [allowanceVault, approved],
  });
}

const pay = (
  agent: OwnedAgent,
  functionName: "spend" | "trySpend" | "report",
  recipient: Address,
  amount: number,
  ref: Hex = REF,
) =>
  send(agent.owner, vault(functionName, [BigInt(agent.tokenId), recipient, BigInt(amount), ref]));

async function burn({ tokenId, owner }: OwnedAgent) {
  const struct = { tokenId: BigInt(tokenId), epoch: 1, version: 0, reasonHash: ZERO };
  await send(owner, {
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "burn",
    args: [{ ...struct, nonce: 0n, deadline: 0n }, "0x"],
  });
}

const LIMITS_ANSWER = {
  perTransaction: 2_000_000,
  perTransactionFormatted: "2",
  dailyLimit: 5_000_000,
  dailyLimitFormatted: "5",
  active: true,
  validUntil: VALID_UNTIL,
  onlyWithAgentWallet: false,
};

describe("an owner who signs SetAllowance", () => {
  it("has the limits in force on chain and in the service's answers", async () => {
    const agent = await world.newAgent();
    const prepared = await service.post("/v1/typed-data/allowance", limitsOf(agent));
    expect(prepared.status).toBe(200);
    expect(prepared.body).toMatchObject({
      primaryType: "SetAllowance",
      domain: {
        name: "AllowanceVault",
        version: "2",
        verifyingContract: service.chain.contracts.allowanceVault,
      },
      message: {
        tokenId: String(agent.tokenId),
        epoch: 1,
        version: 0,
        perTransaction: "2000000",
        dailyLimit: "5000000",
        validUntil: VALID_SECONDS,
      },
    });
    const answer = await set(agent);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: Number(agent.passportId),
        agentName: agent.name,
        allowance: LIMITS_ANSWER,
        missingApproval: null,
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await onChain(agent)).toMatchObject({
      version: 1,
      perTransaction: 2_000_000n,
      dailyLimit: 5_000_000n,
      validUntil: VALID_SECONDS,
      active: true,
    });
    const read = await get(agent);
    expect([read.status, read.body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: Number(agent.passportId),
        agentName: agent.name,
        allowance: {
          ...LIMITS_ANSWER,
          reason: null,
          epoch: 1,
          version: 1,
          usage: {
            spentToday: 0,
            spentTodayFormatted: "0",
            remainingToday: 5_000_000,
            remainingTodayFormatted: "5",
            periodStart: expect.stringMatching(/T00:00:00\.000Z$/),
            periodEnd: expect.stringMatching(/T00:00:00\.000Z$/),
            transactionsToday: 0,
          },
        },
        funding: {
          balance: 0,
          balanceFormatted: "0",
          approved: 0,
          approvedFormatted: "0",
          shared: {
            agents: 1,
            dailyLimit: 5_000_000,
            dailyLimitFormatted: "5",
            remainingToday: 5_000_000,
            remainingTodayFormatted: "5",
            availableToday: 0,
            availableTodayFormatted: "0",
          },
        },
        block: expect.any(Number),
      },
    ]);
  });

  it("replaces the limits by PUT, and what was spent today stays", async () => {
    const agent = await world.newAgent();
    await set(agent);
    await fund(agent, 10_000_000n);
    await pay(agent, "spend", newAccount().address, 1_500_000);
    const body = await signed(agent, { dailyLimit: 1_000_000 });
    const answer = await world.send("PUT", path(agent), body);
    expect([answer.status, answer.body.allowance.dailyLimit]).toEqual([200, 1_000_000]);
    const { body: read } = await get(agent);
    expect(read.allowance).toMatchObject({
      dailyLimit: 1_000_000,
      version: 2,
      usage: { spentToday: 1_500_000, remainingToday: 0, transactionsToday: 1 },
    });
  });

  it("gets the same answer to the same signed request, and the limits are set once", async () => {
    const agent = await world.newAgent();
    const body = await signed(agent);
    const [first, second] = await Promise.all([post(agent, body), post(agent, body)]);
    const third = await world.send("PUT", path(agent), body);
    expect([first.status, second.body, third.body]).toEqual([200, first.body, first.body]);
    expect((await onChain(agent)).version).toBe(1);
    const other = await post(agent, { ...body, dailyLimit: 6_000_000 });
    expect(refusal(other)).toMatchObject({ status: 401, type: "NONCE_USED" });
  });

  it("need not say until when: the typed data ends the allowance after 90 days", async () => {
    const agent = await world.newAgent();
    const { tokenId } = agent;
    const body = await world.signed("allowance", { tokenId, ...LIMITS }, agent.owner);
    const answer = await post(agent, body);
    expect(answer.status).toBe(200);
    const { validUntil } = await onChain(agent);
    expect(answer.body.allowance.validUntil).toBe(new Date(validUntil * 1000).toISOString());
    const days = (validUntil * 1000 - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  it("has the effect of its own call of the vault", async () => {
    const [overHttp, directly] = [await world.newAgent(), await world.newAgent()];
    await set(overHttp);
    await setDirectly(directly);
    const ofBoth = await Promise.all(
      [overHttp, directly].map(async (agent) => {
        const { allowance, funding } = (await get(agent)).body;
        return { allowance, funding };
      }),
    );
    expect(ofBoth[0]?.allowance.active).toBe(true);
    expect(ofBoth[0]).toEqual(ofBoth[1]);

    await end(overHttp, await signedEnd(overHttp));
    await endDirectly(directly);
    const ended = await Promise.all([canSpend(overHttp, 1), canSpend(directly, 1)]);
    for (const { reason, detail } of ended) {
      expect([reason, detail]).toEqual(["ALLOWANCE_INACTIVE", "The owner ended the allowance."]);
    }
  });
});

describe("an owner who signs a permit of the stablecoin too", () => {
  const APPROVAL = 9_000_000;
  /** Both signatures: the allowance's, and the permit's where the typed data has one. */
  async function withPermit(agent: OwnedAgent, change: object = {}, key = agent.owner) {
    const { body: data } = await service.post(
      "/v1/typed-data/allowance",
      limitsOf(agent, { approval: APPROVAL }),
    );
    const { permit, ...allowance } = data;
    return {
      ...limitsOf(agent, { approval: APPROVAL }),
      message: allowance.message,
      signature: await agent.owner.signTypedData(allowance),
      signer: agent.owner.address,
      permit: permit && {
        message: permit.message,
        signature: await key.signTypedData(permit),
        ...change,
      },
    };
  }
  const approved = async (agent: OwnedAgent) => (await get(agent)).body.funding.approved;
  const ether = ({ owner }: OwnedAgent) =>
    service.chain.client.getTransactionCount({ address: owner.address });

  it("sets limits and approval at once, and sends no transaction", async () => {
    const agent = await world.newAgent();
    const { body: data } = await service.post(
      "/v1/typed-data/allowance",
      limitsOf(agent, { approval: APPROVAL }),
    );
    const { stablecoin, allowanceVault } = service.chain.contracts;
    expect(data.permit).toMatchObject({
      domain: { name: "Test Dollar", version: "2", chainId: 31337, verifyingContract: stablecoin },
      primaryType: "Permit",
      message: {
        owner: agent.owner.address,
        spender: allowanceVault,
        value: String(APPROVAL),
        nonce: "0",
      },
    });
    const body = await withPermit(agent);
    const answer = await post(agent, body);
    expect([answer.status, answer.body.allowance]).toEqual([200, LIMITS_ANSWER]);
    expect([await approved(agent), await ether(agent)]).toEqual([APPROVAL, 0]);
    expect((await post(agent, body)).body).toEqual(answer.body);
    expect((await onChain(agent)).version).toBe(1);
  });

  it("signs no permit where the approval suffices, and it is not lowered", async () => {
    const agent = await world.newAgent();
    await fund(agent, 1n, BigInt(APPROVAL) + 1n);
    const body = await withPermit(agent);
    expect(body.permit).toBeUndefined();
    expect((await post(agent, body)).status).toBe(200);
    expect(await approved(agent)).toBe(APPROVAL + 1);
  });

  it("is refused without the permit, and changes nothing", async () => {
    const agent = await world.newAgent();
    const { permit: _permit, ...alone } = await withPermit(agent);
    expect(refusal(await post(agent, alone))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "signature", message: "The permit has to sign" }] },
    });
    expect((await onChain(agent)).version).toBe(0);
  });

  it("is refused with another account's permit, and with another value", async () => {
    const agent = await world.newAgent();
    const forged = await withPermit(agent, {}, newAccount());
    expect(refusal(await post(agent, forged))).toMatchObject({
      status: 401,
      type: "INVALID_SIGNATURE",
    });
    const { permit } = await withPermit(agent);
    const value = String(APPROVAL + 1);
    const other = await withPermit(agent, { message: { ...permit.message, value } });
    expect(refusal(await post(agent, other))).toMatchObject({
      status: 401,
      type: "INVALID_SIGNATURE",
    });
    expect((await onChain(agent)).version).toBe(0);
  });

  it("lowers limits although the operator submitted the permit first and spent from it", async () => {
    const agent = await world.newAgent();
    await fund(agent, 1_000_000n, 0n);
    await setDirectly(agent);
    const body = await withPermit(agent);
    const { owner, spender, value, deadline } = body.permit.message;
    const { r, s, yParity } = parseSignature(body.permit.signature);
    await send(agent.owner, {
      address: service.chain.contracts.stablecoin,
      abi: PERMIT_ABI,
      functionName: "permit",
      args: [owner, spender, BigInt(value), BigInt(deadline), 27 + yParity, r, s],
    });
    await pay(agent, "spend", newAccount().address, 1);

    const answer = await post(agent, body);
    expect([answer.status, answer.body.allowance]).toEqual([200, LIMITS_ANSWER]);
    expect(answer.body.missingApproval).toEqual({
      approved: APPROVAL - 1,
      approvedFormatted: "8.999999",
      wanted: APPROVAL,
      wantedFormatted: "9",
    });
    expect((await onChain(agent)).version).toBe(2);

    const next = await withPermit(agent);
    expect((await post(agent, next)).body.missingApproval).toBeNull();
    expect(await approved(agent)).toBe(APPROVAL);
  });
});

describe("an owner who signs DeactivateAllowance", () => {
  it("ends the allowance, with the signature in the body", async () => {
    const agent = await world.newAgent();
    await set(agent);
    const answer = await end(agent, await signedEnd(agent));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: Number(agent.passportId),
        agentName: agent.name,
        allowance: {
          active: false,
          deactivatedAt: expect.stringMatching(/^20.*\.000Z$/),
        },
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ]);
    expect((await get(agent)).body.allowance).toMatchObject({
      active: false,
      validUntil: null,
      reason: "ALLOWANCE_INACTIVE",
      version: 2,
    });
  });

  it("ends the allowance, with the signature in the header", async () => {
    const agent = await world.newAgent();
    await set(agent);
    const answer = await endByHeader(agent, header(await signedEnd(agent)));
    expect([answer.status, answer.body.allowance.active]).toEqual([200, false]);
    expect((await onChain(agent)).active).toBe(false);
  });

  it("is refused when there is nothing to end", async () => {
    const agent = await world.newAgent();
    const refused = { status: 409, type: "ALLOWANCE_INACTIVE", details: {} };
    const prepare = () => service.post("/v1/typed-data/allowance-end", { tokenId: agent.tokenId });
    expect(refusal(await prepare())).toEqual(refused);
    await set(agent);
    const body = await signedEnd(agent);
    await endDirectly(agent);
    expect(refusal(await end(agent, body))).toEqual(refused);
    expect(refusal(await prepare())).toEqual(refused);
    expect((await set(agent)).status).toBe(200);
  });

  it("is refused with a header that holds no signed request", async () => {
    const agent = await world.newAgent();
    const cases: [string, string][] = [
      ["%%%", "Not base64url"],
      ["e30x", "Not base64url of a JSON object"],
      [header({ signer: agent.owner.address })["X-Svc-Owner-Signature"], ""],
    ];
    for (const [value, message] of cases) {
      const answer = refusal(await endByHeader(agent, { "X-Svc-Owner-Signature": value }));
      expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
      expect(answer.details).toEqual({
        issues: [
          {
            path: "X-Svc-Owner-Signature",
            message: message === "" ? expect.stringMatching(/^signature: /) : message,
          },
        ],
      });
    }
  });
});

describe("a change of an allowance", () => {
  it("is refused without the owner's signature, with and without an API key", async () => {
    const agent = await world.newAgent();
    const answers = [
      await world.send("POST", path(agent), limitsOf(agent), bearer(agent.apiKey)),
      await world.send("PUT", path(agent), limitsOf(agent)),
      await world.send("DELETE", path(agent), { tokenId: agent.tokenId }),
      await service.request(path(agent), { method: "DELETE" }),
    ];
    const typedData = ["allowance", "allowance", "allowance-end", "allowance-end"].map(
      (one) => `/v1/typed-data/${one}`,
    );
    expect(answers.map(refusal)).toEqual(
      typedData.map((one) => ({
        status: 403,
        type: "WALLET_SIGNATURE_REQUIRED",
        details: { typedData: one },
      })),
    );
  });

  it("is refused for another signer, and for another signer's signature", async () => {
    const agent = await world.newAgent();
    const stranger = newAccount();
    const notOwner = await post(agent, await signed(agent, {}, stranger));
    expect(refusal(notOwner)).toEqual({ status: 403, type: "NOT_OWNER", details: {} });
    const forged = { ...(await signed(agent, {}, stranger)), signer: agent.owner.address };
    expect(refusal(await post(agent, forged))).toMatchObject({ type: "INVALID_SIGNATURE" });
    await set(agent);
    const ending = await end(agent, await signedEnd(agent, stranger));
    expect(refusal(ending)).toEqual({ status: 403, type: "NOT_OWNER", details: {} });
    expect((await onChain(agent)).version).toBe(1);
  });

  it("is refused when the message says something else, naming the field", async () => {
    const agent = await world.newAgent();
    const wrong = {
      epoch: 2,
      version: 1,
      perTransaction: "1",
      dailyLimit: "1",
      validUntil: VALID_SECONDS - 1,
    };
    for (const [field, value] of Object.entries(wrong)) {
      const answer = refusal(
        await post(agent, await signed(agent, {}, agent.owner, { [field]: value })),
      );
      expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
      expect(answer.details).toEqual({
        issues: [
          { path: `message.${field}`, message: expect.stringMatching(/^This request needs /) },
        ],
      });
    }
    expect((await onChain(agent)).version).toBe(0);
  });

  it("is refused over an allowance that another change has replaced", async () => {
    const agent = await world.newAgent();
    const late = await signed(agent);
    await set(agent);
    expect(refusal(await post(agent, late))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "message.version", message: "This request needs 1" }] },
    });
  });

  it("is refused after the sale, for seller and buyer", async () => {
    const agent = await world.newAgent();
    await set(agent);
    const late = await signed(agent);
    const lateEnd = await signedEnd(agent);
    const buyer = newAccount();
    await service.chain.transferPassport(agent.passportId, agent.owner, buyer.address);
    const suspended = { status: 409, type: "SUSPENDED", details: {} };
    expect(refusal(await post(agent, late))).toEqual(suspended);
    expect(refusal(await end(agent, lateEnd))).toEqual(suspended);
    expect(refusal(await post(agent, { ...late, signer: buyer.address }))).toEqual(suspended);
    const preparing = await service.post("/v1/typed-data/allowance", limitsOf(agent));
    expect(refusal(preparing)).toEqual(suspended);
  });

  it("is refused for a burned soul, one that is not sealed, and an unknown one", async () => {
    const agent = await world.newAgent();
    const late = await signed(agent);
    await burn(agent);
    expect(refusal(await post(agent, late))).toEqual({ status: 409, type: "BURNED", details: {} });

    const verbs = agentVerbs(service);
    const { registrationId } = await verbs.registerAgent(freshName());
    const claim = await verbs.signedClaim(registrationId, newAccount(), { seal: false });
    const { body: unsealed } = await verbs.submitClaim(claim);
    const preparing = await service.post("/v1/typed-data/allowance", limitsOf(unsealed));
    expect(refusal(preparing)).toEqual({ status: 403, type: "FORBIDDEN", details: {} });

    const unknown = await service.post("/v1/typed-data/allowance", limitsOf({ tokenId: 999_999 }));
    expect(refusal(unknown)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    for (const rest of ["", "/can-spend?amount=1", "/history"]) {
      expect(refusal(await get({ tokenId: 999_999 }, rest))).toMatchObject({
        status: 404,
        type: "NOT_FOUND",
      });
    }
  });

  it("is refused when path and body name two agents", async () => {
    const agent = await world.newAgent();
    const body = await signed(agent);
    const answer = await world.send("POST", `/v1/allowance/${agent.tokenId + 1}`, body);
    expect(refusal(answer)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "tokenId", message: `The path says ${agent.tokenId + 1}` }] },
    });
  });

  const inputs: [string, object, string][] = [
    ["a negative limit", { dailyLimit: -1 }, "dailyLimit"],
    ["a fraction of a base unit", { perTransaction: 1.5 }, "perTransaction"],
    ["a limit as text", { dailyLimit: "5" }, "dailyLimit"],
    ["no limit", { perTransaction: undefined }, "perTransaction"],
    ["an end that is no time", { validUntil: "tomorrow" }, "validUntil"],
    [
      "an end beyond the contract's last second",
      { validUntil: "2107-01-01T00:00:00Z" },
      "validUntil",
    ],
    ["an end that has passed", { validUntil: "2020-01-01T00:00:00Z" }, "validUntil"],
  ];
  it.each(inputs)("is refused with %s", async (_what, change, field) => {
    const agent = await shared();
    const answer = refusal(await service.post("/v1/typed-data/allowance", limitsOf(agent, change)));
    expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
    expect(answer.details).toEqual({
      issues: [{ path: field, message: expect.any(String) }],
    });
  });

  let one: Promise<OwnedAgent> | undefined;
  const shared = () => {
    one ??= world.newAgent();
    return one;
  };
});

describe("GET can-spend", () => {
  it("tells what stays after an allowed payment, and whether the money is there", async () => {
    const agent = await world.newAgent();
    await set(agent);
    const unfunded = await canSpend(agent, 1_500_000);
    expect(unfunded).toMatchObject({
      tokenId: agent.tokenId,
      erc8004AgentId: Number(agent.passportId),
      amount: 1_500_000,
      amountFormatted: "1.5",
      allowed: true,
      reason: null,
      remainingAfter: {
        perTransaction: true,
        dailyRemaining: 3_500_000,
        dailyRemainingFormatted: "3.5",
      },
      funding: { balance: 0, approved: 0, sufficient: false },
    });
    expect(unfunded).not.toHaveProperty("detail");
    await fund(agent, 1_500_000n);
    const funded = await canSpend(agent, 1_500_000);
    expect(funded.funding).toMatchObject({
      balance: 1_500_000,
      balanceFormatted: "1.5",
      approved: 1_500_000,
      sufficient: true,
      shared: { agents: 1, remainingToday: 5_000_000, availableToday: 1_500_000 },
    });
    expect((await canSpend(agent, 1_500_001)).funding.sufficient).toBe(false);
  });

  it("answers each reason of the specification, with status 200 and in words", async () => {
    const agent = await world.newAgent();
    const refused = async (amount: number) => {
      const { status, body } = await get(agent, `/can-spend?amount=${amount}`);
      expect(body).not.toHaveProperty("remainingAfter");
      return [status, body.allowed, body.reason, body.detail];
    };
    expect(await refused(1)).toEqual([
      200,
      false,
      "ALLOWANCE_NOT_SET",
      "The owner has set no allowance since the last seal.",
    ]);
    await set(agent);
    expect(await refused(2_000_001)).toEqual([
      200,
      false,
      "EXCEEDS_PER_TRANSACTION_LIMIT",
      "One payment may be at most 2.",
    ]);
    await pay(agent, "report", zeroAddress, 4_500_000);
    expect(await refused(500_001)).toEqual([
      200,
      false,
      "EXCEEDS_DAILY_LIMIT",
      expect.stringMatching(/^Today 0\.5 is left\. The next day begins at .*T00:00:00\.000Z\.$/),
    ]);
    expect((await canSpend(agent, 500_000)).allowed).toBe(true);
    await set(agent, { onlyWithAgentWallet: true });
    expect(await refused(1)).toEqual([
      200,
      false,
      "AGENT_WALLET_NOT_OPERATOR",
      "The passport's agentWallet is not the operator: its owner has to set it again.",
    ]);
    expect((await get(agent)).body.allowance).toMatchObject({
      active: true,
      onlyWithAgentWallet: true,
      reason: "AGENT_WALLET_NOT_OPERATOR",
    });
    await end(agent, await signedEnd(agent));
    expect(await refused(1)).toEqual([
      200,
      false,
      "ALLOWANCE_INACTIVE",
      "The owner ended the allowance.",
    ]);
    await set(agent);
    await service.chain.transferPassport(agent.passportId, agent.owner, newAccount().address);
    expect(await refused(1)).toEqual([
      200,
      false,
      "ALLOWANCE_INACTIVE",
      "The soul is not valid: see GET /v1/soul-validity.",
    ]);
    expect((await canSpend(agent, 1)).funding).toMatchObject({ balance: 0, approved: 0 });
  });

  it("answers ALLOWANCE_INACTIVE after the allowance's last second", async () => {
    const agent = await world.newAgent();
    const { timestamp } = await service.chain.client.getBlock();
    await setDirectly(agent, { validUntil: Number(timestamp) + 3 });
    await service.chain.client.mine({ blocks: 5, interval: 1 });
    const { allowed, reason, detail } = await canSpend(agent, 1);
    expect([allowed, reason, detail]).toEqual([
      false,
      "ALLOWANCE_INACTIVE",
      "The last second of the allowance has passed.",
    ]);
  });

  it("refuses an amount that is not a positive integer of base units", async () => {
    const agent = { tokenId: 1 };
    for (const amount of ["", "?amount=0", "?amount=-1", "?amount=1.5", `?amount=${2 ** 53}`]) {
      const answer = refusal(await get(agent, `/can-spend${amount}`));
      expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
      expect(answer.details).toMatchObject({ issues: [{ path: "amount" }] });
    }
  });
});

describe("the money of an owner of several agents", () => {
  it("is shared: each answer shows what all of them could take together", async () => {
    const one = await world.newAgent();
    const two = await world.newAgent(one.owner);
    await set(one, { perTransaction: 3_000_000, dailyLimit: 3_000_000 });
    await set(two, { perTransaction: 3_000_000, dailyLimit: 3_000_000 });
    await fund(one, 4_000_000n, 9_000_000n);
    const shared = async (agent: OwnedAgent) => (await get(agent)).body.funding.shared;
    expect(await shared(one)).toEqual({
      agents: 2,
      dailyLimit: 6_000_000,
      dailyLimitFormatted: "6",
      remainingToday: 6_000_000,
      remainingTodayFormatted: "6",
      availableToday: 4_000_000,
      availableTodayFormatted: "4",
    });
    await pay(two, "spend", newAccount().address, 1_000_000);
    expect(await shared(one)).toMatchObject({
      remainingToday: 5_000_000,
      availableToday: 3_000_000,
    });
    await end(two, await signedEnd(two));
    expect(await shared(one)).toMatchObject({
      agents: 1,
      dailyLimit: 3_000_000,
      availableToday: 3_000_000,
    });
  });
});

describe("GET history", () => {
  it("lists payments that were made, refused and reported, with the agents that they went to", async () => {
    const agent = await world.newAgent();
    const payee = await world.newAgent();
    const stranger = newAccount().address;
    await set(agent);
    await fund(agent, 10_000_000n);
    await pay(agent, "spend", payee.owner.address, 1_000_000);
    await pay(agent, "trySpend", stranger, 2_000_001);
    await pay(agent, "report", zeroAddress, 3_000_000);
    await fund(agent, 0n, 0n);
    await pay(agent, "trySpend", stranger, 500_000, ZERO);

    const { status, body } = await get(agent, "/history");
    expect([status, { ...body, history: body.history.length }]).toEqual([
      200,
      {
        tokenId: agent.tokenId,
        erc8004AgentId: Number(agent.passportId),
        agentName: agent.name,
        totalSpent: 4_000_000,
        totalSpentFormatted: "4",
        transactionCount: 2,
        totalEntries: 4,
        history: 4,
        nextCursor: null,
      },
    ]);
    const common = {
      timestamp: expect.stringMatching(/\.000Z$/),
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      digest: null,
      epoch: 1,
    };
    expect(body.history).toEqual([
      {
        ...common,
        amount: 500_000,
        amountFormatted: "0.5",
        recipient: stranger,
        recipientAgent: null,
        status: "refused",
        withinLimits: true,
        violationType: "TRANSFER_FAILED",
        paymentRef: ZERO,
      },
      {
        ...common,
        amount: 3_000_000,
        amountFormatted: "3",
        recipient: zeroAddress,
        recipientAgent: null,
        status: "reported",
        withinLimits: false,
        violationType: "EXCEEDS_PER_TRANSACTION_LIMIT",
        paymentRef: REF,
      },
      {
        ...common,
        amount: 2_000_001,
        amountFormatted: "2.000001",
        recipient: stranger,
        recipientAgent: null,
        status: "refused",
        withinLimits: false,
        violationType: "EXCEEDS_PER_TRANSACTION_LIMIT",
        paymentRef: REF,
      },
      {
        ...common,
        amount: 1_000_000,
        amountFormatted: "1",
        recipient: getAddress(payee.owner.address),
        recipientAgent: payee.name,
        status: "paid",
        withinLimits: true,
        paymentRef: REF,
      },
    ]);

    const page = await get(agent, "/history?limit=1&offset=3");
    expect([page.body.history, page.body.totalEntries]).toEqual([[body.history[3]], 4]);
    const first = (await get(agent, "/history?limit=3")).body;
    const rest = (await get(agent, `/history?limit=3&cursor=${first.nextCursor}`)).body;
    expect([...first.history, ...rest.history]).toEqual(body.history);
    const since = body.history[1].timestamp;
    const late = await get(agent, `/history?since=${since}`);
    expect([late.body.history, late.body.totalSpent]).toEqual([
      body.history.slice(0, 2),
      3_000_000,
    ]);
    expect(await get(agent, "/can-spend?amount=1")).toMatchObject({ status: 200 });
  });

  it("names no agent where several take payments at one account", async () => {
    const agent = await world.newAgent();
    await world.newAgent(agent.owner);
    await pay(agent, "report", agent.owner.address, 1);
    const { body } = await get(agent, "/history");
    expect(body.history).toMatchObject([
      { recipientAgent: null, violationType: "ALLOWANCE_NOT_SET", withinLimits: false },
    ]);
  });

  it("refuses pages that it does not have", async () => {
    const queries = { limit: ["0", "101", "x"], offset: ["-1", "100001"], since: ["yesterday"] };
    for (const [name, values] of Object.entries(queries)) {
      for (const value of values) {
        const answer = refusal(await get({ tokenId: 1 }, `/history?${name}=${value}`));
        expect(answer).toMatchObject({ status: 400, type: "INVALID_REQUEST" });
        expect(answer.details).toMatchObject({ issues: [{ path: name }] });
      }
    }
  });
});
