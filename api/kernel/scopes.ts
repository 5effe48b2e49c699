/** 1: owns a passport. 2: and its soul is sealed by the same wallet. 3: and that owner is attested to be human. */
export type Tier = 1 | 2 | 3;

/**
 * Every scope, in the order in which granted ones are listed, and the lowest tier that it is granted to. All but `manage` say
 * what a token tells about its holder. `manage` makes it an owner session, and is granted for this service alone.
 */
export const SCOPE_TIERS = {
  identity: 1,
  profile: 2,
  soul: 2,
  chronicles: 2,
  certs: 2,
  services: 1,
  human_verified: 3,
  did: 1,
  manage: 1,
} as const satisfies Record<string, Tier>;

export type Scope = keyof typeof SCOPE_TIERS;

export const SCOPES = Object.keys(SCOPE_TIERS) as [Scope, ...Scope[]];

/** The scopes of `requested` that `tier` reaches, each once, with `identity` always among them. The others are left out silently. */
export function grantedScopes(requested: readonly Scope[], tier: Tier): Scope[] {
  const wanted = new Set<Scope>(["identity", ...requested]);
  return SCOPES.filter((scope) => wanted.has(scope) && SCOPE_TIERS[scope] <= tier);
}
