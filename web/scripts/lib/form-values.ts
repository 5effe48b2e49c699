/** A field that holds no value of its kind. The message says which. */
export class FieldProblem extends Error {
  override readonly name = "FieldProblem";
  constructor(
    message: string,
    readonly hint: string | null = null,
  ) {
    super(message);
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
export function formValues(form: HTMLFormElement): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const control of form.elements) {
    const { name } = control as Field;
    if (!name) continue;
    const field = fieldOf(form, name);
    const value = readField(field);
    if (value === undefined) continue;
    const { list } = field.dataset;
    if (list === undefined) put(values, name, value);
    else values[list] = [...((values[list] as unknown[] | undefined) ?? []), value];
  }
  return values;
}

/** A name such as `data.title` is the member `title` of `data`. */
function put(values: Record<string, unknown>, name: string, value: unknown): void {
  const [group = "", member] = name.split(".");
  if (member === undefined) values[group] = value;
  else values[group] = { ...(values[group] as object | undefined), [member]: value };
}

function readField(field: Field): unknown {
  const text = field.value.trim();
  const { reads, list } = field.dataset;
  if (reads === "own") return undefined;
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    if (list === undefined) return field.checked;
    return field.checked ? field.value : undefined;
  }
  if (reads?.startsWith("optional") && text === "") return undefined;
  if (reads === "lines") return linesOf(field.value);
  if (reads === "pairs")
    return linesOf(field.value)
      .map(wordsOf)
      .map(([type, value]) => ({ type, value }));
  if (reads === "services") {
    return linesOf(field.value)
      .map(wordsOf)
      .map(([name, endpoint]) => ({ name, endpoint }));
  }
  if (reads === "json" || reads === "optional-json") return jsonOf(field);
  if (reads === "number") return Number(text);
  if (reads === "any") return text;
  if (reads === "amount" || reads === "optional-amount") return amountOf(text);
  if (text === "") throw new FieldProblem(`${labelOf(field)}: fill this in`);
  return reads === "day" ? `${text}T23:59:59Z` : text;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The first word of a line such as `github heron`, and the rest. */
function wordsOf(line: string): readonly [first: string, rest: string] {
  const [first = "", ...rest] = line.split(/\s+/);
  return [first, rest.join(" ")];
}

/** @throws FieldProblem */
function jsonOf(field: Field): unknown {
  try {
    return JSON.parse(field.value);
  } catch {
    throw new FieldProblem(`${labelOf(field)}: this is not JSON`);
  }
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
    "Enter amounts as numbers",
    "Such as 2 or 2.50, with at most six digits after the point.",
  );
}
