import canonicalize from "canonicalize";
import { ProtocolError } from "./errors.ts";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };

/**
 * `syntax`: not JSON; `size`, `depth`: above the caller's bound; `duplicate_key`;
 * `reserved_key`: `__proto__`, see {@link JsonLimits}; `surrogate`: a string that is not valid Unicode; `number`: a number that would be rounded or is not finite;
 * `type`: a JavaScript value without a JSON form.
 */
export type InvalidJsonReason =
  | "syntax"
  | "size"
  | "depth"
  | "duplicate_key"
  | "reserved_key"
  | "surrogate"
  | "number"
  | "type";

const REASONS: Record<InvalidJsonReason, string> = {
  syntax: "it is not JSON",
  size: "it is too large",
  depth: "it is nested too deeply",
  duplicate_key: "a key appears twice in one object",
  reserved_key: "__proto__ cannot be a key",
  surrogate: "a string is not valid Unicode",
  number: "a number cannot be represented exactly",
  type: "it holds a value that JSON cannot express",
};

/**
 * The JSON is invalid. `path` names the place if it is known, in the form `soul.documents[2].id`.
 */
export class InvalidJsonError extends ProtocolError {
  override readonly name = "InvalidJsonError";
  readonly code = "invalid_json";

  constructor(
    readonly reason: InvalidJsonReason,
    readonly path: string,
  ) {
    super(
      path === ""
        ? `Invalid JSON: ${REASONS[reason]}.`
        : `Invalid JSON at ${path}: ${REASONS[reason]}.`,
    );
  }
}

export interface JsonLimits {
  /**
   * Greatest number of nested objects and arrays, at most {@link DEEPEST}; a lone string or number
   * has depth 0.
   */
  maxDepth: number;
  /** Greatest size of the text in UTF-8 bytes. */
  maxBytes: number;
  /**
   * How an integer literal outside ±(2^53-1) is read, which a JavaScript number would round:
   * rejected (default), or stored as a string of its digits.
   */
  largeIntegers?: "refuse" | "text";
  /** Whether an object may have the key `__proto__` (default), which many readers drop. */
  prototypeKey?: "refuse" | "keep";
}

/** The parser recurses; every JavaScript engine's stack holds more than this depth. */
const DEEPEST = 500;

/**
 * Path of `key` inside `parent`. Unusual keys are quoted and shortened, because callers choose them
 * and messages show them.
 */
