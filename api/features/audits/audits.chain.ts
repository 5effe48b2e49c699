import type { Address, Hex, PublicClient } from "viem";
import { getAddress, parseEventLogs, zeroAddress } from "viem";
import {
  chronicleAnchorAbi,
  organizationRegistryAbi,
  soulRegistryAbi,
  soulViewAbi,
} from "../../../protocol/generated/abi.ts";
import { chainAnswer } from "../../platform/chain/bounded.ts";
import { ONE_CALL } from "../../platform/chain/multicall.ts";
import { contractReceipt } from "../../platform/chain/receipts.ts";
import { soulIn } from "../../soul/chain-soul.chain.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";
import type { OrganizationFacts } from "./audits.ts";
import type { AuditedChronicle, ChronicleFacts } from "./verification.ts";

/** Longest wait for one answer of the node. */
const TIMEOUT_MS = 10_000;
/** Reads of one word in one call of the node, which limits the gas of a call. */
const AT_ONCE = 40;
/**
 * Souls in one call. A call that brings its own code answers with code, which the chain limits to
 * 24 KiB (EIP-170), and the state of one soul has about one.
 */
const SOULS_AT_ONCE = 10;

export interface AuditedChain {
  readonly client: PublicClient;
  readonly contracts: Readonly<
    Record<"soulView" | "soulRegistry" | "organizationRegistry" | "chronicleAnchor", Address>
  >;
}

// What audits read from the chain. All facts of one audit are of one block.

const ask = <T>(read: () => Promise<T>) => chainAnswer(TIMEOUT_MS, read);

/** @param tokenIds Agents that may be members: those that are not live members are left out. */
export async function organizationFacts(
  chain: AuditedChain,
  organizationId: bigint,
  tokenIds: readonly bigint[],
): Promise<OrganizationFacts> {
  const { client, contracts } = chain;
  const blockNumber = await ask(() => client.getBlockNumber({ cacheTime: 0 }));
  const admin = await ask(() =>
    client.readContract({
      address: contracts.organizationRegistry,
      abi: organizationRegistryAbi,
      functionName: "adminOf",
      args: [organizationId],
      blockNumber,
    }),
  );
  const members: ChainSoul[] = [];
  for (const some of groupsOf(tokenIds, AT_ONCE)) {
    const live = await membersAt(chain, organizationId, some, blockNumber);
    for (const few of groupsOf(live, SOULS_AT_ONCE)) {
      members.push(...(await soulsAt(chain, few, blockNumber)));
    }
  }
  return {
    block: blockNumber,
    admin: admin === zeroAddress ? null : getAddress(admin),
    members,
  };
}

async function soulsAt(
  { client, contracts }: AuditedChain,
  tokenIds: readonly bigint[],
  blockNumber: bigint,
): Promise<ChainSoul[]> {
  const states = await ask(() =>
    client.multicall({
      ...ONE_CALL,
      blockNumber,
      contracts: tokenIds.map((tokenId) => ({
        address: contracts.soulView,
        abi: soulViewAbi,
        functionName: "soulState" as const,
        args: [tokenId] as const,
      })),
    }),
  );
  return states.flatMap(([block, blockTime, state]) => soulIn(state, { block, blockTime }) ?? []);
}

async function membersAt(
  { client, contracts }: AuditedChain,
  organizationId: bigint,
  tokenIds: readonly bigint[],
  blockNumber: bigint,
): Promise<bigint[]> {
  const answers = await ask(() =>
    client.multicall({
      ...ONE_CALL,
      blockNumber,
      contracts: tokenIds.map((tokenId) => ({
        address: contracts.organizationRegistry,
        abi: organizationRegistryAbi,
        functionName: "isMember" as const,
        args: [tokenId, organizationId] as const,
      })),
    }),
  );
  return tokenIds.filter((_, index) => answers[index] === true);
}

/** What the chain has of these chronicles of one agent, as of a block. */
export async function chronicleFacts(
  chain: AuditedChain,
  tokenId: bigint,
  chronicles: readonly AuditedChronicle[],
  blockNumber: bigint,
): Promise<ChronicleFacts> {
  const { client, contracts } = chain;
  const batchIds = new Set(chronicles.flatMap(({ batchId }) => batchId ?? []));
  const roots = new Map<bigint, Hex>();
  for (const some of groupsOf([...batchIds], AT_ONCE)) {
    const answers = await ask(() =>
      client.multicall({
        ...ONE_CALL,
        blockNumber,
        contracts: some.map((batchId) => ({
          address: contracts.chronicleAnchor,
          abi: chronicleAnchorAbi,
          functionName: "rootOf" as const,
          args: [batchId] as const,
        })),
      }),
    );
    for (const [index, root] of answers.entries()) roots.set(some[index] as bigint, root);
  }
  const revisions = new Map<Hex, readonly Hex[] | null>();
  for (const txHash of new Set(chronicles.flatMap((chronicle) => chronicle.txHash ?? []))) {
    const found = await revisionsIn(chain, txHash, tokenId, blockNumber);
    if (found !== undefined) revisions.set(txHash, found);
  }
  return { roots, revisions };
}

async function revisionsIn(
  { client, contracts }: AuditedChain,
  txHash: Hex,
  tokenId: bigint,
  block: bigint,
) {
  const found = await ask(() => contractReceipt(client, txHash, contracts.soulRegistry));
  if (found === null) return undefined;
  if (found.receipt.blockNumber > block) return null;
  return parseEventLogs({ abi: soulRegistryAbi, eventName: "SoulRevised", logs: found.logs })
    .filter(({ args }) => args.tokenId === tokenId)
    .map(({ args }) => args.dataHash);
}

function groupsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
