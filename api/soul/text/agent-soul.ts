import type { Hex } from "viem";
import { sha256 } from "viem";
import type {
  AgentTypeIndex,
  Ccsf,
  CcsfDocument,
  Field,
  FieldLeaf,
  FieldValue,
} from "../../../protocol/index.ts";
import {
  agentTypeName,
  buildFieldTree,
  fieldValue,
  InvalidAgentTypeError,
  InvalidCcsfError,
  InvalidJsonError,
  InvalidSourceError,
  legalName,
  normaliseCcsf,
  parseSource,
  soulHash,
  UnknownFormatError,
} from "../../../protocol/index.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";

// The service has a soul's private text only during one request. This file does not store, log or return it.

/** Id of the document that an agent brings along at registration. */
export const PERSONALITY_DOCUMENT_ID = "personality";

/** What is known of an agent beside its private text, which must not contradict it. */
export interface SoulFrame {
  readonly agentName: string;
  /** Null: the source must state it. */
  readonly agentType: AgentTypeIndex | null;
  /** Replaces the text's own; null leaves it. */
  readonly description: string | null;
  /** Documents that the service vouches for, beside those that the text names. */
  readonly documents: readonly CcsfDocument[];
}

/** The private text, in one of the ways it can be given. */
export type SoulSource =
  | { readonly kind: "text"; readonly format: string; readonly text: string }
  | { readonly kind: "ccsf"; readonly document: unknown };

/** The results of reading a private text. The text itself is not kept. */
export interface HashedSoul {
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  readonly merkleLeaves: readonly FieldLeaf[];
}

/**
 * The normalised soul of a source.
 *
 * @throws ApiError INVALID_REQUEST that says where the source is wrong; HASH_MISMATCH when it states another name or type than
 * the agent's.
 */
export function readSoul(source: SoulSource, frame: SoulFrame): Ccsf {
  const part = source.kind === "text" ? "systemPrompt" : "ccsf";
  const type = frame.agentType === null ? null : agentTypeName(frame.agentType);
  const read = explained(part, () =>
    source.kind === "ccsf"
      ? normaliseCcsf(source.document)
      : parseSource(source.format, source.text, {
          name: frame.agentName,
          ...(type === null ? {} : { agent_type: type }),
          ...(frame.description === null ? {} : { description: frame.description }),
        }),
  );
  const { name } = read.identity;
  // The soul may write the name in another way: `Ada Lovelace` of `ada-lovelace`.
  if (name !== frame.agentName && legalName(name) !== frame.agentName) {
    throw contradiction(part, "agentName", "identity.name", frame.agentName);
  }
  if (type !== null && read.identity.agent_type !== type) {
    throw contradiction(part, "agentType", "identity.agent_type", type);
  }
  const named = read.soul.documents;
  const clash = frame.documents.find(({ id, contentHash }) =>
    named.some((other) => other.id === id && other.contentHash !== contentHash),
  );
  if (clash !== undefined) {
    throw badRequest(part, `Its document ${clash.id} is not the one that was registered`);
  }
  const vouched = new Set(frame.documents.map(({ id }) => id));
  return explained(part, () =>
    normaliseCcsf({
      ...read,
      identity: {
        ...read.identity,
        ...(frame.description === null ? {} : { description: frame.description }),
      },
      soul: {
        ...read.soul,
        documents: [...named.filter(({ id }) => !vouched.has(id)), ...frame.documents],
      },
    }),
  );
}

/** The leaf of `field` would commit to another value than the agent's. The text's own value is private, and left out. */
function contradiction(part: string, member: string, field: Field, expected: string): ApiError {
  return new ApiError("HASH_MISMATCH", {
    message: `${part} states another ${field} than ${member}. Send the same in both, or leave it out of the text.`,
    details: { field, expected },
  });
}

/** @param salt 32 random bytes; a new one for every text. */
export function hashSoul(ccsf: Ccsf, salt: Hex): HashedSoul {
  const hash = soulHash(salt, ccsf);
  const { root, leaves } = buildFieldTree({ ccsf, salt, soulHash: hash });
  return { soulHash: hash, soulMerkleRoot: root, merkleLeaves: leaves };
}

/** The values that are to be published. */
export function valuesOf(
  ccsf: Ccsf,
  fields: readonly Field[],
): Readonly<Partial<Record<Field, FieldValue>>> {
  return Object.fromEntries(fields.map((field) => [field, fieldValue(ccsf, field)]));
}

/** SHA-256 of a document's UTF-8 text. */
export function documentHash(content: string): Hex {
  return sha256(new TextEncoder().encode(content));
}

/** What a parser refuses is the caller's mistake, and the parser says where it is: `part` names what was read. */
export function explained<T>(part: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownFormatError) throw badRequest("format", error.message);
    if (error instanceof InvalidAgentTypeError) throw badRequest("agentType", error.message);
    if (error instanceof InvalidCcsfError || error instanceof InvalidJsonError) {
      throw badRequest(error.path === "" ? part : `${part}.${error.path}`, error.message);
    }
    if (error instanceof InvalidSourceError) throw badRequest(part, error.message);
    throw error;
  }
}
