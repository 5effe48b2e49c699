import { type Hex, zeroHash } from "viem";
import {
  type AgentKey,
  type AgentKeySet,
  agentKeySet,
  agentKeySetJson,
  agentKeysHash,
  archiveIdOf,
  canonicalJson,
  currentKeys,
  type KeySetAgent,
} from "../../../protocol/index.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { ArchivedContent, ContentIds } from "../../operations/operation.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { OperationKind, OwnerEvidence } from "../../operations/soul-operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";

/** The public keys that an owner sets for its agent. */
export interface KeySetUpdateRequest {
  readonly tokenId: bigint;
  /** How the request names the agent; null where it is only prepared. */
  readonly agent: SoulRef | null;
  /** In the order of a set; null withdraws the keys. */
  readonly keys: readonly AgentKey[] | null;
  /** Whether the keys need the passport's agentWallet to be the operator. */
  readonly onlyWithAgentWallet: boolean;
}

/** Stored with the operation until it ends. */
export interface KeySetUpdatePayload {
  readonly name: string;
  readonly passportId: bigint;
  readonly archiveId: string | null;
  readonly totalKeys: number;
}

export interface KeySetUpdateResult {
  readonly name: string;
  readonly passportId: bigint;
  readonly totalKeys: number;
  /** Null once withdrawn, as the archive's id is. */
  readonly keysHash: Hex | null;
  readonly onlyWithAgentWallet: boolean;
  readonly archiveId: string | null;
  readonly txHash: Hex;
}

export type KeySetUpdateKind = OperationKind<
  KeySetUpdateRequest,
  "SetAgentKeys",
  KeySetUpdatePayload,
  KeySetUpdateResult
>;

/** Twice the gas of a first key set. */
const GAS = 300_000n;

/**
 * Sets or withdraws the public keys of an agent. The set is archived, and the contract AgentKeys
 * names its hash.
 */
export function keySetUpdateKind({
  chainId,
  soulRegistry,
  ids,
  setKeys,
  clock,
}: Omit<KeySetAgent, "tokenId"> & {
  readonly ids: ContentIds;
  readonly setKeys: (evidence: OwnerEvidence<"SetAgentKeys">) => Call;
  readonly clock: () => Date;
}): KeySetUpdateKind {
  return {
    kind: "agent_keys",
    messageName: "SetAgentKeys",
    gas: GAS,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId, agent, keys, onlyWithAgentWallet }) => ({
      tokenId: tokenId.toString(),
      name: agent?.kind === "name" ? agent.name : null,
      keys: keys === null ? null : canonicalJson({ keys }),
      onlyWithAgentWallet,
    }),

    async plan({ tokenId, agent, keys, onlyWithAgentWallet }, soul) {
      if (agent?.kind === "name" && agent.name !== soul.name) {
        throw badRequest("tokenId", `This is the token id of ${soul.name}`);
      }
      if (agent?.kind === "tokenId" && agent.tokenId !== tokenId) {
        throw badRequest("tokenId", `The path says ${agent.tokenId}`);
      }
      if (soul.status !== "SEALED") {
        throw new ApiError("FORBIDDEN", { message: "This soul is not sealed yet." });
      }
      const set = keys && agentKeySet(keys, { chainId, soulRegistry, tokenId });
      if (set !== null) assertCurrent(set, clock());
      const item = set === null ? null : contentOf(set);
      const archiveId = item === null ? null : await ids.idOf(item);
      return {
        fields: {
          keysHash: set === null ? zeroHash : agentKeysHash(set),
          archiveId: archiveId === null ? zeroHash : archiveIdOf(archiveId),
          onlyWithAgentWallet,
        },
        payload: {
          name: soul.name,
          passportId: soul.passportId,
          archiveId,
          totalKeys: set?.keys.length ?? 0,
        },
        items: item === null ? [] : [item],
      };
    },

    call: ({ evidence }) => setKeys(evidence),

    async result({ payload, evidence }, { txHash }) {
      const { keysHash, onlyWithAgentWallet } = evidence.message;
      return {
        ...payload,
        keysHash: keysHash === zeroHash ? null : keysHash,
        onlyWithAgentWallet,
        txHash,
      };
    },
  };
}

/** The bytes whose hash the chain names. */
function contentOf(set: AgentKeySet): ArchivedContent {
  return {
    data: new TextEncoder().encode(agentKeySetJson(set)),
    contentType: "application/json",
  };
}

/** Refuses keys that have ended: they would be in force for no moment. */
function assertCurrent(set: AgentKeySet, now: Date): void {
  const current = currentKeys(set, Number(unixSeconds(now)));
  const ended = set.keys.filter((key) => !current.includes(key));
  if (ended.length === 0) return;
  throw new ApiError("INVALID_REQUEST", {
    details: {
      issues: ended.map(({ kid }) => ({
        path: "keys",
        message: `The key ${kid} has ended: choose a later exp, or leave the key out`,
      })),
    },
  });
}
