import { PUBLISHABLE_FIELDS } from "../../../protocol/fields.ts";
import type { SoulForm } from "../../owner/data.ts";
import { send } from "./api.ts";
import { FieldProblem, fieldOf } from "./form-values.ts";

/** A soul as the service hashed it. A new salt is in no other place. */
export interface HashedSoul {
  readonly soulHash: string;
  readonly soulSalt: string;
  readonly soulMerkleRoot: string;
  readonly merkleLeaves: readonly object[];
  /** The values that its owner chose to publish, by field. */
  readonly publicFields: Readonly<Record<string, unknown>>;
}

interface Normalised extends Omit<HashedSoul, "publicFields"> {
  readonly normalisedCcsf: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly extractedFields: readonly string[];
}

/**
 * Has the service hash the text of a form, which it does not store.
 *
 * @throws FieldProblem for what the form lacks, and for a text that is not that of the former soul;
 * ApiFailure.
 */
export async function newSoul(form: HTMLFormElement, known: SoulForm): Promise<HashedSoul> {
  const text = fieldOf(form, "soulText").value;
  if (text.trim() === "") {
    const hint = "It is the system prompt, or the document that describes the agent.";
    throw new FieldProblem("Enter the text of the soul", hint);
  }
  const { former } = known;
  const kept = former !== null && fieldOf(form, "soulOrigin").value === "former" ? former : null;
  const data = new FormData();
  data.set("file", new Blob([text], { type: "text/plain" }), "soul");
  data.set("format", fieldOf(form, "soulFormat").value);
  data.set(
    "agentName",
    kept?.name ?? known.agentName ?? fieldOf(form, "newAgentName").value.trim(),
  );
  data.set("agentType", known.agentType ?? fieldOf(form, "agentType").value);
  if (kept !== null) data.set("soulSalt", saltIn(form, kept.name));
  const { normalisedCcsf, extractedFields, ...hashed } = await send<Normalised>(
    "POST",
    "/v1/tools/normalise",
    data,
  );
  if (kept !== null && !kept.soulHashes.includes(hashed.soulHash)) {
    const hint = "Text, format, type and salt must all be the former ones, to the letter.";
    throw new FieldProblem(`This is not a soul that ${kept.name} was sealed with`, hint);
  }
  const publicFields = known.revises ? {} : chosenFields(form, normalisedCcsf, extractedFields);
  const { soulHash, soulSalt, soulMerkleRoot, merkleLeaves } = hashed;
  return { soulHash, soulSalt, soulMerkleRoot, merkleLeaves, publicFields };
}

/** @throws FieldProblem */
function saltIn(form: HTMLFormElement, name: string): string {
  const salt = fieldOf(form, "soulSalt").value.trim().toLowerCase();
  if (/^0x[0-9a-f]{64}$/.test(salt)) return salt;
  const hint = "It is soulSalt in the proof file: 0x and 64 digits.";
  throw new FieldProblem(`Enter the salt of ${name}`, hint);
}

/** @throws FieldProblem for a field that the soul leaves empty. */
function chosenFields(
  form: HTMLFormElement,
  ccsf: Normalised["normalisedCcsf"],
  filled: readonly string[],
): Record<string, unknown> {
  const chosen = PUBLISHABLE_FIELDS.filter(
    (field) => (fieldOf(form, field) as HTMLInputElement).checked,
  );
  const empty = chosen.find((field) => !filled.includes(field));
  if (empty !== undefined) {
    throw new FieldProblem(`The soul says nothing in ${empty}`, "Do not publish this field.");
  }
  return Object.fromEntries(
    chosen.map((field) => {
      const [part = "", name = ""] = field.split(".");
      return [field, ccsf[part]?.[name]];
    }),
  );
}
