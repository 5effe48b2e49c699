import type { PublicClient } from "viem";
import { InvalidDidError, parseDid } from "../../../protocol/did.ts";
import { isValidName, legalName, parsePassportName } from "../../../protocol/names.ts";
import { tokenIdOf } from "../../agent/token-id.ts";
import { CommandError, type CommandInput, UsageError } from "../command.ts";
import { contractOf, type KnownDeployment } from "../deployment.ts";

/** The argument that names an agent. */
export const AGENT_ARGUMENT: {
  readonly value: string;
  readonly summary: string;
} = {
  value: "agent",
  summary: "The agent's name, passport id or DID",
};

/** How a person names an agent: by exactly one of name and passport. */
export interface AgentReference {
  readonly name: string | null;
  readonly passportId: bigint | null;
  /** Null where the text names no chain. */
  readonly chainId: number | null;
}

/** The agent that a reference names on chain. */
export interface FoundAgent {
  readonly registry: `0x${string}`;
  /** The block of the read, and of all that follow. */
  readonly blockNumber: bigint;
  /** 0 for no soul. */
  readonly tokenId: bigint;
}

/** @throws UsageError for a text that is neither a name, nor a passport id, nor a DID. */
export function parseAgentReference(text: string): AgentReference {
  if (/^[0-9]{1,78}$/.test(text)) return { name: null, passportId: BigInt(text), chainId: null };
  if (text.startsWith("did:")) return didReference(text);
  const found = referenceOf(text, null);
  if (found !== null) return found;
  const near = legalName(text);
  const meant = near === null ? "" : ` Did you mean ${near}?`;
  throw new UsageError(`This is not an agent's name, passport id or DID.${meant}`);
}

/**
 * Finds the agent of the argument in the latest block.
 *
 * @throws CommandError when node, deployment and DID are of different chains.
 */
export async function findAgent(
  { argument }: CommandInput,
  client: PublicClient,
  deployment: KnownDeployment,
): Promise<FoundAgent & AgentReference> {
  const reference = parseAgentReference(argument);
  const registry = contractOf(deployment, "soulRegistry");
  const [chainId, blockNumber] = await Promise.all([client.getChainId(), client.getBlockNumber()]);
  if (chainId !== deployment.chainId) {
    throw new CommandError(
      `The node is of chain ${chainId}, the deployment file of chain ${deployment.chainId}.`,
      "Use a node and a deployment file of one chain.",
    );
  }
  if (reference.chainId !== null && reference.chainId !== chainId) {
    throw new CommandError(
      `The DID is of chain ${reference.chainId}, the node of chain ${chainId}.`,
      "Use a node and a deployment file of the DID's chain.",
    );
  }
  const tokenId = await tokenIdOf(client, registry, { ...reference, blockNumber });
  return { ...reference, registry, blockNumber, tokenId };
}

function didReference(did: string): AgentReference {
  try {
    // No chain has the id 0: it stands for a DID without a chain id.
    const { chainId, name } = parseDid(did, 0);
    const found = referenceOf(name, chainId === 0 ? null : chainId);
    if (found !== null) return found;
  } catch (error) {
    if (error instanceof InvalidDidError) throw new UsageError(error.message);
    throw error;
  }
  throw new UsageError("This DID does not name an agent.");
}

function referenceOf(name: string, chainId: number | null): AgentReference | null {
  const passportId = parsePassportName(name);
  if (passportId !== null) return { name: null, passportId, chainId };
  return isValidName(name) ? { name, passportId: null, chainId } : null;
}
