import type { Address, PublicClient } from "viem";
import {
  bindingRegistryAbi,
  organizationRegistryAbi,
  soulViewAbi,
} from "../../../../protocol/generated/abi.ts";
import { NAMED_VALUES } from "../../../../protocol/index.ts";
import { chainAnswer } from "../../../platform/chain/bounded.ts";
import { ONE_CALL } from "../../../platform/chain/multicall.ts";
import { soulIn } from "../../../soul/chain-soul.chain.ts";
import type { PairFacts } from "../context.ts";

const TIMEOUT_MS = 5_000;

/** In the order of IBindingRegistry.Authority. */
const AUTHORITIES = ["NONE", "SERVICE", "OWNER"] as const;

/**
 * Reads two agents in one `eth_call`, so that all facts are of one block: a sale, an ended
 * membership or a revoked binding cannot fall between two of them.
 */
export async function readPair(
  client: PublicClient,
  contracts: Readonly<Record<"soulView" | "bindingRegistry" | "organizationRegistry", Address>>,
  targetTokenId: bigint,
  requesterTokenId: bigint,
): Promise<PairFacts> {
  const soulState = {
    address: contracts.soulView,
    abi: soulViewAbi,
    functionName: "soulState",
  } as const;
  const organizationOf = {
    address: contracts.organizationRegistry,
    abi: organizationRegistryAbi,
    functionName: "organizationOf",
  } as const;
  const bindingOf = {
    address: contracts.bindingRegistry,
    abi: bindingRegistryAbi,
    functionName: "bindingOf",
  } as const;
  const [target, requester, binding, targetOrganization, requesterOrganization] = await chainAnswer(
    TIMEOUT_MS,
    () =>
      client.multicall({
        ...ONE_CALL,
        contracts: [
          { ...soulState, args: [targetTokenId] },
          { ...soulState, args: [requesterTokenId] },
          { ...bindingOf, args: [targetTokenId, requesterTokenId] },
          { ...organizationOf, args: [targetTokenId] },
          { ...organizationOf, args: [requesterTokenId] },
        ],
      }),
  );
  const [level, authorityIndex, , live] = binding;
  const trustLevel = NAMED_VALUES.trustLevel[level];
  const authority = AUTHORITIES[authorityIndex];
  if (trustLevel === undefined || authority === undefined) {
    throw new Error(`The registry answered an unknown binding: ${level}, ${authorityIndex}.`);
  }
  return {
    target: soulOf(target),
    requester: soulOf(requester),
    binding: { trustLevel, authority, live },
    targetOrganization,
    requesterOrganization,
  };
}

function soulOf([block, blockTime, state]: readonly [
  bigint,
  bigint,
  Parameters<typeof soulIn>[0],
]) {
  return soulIn(state, { block, blockTime });
}
