import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assertValidName,
  InvalidNameError,
  isValidName,
  NAME_PATTERN,
  nameProblem,
  parsePassportName,
  passportName,
  suggestName,
} from "../../protocol/index.ts";
import { numRuns } from "./arbitraries.ts";
import { nameVectors } from "./vectors.ts";

describe("given names", () => {
  it.each(nameVectors.valid)("accepts %j", (name) => {
    expect(isValidName(name)).toBe(true);
    expect(() => assertValidName(name)).not.toThrow();
  });

  it.each(nameVectors.invalid)("refuses $name: $reason", ({ name, reason }) => {
    expect(isValidName(name)).toBe(false);
    expect(nameProblem(name)).toBe(reason);
    let thrown: unknown;
    try {
      assertValidName(name);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidNameError);
    expect(thrown).toMatchObject({ code: "invalid_name", agentName: name, reason });
  });
});

describe("suggestName", () => {
  it.each([
    ["", "soul"],
    ["Zoë", "zoe"],
    ["-- My Agent! --", "my-agent"],
    ["alice", "alice-2"],
    ["alice-2", "alice-3"],
    ["alice-9", "alice-10"],
    ["123", "123-soul"],
    ["request", "request-soul"],
    ["xn--a", "xn-a"],
    ["agent", "agent-2-soul"],
    ["agent-7", "agent-7-soul"],
    ["x-999999", "x-1000000"],
    ["x-1000000", "x-1000000-2"],
    ["a".repeat(32), `${"a".repeat(30)}-2`],
  ])("answers %j with %j", (name, suggestion) => {
    expect(suggestName(name)).toBe(suggestion);
  });

  it("gives a valid, different name for any string, and new ones when it is repeated", () => {
    const anyName = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(NAME_PATTERN));
    fc.assert(
      fc.property(anyName, (name) => {
        const seen = new Set([name]);
        let last = name;
        for (let i = 0; i < 20; i++) {
          last = suggestName(last);
          expect(isValidName(last)).toBe(true);
          expect(seen.has(last)).toBe(false);
          seen.add(last);
        }
      }),
      { numRuns },
    );
  });
});

describe("names of passports without a soul", () => {
  it("reads back every id it writes, and no registration can use such a name", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (id) => {
        expect(parsePassportName(passportName(id))).toBe(id);
        expect(isValidName(passportName(id))).toBe(false);
      }),
      { numRuns },
    );
  });

  it.each([
    "agent-",
    "agent-01",
    "agent-1x",
    "Agent-1",
    "agent--1",
    "agent-1\n",
    `agent-${2n ** 256n}`,
    "alice",
  ])("reads no id from %j", (name) => {
    expect(parsePassportName(name)).toBeNull();
  });
});
