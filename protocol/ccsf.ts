import type { Hex } from "viem";
import { type AgentTypeName, agentTypeName, parseAgentType } from "./agent-type.ts";
import { ProtocolError } from "./errors.ts";
import type { Field } from "./fields.ts";
import { canonicalJson, isPlainObject, isWellFormed, joinPath, parseJsonStrict } from "./json.ts";

/**
 * Version tag of the document. Bump it when the shape or a normalising rule changes: it is part of
 * what is hashed.
 */
export const CCSF_VERSION = "1.0";

/** Bounds of a document. Text lengths are in UTF-16 units, after normalising. */
export const CCSF_LIMITS = {
  /** Greatest size in UTF-8 bytes, of the source text and of the canonical form. */
  bytes: 512 * 1024,
  depth: 8,
  name: 128,
  documentId: 128,
  /** Any other single text. */
  text: 256 * 1024,
  /** Entries of one list. */
  entries: 256,
  /**
   * Combining marks in a row, as in the Stream-Safe Text Format of UAX #15: putting n of them in
   * order takes n² steps.
   */
  marks: 30,
} as const;

/** A document that the soul refers to. Its content is public and stored elsewhere. */
export interface CcsfDocument {
  id: string;
  /** SHA-256 of the content, lower case. */
  contentHash: Hex;
  immutable: boolean;
}

/**
 * A normalised soul: what an agent is, in the one form that is hashed. Lists keep their order;
 * documents are sorted by id.
 */
export interface Ccsf {
  ccsf: typeof CCSF_VERSION;
  identity: {
    /** Free text. Not the given name in the registry. */
    name: string;
    agent_type: AgentTypeName;
    description: string;
  };
  soul: {
    purpose: string;
    personality: string;
    constraints: string[];
    guidelines: string[];
    documents: CcsfDocument[];
  };
  capabilities: {
    skills: string[];
    tools: string[];
    languages: string[];
    models: string[];
  };
}

/** The value of one field. */
export type FieldValue = string | string[] | CcsfDocument[];

/** The document is invalid: `path` says where (`soul.documents[2].id`), `problem` why. */
export class InvalidCcsfError extends ProtocolError {
  override readonly name = "InvalidCcsfError";
  readonly code = "invalid_ccsf";

  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(path === "" ? `The document ${problem}.` : `${path} ${problem}.`);
  }
}

/**
 * Reads a soul from JSON text and normalises it.
 * @throws InvalidJsonError when the text is not acceptable JSON, InvalidCcsfError when it is not a
 * soul.
 */
export function parseCcsfJson(text: string): Ccsf {
  return normaliseCcsf(
    parseJsonStrict(text, { maxDepth: CCSF_LIMITS.depth, maxBytes: CCSF_LIMITS.bytes }),
  );
}

/**
 * Brings a soul into its canonical form: Unicode NFC, LF line ends, trimmed texts, "" for absent
 * optional texts, [] for absent lists, documents sorted by id, lower-case hashes, the agent type by
 * its name. `identity.name` and `identity.agent_type` are required. Normalising twice changes
 * nothing.
 * @throws InvalidCcsfError for unknown keys, wrong types, empty list entries, repeated document ids
 * and exceeded bounds.
 */
export function normaliseCcsf(input: unknown): Ccsf {
  const root = section(input, "", ["ccsf", "identity", "soul", "capabilities"]);
  if (root.ccsf !== undefined && root.ccsf !== CCSF_VERSION) {
    throw new InvalidCcsfError("ccsf", `must be "${CCSF_VERSION}"`);
  }
  const identity = section(root.identity, "identity", ["name", "agent_type", "description"]);
  const soul = section(root.soul, "soul", [
    "purpose",
    "personality",
    "constraints",
    "guidelines",
    "documents",
  ]);
  const capabilities = section(root.capabilities, "capabilities", [
    "skills",
    "tools",
    "languages",
    "models",
  ]);
  const ccsf: Ccsf = {
    ccsf: CCSF_VERSION,
    identity: {
      name: nameText(identity.name, "identity.name"),
      agent_type: agentType(identity.agent_type, "identity.agent_type"),
      description: text(identity.description, "identity.description"),
    },
    soul: {
      purpose: text(soul.purpose, "soul.purpose"),
      personality: text(soul.personality, "soul.personality"),
      constraints: texts(soul.constraints, "soul.constraints"),
      guidelines: texts(soul.guidelines, "soul.guidelines"),
      documents: documents(soul.documents, "soul.documents"),
    },
    capabilities: {
      skills: texts(capabilities.skills, "capabilities.skills"),
      tools: texts(capabilities.tools, "capabilities.tools"),
      languages: texts(capabilities.languages, "capabilities.languages"),
      models: texts(capabilities.models, "capabilities.models"),
    },
  };
  // Normalising can lengthen a text, and the bounds above hold for single fields: measure the
  // whole.
  if (new TextEncoder().encode(canonicalJson(ccsf)).length > CCSF_LIMITS.bytes) {
    throw new InvalidCcsfError("", `must not exceed ${CCSF_LIMITS.bytes} bytes`);
  }
  return ccsf;
}

/**
 * Normalises the value of one field as in a whole soul, so that it can be compared with its leaf.
 * @throws InvalidCcsfError as {@link normaliseCcsf} does for that field.
 */
export function normaliseFieldValue(field: Field, value: unknown): FieldValue {
  switch (field) {
    case "identity.name":
      return nameText(value, field);
    case "identity.agent_type":
      return agentType(value, field);
    case "identity.description":
    case "soul.purpose":
    case "soul.personality":
      return text(value, field);
    case "soul.documents":
      return documents(value, field);
    default:
      return texts(value, field);
  }
}