export function joinPath(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(key))
    return `${parent}[${JSON.stringify(key.slice(0, 64))}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** Whether `text` is valid Unicode without lone surrogates. Only such text has a UTF-8 form. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/**
 * Parses JSON (RFC 8259) and rejects what parsers read differently: duplicate keys, numbers that
 * would be rounded, invalid Unicode. Objects are plain objects; a key `__proto__` is an ordinary
 * own property.
 * @throws InvalidJsonError
 */
export function parseJsonStrict(text: string, limits: JsonLimits): JsonValue {
  if (limits.maxDepth > DEEPEST) throw new RangeError(`maxDepth is at most ${DEEPEST}.`);
  // A UTF-16 unit takes at least one byte in UTF-8, so most oversized texts are rejected without
  // encoding.
  if (text.length > limits.maxBytes || new TextEncoder().encode(text).length > limits.maxBytes) {
    throw new InvalidJsonError("size", "");
  }
  return new Parser(text, limits).document();
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

/** A string without escapes, control characters or lone surrogates: it needs no decoding. */
const PLAIN_STRING = /"[^"\\\p{Cc}\p{Surrogate}]*"/uy;

class Parser {
  #at = 0;
  /** Keys from the root to the value being read. The path is written out only for an error. */
  readonly #keys: (string | number)[] = [];
  readonly #text: string;
  readonly #limits: JsonLimits;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  document(): JsonValue {
    const value = this.#value(0);
    this.#space();
    if (this.#at !== this.#text.length) throw this.#refusal("syntax");
    return value;
  }

  #refusal(reason: InvalidJsonReason): InvalidJsonError {
    return new InvalidJsonError(reason, this.#keys.reduce<string>(joinPath, ""));
  }

  #value(depth: number): JsonValue {
    this.#space();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(this.#deeper(depth));
      case "[":
        return this.#array(this.#deeper(depth));
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #deeper(depth: number): number {
    if (depth >= this.#limits.maxDepth) throw this.#refusal("depth");
    return depth + 1;
  }

  #object(depth: number): JsonValue {
    const object: { [key: string]: JsonValue } = {};
    this.#at += 1;
    if (this.#skip("}")) return object;
    do {
      this.#space();
      if (this.#text[this.#at] !== '"') throw this.#refusal("syntax");
      const key = this.#string();
      this.#keys.push(key);
      if (Object.hasOwn(object, key)) throw this.#refusal("duplicate_key");
      if (key === "__proto__" && this.#limits.prototypeKey === "refuse") {
        throw this.#refusal("reserved_key");
      }
      if (!this.#skip(":")) throw this.#refusal("syntax");
      const value = this.#value(depth);
      this.#keys.pop();
      if (key === "__proto__") {
        // An assignment would set the prototype.
        Object.defineProperty(object, key, {
          value,
          enumerable: true,
          writable: true,
          configurable: true,
        });
      } else {
        object[key] = value;
      }
    } while (this.#skip(","));
    if (!this.#skip("}")) throw this.#refusal("syntax");
    return object;
  }

  #array(depth: number): JsonValue {
    const array: JsonValue[] = [];
    this.#at += 1;
    if (this.#skip("]")) return array;
    do {
      this.#keys.push(array.length);
      array.push(this.#value(depth));
      this.#keys.pop();
    } while (this.#skip(","));
    if (!this.#skip("]")) throw this.#refusal("syntax");
    return array;
  }

  #string(): string {
    const start = this.#at;
    PLAIN_STRING.lastIndex = start;
    if (PLAIN_STRING.test(this.#text)) {
      this.#at = PLAIN_STRING.lastIndex;
      return this.#text.slice(start + 1, this.#at - 1);
    }
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"') {
      end += this.#text[end] === "\\" ? 2 : 1;
    }
    this.#at = end + 1;
    let value: unknown;
    try {
      // The slice is one string literal or invalid: the engine's parser checks escapes and control
      // characters.
      value = JSON.parse(this.#text.slice(start, end + 1));
    } catch {
      throw this.#refusal("syntax");
    }
    if (typeof value !== "string") throw this.#refusal("syntax");
    if (!isWellFormed(value)) throw this.#refusal("surrogate");
    return value;
  }

  #number(): JsonValue {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (!match) throw this.#refusal("syntax");
    this.#at = NUMBER.lastIndex;
    const literal = match[0];
    const value = Number(literal);
    const isIntegerLiteral = match[1] === undefined && match[2] === undefined;
    if (isIntegerLiteral && !Number.isSafeInteger(value)) {
      if (this.#limits.largeIntegers === "text") return literal;
      throw this.#refusal("number");
    }
    if (!Number.isFinite(value)) throw this.#refusal("number");
    return value;
  }

  #word(word: string, value: boolean | null): boolean | null {
    if (!this.#text.startsWith(word, this.#at)) throw this.#refusal("syntax");
    this.#at += word.length;
    return value;
  }

  /** Skips white space, and then `mark` if it is next. */
  #skip(mark: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at += 1;
    }
  }
}

/**
 * The canonical JSON (RFC 8785) of `value`: the only form that is hashed and signed.
 * @throws InvalidJsonError for values without an exact JSON form (undefined, bigint, dates,
 * functions, NaN, lone surrogates). They are not dropped, because two different values would then
 * have one hash.
 */
export function canonicalJson(value: unknown): string {
  assertJson(value, "", 0);
  const text = canonicalize(value);
  if (text === undefined) throw new InvalidJsonError("type", "");
  return text;
}

function assertJson(value: unknown, path: string, depth: number): void {
  if (depth > DEEPEST) throw new InvalidJsonError("depth", "");
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new InvalidJsonError("number", path);
    return;
  }
  if (typeof value === "string") {
    if (!isWellFormed(value)) throw new InvalidJsonError("surrogate", path);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertJson(item, joinPath(path, index), depth + 1);
    return;
  }
  if (!isPlainObject(value)) throw new InvalidJsonError("type", path);
  for (const [key, item] of Object.entries(value)) {
    const keyPath = joinPath(path, key);
    if (!isWellFormed(key)) throw new InvalidJsonError("surrogate", keyPath);
    assertJson(item, keyPath, depth + 1);
  }
}

/**
 * Whether `value` is a plain object, as from a literal or a JSON parser: not an array, date or
 * class instance.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
