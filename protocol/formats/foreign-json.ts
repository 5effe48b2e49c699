import { CCSF_LIMITS } from "../ccsf.ts";
import { isPlainObject, joinPath, parseJsonStrict } from "../json.ts";
import { InvalidSourceError } from "./format.ts";

/** Documents of other standards nest deeper than ours; what we read of them does not. */
const DEPTH = 32;

/**
 * Reads a JSON object whose standard lets it hold more than we read.
 * @throws InvalidJsonError, or InvalidSourceError when it is no object.
 */
export function readObject(text: string, format: string): ForeignObject {
  const value = parseJsonStrict(text, { maxDepth: DEPTH, maxBytes: CCSF_LIMITS.bytes });
  if (!isPlainObject(value)) throw new InvalidSourceError(format, null, "must be a JSON object");
  return new ForeignObject(value, format, "");
}

/** Typed access to a foreign object. Everything is optional; what is there must be of the kind its standard says. */
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

  /** A list of texts; one text stands for a list of one. */
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

  /** Null stands for absent, as most writers mean it. */
  #read(key: string): unknown {
    return Object.hasOwn(this.#fields, key) ? (this.#fields[key] ?? undefined) : undefined;
  }

  #refusal(key: string, expected: string): InvalidSourceError {
    const path = this.#path === "" ? key : `${this.#path}.${key}`;
    return new InvalidSourceError(this.#format, null, `must have ${expected} at ${path}`);
  }
}

/** What is not empty of `lines`, as one text. */
export function paragraphs(...lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line.trim() !== "").join("\n");
}

/** The entries that say something: an empty one would be refused as a mistake in a soul, but is common in others' files. */
export function nonEmpty(entries: readonly string[]): string[] {
  return entries.filter((entry) => entry.trim() !== "");
}