/** The value of one field of a soul. */
export function fieldValue(ccsf: Ccsf, field: Field): FieldValue {
  switch (field) {
    case "identity.name":
      return ccsf.identity.name;
    case "identity.agent_type":
      return ccsf.identity.agent_type;
    case "identity.description":
      return ccsf.identity.description;
    case "soul.purpose":
      return ccsf.soul.purpose;
    case "soul.personality":
      return ccsf.soul.personality;
    case "soul.constraints":
      return ccsf.soul.constraints;
    case "soul.guidelines":
      return ccsf.soul.guidelines;
    case "soul.documents":
      return ccsf.soul.documents;
    case "capabilities.skills":
      return ccsf.capabilities.skills;
    case "capabilities.tools":
      return ccsf.capabilities.tools;
    case "capabilities.languages":
      return ccsf.capabilities.languages;
    case "capabilities.models":
      return ccsf.capabilities.models;
  }
}

/**
 * The canonical JSON (RFC 8785) of a soul. It normalises first, so that only the canonical form is
 * hashed.
 * @throws InvalidCcsfError when `ccsf` cannot be normalised.
 */
export function canonicalCcsf(ccsf: Ccsf): string {
  return canonicalJson(normaliseCcsf(ccsf));
}

function section(input: unknown, path: string, keys: readonly string[]): Record<string, unknown> {
  if (input === undefined && path !== "") return {};
  if (!isPlainObject(input)) throw new InvalidCcsfError(path, "must be an object");
  for (const key of Object.keys(input)) {
    if (!keys.includes(key)) throw new InvalidCcsfError(joinPath(path, key), "is not a known key");
  }
  // Copied so that only own properties are ever read.
  return { ...input };
}

function normalText(input: unknown, path: string, maxLength: number): string {
  if (typeof input !== "string") throw new InvalidCcsfError(path, "must be a text");
  if (!isWellFormed(input)) throw new InvalidCcsfError(path, "must be valid Unicode");
  if (/\p{M}/u.test(input)) assertFewMarks(input, path);
  const normal = input.normalize("NFC").replace(/\r\n?/g, "\n").trim();
  if (normal.length > maxLength) {
    throw new InvalidCcsfError(path, `must not exceed ${maxLength} characters`);
  }
  return normal;
}

function assertFewMarks(input: string, path: string): void {
  let marks = 0;
  for (const character of input) {
    marks = /\p{M}/u.test(character) ? marks + 1 : 0;
    if (marks > CCSF_LIMITS.marks) {
      const problem = `must not have more than ${CCSF_LIMITS.marks} combining marks in a row`;
      throw new InvalidCcsfError(path, problem);
    }
  }
}

function nonEmpty(input: unknown, path: string, maxLength: number): string {
  if (input === undefined) throw new InvalidCcsfError(path, "is missing");
  const normal = normalText(input, path, maxLength);
  if (normal === "") throw new InvalidCcsfError(path, "must not be empty");
  return normal;
}

function nameText(input: unknown, path: string): string {
  return nonEmpty(input, path, CCSF_LIMITS.name);
}

function text(input: unknown, path: string): string {
  return input === undefined ? "" : normalText(input, path, CCSF_LIMITS.text);
}

function agentType(input: unknown, path: string): AgentTypeName {
  if (input === undefined) throw new InvalidCcsfError(path, "is missing");
  if (typeof input !== "string" && typeof input !== "number") {
    throw new InvalidCcsfError(path, "must be an agent type");
  }
  return agentTypeName(parseAgentType(typeof input === "string" ? input.trim() : input));
}

function list(input: unknown, path: string): unknown[] {
  if (input === undefined) return [];
  if (!Array.isArray(input)) throw new InvalidCcsfError(path, "must be a list");
  if (input.length > CCSF_LIMITS.entries) {
    throw new InvalidCcsfError(path, `must not exceed ${CCSF_LIMITS.entries} entries`);
  }
  // Array.from also visits holes, which are then rejected as undefined.
  return Array.from(input);
}

function texts(input: unknown, path: string): string[] {
  return list(input, path).map((entry, index) =>
    nonEmpty(entry, joinPath(path, index), CCSF_LIMITS.text),
  );
}

function documents(input: unknown, path: string): CcsfDocument[] {
  const seen = new Set<string>();
  const entries = list(input, path).map((entry, index) => {
    const entryPath = joinPath(path, index);
    if (entry === undefined) throw new InvalidCcsfError(entryPath, "must be an object");
    const fields = section(entry, entryPath, ["id", "contentHash", "immutable"]);
    const id = nonEmpty(fields.id, joinPath(entryPath, "id"), CCSF_LIMITS.documentId);
    if (seen.has(id)) throw new InvalidCcsfError(joinPath(entryPath, "id"), "appears twice");
    seen.add(id);
    return {
      id,
      contentHash: contentHash(fields.contentHash, joinPath(entryPath, "contentHash")),
      immutable: flag(fields.immutable, joinPath(entryPath, "immutable")),
    };
  });
  // By UTF-16 units, the order RFC 8785 sorts keys in; never by locale.
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function contentHash(input: unknown, path: string): Hex {
  if (typeof input !== "string" || !/^0x[0-9a-fA-F]{64}$/.test(input)) {
    throw new InvalidCcsfError(path, "must be 0x and 64 hexadecimal digits");
  }
  return `0x${input.slice(2).toLowerCase()}`;
}

function flag(input: unknown, path: string): boolean {
  if (input === undefined) return false;
  if (typeof input !== "boolean") throw new InvalidCcsfError(path, "must be true or false");
  return input;
}
