import type {
  DisclosureRule,
  Field,
  FieldDecision,
  PolicyInput,
  RequesterFacts,
} from "../../../protocol/index.ts";

// What the specification says about disclosure policies, as a table. Each case has one field that
// is asked for, the policy of its agent, who asks, and what becomes of the request.

export interface PolicyCase {
  readonly title: string;
  readonly policy: PolicyInput | null;
  readonly field: Field;
  /** Whether the field was published at registration. */
  readonly published: boolean;
  readonly facts: RequesterFacts;
  readonly expected: FieldDecision;
}

export const CHAIN_ID = 8453;

const FIELD = "soul.purpose";
const ALICE = "did:svc:8453:alice";

/** A valid agent without any relation to the target, which gave an endpoint. */
export const STRANGER: RequesterFacts = {
  purpose: "request",
  requester: { did: ALICE, valid: true },
  binding: { trustLevel: "none", authority: "NONE", live: false },
  targetOrganization: 0n,
  requesterOrganization: 0n,
  hasEndpoint: true,
};
const INVALID: RequesterFacts = { ...STRANGER, requester: { did: ALICE, valid: false } };
const NO_AGENT: RequesterFacts = { ...STRANGER, requester: null };
/** Audits receive files that owners upload: never from peer to peer. */
const AUDIT: RequesterFacts = {
  ...STRANGER,
  purpose: "audit",
  requester: null,
  hasEndpoint: false,
};

function bound(
  trustLevel: RequesterFacts["binding"]["trustLevel"],
  authority: RequesterFacts["binding"]["authority"] = "OWNER",
  live = true,
): RequesterFacts {
  return { ...STRANGER, binding: { trustLevel, authority, live } };
}

function members(targetOrganization: bigint, requesterOrganization: bigint): RequesterFacts {
  return { ...STRANGER, targetOrganization, requesterOrganization };
}

/** The one who asks can meet every condition that an agent can meet. */
const CLOSE: RequesterFacts = {
  ...STRANGER,
  binding: { trustLevel: "trusted", authority: "OWNER", live: true },
  targetOrganization: 7n,
  requesterOrganization: 7n,
};

type Rule = PolicyInput["rules"][number];

const rule = (condition: Rule["condition"], more: Partial<Rule> = {}): Rule => ({
  fields: [FIELD],
  condition,
  ...more,
});
const ANY = rule("any");
const NEVER = rule("never");
const BOUND = rule("bound_agents");
const LISTED = rule("specific_agents", { allowedDids: [ALICE] });
const MEMBERS = rule("organization_members");
const REGULATORY = rule("regulatory");

const of = (...rules: Rule[]): PolicyInput => ({ name: "Default", rules });

const published = (index: number | null): FieldDecision => ({ outcome: "public", rule: index });
const asked = (
  index: number | null,
  mode: "p2p" | "api_relayed" | "either" = "either",
  p2pAvailable = true,
): FieldDecision => ({ outcome: "owner", mode, p2pAvailable, rule: index });
const refused = (
  index: number,
  reason: Extract<FieldDecision, { outcome: "refused" }>["reason"],
): FieldDecision => ({ outcome: "refused", reason, rule: index });

function one(
  title: string,
  policy: PolicyInput | null,
  facts: RequesterFacts,
  expected: FieldDecision,
  isPublished = false,
): PolicyCase {
  return { title, policy, field: FIELD, published: isPublished, facts, expected };
}

/** "Public fields are returned at once": the published ones. The service has no other values. */
const anyCases: PolicyCase[] = [
  one("any, published, for a stranger", of(ANY), STRANGER, published(0), true),
  one("any, published, for an invalid agent", of(ANY), INVALID, published(0), true),
  one("any, published, without a requester", of(ANY), NO_AGENT, published(0), true),
  one("any, published, in an audit", of(ANY), AUDIT, published(0), true),
  one("any, published, for a bound agent", of(ANY), bound("trusted"), published(0), true),
  one("any, private, for a stranger", of(ANY), STRANGER, asked(0)),
  one("any, private, for a bound agent", of(ANY), bound("limited"), asked(0)),
  one("any, private, after a revoked binding", of(ANY), bound("revoked"), asked(0)),
  one("any, private, for a member", of(ANY), members(3n, 3n), asked(0)),
  one("any, private, in an audit", of(ANY), AUDIT, asked(0, "either", false)),
  one("any, private, for an invalid agent", of(ANY), INVALID, refused(0, "requester_not_valid")),
  one("any, private, without a requester", of(ANY), NO_AGENT, refused(0, "requester_not_valid")),
];

