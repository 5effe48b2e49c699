import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DISCLOSURE_CONDITIONS,
  DISCLOSURE_EXPIRIES,
  DISCLOSURE_MODES,
  type DisclosurePolicy,
  decideField,
  disclosureExpiresAt,
  FIELDS,
  fieldAvailability,
  InvalidPolicyError,
  MIN_TRUST_LEVELS,
  normalisePolicy,
  type PolicyInput,
  type RequesterFacts,
} from "../../../protocol/index.ts";
import { numRuns } from "../arbitraries.ts";
import { CHAIN_ID, POLICY_CASES, STRANGER } from "./policy-cases.ts";

describe("a policy's decision on a requested field", () => {
  it("has a table of at least 200 different cases", () => {
    expect(new Set(POLICY_CASES.map(({ title }) => title)).size).toBe(POLICY_CASES.length);
    expect(POLICY_CASES.length).toBeGreaterThanOrEqual(200);
  });

  it.each(POLICY_CASES)("$title", ({ policy, field, published, facts, expected }) => {
    const normal = policy && normalisePolicy(policy, CHAIN_ID);
    expect(decideField(normal, { field, published }, facts)).toStrictEqual(expected);
  });
});

const rule = fc.record({
  fields: fc.uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1, maxLength: 4 }),
  condition: fc.constantFrom(...DISCLOSURE_CONDITIONS, "fleet_members" as const),
  mode: fc.constantFrom(undefined, ...DISCLOSURE_MODES),
  level: fc.constantFrom(undefined, ...MIN_TRUST_LEVELS),
  dids: fc.uniqueArray(
    fc.constantFrom("did:svc:alice", "did:svc:8453:alice", "did:svc:1:alice", "did:svc:bob"),
    { minLength: 1 },
  ),
});

const policy: fc.Arbitrary<DisclosurePolicy> = fc
  .record({
    preferredMode: fc.constantFrom(undefined, ...DISCLOSURE_MODES),
    defaultExpiry: fc.constantFrom(undefined, ...DISCLOSURE_EXPIRIES),
    rules: fc.array(rule, { maxLength: 6 }),
  })
  .map(({ rules, ...rest }) => {
    const input: PolicyInput = {
      ...rest,
      name: "Generated",
      rules: rules.map(({ level, dids, ...one }) => ({
        ...one,
        minTrustLevel: one.condition === "bound_agents" ? level : undefined,
        allowedDids: one.condition === "specific_agents" ? dids : undefined,
      })),
    };
    return normalisePolicy(input, CHAIN_ID);
  });

const facts: fc.Arbitrary<RequesterFacts> = fc.record({
  purpose: fc.constantFrom("request", "audit"),
  requester: fc.option(
    fc.record({ did: fc.constantFrom("did:svc:8453:alice", "did:svc:1:bob"), valid: fc.boolean() }),
  ),
  binding: fc.record({
    trustLevel: fc.constantFrom("none", "revoked", "limited", "verified", "trusted"),
    authority: fc.constantFrom("NONE", "SERVICE", "OWNER"),
    live: fc.boolean(),
  }),
  targetOrganization: fc.constantFrom(0n, 1n, 2n),
  requesterOrganization: fc.constantFrom(0n, 1n, 2n),
  hasEndpoint: fc.boolean(),
});

const asked = fc.record({ field: fc.constantFrom(...FIELDS), published: fc.boolean() });

