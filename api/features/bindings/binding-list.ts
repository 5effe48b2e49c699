import type { Address, Hex } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import type { ListPage } from "../../kernel/list-pages.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type {
  IndexedAgents,
  IndexedSoul,
  Reading,
  UnclaimedReads,
} from "../../soul/index-reads.ts";
import { noSuchSoul, type SoulRef } from "../../soul/soul-ref.ts";
import type { BindingAuthority, TrustLevel } from "./pairs.ts";

/** Seen from an agent: bindings that it made, that others made with it, or both. */
export const BINDING_DIRECTIONS = ["inbound", "outbound", "both"] as const;
export type BindingDirection = (typeof BINDING_DIRECTIONS)[number];

/** A binding as indexed. */
export interface IndexedBinding {
  readonly bindingId: Hex;
  readonly fromTokenId: bigint;
  readonly toTokenId: bigint;
  readonly trustLevel: TrustLevel;
  readonly authority: BindingAuthority;
  /** Since when this authority stands behind it. */
  readonly authoritySince: Date;
  /** Null when it cannot be stored as text. */
  readonly context: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly txHash: Hex;
}

/** A binding as a list shows it to one of its agents. */
export interface ListedBinding extends IndexedBinding {
  readonly direction: "inbound" | "outbound";
  readonly partnerTokenId: bigint;
  readonly partnerAgent: string;
  /** Whether both agents are in the epochs of the binding, and their seals are valid. */
  readonly live: boolean;
}

export interface BindingFilter {
  readonly direction: BindingDirection;
  readonly trustLevel: TrustLevel | undefined;
  /** Whether bindings of epochs that ended are listed too. */
  readonly includeEnded: boolean;
}

/** Where a binding is in an agent's list. `createdAt` is in Unix seconds. */
export interface BindingPosition {
  readonly createdAt: bigint;
  readonly fromTokenId: bigint;
  readonly toTokenId: bigint;
}

/** Where a change is in a binding's history: each write raises one of the two. */
export interface ChangePosition {
  readonly version: number;
  readonly serviceVersion: number;
}

/** A change of a binding. */
export interface BindingHistoryEntry {
  readonly previousTrustLevel: TrustLevel | null;
  readonly trustLevel: TrustLevel;
  readonly authority: BindingAuthority;
  /** The owner, or the service's account. */
  readonly setBy: Address;
  readonly epoch: number;
  readonly toEpoch: number;
  readonly context: string | null;
  readonly txHash: Hex;
  readonly changedAt: Date;
}

export interface BindingReads {
  /** The newest first. */
  bindings(
    tokenId: bigint,
    filter: BindingFilter,
    page: ListPage<BindingPosition>,
  ): Promise<
    Reading<{
      readonly total: number;
      readonly bindings: readonly ListedBinding[];
      readonly next: BindingPosition | null;
    }>
  >;
  binding(bindingId: Hex): Promise<IndexedBinding | null>;
  /** The newest first; null when there is no such binding. */
  history(
    bindingId: Hex,
    page: ListPage<ChangePosition>,
  ): Promise<
    Reading<{
      readonly fromAgent: string;
      readonly toAgent: string;
      readonly total: number;
      readonly changes: readonly BindingHistoryEntry[];
      readonly next: ChangePosition | null;
    } | null>
  >;
}

/** The bindings of an agent, or of one that its owner has not claimed: it has none. */
export interface AgentBindings {
  readonly agentName: string;
  /** Null before the claim. */
  readonly tokenId: bigint | null;
  readonly passportId: bigint | null;
  readonly genesisStatus: IndexedSoul["status"];
  readonly total: number;
  readonly bindings: readonly ListedBinding[];
  /** Where the next page begins; null on the last page. */
  readonly next: BindingPosition | null;
}

export type BindingLists = ReturnType<typeof createBindingLists>;

/** Lists of bindings, with their validity: refused with INDEX_BEHIND when that would be old. */
export function createBindingLists(options: {
  readonly reads: BindingReads;
  readonly agents: IndexedAgents;
  readonly unclaimed: UnclaimedReads["unclaimed"];
  readonly age: IndexAge;
}) {
  const { reads, agents, unclaimed, age } = options;
  return {
    async ofAgent(
      reference: SoulRef,
      filter: BindingFilter,
      page: ListPage<BindingPosition>,
    ): Promise<Reading<AgentBindings>> {
      const { at, value: agent } = await agents.agent(reference);
      if (agent === null) {
        if (reference.kind === "name" && (await unclaimed(reference.name)) !== null) {
          const agentName = reference.name;
          const genesisStatus = "PROVISIONAL";
          const none = { tokenId: null, passportId: null, total: 0, bindings: [], next: null };
          return { at, value: { ...none, agentName, genesisStatus } };
        }
        throw noSuchSoul(reference);
      }
      const { tokenId, passportId, name, status } = agent.soul;
      const listed = await reads.bindings(tokenId, filter, page);
      if (!age.isFresh(listed.at)) throw age.behind(listed.at);
      return {
        at: listed.at,
        value: { ...listed.value, agentName: name, tokenId, passportId, genesisStatus: status },
      };
    },

    async history(bindingId: Hex, page: ListPage<ChangePosition>) {
      const { at, value } = await reads.history(bindingId, page);
      if (value === null) {
        throw new ApiError("NOT_FOUND", { message: "There is no binding with this id." });
      }
      return { at, value };
    },
  };
}