/** "never fields are rejected immediately". */
const neverCases: PolicyCase[] = [
  one("never, private, for a stranger", of(NEVER), STRANGER, refused(0, "never")),
  one("never, published, for a stranger", of(NEVER), STRANGER, refused(0, "never"), true),
  one("never, private, for a trusted agent", of(NEVER), bound("trusted"), refused(0, "never")),
  one("never, private, for a close agent", of(NEVER), CLOSE, refused(0, "never")),
  one("never, private, for a member", of(NEVER), members(3n, 3n), refused(0, "never")),
  one("never, private, in an audit", of(NEVER), AUDIT, refused(0, "never")),
  one("never, published, in an audit", of(NEVER), AUDIT, refused(0, "never"), true),
  one("never, private, for an invalid agent", of(NEVER), INVALID, refused(0, "never")),
  one("never, private, without a requester", of(NEVER), NO_AGENT, refused(0, "never")),
  one("never, published, without a requester", of(NEVER), NO_AGENT, refused(0, "never"), true),
];

/** "`bound_agents` a live OWNER binding from target to requester at or above `minTrustLevel`". */
const LEVELS = ["none", "revoked", "limited", "verified", "trusted"] as const;
const REACHED = {
  // Columns: no minimum, limited, verified, trusted. A: the owner is asked, B: not bound, L: level.
  none: "BBBB",
  revoked: "BBBB",
  limited: "AALL",
  verified: "AAAL",
  trusted: "AAAA",
} as const;
const MINIMA = [undefined, "limited", "verified", "trusted"] as const;
const LETTERS: Readonly<Record<string, FieldDecision>> = {
  A: asked(0),
  B: refused(0, "not_bound"),
  L: refused(0, "trust_level_too_low"),
};

const boundCases: PolicyCase[] = LEVELS.flatMap((level) =>
  MINIMA.flatMap((minTrustLevel, column) => {
    const policy = of(rule("bound_agents", { minTrustLevel }));
    const letter = REACHED[level].charAt(column);
    const title = `bound_agents, ${minTrustLevel ?? "no"} minimum, ${level}`;
    const expected = LETTERS[letter] as FieldDecision;
    const none = refused(0, "not_bound");
    return [
      one(`${title} by the owner`, policy, bound(level), expected),
      one(`${title} by the service`, policy, bound(level, "SERVICE"), none),
      one(`${title} of an ended epoch`, policy, bound(level, "OWNER", false), none),
    ];
  }),
);
boundCases.push(
  one(
    "bound_agents, a dead binding of the service",
    of(BOUND),
    bound("trusted", "SERVICE", false),
    refused(0, "not_bound"),
  ),
  one("bound_agents, no authority", of(BOUND), bound("trusted", "NONE"), refused(0, "not_bound")),
  one("bound_agents, a member only", of(BOUND), members(3n, 3n), refused(0, "not_bound")),
  one(
    "bound_agents, published, for a stranger",
    of(BOUND),
    STRANGER,
    refused(0, "not_bound"),
    true,
  ),
  one("bound_agents, published, for a bound agent", of(BOUND), bound("limited"), asked(0), true),
  one("bound_agents, in an audit", of(BOUND), AUDIT, refused(0, "requester_not_valid")),
  one(
    "bound_agents, an invalid agent",
    of(BOUND),
    { ...INVALID, binding: bound("trusted").binding },
    refused(0, "requester_not_valid"),
  ),
);