describe("every policy", () => {
  it("is unchanged by normalising it again", () => {
    fc.assert(
      fc.property(policy, (one) => {
        expect(normalisePolicy(one, CHAIN_ID)).toStrictEqual(one);
      }),
      { numRuns },
    );
  });

  it("gives out published values only", () => {
    fc.assert(
      fc.property(policy, asked, facts, (one, { field }, who) => {
        const { outcome } = decideField(one, { field, published: false }, who);
        expect(outcome).not.toBe("public");
      }),
      { numRuns },
    );
  });

  it("decides by the first rule that names the field, and by no later one", () => {
    fc.assert(
      fc.property(policy, asked, facts, (one, question, who) => {
        const first = one.rules.findIndex(({ fields }) => fields.includes(question.field));
        const decision = decideField(one, question, who);
        expect(decision.rule).toBe(first < 0 ? null : first);
        const shortened = { ...one, rules: one.rules.slice(0, first < 0 ? undefined : first + 1) };
        expect(decideField(shortened, question, who)).toStrictEqual(decision);
      }),
      { numRuns },
    );
  });

  it("refuses an invalid agent everything that is not public", () => {
    fc.assert(
      fc.property(policy, asked, facts, (one, question, who) => {
        const invalid: RequesterFacts = {
          ...who,
          purpose: "request",
          requester: { did: "did:svc:8453:alice", valid: false },
        };
        expect(decideField(one, question, invalid).outcome).not.toBe("owner");
      }),
      { numRuns },
    );
  });

  it("lets a lower minimum admit all that a higher one admits", () => {
    fc.assert(
      fc.property(facts, fc.nat(1), (who, index) => {
        const by = (minTrustLevel: (typeof MIN_TRUST_LEVELS)[number] | undefined) =>
          decideField(
            normalisePolicy(
              {
                name: "Levels",
                rules: [{ fields: ["soul.purpose"], condition: "bound_agents", minTrustLevel }],
              },
              CHAIN_ID,
            ),
            { field: "soul.purpose", published: false },
            who,
          ).outcome;
        fc.pre(by(MIN_TRUST_LEVELS[index + 1]) === "owner");
        expect(by(MIN_TRUST_LEVELS[index])).toBe("owner");
      }),
      { numRuns },
    );
  });

  it("says who can receive a field in the words of the rule that decides", () => {
    fc.assert(
      fc.property(policy, asked, (one, question) => {
        const availability = fieldAvailability(one, question);
        const { outcome } = decideField(one, question, STRANGER);
        expect(availability === "public").toBe(outcome === "public");
        if (availability === "never") expect(outcome).toBe("refused");
      }),
      { numRuns },
    );
  });
});

