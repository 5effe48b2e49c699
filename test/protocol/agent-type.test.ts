import { describe, expect, it } from "vitest";
import {
  AGENT_TYPES,
  agentTypeName,
  InvalidAgentTypeError,
  parseAgentType,
} from "../../protocol/index.ts";

describe("parseAgentType", () => {
  it.each([
    ["assistant", 0],
    ["companion", 1],
    ["specialist", 2],
    ["creative", 3],
    ["other", 4],
    ["personal", 0],
    ["customer", 0],
    ["coding", 2],
    ["research", 2],
    [0, 0],
    [4, 4],
  ] as const)("reads %j as %d", (input, index) => {
    expect(parseAgentType(input)).toBe(index);
    expect(agentTypeName(parseAgentType(input))).toBe(AGENT_TYPES[index]);
  });

  it.each([
    "",
    "Assistant",
    "0",
    " other",
    "constructor",
    "__proto__",
    "toString",
    5,
    -1,
    0.5,
    Number.NaN,
  ])("refuses %j and names the accepted types", (input) => {
    let thrown: unknown;
    try {
      parseAgentType(input);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidAgentTypeError);
    expect(thrown).toMatchObject({
      code: "invalid_agent_type",
      input,
      accepted: [...AGENT_TYPES, "personal", "customer", "coding", "research", 0, 1, 2, 3, 4],
    });
  });
});
