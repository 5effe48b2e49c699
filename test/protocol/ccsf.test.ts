import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CCSF_LIMITS,
  canonicalCcsf,
  FIELDS,
  fieldValue,
  InvalidAgentTypeError,
  InvalidCcsfError,
  normaliseCcsf,
  normaliseFieldValue,
  parseCcsfJson,
  parseSource,
  SOURCE_FORMATS,
  sourceHash,
  UnknownFormatError,
} from "../../protocol/index.ts";
import { ccsf, numRuns, rawCcsf } from "./arbitraries.ts";
import { fieldTreeVectors } from "./vectors.ts";

const identity = { name: "Ada", agent_type: "assistant" };
const hash = `0x${"ab".repeat(32)}`;

describe("parseCcsfJson", () => {
  it.each(fieldTreeVectors.cases)("normalises the vector $name", ({ source, canonical }) => {
    expect(canonicalCcsf(parseCcsfJson(source))).toBe(canonical);
  });

  it("refuses a repeated key with its path", () => {
    expect(() =>
      parseCcsfJson(
        '{"identity":{"name":"Ada","agent_type":0},"soul":{"purpose":"a","purpose":"b"}}',
      ),
    ).toThrow(
      expect.objectContaining({
        code: "invalid_json",
        reason: "duplicate_key",
        path: "soul.purpose",
      }),
    );
  });

  it("checks depth and size before anything else", () => {
    expect(() => parseCcsfJson("[".repeat(9))).toThrow(
      expect.objectContaining({ reason: "depth" }),
    );
    expect(() => parseCcsfJson(" ".repeat(CCSF_LIMITS.bytes + 1))).toThrow(
      expect.objectContaining({ reason: "size" }),
    );
  });
});

describe("normaliseCcsf", () => {
  it("gives an empty form to every absent value", () => {
    expect(normaliseCcsf({ identity })).toStrictEqual({
      ccsf: "1.0",
      identity: { name: "Ada", agent_type: "assistant", description: "" },
      soul: { purpose: "", personality: "", constraints: [], guidelines: [], documents: [] },
      capabilities: { skills: [], tools: [], languages: [], models: [] },
    });
  });

  it("sorts documents by id and keeps the order of other lists", () => {
    const documents = ["b", "a", "B"].map((id) => ({
      id,
      contentHash: hash.toUpperCase().replace("0X", "0x"),
    }));
    const { soul } = normaliseCcsf({ identity, soul: { documents, constraints: ["z", "a"] } });
    expect(soul.documents).toStrictEqual(
      ["B", "a", "b"].map((id) => ({ id, contentHash: hash, immutable: false })),
    );
    expect(soul.constraints).toStrictEqual(["z", "a"]);
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(ccsf, (soul) => {
        expect(normaliseCcsf(soul)).toStrictEqual(soul);
        expect(parseCcsfJson(canonicalCcsf(soul))).toStrictEqual(soul);
      }),
      { numRuns },
    );
  });

  it("gives one text to canonically equal Unicode and to any line ends", () => {
    fc.assert(
      fc.property(rawCcsf, (raw) => {
        const other = JSON.parse(JSON.stringify(raw), (_, value: unknown) =>
          typeof value === "string"
            ? ` ${value.normalize("NFC").replace(/\r\n?/g, "\n").normalize("NFD").replace(/\n/g, "\r\n")}\n`.trimStart()
            : value,
        );
        // Only texts vary in this way: type names and hashes are restored.
        other.identity.agent_type = raw.identity.agent_type;
        for (const [index, document] of (other.soul?.documents ?? []).entries()) {
          document.contentHash = raw.soul?.documents?.[index]?.contentHash;
        }
        expect(normaliseCcsf(other)).toStrictEqual(normaliseCcsf(raw));
      }),
      { numRuns },
    );
  });

  it.each([
    [null, "", "must be an object"],
    [[], "", "must be an object"],
    [{ identity, foo: 1 }, "foo", "is not a known key"],
    [{ identity, soul: { foo: 1 } }, "soul.foo", "is not a known key"],
    [{ identity, soul: { "a b": 1 } }, 'soul["a b"]', "is not a known key"],
    [JSON.parse('{"__proto__":{}}'), "__proto__", "is not a known key"],
    [{ identity, ccsf: "2.0" }, "ccsf", 'must be "1.0"'],
    [{ identity, ccsf: 1 }, "ccsf", 'must be "1.0"'],
    [{}, "identity.name", "is missing"],
    [{ identity: { ...identity, name: " \n" } }, "identity.name", "must not be empty"],
    [
      { identity: { ...identity, name: "x".repeat(129) } },
      "identity.name",
      "must not exceed 128 characters",
    ],
    [{ identity: { ...identity, name: "\ud800" } }, "identity.name", "must be valid Unicode"],
    [{ identity: { name: "Ada" } }, "identity.agent_type", "is missing"],
    [{ identity: { ...identity, description: null } }, "identity.description", "must be a text"],
    [{ identity, soul: null }, "soul", "must be an object"],
    [{ identity, soul: { constraints: "one" } }, "soul.constraints", "must be a list"],
    [{ identity, soul: { constraints: ["a", 7] } }, "soul.constraints[1]", "must be a text"],
    [{ identity, soul: { constraints: new Array(1) } }, "soul.constraints[0]", "is missing"],
    [{ identity, soul: { guidelines: ["a", " "] } }, "soul.guidelines[1]", "must not be empty"],
    [
      { identity, capabilities: { skills: Array(257).fill("a") } },
      "capabilities.skills",
      "must not exceed 256 entries",
    ],
    [
      { identity, soul: { purpose: "x".repeat(CCSF_LIMITS.text + 1) } },
      "soul.purpose",
      `must not exceed ${CCSF_LIMITS.text} characters`,
    ],
    [
      { identity, soul: { purpose: "é".repeat(CCSF_LIMITS.text) } },
      "",
      `must not exceed ${CCSF_LIMITS.bytes} bytes`,
    ],
    [{ identity, soul: { documents: ["a"] } }, "soul.documents[0]", "must be an object"],
    [{ identity, soul: { documents: new Array(1) } }, "soul.documents[0]", "must be an object"],
    [
      { identity, soul: { documents: [{ contentHash: hash }] } },
      "soul.documents[0].id",
      "is missing",
    ],
    [
      { identity, soul: { documents: [{ id: "a", contentHash: "0x12" }] } },
      "soul.documents[0].contentHash",
      "must be 0x and 64 hexadecimal digits",
    ],
    [
      { identity, soul: { documents: [{ id: "a", contentHash: `${hash}\n` }] } },
      "soul.documents[0].contentHash",
      "must be 0x and 64 hexadecimal digits",
    ],
    [
      { identity, soul: { documents: [{ id: "a", contentHash: hash, immutable: 1 }] } },
      "soul.documents[0].immutable",
      "must be true or false",
    ],
    [
      { identity, soul: { documents: [{ id: "a", contentHash: hash, title: "t" }] } },
      "soul.documents[0].title",
      "is not a known key",
    ],
    [
      {
        identity,
        soul: {
          documents: [
            { id: "é", contentHash: hash },
            { id: "e\u0301 ", contentHash: hash },
          ],
        },
      },
      "soul.documents[1].id",
      "appears twice",
    ],
  ])("refuses %j at %j: %s", (input, path, problem) => {
    let thrown: unknown;
    try {
      normaliseCcsf(input);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidCcsfError);
    expect(thrown).toMatchObject({ code: "invalid_ccsf", path, problem });
  });

  it("names the accepted agent types when it refuses one", () => {
    expect(() => normaliseCcsf({ identity: { name: "Ada", agent_type: "robot" } })).toThrow(
      InvalidAgentTypeError,
    );
  });
});

