import type { DisclosurePolicy, PolicyInput } from "../../../protocol/index.ts";
import { InvalidPolicyError, normalisePolicy } from "../../../protocol/index.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import { authoriseInEpoch } from "./acting.ts";

/** A policy as it was set. */
export interface StoredPolicy {
  readonly id: string;
  readonly policy: DisclosurePolicy;
  readonly createdAt: Date;
  /** When it was replaced or deactivated; null while it is active. */
  readonly endedAt: Date | null;
}

/** Policies of one seal epoch each. */
export interface PolicyStore {
  /** Stores a policy, and ends the active one. Does nothing when its id is known. */
  replace(soul: SoulEpoch, policy: StoredPolicy): Promise<void>;
  /** The active one, then the newest first, at most `limit`. */
  list(soul: SoulEpoch, limit: number): Promise<readonly StoredPolicy[]>;
  /** Ends an active policy. Resolves to the policy; null when the epoch has no such one. */
  end(soul: SoulEpoch, policyId: string, at: Date): Promise<StoredPolicy | null>;
}

/** Policies in a list: the active one and the newest of those that ended. */
const LISTED = 20;

export interface PolicyList {
  readonly passportId: bigint;
  readonly policies: readonly StoredPolicy[];
}

export type Policies = ReturnType<typeof createPolicies>;

/** The disclosure policies of agents. They end with the seal epoch they were set in. */
export function createPolicies(deps: {
  readonly store: PolicyStore;
  readonly souls: ChainSouls;
  readonly chainId: number;
  readonly clock: () => Date;
}) {
  const { store, souls, chainId, clock } = deps;
  return {
    /**
     * Sets an agent's policy. It replaces the active one.
     *
     * @param id Of the operation: a repetition with it stores nothing.
     * @throws ApiError INVALID_REQUEST; of the caller's access.
     */
    async set(caller: Caller, tokenId: bigint, input: PolicyInput, id: string) {
      const policy = normalised(input, chainId);
      const soul = await requireSoul(souls, tokenId, "owned");
      authoriseInEpoch(soul, caller, "writes");
      const stored: StoredPolicy = { id, policy, createdAt: clock(), endedAt: null };
      await store.replace(soul, stored);
      return { set: stored, passportId: soul.passportId };
    },

    /** Policies of the agent's present epoch: the active one, then the newest ended ones. */
    async list(caller: Caller, tokenId: bigint): Promise<PolicyList> {
      const soul = await requireSoul(souls, tokenId, "live");
      authoriseInEpoch(soul, caller, "reads");
      return { passportId: soul.passportId, policies: await store.list(soul, LISTED) };
    },

    /**
     * Deactivates a policy. Doing it again changes nothing.
     *
     * @throws ApiError NOT_FOUND; of the caller's access.
     */
    async end(caller: Caller, tokenId: bigint, policyId: string): Promise<StoredPolicy> {
      const soul = await requireSoul(souls, tokenId, "owned");
      authoriseInEpoch(soul, caller, "writes");
      const ended = await store.end(soul, policyId, clock());
      if (ended === null) {
        throw new ApiError("NOT_FOUND", {
          message: `The agent with token id ${tokenId} has no policy with this id.`,
        });
      }
      return ended;
    },
  };
}

function normalised(input: PolicyInput, chainId: number): DisclosurePolicy {
  try {
    return normalisePolicy(input, chainId);
  } catch (error) {
    if (!(error instanceof InvalidPolicyError)) throw error;
    throw badRequest(`policy.${error.path}`, error.problem);
  }
}
