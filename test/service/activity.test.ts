import { erc20Abi, parseAbi } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allowanceVaultAbi } from "../../protocol/generated/abi.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer } from "../fixtures/agents.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The fields of a profile that are derived from what an agent does: from real bindings, payments,
// records and memberships.

let service: Service;
let world: ReturnType<typeof organizationVerbs>;
beforeAll(async () => {
  service = await sharedService();
  world = organizationVerbs(service);
});
afterAll(() => service?.stop());

const MINT_ABI = parseAbi(["function mint(address account, uint256 amount)"]);

async function profile(name: string) {
  const block = await world.head();
  return (await service.get(`/v1/profile/${name}?minBlock=${block}`)).body;
}

it("counts bindings while they stand", async () => {
  const [agent, partner] = [await world.newAgent(), await world.newAgent()];
  const { tokenId, name, apiKey } = agent;
  const wish = { tokenId, partnerTokenId: partner.tokenId, trustLevel: "trusted", context: "" };
  const { body } = await service.post("/v1/binding", wish, bearer(apiKey));
  expect((await profile(name)).activity.agentBindings).toBe(1);
  expect((await profile(partner.name)).activity.agentBindings).toBe(0);
  const revoked = { tokenId, trustLevel: "revoked" };
  await world.send("PUT", `/v1/binding/${body.bindingId}`, revoked, bearer(apiKey));
  expect((await profile(name)).activity.agentBindings).toBe(0);
});

it("adds up what the agent's operator earns from other owners' agents", async () => {
  const operator = newAccount();
  const earner = await world.newAgent(newAccount(), { operatorAddress: operator.address });
  const client = await world.newAgent();
  const { owner, tokenId } = client;
  const { stablecoin: address, allowanceVault } = service.chain.contracts;
  const call = async (request: object) =>
    world.mined(await service.chain.client.writeContract({ account: owner, ...request } as never));
  const money = 3_500_000n;
  await call({ address, abi: MINT_ABI, functionName: "mint", args: [owner.address, money] });
  await call({ address, abi: erc20Abi, functionName: "approve", args: [allowanceVault, money] });
  const limits = { tokenId, perTransaction: 2_000_000, dailyLimit: 5_000_000 };
  const allowance = await world.signed("allowance", limits, owner);
  expect((await world.send("POST", `/v1/allowance/${tokenId}`, allowance)).status).toBe(200);
  const pay = (amount: bigint) =>
    call({
      address: allowanceVault,
      abi: allowanceVaultAbi,
      functionName: "spend",
      args: [BigInt(tokenId), operator.address, amount, `0x${"7e".repeat(32)}`],
    });
  await pay(2_000_000n);
  await pay(1_500_000n);
  const earned = async (name: string) => (await profile(name)).activity.lifetimeEarned;
  expect([await earned(earner.name), await earned(client.name)]).toEqual(["3.50", "0.00"]);
});

it("names the organization while the agent is its member, and when the agent was last active", async () => {
  const { owner, tokenId, name } = await world.newAgent();
  const before = await profile(name);
  expect([before.organizationId, before.activity.lastActive]).toEqual([0, before.mintTimestamp]);
  const organizationId = await world.found(owner);
  const joined = await world.join(organizationId, tokenId, owner);
  const during = await profile(name);
  const { blockNumber } = await world.mined(joined.body.txHash);
  const { timestamp } = await service.chain.client.getBlock({ blockNumber });
  expect([during.organizationId, Date.parse(during.activity.lastActive)]).toEqual([
    organizationId,
    Number(timestamp) * 1000,
  ]);
  await world.leave(organizationId, tokenId, owner);
  expect((await profile(name)).organizationId).toBe(0);
});
