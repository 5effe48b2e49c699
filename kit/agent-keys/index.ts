import { type Address, createPublicClient, http, sha256, zeroHash } from "viem";
import { agentKeysAbi } from "../../protocol/generated/abi.ts";
import { type AgentKey, currentKeys, parseAgentKeySet } from "../../protocol/index.ts";

/** The key set is not the one that the chain names for the agent. */
export class AgentKeysError extends Error {
  override readonly name = "AgentKeysError";

  constructor(readonly reason: "no_keys" | "other_keys") {
    super(REASONS[reason]);
  }
}

const REASONS = {
  no_keys:
    "The chain names no keys for this agent: its owner set none, the soul is not valid, or the keys need the passport's agentWallet to be the operator.",
  other_keys: "These bytes are not the key set that the chain names for this agent.",
} as const;

export interface AgentKeysQuestion {
  /** A node of the chain that the caller trusts. */
  readonly rpcUrl: string;
  /** The contract AgentKeys, from the deployment that the caller trusts. */
  readonly agentKeys: Address;
  readonly tokenId: bigint;
  /** The key set from any source: `GET /v1/agents/{name}/jwks.json`, or permanent storage. */
  readonly keySet: Uint8Array;
  /** Unix seconds; now by default. */
  readonly time?: number;
  /** Time limit for the node, in milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * The agent's valid public keys, after checking the served bytes against the chain. The source of
 * the bytes need not be trusted. Expired keys are left out.
 *
 * @throws AgentKeysError when the chain names no keys, or other ones.
 * @throws InvalidKeySetError when the content that the owner named is not a key set, or the set of
 * another agent.
 * @throws viem's errors when the node cannot be read: the result is then unknown.
 */
export async function checkedAgentKeys(question: AgentKeysQuestion): Promise<readonly AgentKey[]> {
  const { rpcUrl, agentKeys, tokenId, keySet, timeoutMs = 10_000 } = question;
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: timeoutMs }) });
  const contract = { address: agentKeys, abi: agentKeysAbi } as const;
  const [named, soulRegistry, chainId] = await Promise.all([
    client.readContract({ ...contract, functionName: "keysOf", args: [tokenId] }),
    client.readContract({ ...contract, functionName: "SOUL_REGISTRY" }),
    client.getChainId(),
  ]);
  if (named === zeroHash) throw new AgentKeysError("no_keys");
  if (sha256(keySet) !== named) throw new AgentKeysError("other_keys");
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(keySet);
  const set = parseAgentKeySet(text, { chainId, soulRegistry, tokenId });
  return currentKeys(set, question.time ?? Math.floor(Date.now() / 1000));
}
