import { concatHex, type Hex, keccak256, numberToHex, padHex, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { humanAction, humanSignal } from "../../protocol/index.ts";

// The ABI's encoding written out once more, as the contract library HumanProofs documents it.
const word = (value: number): Hex => numberToHex(value, { size: 32 });
const text = (value: string): Hex =>
  concatHex([word(value.length), padHex(stringToHex(value), { dir: "right", size: 32 })]);

describe("what a proof of personhood is made for", () => {
  it.each([1, 2, 65_535])("is an agent's name in epoch %i", (epoch) => {
    const encoded = [word(0x60), word(0xa0), word(epoch), text("svc"), text("alice")];
    expect(humanAction("alice", epoch)).toBe(keccak256(concatHex(encoded)));
  });

  it("is a claim of an owner at one soul registry of one chain", () => {
    const [owner, soulRegistry] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`] as const;
    const encoded = [padHex(owner), word(0x80), word(8453), padHex(soulRegistry), text("alice")];
    const claim = { owner, name: "alice", chainId: 8453, soulRegistry };
    expect(humanSignal(claim)).toBe(keccak256(concatHex(encoded)));
  });
});
