import type { PublicClient } from "viem";
import { InvalidDidError, parseDid } from "../../../protocol/did.ts";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { isValidName, legalName, parsePassportName } from "../../../protocol/names.ts";
import { tokenIdOf } from "../../agent/token-id.ts";
import { CommandError, type CommandInput, type CommandOption, UsageError } from "../command.ts";
import { contractOf, type KnownDeployment } from "../deployment.ts";

/** The argument that names an agent. */
export const AGENT_ARGUMENT: {
  readonly value: string;
  readonly summary: string;
} = {
  value: "agent",
  summary: "The agent's name, passport id or DID",
};

/** The option that gives a number its other meaning. */
export const CERTIFICATE_OPTION: CommandOption = {
  name: "certificate",
  value: null,
  summary: "The number is a certificate's (a tokenId), and no passport's",
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

const DIGITS = /^[0-9]{1,78}$/;

/** The number of `--certificate`; null without that option. @throws UsageError for no number. */
export function certificateOf({ flag }: CommandInput, text: string): bigint | null {
  if (!flag("certificate")) return null;
  if (DIGITS.test(text)) return BigInt(text);
  throw new UsageError("--certificate belongs to a number. A name or DID needs none.");
}

/** Says that a number, which was read as a passport's, is the certificate of another agent too. */
export function noteCertificate(
  { io }: CommandInput,
  number: bigint,
  { name, passportId }: { readonly name: string; readonly passportId: bigint | number },
): void {
  io.note(
    `${number} is read as a passport. Certificate ${number} is ${name}, with passport ${passportId}: add --certificate for it.`,
  );
}

/** @throws UsageError for a text that is neither a name, nor a passport id, nor a DID. */
export function parseAgentReference(text: string): AgentReference {
  if (DIGITS.test(text)) return { name: null, passportId: BigInt(text), chainId: null };
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
  input: CommandInput,
  client: PublicClient,
  deployment: KnownDeployment,
): Promise<FoundAgent & AgentReference> {
  const { argument } = input;
  const certificate = certificateOf(input, argument);
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
  const souls = { client, registry, blockNumber };
  if (certificate !== null) {
    const soul = await soulNumbered(souls, certificate);
    if (soul === null) throw new CommandError(`There is no certificate ${certificate}.`, "", 1);
    const { name } = soul;
    return { name, passportId: null, chainId: null, registry, blockNumber, tokenId: certificate };
  }
  const tokenId = await tokenIdOf(client, registry, { ...reference, blockNumber });
  if (DIGITS.test(argument) && BigInt(argument) !== tokenId) {
    const other = await soulNumbered(souls, BigInt(argument));
    if (other !== null) noteCertificate(input, BigInt(argument), other);
  }
  return { ...reference, registry, blockNumber, tokenId };
}

/** The soul with this token id; null for none. */
async function soulNumbered(
  {
    client,
    registry,
    blockNumber,
  }: {
    readonly client: PublicClient;
    readonly registry: `0x${string}`;
    readonly blockNumber: bigint;
  },
  tokenId: bigint,
): Promise<{ readonly name: string; readonly passportId: bigint } | null> {
  const { status, name, passportId } = await client.readContract({
    address: registry,
    abi: soulRegistryAbi,
    functionName: "soulOf",
    args: [tokenId],
    blockNumber,
  });
  return status === 0 ? null : { name, passportId };
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
