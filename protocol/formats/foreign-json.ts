import { CCSF_LIMITS } from "../ccsf.ts";
import { isPlainObject, joinPath, parseJsonStrict } from "../json.ts";
import { InvalidSourceError } from "./format.ts";

/** Files of other standards nest deeper than a soul; the part that is read does not. */
const DEPTH = 32;

/**
 * Reads a JSON object whose standard allows more members than a soul needs.
 * @throws InvalidJsonError, or InvalidSourceError when it is not an object.
 */
export function readObject(text: string, format: string): ForeignObject {
  const value = parseJsonStrict(text, { maxDepth: DEPTH, maxBytes: CCSF_LIMITS.bytes });
  if (!isPlainObject(value)) throw new InvalidSourceError(format, null, "must be a JSON object");
  return new ForeignObject(value, format, "");
}

/**
 * Typed access to a file of another standard. Every member is optional, but must have the type that
 * its standard says.
 */
export class ForeignObject {
  readonly #fields: Record<string, unknown>;
  readonly #format: string;
  readonly #path: string;

  constructor(fields: Record<string, unknown>, format: string, path: string) {
    this.#fields = fields;
    this.#format = format;
    this.#path = path;
  }

  has(key: string): boolean {
    return this.#read(key) !== undefined;
  }

  text(key: string): string | undefined {
    const value = this.#read(key);
    if (value !== undefined && typeof value !== "string") throw this.#refusal(key, "a text");
    return value;
  }

  /** A list of texts; a single text counts as a list of one. */
  texts(key: string): string[] {
    const value = this.#read(key);
    if (value === undefined) return [];
    if (typeof value === "string") return [value];
    if (!Array.isArray(value)) throw this.#refusal(key, "a list of texts");
    return value.map((entry, index) => {
      if (typeof entry !== "string") throw this.#refusal(joinPath(key, index), "a text");
      return entry;
    });
  }

  object(key: string): ForeignObject | undefined {
    const value = this.#read(key);
    if (value === undefined) return undefined;
    if (!isPlainObject(value)) throw this.#refusal(key, "an object");
    return new ForeignObject(value, this.#format, joinPath(this.#path, key));
  }

  objects(key: string): ForeignObject[] {
    const value = this.#read(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.#refusal(key, "a list of objects");
    return value.map((entry, index) => {
      if (!isPlainObject(entry)) throw this.#refusal(joinPath(key, index), "an object");
      return new ForeignObject(entry, this.#format, joinPath(joinPath(this.#path, key), index));
    });
  }

  /** Null counts as absent, as most writers mean it. */
  #read(key: string): unknown {
    return Object.hasOwn(this.#fields, key) ? (this.#fields[key] ?? undefined) : undefined;
  }

  #refusal(key: string, expected: string): InvalidSourceError {
    const path = this.#path === "" ? key : `${this.#path}.${key}`;
    return new InvalidSourceError(this.#format, null, `must have ${expected} at ${path}`);
  }
}

/** The non-empty lines, as one text. */
export function paragraphs(...lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line.trim() !== "").join("\n");
}

/** The non-empty entries. Empty entries are common in such files, and invalid in a soul. */
export function nonEmpty(entries: readonly string[]): string[] {
  return entries.filter((entry) => entry.trim() !== "");
}
