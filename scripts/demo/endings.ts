import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "../../kit/client/index.ts";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { CAST, type CastName, type DemoSoul, type Person } from "./cast.ts";
import { humanProof } from "./humans.ts";
import { publishedOf, sealedSoul } from "./registrations.ts";
import type { Step } from "./step.ts";
import type { World } from "./world.ts";

const SUSPENSION_TRIES = 120;

/** A sale with its reseal, and a soul that ends and has a successor. */
export function endingSteps(): Step[] {
  return [
    {
      daysAgo: 21,
      subject: "tallow",
      title: "is sold to omar",
      run: (world) => sell(world, "tallow", "omar"),
    },
    {
      daysAgo: 20,
      subject: "tallow",
      title: "is resealed by omar, a human, with a soul of his",
      run: (world) =>
        reseal(world, "tallow", "omar", {
          ...CAST.tallow.soul,
          soul: {
            ...CAST.tallow.soul.soul,
            personality: "Exact, and now in a hurry.",
            guidelines: ["Close the month on its last day."],
          },
        }),
    },
    {
      daysAgo: 2,
      subject: "bramble",
      title: "is sold to petra, who has not resealed it",
      run: (world) => sell(world, "bramble", "petra"),
    },
    {
      daysAgo: 14,
      subject: "ember",
      title: "is burned by its owner",
      run: ({ client, agent }) => {
        const { tokenId, owner: signer } = agent("ember");
        const body = { reason: "Winter has ended." };
        return client.sign("burnAgent", { path: { tokenId }, body, signer });
      },
    },
    {
      daysAgo: 12,
      subject: "cinder",
      title: "is registered as the successor of ember",
      registers: true,
      run: succeed,
    },
  ];
}

async function sell(world: World, name: CastName, buyer: Person): Promise<void> {
  const { owner, passportId } = world.agent(name);
  await world.send(owner, {
    address: world.stack.deployment.contracts.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "transferFrom",
    args: [owner.address, world.person(buyer).address, BigInt(passportId)],
  });
}

/** The new owner proves to be a human. The service records a sale within seconds. Until then
 * it refuses a reseal. */
async function reseal(
  world: World,
  name: CastName,
  newOwner: Person,
  soul: DemoSoul,
): Promise<void> {
  const { client, person, agent, join } = world;
  const owner = person(newOwner);
  const { tokenId, passportId } = agent(name);
  const sealed = sealedSoul(soul);
  const proof = await humanProof(world, newOwner, name, 2);
  const body = {
    newSoulHash: sealed.hash,
    newSoulSalt: sealed.salt,
    newSoulMerkleRoot: sealed.root,
    merkleLeaves: sealed.leaves,
    publicFields: publishedOf(soul, CAST[name].published),
    humanProof: proof,
  };
  for (let tries = 1; ; tries += 1) {
    try {
      const input = { path: { tokenId }, body, signer: owner, review: () => true };
      const { apiKey } = await client.sign("resealAgent", input);
      join(name, {
        tokenId,
        passportId,
        apiKey: apiKey ?? "",
        owner,
        soul,
        soulHash: sealed.hash,
        soulSalt: sealed.salt,
      });
      return;
    } catch (error) {
      const isWaiting = error instanceof ApiError && error.code === "SUSPENDED";
      if (!isWaiting || tries === SUSPENSION_TRIES) throw error;
      await delay(500);
    }
  }
}

async function succeed(world: World): Promise<void> {
  const { client, agent, person, join } = world;
  const { soul, owner, published, publicIdentity } = CAST.cinder;
  const signer = person(owner);
  const { hash, salt, root, leaves } = sealedSoul(soul);
  const answer = await client.sign("reincarnateAgent", {
    body: {
      parentTokenId: agent("ember").tokenId,
      newAgentName: soul.identity.name,
      agentType: soul.identity.agent_type,
      soulHash: hash,
      soulSalt: salt,
      soulMerkleRoot: root,
      merkleLeaves: [...leaves],
      ownerAddress: signer.address,
      publicFields: publishedOf(soul, published),
      publicIdentity: { ...publicIdentity, tags: [...publicIdentity.tags] },
    },
    signer,
    review: () => true,
  });
  const { tokenId, erc8004AgentId: passportId, apiKey } = answer;
  join("cinder", {
    tokenId,
    passportId,
    apiKey,
    owner: signer,
    soul,
    soulHash: hash,
    soulSalt: salt,
  });
}