/** `specific_agents`: the requester's DID is among `allowedDids`, in either of its two forms. */
const listing = (...allowedDids: string[]) => of(rule("specific_agents", { allowedDids }));
const other = refused(0, "not_listed");
const specificCases: PolicyCase[] = [
  one("specific_agents, the full DID", listing(ALICE), STRANGER, asked(0)),
  one("specific_agents, the short DID", listing("did:svc:alice"), STRANGER, asked(0)),
  one(
    "specific_agents, last of three",
    listing("did:svc:bob", "did:svc:carol", ALICE),
    STRANGER,
    asked(0),
  ),
  one(
    "specific_agents, first of three",
    listing(ALICE, "did:svc:bob", "did:svc:carol"),
    STRANGER,
    asked(0),
  ),
  one("specific_agents, both forms", listing(ALICE, "did:svc:alice"), STRANGER, asked(0)),
  one("specific_agents, another name", listing("did:svc:8453:bob"), STRANGER, other),
  one("specific_agents, a longer name", listing("did:svc:8453:alice-2"), STRANGER, other),
  one("specific_agents, a shorter name", listing("did:svc:8453:alic"), STRANGER, other),
  one("specific_agents, another chain", listing("did:svc:1:alice"), STRANGER, other),
  one("specific_agents, another chain and name", listing("did:svc:1:bob"), STRANGER, other),
  one("specific_agents, not listed but trusted", listing("did:svc:bob"), bound("trusted"), other),
  one("specific_agents, not listed but a member", listing("did:svc:bob"), members(3n, 3n), other),
  one("specific_agents, not listed, published", listing("did:svc:bob"), STRANGER, other, true),
  one("specific_agents, listed, published", of(LISTED), STRANGER, asked(0), true),
  one("specific_agents, listed and bound", of(LISTED), bound("limited"), asked(0)),
  one("specific_agents, listed after a revocation", of(LISTED), bound("revoked"), asked(0)),
  one(
    "specific_agents, listed and invalid",
    of(LISTED),
    INVALID,
    refused(0, "requester_not_valid"),
  ),
  one("specific_agents, no agent", of(LISTED), NO_AGENT, refused(0, "requester_not_valid")),
  one("specific_agents, an audit", of(LISTED), AUDIT, refused(0, "requester_not_valid")),
];

/** "`organization_members` needs a live membership": both agents in one organization. */
const memberCases: PolicyCase[] = (["organization_members", "fleet_members"] as const).flatMap(
  (condition) => {
    const policy = of(rule(condition));
    const apart = refused(0, "no_common_organization");
    const rows: [bigint, bigint, FieldDecision][] = [
      [0n, 0n, apart],
      [0n, 1n, apart],
      [0n, 2n, apart],
      [1n, 0n, apart],
      [1n, 1n, asked(0)],
      [1n, 2n, apart],
      [2n, 0n, apart],
      [2n, 1n, apart],
      [2n, 2n, asked(0)],
    ];
    return rows.map(([target, requester, expected]) =>
      one(
        `${condition}, target in ${target}, requester in ${requester}`,
        policy,
        members(target, requester),
        expected,
      ),
    );
  },
);
memberCases.push(
  one(
    "organization_members, trusted only",
    of(MEMBERS),
    bound("trusted"),
    refused(0, "no_common_organization"),
  ),
  one(
    "organization_members, published, apart",
    of(MEMBERS),
    members(1n, 2n),
    refused(0, "no_common_organization"),
    true,
  ),
  one("organization_members, published, together", of(MEMBERS), members(4n, 4n), asked(0), true),
  one(
    "organization_members, an invalid agent",
    of(MEMBERS),
    { ...members(4n, 4n), requester: { did: ALICE, valid: false } },
    refused(0, "requester_not_valid"),
  ),
  one("organization_members, an audit", of(MEMBERS), AUDIT, refused(0, "requester_not_valid")),
);

/** "`regulatory` only audits". */
const only = refused(0, "regulatory_only");
const regulatoryCases: PolicyCase[] = [
  one("regulatory, in an audit", of(REGULATORY), AUDIT, asked(0, "either", false)),
  one("regulatory, published, in an audit", of(REGULATORY), AUDIT, asked(0, "either", false), true),
  one(
    "regulatory, from peer to peer, in an audit",
    of(rule("regulatory", { mode: "p2p" })),
    AUDIT,
    asked(0, "p2p", false),
  ),
  one("regulatory, for a stranger", of(REGULATORY), STRANGER, only),
  one("regulatory, published, for a stranger", of(REGULATORY), STRANGER, only, true),
  one("regulatory, for a trusted agent", of(REGULATORY), bound("trusted"), only),
  one("regulatory, for a member", of(REGULATORY), members(3n, 3n), only),
  one("regulatory, for a close agent", of(REGULATORY), CLOSE, only),
  one("regulatory, for an invalid agent", of(REGULATORY), INVALID, only),
  one("regulatory, without a requester", of(REGULATORY), NO_AGENT, only),
];

