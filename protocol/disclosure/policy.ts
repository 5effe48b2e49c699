import { didOf, InvalidDidError, parseDid } from "../did.ts";
import { ProtocolError } from "../errors.ts";
import { type Field, isField } from "../fields.ts";
import { DISCLOSURE_EXPIRIES, type DisclosureExpiry } from "./expiry.ts";

/** Who may receive a field. `any`: every agent. `regulatory`: audits only. */
export const DISCLOSURE_CONDITIONS = [
  "any",
  "bound_agents",
  "specific_agents",
  "organization_members",
  "regulatory",
  "never",
] as const;
export type DisclosureCondition = (typeof DISCLOSURE_CONDITIONS)[number];

/** Former names of conditions, which are still accepted. */
export const LEGACY_CONDITIONS = {
  fleet_members: "organization_members",
} as const satisfies Record<string, DisclosureCondition>;

/** How the owner sends a value: to the requester's own endpoint, through the service, or either. */
export const DISCLOSURE_MODES = ["p2p", "api_relayed", "either"] as const;
export type DisclosureMode = (typeof DISCLOSURE_MODES)[number];

/** Trust levels that a rule can ask for, in rising order. */
export const MIN_TRUST_LEVELS = ["limited", "verified", "trusted"] as const;
export type MinTrustLevel = (typeof MIN_TRUST_LEVELS)[number];

/** Bounds of a policy. Text lengths are in UTF-16 units. */
export const POLICY_LIMITS = {
  name: 64,
  note: 500,
  rules: 50,
  allowedDids: 100,
  /** Rules, their fields and their DIDs together. */
  entries: 500,
} as const;

/** How long a disclosure stands when neither it nor a policy says so. */
export const FALLBACK_EXPIRY: DisclosureExpiry = "30d";

/** Who may receive some fields, and how. */
export interface DisclosureRule {
  readonly fields: readonly Field[];
  readonly condition: DisclosureCondition;
  /** Of `bound_agents` only. Absent: `limited`. */
  readonly minTrustLevel?: MinTrustLevel | undefined;
  /** Of `specific_agents` only, each with its chain id. */
  readonly allowedDids?: readonly string[] | undefined;
  /** Absent: the policy's preferred mode. */
  readonly mode?: DisclosureMode | undefined;
  /** The owner's own words. */
  readonly note?: string | undefined;
}

/** An owner's disclosure policy in its one form. The first rule that names a field decides. */
export interface DisclosurePolicy {
  readonly name: string;
  readonly preferredMode: DisclosureMode;
  readonly rules: readonly DisclosureRule[];
  readonly defaultExpiry: DisclosureExpiry;
}

/** A policy as an owner writes it: with legacy names, and without what has a default. */
export interface PolicyInput {
  readonly name: string;
  readonly preferredMode?: DisclosureMode | undefined;
  readonly rules: readonly (Omit<DisclosureRule, "condition"> & {
    readonly condition: DisclosureCondition | keyof typeof LEGACY_CONDITIONS;
  })[];
  readonly defaultExpiry?: DisclosureExpiry | undefined;
}