describe("a policy that is refused", () => {
  const fields = ["soul.purpose"] as const;
  const refused: [string, PolicyInput, string, string][] = [
    ["without a name", { name: " ", rules: [] }, "name", "a name has 1 to 64 characters"],
    [
      "with too long a name",
      { name: "n".repeat(65), rules: [] },
      "name",
      "a name has 1 to 64 characters",
    ],
    [
      "with an unknown mode",
      { name: "P", preferredMode: "post" as "p2p", rules: [] },
      "preferredMode",
      "there is no such mode",
    ],
    [
      "with an unknown expiry",
      { name: "P", defaultExpiry: "2d" as "1d", rules: [] },
      "defaultExpiry",
      "there is no such expiry",
    ],
    [
      "with too many rules",
      { name: "P", rules: Array.from({ length: 51 }, () => ({ fields, condition: "any" })) },
      "rules",
      "a policy has at most 50 rules",
    ],
    [
      "with too many rules, fields and DIDs in all",
      {
        name: "P",
        rules: Array.from({ length: 5 }, (_, index) => ({
          fields,
          condition: "specific_agents" as const,
          allowedDids: Array.from(
            { length: index < 4 ? 98 : 99 },
            (_none, at) => `did:svc:agent-${at}`,
          ),
        })),
      },
      "rules",
      "a policy has at most 500 rules, fields and DIDs in all",
    ],
    [
      "with an unknown condition",
      { name: "P", rules: [{ fields, condition: "friends" as "any" }] },
      "rules.0.condition",
      "there is no such condition",
    ],
    [
      "with a condition named as a member of every object",
      { name: "P", rules: [{ fields, condition: "constructor" as "any" }] },
      "rules.0.condition",
      "there is no such condition",
    ],
    [
      "with a rule for no field",
      { name: "P", rules: [{ fields: [], condition: "any" }] },
      "rules.0.fields",
      "a rule names at least one field",
    ],
    [
      "with an unknown field",
      { name: "P", rules: [{ fields: ["soul.secret" as "soul.purpose"], condition: "any" }] },
      "rules.0.fields.0",
      "a soul has no such field",
    ],
    [
      "with a field twice in a rule",
      { name: "P", rules: [{ fields: ["soul.purpose", "soul.purpose"], condition: "any" }] },
      "rules.0.fields",
      "a field appears twice",
    ],
    [
      "with a minimum for members",
      {
        name: "P",
        rules: [{ fields, condition: "organization_members", minTrustLevel: "limited" }],
      },
      "rules.0.minTrustLevel",
      "it belongs to bound_agents only",
    ],
    [
      "with a minimum that every binding has",
      {
        name: "P",
        rules: [{ fields, condition: "bound_agents", minTrustLevel: "revoked" as "limited" }],
      },
      "rules.0.minTrustLevel",
      "there is no such minimum",
    ],
    [
      "with an unknown mode of a rule",
      { name: "P", rules: [{ fields, condition: "any", mode: "post" as "p2p" }] },
      "rules.0.mode",
      "there is no such mode",
    ],
    [
      "with too long a note",
      { name: "P", rules: [{ fields, condition: "any", note: "n".repeat(501) }] },
      "rules.0.note",
      "longer than 500 characters",
    ],
    [
      "with a list of DIDs for bound agents",
      {
        name: "P",
        rules: [{ fields, condition: "bound_agents", allowedDids: ["did:svc:alice"] }],
      },
      "rules.0.allowedDids",
      "it belongs to specific_agents only",
    ],
    [
      "with specific agents and no list",
      { name: "P", rules: [{ fields, condition: "specific_agents" }] },
      "rules.0.allowedDids",
      "specific_agents names 1 to 100 DIDs",
    ],
    [
      "with specific agents and an empty list",
      { name: "P", rules: [{ fields, condition: "specific_agents", allowedDids: [] }] },
      "rules.0.allowedDids",
      "specific_agents names 1 to 100 DIDs",
    ],
    [
      "with a DID of another method",
      {
        name: "P",
        rules: [
          {
            fields,
            condition: "specific_agents",
            allowedDids: ["did:svc:alice", "did:web:example.com"],
          },
        ],
      },
      "rules.0.allowedDids.1",
      "not a DID of this service",
    ],
  ];

  it.each(refused)("%s", (_title, input, path, problem) => {
    expect(() => normalisePolicy(input, CHAIN_ID)).toThrow(new InvalidPolicyError(path, problem));
  });
});

describe("a policy in its one form", () => {
  it("may be as large as the limits allow", () => {
    const allowedDids = Array.from({ length: 98 }, (_, at) => `did:svc:agent-${at}`);
    const rule = { fields: ["soul.purpose"], condition: "specific_agents", allowedDids } as const;
    const rules = Array.from({ length: 5 }, () => rule);
    expect(normalisePolicy({ name: "Large", rules }, CHAIN_ID).rules).toHaveLength(5);
  });

  it("has present names, defaults, and DIDs with their chain id", () => {
    const input: PolicyInput = {
      name: "Mine",
      rules: [
        { fields: ["soul.purpose"], condition: "fleet_members" },
        {
          fields: ["soul.personality"],
          condition: "specific_agents",
          allowedDids: ["did:svc:alice", "did:svc:8453:alice"],
        },
      ],
    };
    expect(normalisePolicy(input, CHAIN_ID)).toEqual({
      name: "Mine",
      preferredMode: "either",
      defaultExpiry: "30d",
      rules: [
        { fields: ["soul.purpose"], condition: "organization_members" },
        {
          fields: ["soul.personality"],
          condition: "specific_agents",
          allowedDids: ["did:svc:8453:alice"],
        },
      ],
    });
  });
});

describe("the end of a disclosure", () => {
  const issuedAt = new Date("2026-02-27T23:30:00.000Z");

  it.each([
    ["1h", "2026-02-28T00:30:00.000Z"],
    ["1d", "2026-02-28T23:30:00.000Z"],
    ["7d", "2026-03-06T23:30:00.000Z"],
    ["30d", "2026-03-29T23:30:00.000Z"],
    ["never", undefined],
  ] as const)("after %s", (expiresIn, end) => {
    expect(disclosureExpiresAt(expiresIn, issuedAt)?.toISOString()).toBe(end);
  });
});