/** "no rule means owner approval", and published fields are public. */
const EVERY_FIELD: readonly Field[] = [
  "identity.name",
  "identity.agent_type",
  "identity.description",
  "soul.purpose",
  "soul.personality",
  "soul.constraints",
  "soul.guidelines",
  "capabilities.skills",
  "capabilities.tools",
  "capabilities.languages",
  "capabilities.models",
  "soul.documents",
];
const unruledCases: PolicyCase[] = EVERY_FIELD.flatMap((field) => [
  {
    title: `no policy, ${field}, private`,
    policy: null,
    field,
    published: false,
    facts: STRANGER,
    expected: asked(null),
  },
  {
    title: `no policy, ${field}, published`,
    policy: null,
    field,
    published: true,
    facts: STRANGER,
    expected: published(null),
  },
]);
const elsewhere = of({ fields: ["soul.personality"], condition: "never" });
unruledCases.push(
  one("a rule for another field, private", elsewhere, STRANGER, asked(null)),
  one("a rule for another field, published", elsewhere, STRANGER, published(null), true),
  one("a policy without rules, private", of(), STRANGER, asked(null)),
  one("a policy without rules, published", of(), STRANGER, published(null), true),
  one("no policy, private, in an audit", null, AUDIT, asked(null, "either", false)),
  one("no policy, published, without a requester", null, NO_AGENT, published(null), true),
  {
    ...one("no policy, private, an invalid agent", null, INVALID, asked(null)),
    expected: { outcome: "refused", reason: "requester_not_valid", rule: null },
  },
  {
    ...one("no policy, private, without a requester", null, NO_AGENT, asked(null)),
    expected: { outcome: "refused", reason: "requester_not_valid", rule: null },
  },
);

/** "the first rule that names a field decides". */
const orderCases: PolicyCase[] = [
  one("any before never, published", of(ANY, NEVER), STRANGER, published(0), true),
  one("never before any, published", of(NEVER, ANY), STRANGER, refused(0, "never"), true),
  one("any before never, private", of(ANY, NEVER), STRANGER, asked(0)),
  one("never before any, private", of(NEVER, ANY), STRANGER, refused(0, "never")),
  one("bound before any, a stranger", of(BOUND, ANY), STRANGER, refused(0, "not_bound")),
  one("any before bound, a stranger", of(ANY, BOUND), STRANGER, asked(0)),
  one("bound before never, a bound agent", of(BOUND, NEVER), bound("limited"), asked(0)),
  one("never before bound, a bound agent", of(NEVER, BOUND), bound("limited"), refused(0, "never")),
  one(
    "bound before listed, a listed stranger",
    of(BOUND, LISTED),
    STRANGER,
    refused(0, "not_bound"),
  ),
  one("listed before bound, a listed stranger", of(LISTED, BOUND), STRANGER, asked(0)),
  one(
    "members before bound, bound only",
    of(MEMBERS, BOUND),
    bound("trusted"),
    refused(0, "no_common_organization"),
  ),
  one("bound before members, bound only", of(BOUND, MEMBERS), bound("trusted"), asked(0)),
  one(
    "members before any, a stranger",
    of(MEMBERS, ANY),
    STRANGER,
    refused(0, "no_common_organization"),
  ),
  one("regulatory before any, a stranger", of(REGULATORY, ANY), STRANGER, only),
  one("any before regulatory, a stranger", of(ANY, REGULATORY), STRANGER, asked(0)),
  one("regulatory before never, an audit", of(REGULATORY, NEVER), AUDIT, asked(0, "either", false)),
  one("never before regulatory, an audit", of(NEVER, REGULATORY), AUDIT, refused(0, "never")),
  one(
    "a high minimum before a low one",
    of(
      rule("bound_agents", { minTrustLevel: "trusted" }),
      rule("bound_agents", { minTrustLevel: "limited" }),
    ),
    bound("limited"),
    refused(0, "trust_level_too_low"),
  ),
  one(
    "a rule for another field first",
    of({ fields: ["soul.personality"], condition: "never" }, BOUND),
    bound("limited"),
    asked(1),
  ),
  one(
    "two rules for other fields first",
    of(
      { fields: ["soul.personality"], condition: "any" },
      { fields: ["soul.guidelines"], condition: "any" },
      NEVER,
    ),
    STRANGER,
    refused(2, "never"),
  ),
  one(
    "a rule that names the field among others",
    of({ fields: ["soul.personality", FIELD, "soul.guidelines"], condition: "never" }, ANY),
    STRANGER,
    refused(0, "never"),
  ),
  one("three rules, the last would allow", of(NEVER, BOUND, LISTED), CLOSE, refused(0, "never")),
];