describe("normaliseFieldValue", () => {
  it("normalises one value as it does in the whole document", () => {
    fc.assert(
      fc.property(rawCcsf, (raw) => {
        const whole = normaliseCcsf(raw);
        for (const field of FIELDS) {
          const [group, key] = field.split(".") as [keyof typeof raw, string];
          const value = (raw[group] as Record<string, unknown> | undefined)?.[key];
          expect(normaliseFieldValue(field, value)).toStrictEqual(fieldValue(whole, field));
        }
      }),
      { numRuns },
    );
  });

  it("refuses with the field's path", () => {
    expect(() => normaliseFieldValue("capabilities.tools", ["a", 1])).toThrow(
      expect.objectContaining({ path: "capabilities.tools[1]", problem: "must be a text" }),
    );
  });
});

describe("parseSource", () => {
  it("lists its formats and refuses another", () => {
    expect(SOURCE_FORMATS).toContain("ccsf_json");
    expect(() => parseSource("toString", "{}")).toThrow(UnknownFormatError);
    expect(() => parseSource("toString", "{}")).toThrow(
      expect.objectContaining({
        code: "unknown_format",
        format: "toString",
        accepted: SOURCE_FORMATS,
      }),
    );
  });

  it("fills in what the text leaves out, and nothing else", () => {
    const text = '{"identity":{"name":"Ada"}}';
    const defaults = { name: "Eve", agent_type: "coding", description: "Codes." };
    expect(parseSource("ccsf_json", text, defaults).identity).toStrictEqual({
      name: "Ada",
      agent_type: "specialist",
      description: "Codes.",
    });
    expect(() => parseSource("ccsf_json", '{"identity":[]}', defaults)).toThrow(
      expect.objectContaining({ path: "identity", problem: "must be an object" }),
    );
    expect(() => parseSource("ccsf_json", "7", defaults)).toThrow(
      expect.objectContaining({ path: "", problem: "must be an object" }),
    );
  });

  it("hashes the source text unchanged", () => {
    expect(sourceHash("abc")).toBe(
      "0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});