/** The policy is invalid: `path` says where (`rules.2.allowedDids`), `problem` why. */
export class InvalidPolicyError extends ProtocolError {
  override readonly name = "InvalidPolicyError";
  readonly code = "invalid_policy";

  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path}: ${problem}.`);
  }
}

/**
 * Brings a policy into its one form: present names, defaults filled in, and DIDs with their chain
 * id. Doing it twice changes nothing.
 *
 * @param chainId The chain of a DID without a chain id.
 * @throws InvalidPolicyError
 */
export function normalisePolicy(input: PolicyInput, chainId: number): DisclosurePolicy {
  const { name, preferredMode = "either", rules, defaultExpiry = FALLBACK_EXPIRY } = input;
  if (name.trim() === "" || name.length > POLICY_LIMITS.name) {
    throw new InvalidPolicyError("name", `a name has 1 to ${POLICY_LIMITS.name} characters`);
  }
  if (!DISCLOSURE_MODES.includes(preferredMode)) {
    throw new InvalidPolicyError("preferredMode", "there is no such mode");
  }
  if (!DISCLOSURE_EXPIRIES.includes(defaultExpiry)) {
    throw new InvalidPolicyError("defaultExpiry", "there is no such expiry");
  }
  if (rules.length > POLICY_LIMITS.rules) {
    throw new InvalidPolicyError("rules", `a policy has at most ${POLICY_LIMITS.rules} rules`);
  }
  if (entriesOf(rules) > POLICY_LIMITS.entries) {
    const problem = `a policy has at most ${POLICY_LIMITS.entries} rules, fields and DIDs in all`;
    throw new InvalidPolicyError("rules", problem);
  }
  return {
    name,
    preferredMode,
    rules: rules.map((rule, index) => normalRule(rule, `rules.${index}`, chainId)),
    defaultExpiry,
  };
}

function entriesOf(rules: PolicyInput["rules"]): number {
  return rules.reduce(
    (sum, { fields, allowedDids = [] }) => sum + 1 + fields.length + allowedDids.length,
    0,
  );
}

function normalRule(
  rule: PolicyInput["rules"][number],
  path: string,
  chainId: number,
): DisclosureRule {
  const { fields, minTrustLevel, mode, note } = rule;
  const condition = presentCondition(rule.condition);
  if (condition === null) {
    throw new InvalidPolicyError(`${path}.condition`, "there is no such condition");
  }
  assertFields(fields, `${path}.fields`);
  if (minTrustLevel !== undefined && condition !== "bound_agents") {
    throw new InvalidPolicyError(`${path}.minTrustLevel`, "it belongs to bound_agents only");
  }
  if (minTrustLevel !== undefined && !MIN_TRUST_LEVELS.includes(minTrustLevel)) {
    throw new InvalidPolicyError(`${path}.minTrustLevel`, "there is no such minimum");
  }
  if (mode !== undefined && !DISCLOSURE_MODES.includes(mode)) {
    throw new InvalidPolicyError(`${path}.mode`, "there is no such mode");
  }
  if (note !== undefined && note.length > POLICY_LIMITS.note) {
    throw new InvalidPolicyError(`${path}.note`, `longer than ${POLICY_LIMITS.note} characters`);
  }
  return {
    fields: [...fields],
    condition,
    minTrustLevel,
    allowedDids: normalDids(rule.allowedDids, condition, { path: `${path}.allowedDids`, chainId }),
    mode,
    note,
  };
}

function presentCondition(condition: string): DisclosureCondition | null {
  const present = Object.hasOwn(LEGACY_CONDITIONS, condition)
    ? LEGACY_CONDITIONS[condition as keyof typeof LEGACY_CONDITIONS]
    : condition;
  return DISCLOSURE_CONDITIONS.find((known) => known === present) ?? null;
}

function assertFields(fields: readonly Field[], path: string): void {
  if (fields.length === 0) throw new InvalidPolicyError(path, "a rule names at least one field");
  const unknown = fields.findIndex((field) => !isField(field));
  if (unknown >= 0) throw new InvalidPolicyError(`${path}.${unknown}`, "a soul has no such field");
  if (new Set(fields).size < fields.length) {
    throw new InvalidPolicyError(path, "a field appears twice");
  }
}

function normalDids(
  dids: readonly string[] | undefined,
  condition: DisclosureCondition,
  { path, chainId }: { readonly path: string; readonly chainId: number },
): string[] | undefined {
  if (condition !== "specific_agents") {
    if (dids === undefined) return undefined;
    throw new InvalidPolicyError(path, "it belongs to specific_agents only");
  }
  if (dids === undefined || dids.length === 0 || dids.length > POLICY_LIMITS.allowedDids) {
    const problem = `specific_agents names 1 to ${POLICY_LIMITS.allowedDids} DIDs`;
    throw new InvalidPolicyError(path, problem);
  }
  const normal = dids.map((did, index) => {
    try {
      return canonicalDid(did, chainId);
    } catch (error) {
      if (!(error instanceof InvalidDidError)) throw error;
      throw new InvalidPolicyError(`${path}.${index}`, "not a DID of this service");
    }
  });
  return [...new Set(normal)];
}

/** A DID of this service with its chain id. @throws InvalidDidError */
export function canonicalDid(did: string, defaultChainId: number): string {
  const { chainId, name } = parseDid(did, defaultChainId);
  return didOf(chainId, name);
}
