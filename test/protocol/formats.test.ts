import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { ProtocolError } from "../../protocol/errors.ts";
import {
  type Ccsf,
  InvalidAgentTypeError,
  InvalidCcsfError,
  InvalidJsonError,
  InvalidSourceError,
  normaliseCcsf,
  parseSource,
  SOURCE_FORMATS,
  UnknownFormatError,
} from "../../protocol/index.ts";

const ada: Ccsf = normaliseCcsf({
  identity: { name: "ada", agent_type: "specialist", description: "Reads ledgers." },
  soul: {
    purpose: "Find what does not add up.",
    personality: "Dry.",
    constraints: ["Never move funds.", "Never guess a number."],
    guidelines: ["Show the sum."],
    documents: [],
  },
  capabilities: {
    skills: ["Reconciliation"],
    tools: ["ledger"],
    languages: ["en", "de"],
    models: ["small"],
  },
});

function refusal(format: string, text: string): unknown {
  try {
    parseSource(format, text, { name: "x", agent_type: 0 });
  } catch (error) {
    return error;
  }
  throw new Error("It was not refused.");
}

it("reads six formats", () => {
  expect(SOURCE_FORMATS).toEqual([
    "plaintext",
    "soul_md",
    "ccsf_yaml",
    "ccsf_json",
    "a2a_agent_card",
    "character_json",
  ]);
  expect(() => parseSource("toml", "")).toThrow(new UnknownFormatError("toml"));
});

describe("one soul", () => {
  const texts: Readonly<Record<string, string>> = {
    ccsf_json: JSON.stringify(ada),
    ccsf_yaml: stringify(ada),
    soul_md: `---
agent_type: specialist
languages: [en, de]
models:
  - small
---
# Ada

Reads ledgers.

## Purpose

Find what does not add up.

## Personality
Dry.

## Boundaries
- Never move funds.
- Never guess
  a number.

## Rules
Show the sum.

## Skills ##
1. Reconciliation

## Tools
* ledger
`.replace("Never guess\n  a number.", "Never guess a number."),
  };
  it.each(Object.entries(texts))("is the same written as %s", (format, text) => {
    expect(parseSource(format, text)).toEqual(ada);
  });
});

describe("plaintext", () => {
  it("is a purpose, and takes the rest from outside", () => {
    const soul = parseSource("plaintext", "\r\nYou are Ada.\r\nBe brief. ", {
      name: "ada",
      agent_type: "coding",
      description: "Ledgers",
    });
    expect(soul).toEqual(
      normaliseCcsf({
        identity: { name: "ada", agent_type: "specialist", description: "Ledgers" },
        soul: { purpose: "You are Ada.\nBe brief." },
      }),
    );
    expect(() => parseSource("plaintext", "You are Ada.")).toThrow(
      new InvalidCcsfError("identity.name", "is missing"),
    );
  });
});

