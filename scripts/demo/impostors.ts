import { zeroHash } from "viem";
import { identityRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { register } from "./registrations.ts";
import type { Step } from "./step.ts";
import type { World } from "./world.ts";

/** A name that looks like another agent's, a copied soul, and a passport without a soul. */
export function impostorSteps(): Step[] {
  return [
    {
      daysAgo: 25,
      subject: "petra",
      title: "registers a passport without a soul",
      run: ({ stack, person, send }) =>
        send(person("petra"), {
          address: stack.deployment.contracts.identityRegistry,
          abi: identityRegistryAbi,
          functionName: "register",
          args: [PASSPORT_FILE],
        }),
    },
    {
      daysAgo: 23,
      subject: "aur0ra",
      title: "is registered under a name that looks like aurora's",
      registers: true,
      run: (world) => register(world, "aur0ra"),
    },
    {
      daysAgo: 18,
      subject: "quill-too",
      title: "is registered",
      registers: true,
      run: (world) => register(world, "quill-too"),
    },
    { daysAgo: 17, subject: "quill-too", title: "copies the soul of quill", run: copySoul },
  ];
}

const FILE = {
  type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
  name: "ferry",
  description: "An agent of another service. It has a passport, and no soul.",
  image: "",
  active: true,
  services: [{ name: "web", endpoint: "https://ferry.example" }],
  registrations: [],
};
const PASSPORT_FILE = `data:application/json;base64,${btoa(JSON.stringify(FILE))}`;

/** The contract accepts any hash from an owner. Pages show that another agent had it first. */
async function copySoul({ stack, agent, read, send }: World): Promise<void> {
  const registry = { address: stack.deployment.contracts.soulRegistry, abi: soulRegistryAbi };
  const { owner, tokenId } = agent("quill-too");
  const of = (id: number) => [BigInt(id)] as const;
  const [original, own, version] = await Promise.all([
    read({ ...registry, functionName: "soulOf", args: of(agent("quill").tokenId) }),
    read({ ...registry, functionName: "soulOf", args: of(tokenId) }),
    read({ ...registry, functionName: "versionOf", args: of(tokenId) }),
  ]);
  const evolution = {
    tokenId: BigInt(tokenId),
    epoch: own.epoch,
    version,
    category: "technical",
    changeType: "soul_revision",
    previousSoulHash: own.soulHash,
    newSoulHash: original.soulHash,
    newSoulMerkleRoot: original.soulMerkleRoot,
    dataHash: original.soulHash,
    agentURI: "",
    // The owner's own call needs neither.
    nonce: 0n,
    deadline: 0n,
  };
  await send(owner, {
    ...registry,
    functionName: "revise",
    args: [evolution, zeroHash, "0x"],
  });
}
