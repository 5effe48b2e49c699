import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, InvalidJsonError, parseJsonStrict } from "../../protocol/index.ts";
import { numRuns } from "./arbitraries.ts";

const limits = { maxDepth: 20, maxBytes: 10_000 };

function refusal(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidJsonError);
    const { code, reason, path } = error as InvalidJsonError;
    expect(code).toBe("invalid_json");
    return { reason, path };
  }
  return null;
}

describe("parseJsonStrict", () => {
  it("reads what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // fast-check's own numbers include integers that JSON.parse would round.
        fc.pre(refusal(() => parseJsonStrict(text, { maxDepth: 20, maxBytes: 1e6 })) === null);
        expect(parseJsonStrict(text, { maxDepth: 20, maxBytes: 1e6 })).toEqual(JSON.parse(text));
      }),
      { numRuns },
    );
  });

  it("accepts only texts that JSON.parse accepts, and reads them the same", () => {
    const pieces = fc.array(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"a"',
        '"b"',
        '"',
        "\\",
        "1",
        "-",
        "0",
        ".5",
        "e1",
        "true",
        "null",
        " ",
        "\n",
        "\u00a0",
        "NaN",
      ),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join("");
        let strict: unknown;
        try {
          strict = parseJsonStrict(text, limits);
        } catch {
          return;
        }
        expect(strict).toEqual(JSON.parse(text));
      }),
      { numRuns: numRuns * 20 },
    );
  });

  it.each([
    "",
    " ",
    "{",
    "[1,]",
    '{"a":1,}',
    '{"a" 1}',
    "{a:1}",
    "[1 2]",
    "01",
    "+1",
    ".5",
    "1.",
    "tru",
    "nul",
    '"a',
    '"\\x"',
    '"\n"',
    "1 2",
    "\ufeff1",
    "'a'",
    "NaN",
    "Infinity",
  ])("refuses %j as syntax", (text) => {
    expect(refusal(() => parseJsonStrict(text, limits))).toMatchObject({ reason: "syntax" });
  });

  it.each([
    ['{"a":1,"a":2}', "duplicate_key", "a"],
    ['{"a":{"b":[{"c":1,"\\u0063":1}]}}', "duplicate_key", "a.b[0].c"],
    ['{"__proto__":1,"__proto__":2}', "duplicate_key", "__proto__"],
    ['{"a b":1,"a b":2}', "duplicate_key", '["a b"]'],
    ['["\\ud800"]', "surrogate", "[0]"],
    ['["\\udc00\\ud800"]', "surrogate", "[0]"],
    ['{"\\ud800":1}', "surrogate", ""],
    ['{"id":9007199254740992}', "number", "id"],
    ['{"id":-9007199254740993}', "number", "id"],
    ['{"id":1e999}', "number", "id"],
  ])("refuses %s as %s at %j", (text, reason, path) => {
    expect(refusal(() => parseJsonStrict(text, limits))).toStrictEqual({ reason, path });
  });

  it("keeps numbers that are exact", () => {
    expect(parseJsonStrict("[9007199254740991,-0.5,1e3,0]", limits)).toStrictEqual([
      9007199254740991, -0.5, 1000, 0,
    ]);
  });

  it("keeps large integers as their digits when asked to", () => {
    const digits = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    expect(parseJsonStrict(`[${digits},7]`, { ...limits, largeIntegers: "text" })).toStrictEqual([
      digits,
      7,
    ]);
  });

  it("bounds depth and bytes exactly", () => {
    expect(parseJsonStrict("[[1]]", { maxDepth: 2, maxBytes: 5 })).toStrictEqual([[1]]);
    expect(
      refusal(() => parseJsonStrict('{"a":[1]}', { maxDepth: 1, maxBytes: 50 })),
    ).toStrictEqual({
      reason: "depth",
      path: "a",
    });
    // Two letters, but four bytes beside the quotes.
    expect(parseJsonStrict('"éé"', { maxDepth: 0, maxBytes: 6 })).toBe("éé");
    expect(refusal(() => parseJsonStrict('"éé"', { maxDepth: 0, maxBytes: 5 }))).toStrictEqual({
      reason: "size",
      path: "",
    });
    expect(
      refusal(() => parseJsonStrict("[".repeat(1e5), { maxDepth: 500, maxBytes: 1e6 })),
    ).toMatchObject({ reason: "depth" });
  });

  it("keeps __proto__ an ordinary key", () => {
    const value = parseJsonStrict('{"__proto__":{"admin":true}}', limits) as Record<
      string,
      unknown
    >;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.admin).toBeUndefined();
    expect(Object.keys(value)).toStrictEqual(["__proto__"]);
  });
});

describe("canonicalJson", () => {
  it("writes RFC 8785", () => {
    // Keys of the example in RFC 8785, 3.2.3: sorted by UTF-16 units, so the emoji comes before U+FB33.
    expect(
      canonicalJson({
        "\u20ac": 1,
        "\r": 2,
        "\ufb33": 3,
        "1": 4,
        "\ud83d\ude00": 5,
        "\u0080": 6,
        "\u00f6": 7,
      }),
    ).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}');
    expect(canonicalJson({ b: [1e21, 0.000001, 1e-7, -0], a: "\u0007\u2028/\u007f" })).toBe(
      '{"a":"\\u0007\u2028/\u007f","b":[1e+21,0.000001,1e-7,0]}',
    );
  });

  it("gives one text for any order of keys, and loses nothing", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        // JSON has no negative zero.
        const plain = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(plain);
      }),
      { numRuns },
    );
  });

  it.each([
    [undefined, "type", ""],
    [{ a: undefined }, "type", "a"],
    [[undefined], "type", "[0]"],
    [{ a: 1n }, "type", "a"],
    [{ a: new Date(0) }, "type", "a"],
    [() => 1, "type", ""],
    [{ a: [Number.NaN] }, "number", "a[0]"],
    [Number.POSITIVE_INFINITY, "number", ""],
    [{ a: "\ud800" }, "surrogate", "a"],
    // An array hole is not null either.
    [new Array(1), "type", "[0]"],
  ])("refuses %o as %s", (value, reason, path) => {
    expect(refusal(() => canonicalJson(value))).toStrictEqual({ reason, path });
  });
});
