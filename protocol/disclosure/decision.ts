import type { Field } from "../fields.ts";
import type { DisclosureMode, DisclosurePolicy, DisclosureRule } from "./policy.ts";
import { MIN_TRUST_LEVELS } from "./policy.ts";

/**
 * What decides about a requester, all read from the chain in one block.
 */
export interface RequesterFacts {
  /** `audit`: a regulator asks, and the owner uploads. */
  readonly purpose: "request" | "audit";
  /** The agent that asks, by its DID with chain id; null when no agent does. */
  readonly requester: { readonly did: string; readonly valid: boolean } | null;
  /** The binding from the target to the requester, as the binding registry answers it. */
  readonly binding: {
    readonly trustLevel: "none" | "revoked" | "limited" | "verified" | "trusted";
    readonly authority: "NONE" | "SERVICE" | "OWNER";
    /** Whether both souls are valid, and in the epochs in which the binding was written. */
    readonly live: boolean;
  };
  /** Live membership; 0 for none. */
  readonly targetOrganization: bigint;
  readonly requesterOrganization: bigint;
  /** Whether the requester can receive values from peer to peer. */
  readonly hasEndpoint: boolean;
}

/** Why a field is not disclosed to a requester. */
export const REFUSAL_REASONS = [
  "never",
  "regulatory_only",
  "not_bound",
  "trust_level_too_low",
  "not_listed",
  "no_common_organization",
  "requester_not_valid",
  "endpoint_required",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** What becomes of one requested field. `rule` is the index of the rule that decided; null for none. */
export type FieldDecision =
  | {
      /** Its value was published at registration, and is given out at once. */
      readonly outcome: "public";
      readonly rule: number | null;
    }
  | {
      /** Its owner decides, and sends the value in a way that `mode` allows. */
      readonly outcome: "owner";
      readonly mode: DisclosureMode;
      /** Whether the owner may send it to the requester's endpoint. */
      readonly p2pAvailable: boolean;
      readonly rule: number | null;
    }
  | {
      readonly outcome: "refused";
      readonly reason: RefusalReason;
      readonly rule: number | null;
    };

/**
 * What becomes of a field that is requested. The first rule that names it decides. Without one a
 * published field is public, and any other needs its owner's approval.
 *
 * @param policy The owner's active policy; null for none.
 * @param published Whether the field's value was published at registration. Only such values can
 * be given out without the owner, who alone has the others.
 */
export function decideField(
  policy: DisclosurePolicy | null,
  { field, published }: { readonly field: Field; readonly published: boolean },
  facts: RequesterFacts,
): FieldDecision {
  const found = policy?.rules.findIndex(({ fields }) => fields.includes(field)) ?? -1;
  const rule = policy?.rules[found] ?? null;
  const index = rule === null ? null : found;
  const condition = rule?.condition ?? null;

  if (published && (condition === null || condition === "any")) {
    return { outcome: "public", rule: index };
  }
  const mode = rule?.mode ?? policy?.preferredMode ?? "either";
  const reason = refusalOf(rule, facts) ?? deliveryProblem(mode, facts);
  if (reason !== null) return { outcome: "refused", reason, rule: index };
  const p2pAvailable = facts.hasEndpoint && mode !== "api_relayed";
  return { outcome: "owner", mode, p2pAvailable, rule: index };
}

function refusalOf(rule: DisclosureRule | null, facts: RequesterFacts): RefusalReason | null {
  if (rule?.condition === "never") return "never";
  if (rule?.condition === "regulatory") {
    return facts.purpose === "audit" ? null : "regulatory_only";
  }
  // An audit is no agent: it meets no condition that is about agents.
  const isOpen = rule === null || rule.condition === "any";
  if (facts.purpose === "audit" && isOpen) return null;
  if (facts.requester?.valid !== true) return "requester_not_valid";
  return isOpen ? null : unmetCondition(rule, facts.requester.did, facts);
}

function unmetCondition(
  rule: DisclosureRule,
  did: string,
  facts: RequesterFacts,
): RefusalReason | null {
  switch (rule.condition) {
    case "bound_agents":
      return unmetBinding(rule, facts);
    case "specific_agents":
      return rule.allowedDids?.includes(did) ? null : "not_listed";
    case "organization_members": {
      const { targetOrganization, requesterOrganization } = facts;
      const isShared = targetOrganization !== 0n && targetOrganization === requesterOrganization;
      return isShared ? null : "no_common_organization";
    }
    default:
      // A condition that this version does not know lets no one in.
      return "never";
  }
}

function unmetBinding(
  { minTrustLevel = "limited" }: DisclosureRule,
  { binding }: RequesterFacts,
): RefusalReason | null {
  const { authority, live, trustLevel } = binding;
  const level = MIN_TRUST_LEVELS.indexOf(trustLevel as (typeof MIN_TRUST_LEVELS)[number]);
  if (authority !== "OWNER" || !live || level < 0) return "not_bound";
  return level >= MIN_TRUST_LEVELS.indexOf(minTrustLevel) ? null : "trust_level_too_low";
}

function deliveryProblem(
  mode: DisclosureMode,
  { purpose, hasEndpoint }: RequesterFacts,
): RefusalReason | null {
  const isDeliverable = mode !== "p2p" || hasEndpoint || purpose === "audit";
  return isDeliverable ? null : "endpoint_required";
}

/** Who can receive a field at all, as the public summary shows it. */
export type FieldAvailability =
  | "public"
  | "any"
  | "bound_agents"
  | "specific_agents"
  | "organization_members"
  | "regulatory"
  | "owner_approval"
  | "never";

/** Who can receive a field at all, before anyone asks. */
export function fieldAvailability(
  policy: DisclosurePolicy | null,
  { field, published }: { readonly field: Field; readonly published: boolean },
): FieldAvailability {
  const rule = policy?.rules.find(({ fields }) => fields.includes(field)) ?? null;
  if (published && (rule === null || rule.condition === "any")) return "public";
  return rule?.condition ?? "owner_approval";
}
