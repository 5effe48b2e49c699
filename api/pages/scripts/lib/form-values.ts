import { notice } from "./dom.ts";

/** A field that holds no value of its kind. The notice says which. */
export class FieldProblem extends Error {
  override readonly name = "FieldProblem";
  constructor(readonly shown: HTMLElement) {
    super();
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The field with this name. The server wrote it, so a missing one is a bug. */
export function fieldOf(form: HTMLFormElement, name: string): Field {
  const found = form.elements.namedItem(name);
  if (found instanceof HTMLInputElement) return found;
  if (found instanceof HTMLTextAreaElement || found instanceof HTMLSelectElement) return found;
  throw new Error(`The form has no field ${name}.`);
}

/**
 * The values of a form as members of a request's body, each read as its `data-reads` says.
 *
 * @throws FieldProblem
 */
export function formValues(form: HTMLFormElement): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  for (const control of form.elements) {
    const { name } = control as Field;
    if (!name) continue;
    const value = readField(fieldOf(form, name));
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function readField(field: Field): string | number | undefined {
  const text = field.value.trim();
  const { reads } = field.dataset;
  if (reads === "own") return undefined;
  if (reads === "optional" || reads === "optional-amount") {
    if (text === "") return undefined;
  }
  if (reads === "amount" || reads === "optional-amount") return amountOf(text);
  if (text === "") throw new FieldProblem(notice("caution", `${labelOf(field)}: fill this in`));
  return reads === "day" ? `${text}T23:59:59Z` : text;
}

function labelOf(field: Field): string {
  return field.labels?.[0]?.textContent ?? field.name;
}

/** Base units. */
function amountOf(text: string): number {
  const match = /^([0-9]{1,9})(?:\.([0-9]{1,6}))?$/.exec(text);
  if (match !== null) {
    return Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0"));
  }
  throw new FieldProblem(
    notice(
      "caution",
      "Enter amounts as numbers",
      "Such as 2 or 2.50, with at most six digits after the point.",
    ),
  );
}