/** "mode (rule): p2p, api_relayed, either (default inherits preferredMode)"; either by default. */
const MODES = ["p2p", "api_relayed", "either"] as const;
const modeCases: PolicyCase[] = [];
const MODE_ROWS: readonly [
  DisclosureRule["mode"],
  PolicyInput["preferredMode"],
  (typeof MODES)[number],
][] = [
  [undefined, undefined, "either"],
  [undefined, "p2p", "p2p"],
  [undefined, "api_relayed", "api_relayed"],
  [undefined, "either", "either"],
  ["p2p", undefined, "p2p"],
  ["p2p", "p2p", "p2p"],
  ["p2p", "api_relayed", "p2p"],
  ["p2p", "either", "p2p"],
  ["api_relayed", undefined, "api_relayed"],
  ["api_relayed", "p2p", "api_relayed"],
  ["api_relayed", "api_relayed", "api_relayed"],
  ["api_relayed", "either", "api_relayed"],
  ["either", undefined, "either"],
  ["either", "p2p", "either"],
  ["either", "api_relayed", "either"],
  ["either", "either", "either"],
];
for (const [mode, preferredMode, effective] of MODE_ROWS) {
  const policy: PolicyInput = { name: "Modes", preferredMode, rules: [rule("any", { mode })] };
  const title = `mode ${mode ?? "absent"}, preferred ${preferredMode ?? "absent"}`;
  // Without an endpoint nothing can be delivered from peer to peer.
  const without: Readonly<Record<(typeof MODES)[number], FieldDecision>> = {
    p2p: refused(0, "endpoint_required"),
    api_relayed: asked(0, "api_relayed", false),
    either: asked(0, "either", false),
  };
  const withEndpoint = asked(0, effective, effective !== "api_relayed");
  modeCases.push(
    one(`${title}, with an endpoint`, policy, STRANGER, withEndpoint),
    one(
      `${title}, without an endpoint`,
      policy,
      { ...STRANGER, hasEndpoint: false },
      without[effective],
    ),
    // A public field needs no delivery by its owner.
    one(
      `${title}, published, without an endpoint`,
      policy,
      { ...STRANGER, hasEndpoint: false },
      published(0),
      true,
    ),
  );
}
modeCases.push(
  {
    ...one(
      "preferred p2p without a rule",
      { name: "Modes", preferredMode: "p2p", rules: [] },
      STRANGER,
      asked(null, "p2p", true),
    ),
  },
  one(
    "preferred api_relayed without a rule",
    { name: "Modes", preferredMode: "api_relayed", rules: [] },
    STRANGER,
    asked(null, "api_relayed", false),
  ),
  {
    ...one(
      "preferred p2p without a rule or an endpoint",
      { name: "Modes", preferredMode: "p2p", rules: [] },
      STRANGER,
      asked(null),
    ),
    facts: { ...STRANGER, hasEndpoint: false },
    expected: { outcome: "refused", reason: "endpoint_required", rule: null },
  },
  one(
    "no policy, without an endpoint",
    null,
    { ...STRANGER, hasEndpoint: false },
    asked(null, "either", false),
  ),
);

/** Every case. */
export const POLICY_CASES: readonly PolicyCase[] = [
  ...anyCases,
  ...neverCases,
  ...boundCases,
  ...specificCases,
  ...memberCases,
  ...regulatoryCases,
  ...unruledCases,
  ...orderCases,
  ...modeCases,
];
