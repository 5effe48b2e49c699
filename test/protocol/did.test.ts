import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didOf, InvalidDidError, parseDid } from "../../protocol/index.ts";
import { numRuns } from "./arbitraries.ts";
import { nameVectors } from "./vectors.ts";

describe("DIDs", () => {
  it("writes the chain and the name", () => {
    expect(didOf(8453, "alice")).toBe("did:svc:8453:alice");
    expect(didOf(31337, "agent-0")).toBe("did:svc:31337:agent-0");
  });

  it("reads a DID without a chain as one of the given chain", () => {
    expect(parseDid("did:svc:alice", 8453)).toStrictEqual({ chainId: 8453, name: "alice" });
  });

  it("reads back what it writes", () => {
    const name = fc.constantFrom(...nameVectors.valid, "agent-0", "agent-12");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), name, (chainId, agent) => {
        expect(parseDid(didOf(chainId, agent), 1)).toStrictEqual({ chainId, name: agent });
      }),
      { numRuns },
    );
  });

  it.each([
    "",
    "alice",
    "did:svc:",
    "did:svc::alice",
    "did:svc:0:alice",
    "did:svc:01:alice",
    "did:svc:-1:alice",
    "did:svc:1e3:alice",
    "did:svc:9007199254740992:alice",
    "did:svc:1:2:alice",
    "did:svc:8453:Alice",
    "did:svc:8453",
    "did:svc:8453:",
    "did:svc:alice#key",
    "did:svc:alice/path",
    "did:svc:alice\n",
    "DID:svc:alice",
    "did:other:alice",
  ])("refuses %j", (did) => {
    expect(() => parseDid(did, 8453)).toThrow(
      expect.objectContaining({ code: "invalid_did", did }),
    );
  });

  it.each([
    [0, "alice", "did:svc:0:alice"],
    [1.5, "alice", "did:svc:1.5:alice"],
    [1, "request", "did:svc:1:request"],
    [1, "a:b", "did:svc:1:a:b"],
  ] as const)("writes no DID for chain %d and name %j", (chainId, name, did) => {
    expect(() => didOf(chainId, name)).toThrow(InvalidDidError);
    expect(() => didOf(chainId, name)).toThrow(
      expect.objectContaining({ code: "invalid_did", did }),
    );
  });
});
