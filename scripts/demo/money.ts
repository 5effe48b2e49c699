import { keccak256, parseAbi, stringToHex } from "viem";
import { allowance } from "../../kit/allowance/index.ts";
import { allowanceVaultAbi } from "../../protocol/generated/abi.ts";
import type { Step } from "./step.ts";
import type { World } from "./world.ts";

const DAY_MS = 86_400_000;
const UNIT = 1_000_000;
const COIN_ABI = parseAbi(["function mint(address account, uint256 amount)"]);

/** An allowance with payments on several days, two that were refused, and one made elsewhere. */
export function moneySteps(): Step[] {
  const pays = (daysAgo: number, units: number, what: string): Step => ({
    daysAgo,
    subject: "meridian",
    title: `pays ${units} for ${what}`,
    run: (world) =>
      wallet(world).pay({
        recipient: world.person("harbourShop").address,
        amount: BigInt(units * UNIT),
        paymentRef: referenceOf(what),
      }),
  });
  const refused = (daysAgo: number, units: number, what: string): Step => ({
    daysAgo,
    subject: "meridian",
    title: `is refused ${units} for ${what}`,
    run: (world) =>
      world.send(world.person("purser"), {
        address: world.stack.deployment.contracts.allowanceVault,
        abi: allowanceVaultAbi,
        functionName: "trySpend",
        args: [
          BigInt(world.agent("meridian").tokenId),
          world.person("harbourShop").address,
          BigInt(units * UNIT),
          referenceOf(what),
        ],
      }),
  });

  return [
    { daysAgo: 33, subject: "meridian", title: "gets an allowance", run: giveAllowance },
    pays(32, 12, "a berth at Low Quay"),
    pays(31, 18, "a pilot through the narrows"),
    pays(31, 7, "two charts"),
    refused(30, 90, "a berth above the limit"),
    pays(29, 24, "a berth at High Quay"),
    pays(19, 31, "a tow"),
    {
      daysAgo: 19,
      subject: "meridian",
      title: "reports a payment of 15 in cash",
      run: (world) =>
        wallet(world).report({
          amount: BigInt(15 * UNIT),
          paymentRef: referenceOf("a lamp for the pier"),
        }),
    },
    refused(11, 120, "a whole crane"),
    pays(6, 22, "a berth at Low Quay"),
    pays(3, 9, "tide tables"),
    pays(1, 27, "a berth at High Quay"),
    pays(0, 14, "a pilot through the narrows"),
  ];
}

/** The owner gets money of the local chain, and allows the agent to spend from it. */
async function giveAllowance(world: World): Promise<void> {
  const { stack, client, agent, send } = world;
  const { tokenId, owner } = agent("meridian");
  await send(owner, {
    address: stack.deployment.contracts.stablecoin,
    abi: COIN_ABI,
    functionName: "mint",
    args: [owner.address, BigInt(1_000 * UNIT)],
  });
  await client.sign("setAllowance", {
    path: { tokenId },
    body: {
      tokenId,
      perTransaction: 40 * UNIT,
      dailyLimit: 60 * UNIT,
      approval: 500 * UNIT,
      validUntil: new Date(Date.now() + 90 * DAY_MS).toISOString(),
    },
    signer: owner,
  });
}

/** The payments of the agent's operator. */
const wallet = ({ stack, agent, person }: World) =>
  allowance({
    signer: person("purser"),
    rpc: stack.urls.rpc,
    vault: stack.deployment.contracts.allowanceVault,
    tokenId: BigInt(agent("meridian").tokenId),
  });

const referenceOf = (text: string) => keccak256(stringToHex(text));
