import type { Address } from "viem";
import type { AgentTypeName } from "../../../protocol/agent-type.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ListPage } from "../../kernel/list-pages.ts";

/** An organization as indexed. */
export interface OrganizationRecord {
  readonly organizationId: bigint;
  /** As its founder wrote it: untrusted, not unique. Empty when it cannot be stored as text. */
  readonly name: string;
  readonly admin: Address;
  /** Named by the admin and not accepted yet; null without one. */
  readonly pendingAdmin: Address | null;
  /** As the registry counts: a membership that has no effect counts until it is removed. */
  readonly memberCount: number;
  readonly createdAt: Date;
}

/**
 * `active`: it has effect. `suspended`: the agent's passport has left its sealer. `ended`: it was made in an earlier epoch, or the
 * agent was burned, and the registry has not removed it yet.
 */
export const MEMBERSHIP_STATES = ["active", "suspended", "ended"] as const;
export type MembershipState = (typeof MEMBERSHIP_STATES)[number];

export interface MemberRecord {
  readonly tokenId: bigint;
  readonly agentName: string;
  readonly agentType: AgentTypeName;
  /** The last recorded score; null without one. */
  readonly soulAlignment: number | null;
  readonly addedAt: Date;
  readonly status: MembershipState;
}

/** Every order ends with the token id. */
export const MEMBER_ORDERS = ["addedAt", "agentName", "soulAlignment"] as const;
export type MemberOrder = (typeof MEMBER_ORDERS)[number];

/** Where a member is in an order. */
export type MemberPosition =
  | { readonly order: "addedAt"; readonly block: bigint; readonly tokenId: bigint }
  | { readonly order: "agentName"; readonly agentName: string; readonly tokenId: bigint }
  | { readonly order: "soulAlignment"; readonly score: number | null; readonly tokenId: bigint };

export interface MemberPage extends ListPage<MemberPosition> {
  readonly order: MemberOrder;
}

/** What is counted of active members. */
export interface OrganizationStats {
  readonly activeMembers: number;
  /** Rounded half up; null while no member has a score. */
  readonly averageAlignment: number | null;
  readonly alignmentDistribution: Readonly<
    Record<"90-100" | "70-89" | "50-69" | "below50", number>
  >;
  readonly agentTypeBreakdown: Readonly<Record<AgentTypeName, number>>;
  readonly totalChronicles: number;
  /** Bindings in effect from a member to any agent. */
  readonly totalBindings: number;
  readonly sealedCount: number;
  readonly provisionalCount: number;
  /** Members whose score fell by 20 or more since their first of the epoch. */
  readonly driftedCount: number;
  /** Null without an active member. */
  readonly lastActivity: Date | null;
}

export interface OrganizationFilter {
  readonly admin?: Address | undefined;
  /** The agent must be an active member. */
  readonly tokenId?: bigint | undefined;
  /** The beginning of the name in any case, or the id. */
  readonly q?: string | undefined;
}

export interface OrganizationPage {
  readonly organizations: readonly OrganizationRecord[];
  /** The id after which the next page begins; null on the last page. */
  readonly next: bigint | null;
}

export function noSuchOrganization(organizationId: bigint): ApiError {
  return new ApiError("NOT_FOUND", {
    message: `There is no organization with id ${organizationId}.`,
  });
}
