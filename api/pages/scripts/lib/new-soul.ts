import { postForm } from "./api.ts";
import { notice } from "./dom.ts";
import { FieldProblem, fieldOf } from "./form-values.ts";

/** A soul as the service hashed it. The salt is in no other place. */
export interface HashedSoul {
  readonly soulHash: string;
  readonly soulSalt: string;
  readonly soulMerkleRoot: string;
  readonly merkleLeaves: readonly object[];
}

/**
 * Has the service hash the text of a form, which it does not store.
 *
 * @param known Name and type of the agent where the form has no field for them.
 * @throws FieldProblem without a text; ApiFailure.
 */
export async function newSoul(
  form: HTMLFormElement,
  known: { readonly agentName: string | null; readonly agentType: string | null },
): Promise<HashedSoul> {
  const text = fieldOf(form, "soulText").value;
  if (text.trim() === "") {
    const hint = "It is the system prompt, or the document that describes the agent.";
    throw new FieldProblem(notice("caution", "Enter the text of the soul", hint));
  }
  const data = new FormData();
  data.set("file", new Blob([text], { type: "text/plain" }), "soul");
  data.set("format", fieldOf(form, "soulFormat").value);
  data.set("agentName", known.agentName ?? fieldOf(form, "newAgentName").value.trim());
  data.set("agentType", known.agentType ?? fieldOf(form, "agentType").value);
  return postForm<HashedSoul>("/v1/tools/normalise", data);
}
