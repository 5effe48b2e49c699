import { type Hex, sha256 } from "viem";
import {
  type AgentKeySet,
  InvalidKeySetError,
  type KeySetAgent,
  parseAgentKeySet,
  storageIdOf,
} from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { storedContent } from "../../platform/storage/stored-content.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { IndexedAgents, IndexedSoul, Reading } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { calledOf } from "../../soul/soul-ref.ts";
import { validityOf } from "../../soul/validity.ts";

/** The keys that an owner last set, as the chain names them. */
export interface KeySetRecord {
  readonly epoch: number;
  /** Null, like the archive, once withdrawn. */
  readonly keysHash: Hex | null;
  readonly archiveId: Hex | null;
  /** False for keys that need the passport's agentWallet to be the operator, while it is not. */
  readonly hasAgentWallet: boolean;
}

/** A key set and its archived bytes, which hash to what the chain names. */
export interface ArchivedKeySet {
  readonly json: string;
  readonly set: AgentKeySet;
}

export type KeySets = ReturnType<typeof createKeySets>;

/**
 * The public keys that speak for agents, outside the chain.
 *
 * @param keys The index: null when the owner never set keys.
 * @param stored What permanent storage holds, checked against its id; null for nothing.
 */
export function createKeySets({
  chainId,
  soulRegistry,
  reads,
  keys,
  age,
  stored,
}: Omit<KeySetAgent, "tokenId"> & {
  readonly reads: IndexedAgents;
  readonly keys: { keysOf(tokenId: bigint): Promise<Reading<KeySetRecord | null>> };
  readonly age: Pick<IndexAge, "isFresh" | "behind">;
  readonly stored: (id: string) => Promise<{ readonly data: Uint8Array } | null>;
}) {
  /**
   * The keys set in a soul's epoch. Call it for valid souls only. Null for none, and for an archive whose bytes are not the key set
   * that the chain names, or name another agent: an owner can have anything named there.
   *
   * @throws ApiError STORAGE_UNAVAILABLE; INDEX_BEHIND, so that keys that were withdrawn do not go on speaking for the agent.
   */
  async function inEpoch({
    tokenId,
    epoch,
  }: Pick<IndexedSoul, "tokenId" | "epoch">): Promise<ArchivedKeySet | null> {
    const { at, value: record } = await keys.keysOf(tokenId);
    if (record === null || record.epoch !== epoch || !record.hasAgentWallet) return null;
    const { keysHash, archiveId } = record;
    if (keysHash === null || archiveId === null) return null;
    if (!age.isFresh(at)) throw age.behind(at);
    const id = storageIdOf(archiveId);
    const { data } = await storedContent(stored, id, { keySet: `ar://${id}` });
    const agent = { chainId, soulRegistry, tokenId };
    return sha256(data) === keysHash ? keySetIn(data, agent) : null;
  }

  /**
   * The keys of an agent now.
   *
   * @throws ApiError NOT_FOUND without keys, also while the soul is not valid; STORAGE_UNAVAILABLE, INDEX_BEHIND.
   */
  async function of(agent: SoulRef): Promise<Reading<ArchivedKeySet>> {
    const { at, value } = await requireAgent(reads, agent);
    const keySet = validityOf(value) === "valid" ? await inEpoch(value.soul) : null;
    if (keySet !== null) return { at, value: keySet };
    throw new ApiError("NOT_FOUND", {
      message: `No keys speak for the agent ${calledOf(agent)} now: its owner set none, the soul is not valid, or the keys need the passport's agentWallet to be the operator.`,
    });
  }

  return { inEpoch, of };
}

function keySetIn(data: Uint8Array, agent: KeySetAgent): ArchivedKeySet | null {
  const json = new TextDecoder().decode(data);
  try {
    return { json, set: parseAgentKeySet(json, agent) };
  } catch (error) {
    if (error instanceof InvalidKeySetError) return null;
    throw error;
  }
}
