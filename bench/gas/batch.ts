import type { Hex } from "viem";
import { organizationRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  NO_EXPECTED_IDS,
  SOUL_REGISTRY_TYPES,
  soulRegistryDomain,
} from "../../protocol/typed-data.ts";
import type { Comparison } from "../lib/report.ts";
import { agentOf } from "./agents.ts";
import { DEADLINE, hashOf, type World } from "./world.ts";

/** The most gas that one transaction may use (EIP-7825): its gas limit, thus before refunds. */
const TRANSACTION_GAS_CAP = 16_777_216;
const AIM = 0.92;
/** The largest batch that the API accepts. */
const AGENTS = 50;

/**
 * The gas limit that 50 agents of an organization in one transaction need, compared with the chain's cap and not with a peer.
 */
export async function compareBatch(world: World): Promise<Comparison> {
  const { gas } = await world.client.getTransaction({ hash: await sendBatch(world) });
  return {
    what: `registerBatch of ${AGENTS} agents of an organization, the gas limit that it needs`,
    ours: Number(gas),
    peer: { name: "the most that a transaction may use", value: TRANSACTION_GAS_CAP },
    aim: { text: "at most 92 %", atMost: AIM * TRANSACTION_GAS_CAP },
    bound: "each agent's passport, certificate and record: words written for the first time.",
  };
}

/**
 * Registers the agents with no more gas than that takes. This is the most expensive case: owner and organization are new,
 * names have the greatest length, and each agent has an operator.
 */
export async function sendBatch(world: World): Promise<Hex> {
  const owner = world.wallet(7);
  const agents = Array.from({ length: AGENTS }, (_, index) =>
    agentOf(`fleet-of-agents-with-long-names-${index + 10}`.slice(-32), owner.account.address),
  );
  await world.gasOf(
    owner.writeContract({
      address: world.at.organizations,
      abi: organizationRegistryAbi,
      functionName: "create",
      args: [
        { name: "The Fleet", admin: owner.account.address, nonce: 0n, deadline: DEADLINE },
        "0x",
      ],
    }),
  );
  const batch = {
    owner: owner.account.address,
    organizationId: 1n,
    leaveOutTakenNames: false,
    entries: agents.map(({ owner: _, agentURI: __, archiveId: ___, ...entry }) => entry),
    nonce: BigInt(hashOf("nonce of the batch")),
    deadline: DEADLINE,
  };
  const { RegistrationBatch, BatchEntry } = SOUL_REGISTRY_TYPES;
  const signature = await owner.signTypedData({
    domain: soulRegistryDomain({ chainId: world.chainId, verifyingContract: world.at.souls }),
    types: { RegistrationBatch, BatchEntry },
    primaryType: "RegistrationBatch",
    message: batch,
  });
  const publications = agents.map(({ agentURI, archiveId }) => ({ agentURI, archiveId }));
  const call = {
    address: world.at.souls,
    abi: soulRegistryAbi,
    functionName: "registerBatch",
    args: [batch, publications, NO_EXPECTED_IDS, signature],
    account: world.service.account,
  } as const;
  const gas = await world.client.estimateContractGas(call);
  const transaction = await world.service.writeContract({ ...call, gas });
  await world.receiptOf(Promise.resolve(transaction));
  return transaction;
}
