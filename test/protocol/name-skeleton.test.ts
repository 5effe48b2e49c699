import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameSkeleton } from "../../protocol/name-skeleton.ts";
import { numRuns } from "./arbitraries.ts";

/** Characters that look alike in a name. */
const SWAPS = [
  ["o", "0"],
  ["l", "1"],
  ["i", "1"],
  ["i", "l"],
  ["z", "2"],
  ["e", "3"],
  ["a", "4"],
  ["s", "5"],
  ["t", "7"],
  ["b", "8"],
  ["g", "9"],
  ["g", "q"],
] as const;

const word = fc.stringMatching(/^[a-z]{3,12}$/).filter((text) => !/rn|vv|c[li]/.test(text));

describe("the skeleton of a name", () => {
  it.each([
    ["heron", "her0n"],
    ["heron", "her-on"],
    ["modern", "modem"],
    ["vvader", "wader"],
    ["clock", "dock"],
    ["paypal", "paypai"],
    ["paypal", "pay-pa1"],
    ["night--owl", "nightowl"],
    ["scout-6-8", "scout-6--8"],
    ["Heron", "heron"],
  ])("is the same for %s and %s", (one, other) => {
    expect(nameSkeleton(one)).toBe(nameSkeleton(other));
  });

  it.each([
    ["heron", "herons"],
    ["heron", "norhe"],
    ["scout-6", "scout-8"],
    ["scout-1-12", "scout-11-2"],
    ["scout-1-1", "scout-11"],
    ["agent-9", "agent-4"],
  ])("differs for %s and %s", (one, other) => {
    expect(nameSkeleton(one)).not.toBe(nameSkeleton(other));
  });

  it.each([
    ["heron", "heron"],
    ["her0n", "heron"],
    ["modern-1l", "modemii"],
    ["scout-6-8", "scout6-b"],
    ["", ""],
    ["---", ""],
  ])("of %j is %j", (name, skeleton) => {
    expect(nameSkeleton(name)).toBe(skeleton);
  });

  it("survives a swap of any character for one that looks like it, and added hyphens", () => {
    fc.assert(
      fc.property(word, fc.constantFrom(...SWAPS), fc.nat(), (name, [letter, other], at) => {
        const swapped = name.replaceAll(letter, other);
        fc.pre(!/rn|vv|c[l1i]/.test(swapped));
        const cut = 1 + (at % (name.length - 1));
        expect(nameSkeleton(swapped)).toBe(nameSkeleton(name));
        expect(nameSkeleton(`${name.slice(0, cut)}-${name.slice(cut)}`)).toBe(nameSkeleton(name));
      }),
      { numRuns },
    );
  });

  it("takes any string, and keeps two numbers of a series apart", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(nameSkeleton(text)).not.toMatch(/[0-57-9lq]/);
      }),
      { numRuns },
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        fc.pre(one !== other);
        expect(nameSkeleton(`scout-${one}`)).not.toBe(nameSkeleton(`scout-${other}`));
      }),
      { numRuns },
    );
  });
});
