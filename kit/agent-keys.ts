import { type Address, createPublicClient, type Hex, http, sha256, zeroHash } from "viem";
import { agentKeysAbi } from "../protocol/generated/abi.ts";
import { type AgentKey, currentKeys, parseAgentKeySet } from "../protocol/index.ts";

/** A key set is not the one that the chain names for the agent. */
export class AgentKeysError extends Error {
  override readonly name = "AgentKeysError";

  constructor(readonly reason: "no_keys" | "other_keys") {
    super(REASONS[reason]);
  }
}

const REASONS = {
  no_keys: "The chain names no keys for this agent: its owner set none, or the soul is not valid.",
  other_keys: "These bytes are not the key set that the chain names for this agent.",
} as const;

export interface AgentKeysQuestion {
  /** A node of the chain that the caller trusts. */
  readonly rpcUrl: string;
  /** The contract AgentKeys, from the deployment that the caller trusts. */
  readonly agentKeys: Address;
  readonly tokenId: bigint;
  /** The key set as it was served, by anybody: `GET /v1/agents/{name}/jwks.json`, or permanent storage. */
  readonly keySet: Uint8Array;
  /** Unix seconds; now by default. */
  readonly time?: number;
  /** How long the node may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * The keys that speak for an agent now, after checking the served bytes against the chain. Whoever served them need not be trusted.
 * Keys that ended are left out.
 *
 * @throws AgentKeysError when the chain names no keys, or others.
 * @throws InvalidKeySetError when what the owner had named is no key set.
 * @throws Error of viem's when the node cannot be asked: then nothing was found out.
 */
export async function checkedAgentKeys(question: AgentKeysQuestion): Promise<readonly AgentKey[]> {
  const { rpcUrl, agentKeys, tokenId, keySet, timeoutMs = 10_000 } = question;
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: timeoutMs }) });
  const named: Hex = await client.readContract({
    address: agentKeys,
    abi: agentKeysAbi,
    functionName: "keysOf",
    args: [tokenId],
  });
  if (named === zeroHash) throw new AgentKeysError("no_keys");
  if (sha256(keySet) !== named) throw new AgentKeysError("other_keys");
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(keySet);
  return currentKeys(parseAgentKeySet(text), question.time ?? Math.floor(Date.now() / 1000));
}