describe("soul_md", () => {
  const read = (text: string) => parseSource("soul_md", text, { name: "x", agent_type: 0 });

  it("keeps passages under other headings as parts of the personality", () => {
    const soul = read(
      "# A\n## Vibe\nCalm.\n\n## Personality\nKind.\n## Core truths\n- One\n- Two\n",
    );
    expect(soul.soul.personality).toBe("Kind.\n\n## Vibe\nCalm.\n\n## Core truths\n- One\n- Two");
  });

  it("prefers the front matter to the first heading, and keeps the opening text", () => {
    const soul = read("---\nname: Front\ndescription: Short.\n---\n# Title\nOpening.\n");
    expect(soul.identity).toEqual({
      name: "Front",
      agent_type: "assistant",
      description: "Short.",
    });
    expect(soul.soul.personality).toBe("Opening.");
  });

  it("takes no heading from inside a code block", () => {
    const soul = read("# A\n## Purpose\n~~~\n## Tools\n~~~\nend");
    expect(soul.soul.purpose).toBe("~~~\n## Tools\n~~~\nend");
    expect(soul.capabilities.tools).toEqual([]);
  });

  it("takes paragraphs where a list has no points, and continued lines where it has", () => {
    const soul = read("## Rules\nOne\nmore\n\nTwo\n## Tools\n- a\n  b\n\n- c\n");
    expect(soul.soul.guidelines).toEqual(["One\nmore", "Two"]);
    expect(soul.capabilities.tools).toEqual(["a\nb", "c"]);
  });

  it.each([
    ["---\nname: A\nflavour: x\n---\n", 3, "has an unknown key"],
    ["---\nname: A\n# Never closed\n", 1, "opens front matter that is not closed"],
    ["---\n- a\n---\n", 2, "must start a map of keys and values"],
    ["---\nname: A\nname: B\n---\n", 3, "is not valid YAML (DUPLICATE_KEY)"],
    ["---\ntype: other\nagent_type: other\n---\n", 3, "repeats identity.agent_type"],
    ["# A\n## Purpose\nx\n## Mission\ny\n", 4, "repeats soul.purpose"],
    ["---\nname: &a A\n---\n", 2, "has an anchor, which is not allowed"],
  ])("names the invalid line: %j", (text, line, problem) => {
    expect(refusal("soul_md", text)).toEqual(new InvalidSourceError("soul_md", line, problem));
  });
});

describe("a2a_agent_card", () => {
  it("takes the name, the description and the skills", () => {
    const card = {
      protocolVersion: "0.3.0",
      name: "Route planner",
      description: "Plans routes.",
      url: "https://routes.example/a2a",
      version: "1.2.0",
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [
        { id: "route", name: "Plan a route", description: "From A to B.", tags: ["maps"] },
        { id: "eta", tags: [] },
      ],
    };
    expect(parseSource("a2a_agent_card", JSON.stringify(card), { agent_type: 0 })).toEqual(
      normaliseCcsf({
        identity: { name: "Route planner", agent_type: 0, description: "Plans routes." },
        capabilities: { skills: ["Plan a route: From A to B.", "eta"] },
      }),
    );
  });

  it.each([
    [`{"skills": [{"name": 1}]}`, "must have a text at skills[0].name"],
    [`{"skills": {}}`, "must have a list of objects at skills"],
    [`{"skills": ["x"]}`, "must have an object at skills[0]"],
    [`[]`, "must be a JSON object"],
  ])("refuses %s", (text, problem) => {
    expect(refusal("a2a_agent_card", text)).toEqual(
      new InvalidSourceError("a2a_agent_card", null, problem),
    );
  });
});

describe("character_json", () => {
  it("reads the flat file", () => {
    const file = {
      name: "Eli",
      system: "Answer.",
      bio: ["Born.", "Raised."],
      lore: ["Once fell."],
      adjectives: ["curt", "warm"],
      topics: ["tides"],
      plugins: ["@x/sea"],
      style: { all: ["Short."], chat: ["Ask."], post: [""] },
      modelProvider: "local",
      settings: { secrets: { KEY: "do not read" } },
      messageExamples: [[{ name: "a", content: { text: "hi" } }]],
    };
    expect(parseSource("character_json", JSON.stringify(file), { agent_type: 1 })).toEqual(
      normaliseCcsf({
        identity: { name: "Eli", agent_type: 1, description: "Born.\nRaised." },
        soul: {
          purpose: "Answer.",
          personality: "curt, warm\nOnce fell.",
          guidelines: ["Short.", "Ask."],
        },
        capabilities: { skills: ["tides"], tools: ["@x/sea"], models: ["local"] },
      }),
    );
  });

  it("reads a character card in its envelope", () => {
    const card = {
      spec: "chara_card_v2",
      spec_version: "2.0",
      data: {
        name: "Mira",
        description: "A sailor.",
        personality: "Bold.",
        scenario: "At sea.",
        system_prompt: "Stay in the scene.",
        first_mes: "Ahoy",
      },
    };
    expect(parseSource("character_json", JSON.stringify(card), { agent_type: 1 })).toEqual(
      normaliseCcsf({
        identity: { name: "Mira", agent_type: 1, description: "A sailor." },
        soul: { purpose: "Stay in the scene.\nAt sea.", personality: "Bold." },
      }),
    );
  });
});

