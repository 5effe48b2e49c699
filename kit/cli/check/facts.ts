import { type Address, isAddress, type PublicClient, zeroAddress } from "viem";
import type { SoulFacts } from "../../../protocol/endpoints/index.ts";
import { identityRegistryAbi } from "../../../protocol/generated/abi.ts";
import { serviceMetadata } from "../../../protocol/service-metadata.ts";
import { readSoul } from "../../agent/soul.ts";
import { unlessReverted } from "../../did/chain.ts";
import { findAgent, parseAgentReference } from "../agent/reference.ts";
import { CommandError, type CommandInput, UsageError } from "../command.ts";
import {
  agentContracts,
  contractOf,
  findDeployment,
  type KnownDeployment,
  requireDeployment,
} from "../deployment.ts";
import { serviceClient } from "../service.ts";

/** The identity registries of ERC-8004 (as published with version 2.0.0), by chain id. */
const OFFICIAL_REGISTRIES: Readonly<Record<number, Address>> = {
  8453: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  84532: "0x8004A818BFB912233c491871b3d84c89A494BD9e",
};

/** What the chain has of an agent, all of one block. */
export interface OnChain {
  readonly chainId: number;
  readonly blockNumber: bigint;
  readonly registry: Address;
  readonly agentId: bigint;
  readonly owner: Address;
  readonly uri: string;
  readonly hasWallet: boolean;
  /** Null where no soul registry is known. */
  readonly soul: (SoulFacts & { readonly name: string | null }) | null;
}

/**
 * Reads the agent that the argument names. A passport needs the node alone.
 *
 * @throws CommandError when it does not exist.
 */
export async function readOnChain(input: CommandInput, client: PublicClient): Promise<OnChain> {
  const reference = parseAgentReference(input.argument);
  const deployment =
    reference.passportId === null || input.flag("certificate")
      ? await requireDeployment(input)
      : await findDeployment(input);
  const [chainId, latest] = await Promise.all([client.getChainId(), client.getBlockNumber()]);
  if (reference.chainId !== null && reference.chainId !== chainId) {
    throw new CommandError(`The DID is of chain ${reference.chainId}, the node of ${chainId}.`);
  }
  const found = deployment === null ? null : await findAgent(input, client, deployment);
  const blockNumber = found?.blockNumber ?? latest;
  const soul =
    deployment === null || found === null || found.tokenId === 0n
      ? null
      : await readSoul({ client, contracts: agentContracts(deployment), agent: found });
  const agentId = soul?.record.passportId ?? reference.passportId;
  if (agentId === null) throw new CommandError(`There is no agent ${reference.name}.`, "", 1);

  const registry = registryOf(input, chainId, deployment);
  const passports = { address: registry, abi: identityRegistryAbi, blockNumber } as const;
  const args = [agentId] as const;
  const [owner, uri, wallet] = await Promise.all([
    unlessReverted(client.readContract({ ...passports, functionName: "ownerOf", args })),
    unlessReverted(client.readContract({ ...passports, functionName: "tokenURI", args })),
    unlessReverted(client.readContract({ ...passports, functionName: "getAgentWallet", args })),
  ]);
  if (owner === null) throw new CommandError(`There is no passport ${agentId}.`, "", 1);
  const of = { chainId, blockNumber, registry, agentId, owner, uri: uri ?? "" };
  const hasWallet = wallet !== null && wallet !== zeroAddress;
  if (deployment === null) return { ...of, hasWallet, soul: null };
  if (soul === null || found === null) {
    return { ...of, hasWallet, soul: { ...NO_SOUL, name: null } };
  }
  const { tokenId } = found;
  return { ...of, hasWallet, soul: await soulFacts(input, client, { ...of, tokenId, soul }) };
}

const NO_SOUL: SoulFacts = {
  state: "none",
  metadataCurrent: false,
  didPublished: false,
  identityPublished: false,
};

async function soulFacts(
  input: CommandInput,
  client: PublicClient,
  {
    registry,
    agentId,
    blockNumber,
    tokenId,
    soul,
  }: Pick<OnChain, "registry" | "agentId" | "blockNumber"> & {
    readonly tokenId: bigint;
    readonly soul: Awaited<ReturnType<typeof readSoul>>;
  },
): Promise<SoulFacts & { readonly name: string }> {
  const { record, validity, status, didArchiveId } = soul;
  const { name, soulHash } = record;
  if (status === "NONE" || status === "BURNED") return { ...NO_SOUL, name };
  const state =
    validity === "VALID" ? "valid" : validity === "SUSPENDED" ? "suspended" : "provisional";
  const isValid = state === "valid";
  const expected = serviceMetadata({ tokenId, soulHash, archiveId: null, status: "SEALED" });
  const found = await Promise.all(
    expected.map(([key]) =>
      client.readContract({
        address: registry,
        abi: identityRegistryAbi,
        functionName: "getMetadata",
        args: [agentId, key],
        blockNumber,
      }),
    ),
  );
  return {
    name,
    state,
    metadataCurrent: isValid && expected.every(([, value], index) => found[index] === value),
    didPublished: isValid && didArchiveId !== null,
    identityPublished: isValid ? await identityPublished(input, name) : false,
  };
}

/** Whether a public identity is published. Only the service knows: null where none is given. */
async function identityPublished(input: CommandInput, name: string): Promise<boolean | null> {
  if (input.option("service") === undefined) return null;
  const profile = await serviceClient(input, null).call("getProfile", { path: { name } });
  return profile.publicIdentity !== null;
}

/** The registry of passports. @throws UsageError */
function registryOf(
  input: CommandInput,
  chainId: number,
  deployment: KnownDeployment | null,
): Address {
  if (deployment !== null) return contractOf(deployment, "identityRegistry");
  const named = input.option("registry");
  if (named !== undefined) {
    if (isAddress(named)) return named;
    throw new UsageError("--registry is no address, or its checksum is wrong.");
  }
  const official = OFFICIAL_REGISTRIES[chainId];
  if (official !== undefined) return official;
  throw new UsageError(
    `No identity registry is known on chain ${chainId}. Name it with --registry, or give --deployment.`,
  );
}
