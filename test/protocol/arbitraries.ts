import fc from "fast-check";
import { AGENT_TYPES, type Ccsf, normaliseCcsf } from "../../protocol/index.ts";

/** Runs of a property: few by default, many with `SVC_SOAK=1`, which `npm run test:soak` sets. */
export const numRuns = process.env.SVC_SOAK === "1" ? 2_000 : 100;

/**
 * Any Unicode text, with more of the characters that normalising changes than chance would bring.
 */
export const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      "\r",
      "\n",
      "\r\n",
      " ",
      "\u00a0",
      "\ufeff",
      "e",
      "\u0308",
      "\u212b",
      "\u1100",
      "\u1161",
      '"',
      "\\",
    ),
  ),
  maxLength: 12,
});

const filled = text.filter((value) => value.trim() !== "" && value.normalize("NFC").trim() !== "");
const texts = fc.array(filled, { maxLength: 3 });
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as const);

export const salt = hash;

/** A plausible document, valid but not normalised. */
export const rawCcsf = fc.record(
  {
    identity: fc.record(
      { name: filled, agent_type: fc.constantFrom(...AGENT_TYPES, 3, "coding"), description: text },
      { requiredKeys: ["name", "agent_type"] },
    ),
    soul: fc.record(
      {
        purpose: text,
        personality: text,
        constraints: texts,
        guidelines: texts,
        documents: fc.uniqueArray(
          fc.record(
            { id: filled, contentHash: hash, immutable: fc.boolean() },
            { requiredKeys: ["id", "contentHash"] },
          ),
          {
            maxLength: 3,
            selector: ({ id }) => id.normalize("NFC").replace(/\r\n?/g, "\n").trim(),
          },
        ),
      },
      { requiredKeys: [] },
    ),
    capabilities: fc.record(
      { skills: texts, tools: texts, languages: texts, models: texts },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["identity"] },
);

export const ccsf: fc.Arbitrary<Ccsf> = rawCcsf.map((raw) => normaliseCcsf(raw));
