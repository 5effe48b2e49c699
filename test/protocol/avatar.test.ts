import fc from "fast-check";
import { type Hex, sha256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { AVATAR_FORMAT, AVATAR_PALETTES, avatarSvg, soulEmblem } from "../../protocol/index.ts";
import { salt as hash, numRuns, text } from "./arbitraries.ts";
import { avatarVectors } from "./vectors.ts";
import { elementsOf, readXml } from "./xml.ts";

/** Every plausible name, markup included. */
const anyName = fc.oneof(
  text,
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    '</title><script>alert("1")</script>',
    "<!--",
    "]]>",
    '" onload="alert(1)',
    "&amp;&#0;&x;",
    "\u0000\u001b\u007f\u0085\ufffe\uffff\ud800x\udc00",
    "line\r\nline",
  ),
);

const soulHash: Hex = `0x${"0123456789abcdef".repeat(4)}`;

describe("avatars", () => {
  it("are well-formed, and only a drawing, for any name", () => {
    fc.assert(
      fc.property(anyName, hash, (name, soul) => {
        const root = readXml(avatarSvg({ name, soulHash: soul }));
        const elements = elementsOf(root);

        expect(root.name).toBe("svg");
        expect(root.attributes).toStrictEqual({
          xmlns: "http://www.w3.org/2000/svg",
          viewBox: "0 0 512 512",
          role: "img",
        });
        for (const { name: tag } of elements)
          expect(tag).toMatch(/^(svg|title|rect|g|circle|path)$/);
        const keys = new Set(
          elements.slice(1).flatMap(({ attributes }) => Object.keys(attributes)),
        );
        for (const key of keys) {
          expect(key).toMatch(
            /^(d|r|rx|width|height|fill|stroke(-opacity|-width|-linecap)?|transform)$/,
          );
        }
        const writings = elements.filter(({ children }) =>
          children.some((child) => typeof child === "string"),
        );
        expect(writings.every((element) => element.name === "title")).toBe(true);
      }),
      { numRuns },
    );
  });

  it.each([
    ["ada", "ada"],
    ['</title><script>"&amp;', '</title><script>"&amp;'],
    ["a\u0000b\u001bc\r\nd\tz", "a\ufffdb\ufffdc\ufffd\nd\tz"],
    ["\ud800x\udc00 \u{1f600} \uffff", "\ufffdx\ufffd \u{1f600} \ufffd"],
    ["", undefined],
  ])("are titled with the name %j", (name, title) => {
    const root = readXml(avatarSvg({ name, soulHash }));
    expect(root.children[0]).toStrictEqual({
      name: "title",
      attributes: {},
      children: title === undefined ? [] : [title],
    });
  });

  it("are the same for the same input", () => {
    fc.assert(
      fc.property(anyName, hash, (name, soul) => {
        const upper: Hex = `0x${soul.slice(2).toUpperCase()}`;
        expect(avatarSvg({ name, soulHash: upper })).toBe(avatarSvg({ name, soulHash: soul }));
      }),
      { numRuns },
    );
  });

  it("differ in their picture for every other hash, even by one bit", () => {
    const bit = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(hash, bit, (soul, index) => {
        const other: Hex = `0x${(BigInt(soul) ^ (1n << BigInt(index))).toString(16).padStart(64, "0")}`;
        expect(soulEmblem(other)).not.toBe(soulEmblem(soul));
      }),
      { numRuns },
    );
  });

  it("look different at a glance: among 200 agents, all flowers differ", () => {
    const flowers = Array.from({ length: 200 }, (_, index) =>
      soulEmblem(sha256(stringToHex(`agent ${index}`))).replace(/^.*?<circle/, "<circle"),
    );
    expect(new Set(flowers).size).toBe(200);
  });

  it.each(["0x", "0x12", `0x${"g".repeat(64)}`, `0x${"0".repeat(63)}`, "ada"])(
    "are not drawn for the soul hash %j",
    (bad) => {
      expect(() => avatarSvg({ name: "ada", soulHash: bad as Hex })).toThrow(
        new RangeError("A soul hash is 0x and 64 hexadecimal digits."),
      );
    },
  );

  it.each(AVATAR_PALETTES.map((palette, index) => ({ index, ...palette })))(
    "have enough contrast in palette $index",
    ({ ground, disc, petal, accent }) => {
      for (const under of [ground, disc]) {
        expect(contrast(petal, under)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(accent, under)).toBeGreaterThanOrEqual(3);
      }
    },
  );

  it.each(avatarVectors.cases)("draw $name as before", ({ name, soulHash, svg }) => {
    expect(avatarVectors.format).toBe(AVATAR_FORMAT);
    expect(avatarSvg({ name, soulHash })).toBe(svg);
  });
});

/** Contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((from) => {
    const value = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
