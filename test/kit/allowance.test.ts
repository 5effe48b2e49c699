import { Hono } from "hono";
import {
  type Address,
  decodeErrorResult,
  erc20Abi,
  type Hex,
  keccak256,
  parseEther,
  parseEventLogs,
  stringToBytes,
  zeroAddress,
  zeroHash,
} from "viem";
import { generatePrivateKey, nonceManager, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AllowanceError, allowance } from "../../kit/allowance/allowance.ts";
import { withSettledPayments } from "../../kit/allowance/seller.ts";
import { allowanceVaultAbi } from "../../protocol/generated/abi.ts";
import { paymentRedemption, readPaymentContext } from "../../protocol/payment.ts";
import {
  account,
  alice,
  bob,
  type IndexedChain,
  startIndexedChain,
} from "../fixtures/indexed-chain.ts";
import { facilitator, listen, startShop } from "../fixtures/x402.ts";

// Agents that pay from their owners' wallets, and a shop that asks for money by x402.

const NETWORK = "eip155:31337";
const PRICE = 2_000_000n;
const PER_TRANSACTION = 3_000_000n;
const DAILY_LIMIT = 5_000_000n;
const FUNDS = 1_000_000_000n;

let chain: IndexedChain;
let money: ReturnType<typeof facilitator>;
let shop: Awaited<ReturnType<typeof startShop>>;
const payee = privateKeyToAccount(generatePrivateKey()).address;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  chain = await startIndexedChain();
  stops.push(chain.stop);
  money = facilitator(chain, { network: NETWORK, relayer: account(5).address });
  shop = await openShop(PRICE);
});
beforeEach(() => {
  money.between.verifyAndSettle = async () => {};
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

async function openShop(
  amount: bigint,
  options: { facilitator?: typeof money.api; facilitators?: readonly Address[] } = {},
) {
  const { stablecoin: asset } = chain.contracts;
  const opened = await startShop({
    facilitator: options.facilitator ?? money.api,
    network: NETWORK,
    asset,
    payTo: payee,
    amount,
    facilitators: options.facilitators ?? [account(5).address],
  });
  stops.push(opened.stop);
  return opened;
}

async function serveApp(app: Hono) {
  const served = await listen(app);
  stops.push(served.stop);
  return served;
}

let agents = 0;

/** A sealed agent with an allowance, whose operator has neither ether nor stablecoin. */
async function newAgent(
  limits: { perTransaction: bigint; dailyLimit: bigint; validUntil?: bigint } | null = {
    perTransaction: PER_TRANSACTION,
    dailyLimit: DAILY_LIMIT,
  },
) {
  const operator = privateKeyToAccount(generatePrivateKey(), { nonceManager });
  const name = `payer-${agents++}`;
  const soul = await chain.register(alice, name, { operator: operator.address });
  await chain.fund(alice, FUNDS);
  if (limits !== null) await chain.setAllowance(alice, soul.tokenId, limits);
  return { ...soul, operator, kit: kitOf(soul.tokenId, operator) };
}

const kitOf = (tokenId: bigint, signer: ReturnType<typeof privateKeyToAccount>) =>
  allowance({ signer, rpc: chain.rpcUrl, vault: chain.contracts.allowanceVault, tokenId });

const balanceOf = (holder: Address) =>
  chain.client.readContract({
    address: chain.contracts.stablecoin,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [holder],
  });

const giveEther = ({ operator }: { operator: { address: Address } }) =>
  chain.client.setBalance({ address: operator.address, value: parseEther("1") });

const refused = (reason: AllowanceError["reason"], rest: object = { payment: null }) =>
  expect.objectContaining({ name: "AllowanceError", reason, ...rest });

/** Runs a request, and returns it with what it moved from the owner to the payee. */
async function moving<T>(run: () => Promise<T>) {
  const before = [await balanceOf(alice.address), await balanceOf(payee)] as const;
  const result = await run();
  const after = [await balanceOf(alice.address), await balanceOf(payee)] as const;
  expect(before[0] - after[0]).toBe(after[1] - before[1]);
  return { result, moved: after[1] - before[1] };
}

const premium = () => `${shop.url}/premium`;
const buy = (agent: Awaited<ReturnType<typeof newAgent>>, url = premium()) =>
  agent.kit.payX402(url, { maxAmount: PRICE });

describe("an agent with neither ether nor stablecoin, at a route that @x402/hono protects", () => {
  it("pays from its owner's wallet, and gets the resource", async () => {
    const agent = await newAgent();
    const { result, moved } = await moving(() => buy(agent));

    expect(result.response.status).toBe(200);
    expect(await result.response.json()).toEqual({ data: "premium" });
    expect(moved).toBe(PRICE);
    const { operator, tokenId } = agent;
    expect(await balanceOf(operator.address)).toBe(0n);
    expect(await chain.client.getTransactionCount({ address: operator.address })).toBe(0);
    expect(result.payment).toMatchObject({
      amount: PRICE,
      recipient: payee,
      paymentRef: keccak256(stringToBytes(premium())),
      redeemer: account(5).address,
    });
    const { logs } = await chain.client.getTransactionReceipt({ hash: result.transaction as Hex });
    const [spent] = parseEventLogs({ abi: allowanceVaultAbi, eventName: "Spent", logs });
    expect(spent?.args).toEqual({
      tokenId,
      recipient: payee,
      digest: result.payment?.digest,
      owner: alice.address,
      epoch: 1,
      operator: operator.address,
      amount: PRICE,
      spentToday: PRICE,
      paymentRef: result.payment?.paymentRef,
    });
    expect(await agent.kit.isSettled(result.payment ?? { nonce: 0n })).toBe(true);
  });

  it("sends the same body with the payment, and the caller's own reference", async () => {
    const agent = await newAgent();
    const paymentRef = keccak256(stringToBytes("invoice 7"));
    const { response, payment } = await agent.kit.payX402(premium(), {
      maxAmount: PRICE,
      paymentRef,
      init: { method: "POST", body: "a question" },
    });
    expect(await response.json()).toEqual({ received: "a question" });
    expect(payment?.paymentRef).toBe(paymentRef);
  });

  it("pays nothing where nothing is asked for", async () => {
    const agent = await newAgent();
    const { result, moved } = await moving(() => buy(agent, `${shop.url}/free`));
    expect(await result.response.json()).toEqual({ data: "free" });
    expect([result.payment, result.transaction, moved]).toEqual([null, null, 0n]);
  });

  it("signs nothing above the limit for one payment", async () => {
    const agent = await newAgent({ perTransaction: PRICE - 1n, dailyLimit: DAILY_LIMIT });
    await expect(buy(agent)).rejects.toEqual(refused("EXCEEDS_PER_TRANSACTION_LIMIT"));
  });

  it("signs nothing above what the day leaves", async () => {
    const agent = await newAgent();
    await buy(agent);
    await buy(agent);
    const { moved } = await moving(() =>
      expect(buy(agent)).rejects.toEqual(refused("EXCEEDS_DAILY_LIMIT")),
    );
    expect(moved).toBe(0n);
  });

  it("signs nothing without an allowance, and with one that its owner ended", async () => {
    const agent = await newAgent(null);
    await expect(buy(agent)).rejects.toEqual(refused("ALLOWANCE_NOT_SET"));
    const { tokenId } = agent;
    await chain.setAllowance(alice, tokenId, { perTransaction: PRICE, dailyLimit: PRICE });
    await chain.deactivateAllowance(alice, tokenId);
    await expect(buy(agent)).rejects.toEqual(refused("ALLOWANCE_INACTIVE"));
  });

  it("signs nothing after the sale", async () => {
    const agent = await newAgent();
    await chain.transferPassport(agent.passportId, alice, bob.address);
    await expect(buy(agent)).rejects.toEqual(refused("ALLOWANCE_INACTIVE"));
  });

  it("signs nothing when the owner's approval is too small", async () => {
    const agent = await newAgent();
    await chain.fund(alice, PRICE - 1n);
    await expect(buy(agent)).rejects.toEqual(refused("NOT_FUNDED"));
  });

  it("signs nothing when another account is the operator", async () => {
    const { tokenId } = await newAgent();
    const stranger = kitOf(tokenId, privateKeyToAccount(generatePrivateKey()));
    const buying = stranger.payX402(premium(), { maxAmount: PRICE });
    await expect(buying).rejects.toEqual(refused("NOT_OPERATOR"));
  });

  it("signs nothing above the most that the caller pays", async () => {
    const agent = await newAgent();
    const buying = agent.kit.payX402(premium(), { maxAmount: PRICE - 1n });
    await expect(buying).rejects.toEqual(refused("PRICE_TOO_HIGH"));
  });
});

describe("a payment that was signed and not settled yet", () => {
  const failure = (reason: "PAYMENT_REFUSED" | "PAYMENT_UNKNOWN", serverReason: string | null) =>
    refused(reason, { serverReason, payment: expect.objectContaining({ amount: PRICE }) });

  it("is not settled after the sale", async () => {
    const agent = await newAgent();
    money.between.verifyAndSettle = async () => {
      await chain.transferPassport(agent.passportId, alice, bob.address);
    };
    const { moved } = await moving(() =>
      expect(buy(agent)).rejects.toEqual(failure("PAYMENT_REFUSED", "invalid_transaction_state")),
    );
    expect(moved).toBe(0n);
  });

  it("is not settled after the owner ended the allowance", async () => {
    const agent = await newAgent();
    money.between.verifyAndSettle = async () => {
      await chain.deactivateAllowance(alice, agent.tokenId);
    };
    const { moved } = await moving(() =>
      expect(buy(agent)).rejects.toEqual(failure("PAYMENT_REFUSED", "invalid_transaction_state")),
    );
    expect(moved).toBe(0n);
  });

  it("is valid for exactly the signed amount, payee and token", async () => {
    const agent = await newAgent();
    await buy(agent);
    const { payload } = money.seen.at(-1) ?? { payload: undefined };
    money.between.verifyAndSettle = async () => {
      throw new Error("The shop settles nothing now.");
    };
    await buy(agent).catch(() => {});
    const last = money.seen.at(-1);
    if (!last || last.payload === payload) throw new Error("The shop saw no second payment.");
    money.between.verifyAndSettle = async () => {};
    expect(await money.api.verify(last.payload, last.requirements)).toEqual({
      isValid: true,
      payer: alice.address,
    });
    const changes = [
      { amount: (PRICE + 1n).toString() },
      { amount: (PRICE - 1n).toString() },
      { payTo: bob.address },
      { asset: chain.contracts.soulRegistry },
    ];
    for (const change of changes) {
      const requirements = { ...last.requirements, ...change };
      const answer = await money.api.verify(last.payload, requirements);
      expect(answer.isValid).toBe(false);
      const data = answer.invalidMessage as Hex;
      expect(decodeErrorResult({ abi: allowanceVaultAbi, data }).errorName).toBe(
        "UnexpectedExecution",
      );
      const { moved } = await moving(() => money.api.settle(last.payload, requirements));
      expect(moved).toBe(0n);
    }
  });

  it("is invalid with any other permission context", async () => {
    const agent = await newAgent();
    await buy(agent);
    const { payload, requirements } = money.seen.at(-1) ?? {};
    if (!payload || !requirements) throw new Error("The shop saw no payment.");
    const context = String(payload.payload.permissionContext);
    // The amount is the sixth word of the payment.
    const raised = `${context.slice(0, 2 + 64 * 6 - 1)}1${context.slice(2 + 64 * 6)}`;
    const tampered = { ...payload, payload: { ...payload.payload, permissionContext: raised } };
    const amount = BigInt(`0x${raised.slice(2 + 64 * 5, 2 + 64 * 6)}`).toString();
    const answer = await money.api.verify(tampered, { ...requirements, amount });
    const data = answer.invalidMessage as Hex;
    expect(decodeErrorResult({ abi: allowanceVaultAbi, data }).errorName).toBe("InvalidSignature");
  });

  it("is settled once", async () => {
    const agent = await newAgent();
    await buy(agent);
    const { payload, requirements } = money.seen.at(-1) ?? {};
    if (!payload || !requirements) throw new Error("The shop saw no payment.");
    const answer = await money.api.verify(payload, requirements);
    const data = answer.invalidMessage as Hex;
    expect(decodeErrorResult({ abi: allowanceVaultAbi, data }).errorName).toBe("NonceAlreadyUsed");
  });

  it("is reported with its nonce when the server ends the connection", async () => {
    const agent = await newAgent();
    const asked = await fetch(premium());
    const header = asked.headers.get("payment-required") ?? "";
    let hangUp = () => {};
    const broken = await serveApp(
      new Hono().get("/premium", (c) => {
        if (c.req.header("payment-signature")) hangUp();
        return c.body("", 402, { "PAYMENT-REQUIRED": header });
      }),
    );
    hangUp = () => broken.breakConnections();
    const buying = buy(agent, `${broken.url}/premium`);
    await expect(buying).rejects.toEqual(failure("PAYMENT_UNKNOWN", null));
    const error: AllowanceError = await buying.catch((thrown) => thrown);
    expect(await agent.kit.isSettled(error.payment ?? { nonce: 0n })).toBe(false);
  });
});

describe("a seller that looks for the settlement before it refuses a payment", () => {
  /** What a shop asks, and the payments that it has used. */
  function newFacilitator() {
    const used = new Set<string>();
    const { allowanceVault: vault } = chain.contracts;
    return withSettledPayments(money.api, {
      rpc: chain.rpcUrl,
      vault,
      isClaimed: async (digest) => used.has(digest),
      claim: async (digest) => used.size < used.add(digest).size,
    });
  }

  /** A shop whose payments any account may settle. */
  async function openSeller() {
    const { url } = await openShop(PRICE, { facilitator: newFacilitator(), facilitators: [] });
    return `${url}/premium`;
  }

  /** What the shop saw last, as the header that brought it. */
  function lastPayment(change: object = {}) {
    const { payload } = money.seen.at(-1) ?? {};
    if (!payload) throw new Error("The shop saw no payment.");
    const header = btoa(JSON.stringify({ ...payload, ...change }));
    return {
      context: payload.payload.permissionContext as Hex,
      send: (url: string) => fetch(url, { headers: { "PAYMENT-SIGNATURE": header } }),
    };
  }

  /** A stranger submits the payment that the shop saw last. */
  async function settleAhead(): Promise<Hex> {
    const { context } = lastPayment();
    const message = readPaymentContext(context);
    if (message === null) throw new Error("The context holds no payment.");
    const { stablecoin, allowanceVault: address } = chain.contracts;
    const [, modes, executions] = paymentRedemption(stablecoin, message, "0x");
    const hash = await chain.client.writeContract({
      address,
      abi: allowanceVaultAbi,
      functionName: "redeemDelegations",
      args: [[context], modes, executions],
      account: account(6).address,
      chain: null,
    });
    await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    return hash;
  }

  it("delivers once what another account settled ahead of its facilitator", async () => {
    const agent = await newAgent();
    const url = await openSeller();
    let settled: Hex | undefined;
    money.between.verifyAndSettle = async () => {
      settled ??= await settleAhead();
    };
    const { result, moved } = await moving(() => buy(agent, url));
    expect(await result.response.json()).toEqual({ data: "premium" });
    expect([moved, result.transaction]).toEqual([PRICE, settled]);
    expect(result.payment?.redeemer).toBe(zeroAddress);

    const repeated = await lastPayment().send(url);
    expect(repeated.status).toBe(402);
  });

  it("delivers once what it had settled before it crashed", async () => {
    const agent = await newAgent();
    const { settle } = money.api;
    const url = await openSeller();
    money.api.settle = async (...payment) => {
      await settle(...payment);
      throw new Error("The shop stops here.");
    };
    const { moved } = await moving(() => buy(agent, url).catch(() => {}));
    money.api.settle = settle;
    expect(moved).toBe(PRICE);

    const again = await moving(() => lastPayment().send(url));
    expect(await again.result.json()).toEqual({ data: "premium" });
    expect(again.moved).toBe(0n);
    expect((await lastPayment().send(url)).status).toBe(402);
  });

  it("gives one of two requests with the same payment the resource", async () => {
    const agent = await newAgent();
    const url = await openSeller();
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    let waiting = 0;
    money.between.verifyAndSettle = async () => {
      waiting += 1;
      if (waiting === 2) release();
      await both;
    };
    const { result, moved } = await moving(async () => {
      const first = buy(agent, url).then(
        ({ response }) => response.status,
        () => 402,
      );
      await expect.poll(() => waiting).toBe(1);
      const second = await lastPayment().send(url);
      return [await first, second.status];
    });
    expect(result.sort()).toEqual([200, 402]);
    expect(moved).toBe(PRICE);
  });

  /** A payment that was made for a shop and not settled, with the shop's terms. */
  async function unsettled() {
    const agent = await newAgent();
    const url = await openSeller();
    money.between.verifyAndSettle = async () => {
      throw new Error("The shop settles nothing now.");
    };
    await buy(agent, url).catch(() => {});
    money.between.verifyAndSettle = async () => {};
    const seen = money.seen.at(-1);
    if (!seen) throw new Error("The shop saw no payment.");
    return { url, ...seen };
  }

  it("refuses other delegation managers, through which a payment of the vault could count twice", async () => {
    const { payload, requirements } = await unsettled();
    const seller = newFacilitator();
    const ofStranger = {
      ...payload,
      payload: { ...payload.payload, delegationManager: account(6).address },
    };
    const { result, moved } = await moving(async () => [
      await seller.verify(ofStranger, requirements),
      await seller.settle(ofStranger, requirements),
    ]);
    expect(result).toMatchObject([
      { isValid: false, invalidReason: "delegation_manager_not_accepted" },
      { success: false, transaction: "", errorReason: "delegation_manager_not_accepted" },
    ]);
    expect(moved).toBe(0n);
  });

  it("knows the vault's address in any spelling", async () => {
    const { payload, requirements } = await unsettled();
    const spelled = `0x${chain.contracts.allowanceVault.slice(2).toUpperCase()}`;
    const respelled = { ...payload, payload: { ...payload.payload, delegationManager: spelled } };
    const seller = newFacilitator();
    await settleAhead();
    const answers = [
      await seller.settle(respelled, requirements),
      await seller.settle(payload, requirements),
    ];
    expect(answers.map(({ success }) => success)).toEqual([true, false]);
  });

  it.each([
    ["scheme", "upto"],
    ["network", "eip155:1"],
    ["asset", "0x0000000000000000000000000000000000000001"],
    ["amount", "1"],
  ])("takes a settled payment for no terms of another %s", async (member, value) => {
    const { payload, requirements } = await unsettled();
    await settleAhead();
    const seller = newFacilitator();
    const others = { ...requirements, [member]: value } as typeof requirements;
    expect([
      await seller.verify(payload, others),
      await seller.settle(payload, others),
    ]).toMatchObject([
      { isValid: false, invalidReason: "payment_of_other_terms" },
      { success: false, transaction: "", errorReason: "payment_of_other_terms" },
    ]);
    expect((await seller.settle(payload, requirements)).success).toBe(true);
  });

  it("refuses a payment that names another resource", async () => {
    const agent = await newAgent();
    const url = await openSeller();
    money.between.verifyAndSettle = async () => {
      throw new Error("The shop settles nothing now.");
    };
    await buy(agent, url).catch(() => {});
    money.between.verifyAndSettle = async () => {};
    const other = lastPayment({ resource: { url: "https://shop.example/other" } });
    const { result, moved } = await moving(() => other.send(url));
    expect([result.status, moved]).toEqual([402, 0n]);
  });
});

describe("a payment that names its redeemer", () => {
  it("is settled by the facilitator that the terms name, and by no stranger ahead of it", async () => {
    const agent = await newAgent();
    const refusals: unknown[] = [];
    money.between.verifyAndSettle = async () => {
      const { payload, requirements } = money.seen.at(-1) ?? {};
      if (!payload || !requirements) throw new Error("The shop saw no payment.");
      const stranger = facilitator(chain, { network: NETWORK, relayer: account(6).address });
      const { invalidMessage } = await stranger.api.verify(payload, requirements);
      const data = invalidMessage as Hex;
      refusals.push(decodeErrorResult({ abi: allowanceVaultAbi, data }));
    };
    const { response, payment } = await buy(agent);
    expect(response.status).toBe(200);
    expect(payment?.redeemer).toBe(account(5).address);
    expect(refusals).toMatchObject([
      { errorName: "NotRedeemer", args: [account(6).address, account(5).address] },
    ]);
  });

  it("can be settled by any account where the terms name several facilitators, or an invalid one", async () => {
    const agent = await newAgent();
    for (const facilitators of [[account(5).address, account(6).address], ["0x1234" as Address]]) {
      const { url } = await openShop(PRICE, { facilitators });
      const { payment } = await buy(agent, `${url}/premium`);
      expect(payment?.redeemer).toBe(zeroAddress);
    }
  });
});

describe("an allowance that needs the agent wallet", () => {
  it("pays nothing while the passport has another agentWallet or none", async () => {
    const agent = await newAgent(null);
    const limits = { perTransaction: PER_TRANSACTION, dailyLimit: DAILY_LIMIT };
    await chain.setAllowance(alice, agent.tokenId, { ...limits, onlyWithAgentWallet: true });
    expect(await agent.kit.canSpend(1n)).toMatchObject({
      allowed: false,
      reason: "AGENT_WALLET_NOT_OPERATOR",
    });
    await expect(buy(agent)).rejects.toEqual(refused("AGENT_WALLET_NOT_OPERATOR"));
    await chain.setAllowance(alice, agent.tokenId, limits);
    expect((await buy(agent)).response.status).toBe(200);
  });
});

describe("an allowance that has ended by itself", () => {
  it("pays up to its last second, and nothing after it", async () => {
    const { timestamp } = await chain.client.getBlock();
    const validUntil = timestamp + 600n;
    const agent = await newAgent({
      perTransaction: PRICE,
      dailyLimit: DAILY_LIMIT,
      validUntil,
    });
    await buy(agent);
    money.between.verifyAndSettle = async () => {
      await chain.client.setNextBlockTimestamp({ timestamp: validUntil + 1n });
      await chain.client.mine({ blocks: 1 });
    };
    await expect(buy(agent)).rejects.toEqual(
      refused("PAYMENT_REFUSED", { serverReason: "invalid_transaction_state" }),
    );
    await expect(buy(agent)).rejects.toEqual(refused("ALLOWANCE_INACTIVE"));
  });
});

describe("a 402 answer that no payment answers", () => {
  const terms = () => ({
    scheme: "exact",
    network: NETWORK,
    amount: "1000",
    asset: chain.contracts.stablecoin,
    payTo: payee,
    maxTimeoutSeconds: 60,
    extra: { assetTransferMethod: "erc7710" },
  });
  const resource = { url: "https://shop.example/premium" };

  /** A server that answers 402 with this header, and 200 to any payment. */
  async function asking(header: unknown) {
    const text = typeof header === "string" ? header : btoa(JSON.stringify(header));
    const server = await serveApp(
      new Hono().get("/", (c) =>
        c.req.header("payment-signature")
          ? c.text("paid")
          : c.body("", 402, { "PAYMENT-REQUIRED": text }),
      ),
    );
    return server.url;
  }

  it("is refused when it is not of x402 version 2", async () => {
    const agent = await newAgent();
    const headers = [
      "",
      "not base64",
      btoa("not JSON"),
      [],
      { x402Version: 1, resource, accepts: [terms()] },
      { x402Version: 2, resource, accepts: {} },
      { x402Version: 2, resource: {}, accepts: [terms()] },
    ];
    for (const header of headers) {
      const buying = buy(agent, await asking(header));
      await expect(buying).rejects.toEqual(refused("INVALID_PAYMENT_REQUIRED"));
    }
  });

  it("is refused when the vault can make none of the payments", async () => {
    const agent = await newAgent();
    const { soulRegistry } = chain.contracts;
    const others = [
      { scheme: "upto" },
      { network: "eip155:8453" },
      { asset: soulRegistry },
      { payTo: "merchant" },
      { payTo: zeroAddress },
      { amount: "0" },
      { amount: "1.5" },
      { amount: 1000 },
      { maxTimeoutSeconds: 0 },
      { extra: { assetTransferMethod: "eip3009" } },
      { extra: undefined },
    ];
    for (const other of others) {
      const accepts = [{ ...terms(), ...other }, "exact"];
      const buying = buy(agent, await asking({ x402Version: 2, resource, accepts }));
      await expect(buying).rejects.toEqual(refused("UNSUPPORTED_PAYMENT"));
    }
  });

  it("is answered with the cheapest payment that the vault can make", async () => {
    const agent = await newAgent();
    const accepts = [
      { ...terms(), amount: "900" },
      { ...terms(), amount: "20", network: "eip155:1" },
      { ...terms(), amount: "800" },
    ];
    const { payment, transaction } = await buy(
      agent,
      await asking({ x402Version: 2, resource, accepts }),
    );
    expect([payment?.amount, transaction]).toEqual([800n, null]);
  });

  it("is refused when it asks the vault to pay itself", async () => {
    const agent = await newAgent();
    const accepts = [{ ...terms(), payTo: chain.contracts.allowanceVault }];
    const buying = buy(agent, await asking({ x402Version: 2, resource, accepts }));
    await expect(buying).rejects.toEqual(refused("INVALID_PAYMENT"));
  });
});

describe("an operator with ether", () => {
  it("pays and reports by its own transactions, and both count toward the day", async () => {
    const agent = await newAgent();
    await giveEther(agent);
    const { result, moved } = await moving(() =>
      agent.kit.pay({ recipient: payee, amount: 1_500_000n }),
    );
    expect(moved).toBe(1_500_000n);
    expect(result.transaction).toMatch(/^0x[0-9a-f]{64}$/);
    const paymentRef = keccak256(stringToBytes("paid elsewhere"));
    const report = (amount: bigint) => agent.kit.report({ amount, paymentRef });
    expect(await report(500_000n)).toMatchObject({ reason: null });
    expect(await report(PER_TRANSACTION + 1n)).toMatchObject({
      reason: "EXCEEDS_PER_TRANSACTION_LIMIT",
    });
    expect(await agent.kit.canSpend(1n)).toMatchObject({
      allowed: false,
      reason: "EXCEEDS_DAILY_LIMIT",
      remainingToday: 0n,
    });
    await expect(agent.kit.pay({ recipient: payee, amount: 1n })).rejects.toEqual(
      refused("EXCEEDS_DAILY_LIMIT"),
    );
  });

  it("is refused payments of nothing, and payments to no account", async () => {
    const { kit } = await newAgent();
    const payments = [
      { recipient: payee, amount: 0n },
      { recipient: payee, amount: -1n },
      { recipient: zeroAddress, amount: 1n },
      { recipient: chain.contracts.allowanceVault, amount: 1n },
    ];
    for (const payment of payments) {
      await expect(kit.pay(payment)).rejects.toEqual(refused("INVALID_PAYMENT"));
    }
    const nothing = kit.report({ amount: 0n, paymentRef: zeroHash });
    await expect(nothing).rejects.toEqual(refused("INVALID_PAYMENT"));
    await expect(kit.canSpend(-1n)).rejects.toEqual(refused("INVALID_PAYMENT"));
  });

  it("can report no payment of an agent whose operator is another account", async () => {
    const { tokenId } = await newAgent();
    const stranger = kitOf(tokenId, privateKeyToAccount(generatePrivateKey()));
    const reporting = stranger.report({ amount: 1n, paymentRef: zeroHash });
    await expect(reporting).rejects.toEqual(refused("NOT_OPERATOR"));
  });
});

describe("canSpend", () => {
  it("tells the allowance from the money", async () => {
    const agent = await newAgent();
    expect(await agent.kit.canSpend(PRICE)).toEqual({
      allowed: true,
      reason: null,
      remainingToday: DAILY_LIMIT,
      isFunded: true,
      funding: { balance: await balanceOf(alice.address), approved: FUNDS },
    });
    await chain.fund(alice, PRICE - 1n);
    expect(await agent.kit.canSpend(PRICE)).toMatchObject({
      allowed: true,
      isFunded: false,
      funding: { approved: PRICE - 1n },
    });
  });

  it("rejects while the node does not answer", async () => {
    const { tokenId, operator } = await newAgent();
    const { allowanceVault: vault } = chain.contracts;
    const rpc = "http://127.0.0.1:1";
    const kit = allowance({ signer: operator, rpc, vault, tokenId });
    await expect(kit.canSpend(1n)).rejects.toThrow("HTTP request failed.");
  });
});

describe("20 payments at once, half by transactions and half by x402", () => {
  it("add up to exactly the daily limit", async () => {
    const agent = await newAgent({ perTransaction: PRICE, dailyLimit: 7n * PRICE });
    await giveEther(agent);
    const payments = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? agent.kit.pay({ recipient: payee, amount: PRICE }) : buy(agent),
    );
    const { result, moved } = await moving(() => Promise.allSettled(payments));
    const paid = result.filter(({ status }) => status === "fulfilled");
    expect(paid).toHaveLength(7);
    expect(moved).toBe(7n * PRICE);
    expect((await chain.allowanceOf(agent.tokenId)).spentToday).toBe(7n * PRICE);
    const reasons = result.flatMap((one) => (one.status === "rejected" ? [one.reason.reason] : []));
    expect(reasons).toHaveLength(13);
    for (const reason of reasons) {
      expect(reason).toMatch(/^(EXCEEDS_DAILY_LIMIT|REVERTED|PAYMENT_REFUSED)$/);
    }
  });
});