describe("hostile texts", () => {
  const deep = 200_000;
  const hostile: readonly (readonly [string, string, unknown])[] = [
    ["ccsf_json", "[".repeat(deep), new InvalidJsonError("depth", "[0][0][0][0][0][0][0][0]")],
    ["ccsf_json", `{"a":1,"a":2}`, new InvalidJsonError("duplicate_key", "a")],
    ["ccsf_yaml", "[".repeat(deep), nested("ccsf_yaml", 1)],
    ["ccsf_yaml", "- ".repeat(deep), nested("ccsf_yaml", 1)],
    ["ccsf_yaml", "? ".repeat(deep), nested("ccsf_yaml", 1)],
    [
      "ccsf_yaml",
      Array.from({ length: 700 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
      nested("ccsf_yaml", 10),
    ],
    [
      "ccsf_yaml",
      "a: &a [x, x]\nb: &b [*a, *a]\n",
      new InvalidSourceError("ccsf_yaml", 1, "has an anchor, which is not allowed"),
    ],
    [
      "ccsf_yaml",
      "identity: {}\nsoul: *a\n",
      new InvalidSourceError("ccsf_yaml", 2, "has an alias, which is not allowed"),
    ],
    [
      "ccsf_yaml",
      "identity: !!binary aGk=\n",
      new InvalidSourceError("ccsf_yaml", 1, "has a tag, which is not allowed"),
    ],
    [
      "ccsf_yaml",
      "identity: {name: a, agent_type: other}\n---\nidentity: {}\n",
      new InvalidSourceError("ccsf_yaml", 2, "is not valid YAML (MULTIPLE_DOCS)"),
    ],
    ["ccsf_yaml", "<<: {identity: {}}\n", new InvalidCcsfError('["<<"]', "is not a known key")],
    ["ccsf_yaml", "x".repeat(600_000), tooLarge("ccsf_yaml")],
    ["soul_md", "x".repeat(600_000), tooLarge("soul_md")],
    ["a2a_agent_card", `{"x":${"[".repeat(deep)}`, expect.any(InvalidJsonError)],
    ["character_json", `"${"x".repeat(600_000)}"`, new InvalidJsonError("size", "")],
    ["plaintext", "\ud800", new InvalidCcsfError("soul.purpose", "must be valid Unicode")],
    [
      "ccsf_json",
      `{"identity":{"name":"a","agent_type":"robot"}}`,
      new InvalidAgentTypeError("robot"),
    ],
  ];
  it.each(hostile)("are refused: %s %#", (format, text, expected) => {
    expect(refusal(format, text)).toEqual(expected);
  });

  function nested(format: string, line: number) {
    return new InvalidSourceError(format, line, "is nested too deeply");
  }
  function tooLarge(format: string) {
    return new InvalidSourceError(format, null, "must not exceed 524288 bytes");
  }

  it("never leave a parser with anything but its own errors", () => {
    const yamlish = fc
      .array(
        fc.constantFrom(
          "a",
          ":",
          " ",
          "- ",
          "\n",
          "[",
          "]",
          "{",
          "}",
          "? ",
          "|",
          ">",
          "#",
          '"',
          "'",
          "%",
          "---",
          "\t",
          "é",
          "name: x",
          "## Tools",
          "---\n",
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        fc.constantFrom(...SOURCE_FORMATS),
        fc.oneof(yamlish, fc.string(), fc.json()),
        (format, text) => {
          try {
            const soul = parseSource(format, text, { name: "x", agent_type: 0 });
            expect(normaliseCcsf(soul)).toEqual(soul);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
