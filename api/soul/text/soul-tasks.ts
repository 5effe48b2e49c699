import type { Hex } from "viem";
import type { Ccsf, Field, FieldValue, IdentityDefaults } from "../../../protocol/index.ts";
import {
  buildFieldTree,
  FIELDS,
  fieldValue,
  isValidName,
  legalName,
  normaliseCcsf,
  proveFromLeaves,
  readSource,
  soulHash,
  sourceHash,
} from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import type { HashedSoul, SoulFrame, SoulSource } from "./agent-soul.ts";
import { explained, hashSoul, readSoul, valuesOf } from "./agent-soul.ts";

// Everything the service does with a text that only its owner may know. Pure functions of values that can be copied between
// threads: a `SoulReader` runs them away from the thread that answers requests.

/** What a registration keeps of a source. */
export interface SourceHashes extends HashedSoul {
  readonly agentType: Ccsf["identity"]["agent_type"];
  /** The values of the fields that were asked for. */
  readonly publicFields: Readonly<Partial<Record<Field, FieldValue>>>;
}

/** A soul as its owner needs it to register, made from a source text. */
export interface NormalisedSource {
  readonly soulHash: Hex;
  /** Kept nowhere: without it no field can ever be proven. */
  readonly soulSalt: Hex;
  readonly soulMerkleRoot: Hex;
  /** The leaves of every field but the documents', which a registration adds. The root commits to the documents of the text. */
  readonly merkleLeaves: HashedSoul["merkleLeaves"];
  readonly normalisedCcsf: Ccsf;
  /** The fields that are not empty. */
  readonly extractedFields: readonly Field[];
  /** Those of them that neither the text nor the caller stated. */
  readonly defaultedFields: readonly Field[];
  readonly sourceFormat: string;
  readonly sourceHash: Hex;
}

/** A field of an audited file with its proof. */
export interface AuditedField {
  readonly field: Field;
  readonly merkleProof: readonly Hex[];
  /** Null unless it was asked for. */
  readonly value: FieldValue | null;
}

/** What an audit keeps of a file. */
export interface AuditedFile {
  /** The agent that the file names; null when its name can be no agent's. */
  readonly agentName: string | null;
  /** Null without a salt. */
  readonly soul: {
    readonly soulHash: Hex;
    readonly soulMerkleRoot: Hex;
    readonly fields: readonly AuditedField[];
  } | null;
}

export const soulTasks = {
  /** Reads a source and hashes it; of the text only the values in `publicFields` remain. */
  hashSource(input: {
    readonly source: SoulSource;
    readonly frame: SoulFrame;
    readonly soulSalt: Hex;
    readonly publicFields: readonly Field[];
  }): SourceHashes {
    const ccsf = readSoul(input.source, input.frame);
    return {
      ...hashSoul(ccsf, input.soulSalt),
      agentType: ccsf.identity.agent_type,
      publicFields: valuesOf(ccsf, input.publicFields),
    };
  },

  normaliseSource(input: {
    readonly format: string;
    readonly source: Uint8Array;
    readonly defaults: IdentityDefaults;
    readonly soulSalt: Hex;
  }): NormalisedSource {
    const { format, soulSalt } = input;
    const text = decode(input.source, "file");
    const { ccsf, defaulted } = explained("file", () => readSource(format, text, input.defaults));
    if (defaulted.includes("identity.name") && !isValidName(ccsf.identity.name)) {
      throw badRequest(
        "agentName",
        "The first heading cannot be made into a name of 3 to 32 letters, digits and hyphens: send agentName",
      );
    }
    const hash = soulHash(soulSalt, ccsf);
    const { root, leaves } = buildFieldTree({ ccsf, salt: soulSalt, soulHash: hash });
    return {
      soulHash: hash,
      soulSalt,
      soulMerkleRoot: root,
      merkleLeaves: leaves.filter(({ field }) => field !== "soul.documents"),
      normalisedCcsf: ccsf,
      extractedFields: FIELDS.filter((field) => fieldValue(ccsf, field).length > 0),
      defaultedFields: defaulted,
      sourceFormat: format,
      sourceHash: sourceHash(text),
    };
  },

  /** Reads a soul's file for an audit, and hashes it. */
  auditFile(input: {
    readonly source: Uint8Array;
    /** The part of the request that holds it, for refusals. */
    readonly part: string;
    /** Null: the salt of the agent that the file names, from `salts`. */
    readonly salt: Hex | null;
    readonly salts: Readonly<Record<string, Hex>>;
    /** The fields whose values are answered. */
    readonly valuesOf: readonly Field[];
  }): AuditedFile {
    const { part, salts } = input;
    const text = decode(input.source, part);
    const format = text.trimStart().startsWith("{") ? "ccsf_json" : "ccsf_yaml";
    const { ccsf } = explained(part, () => readSource(format, text));
    const agentName = legalName(ccsf.identity.name);
    const known = agentName !== null && Object.hasOwn(salts, agentName) ? salts[agentName] : null;
    const salt = input.salt ?? known ?? null;
    if (salt === null) return { agentName, soul: null };
    const { soulHash: hash, soulMerkleRoot, merkleLeaves } = hashSoul(ccsf, salt);
    const tree = { salt, soulHash: hash, leaves: merkleLeaves };
    const fields = FIELDS.map((field): AuditedField => {
      const { value, merkleProof } = proveFromLeaves(tree, field, fieldValue(ccsf, field));
      return { field, merkleProof, value: input.valuesOf.includes(field) ? value : null };
    });
    return { agentName, soul: { soulHash: hash, soulMerkleRoot, fields } };
  },

  /** The soul hash of a document. */
  hashDocument(input: { readonly document: unknown; readonly soulSalt: Hex }): Hex {
    return soulHash(
      input.soulSalt,
      explained("normalisedCcsf", () => normaliseCcsf(input.document)),
    );
  },
} as const;

export type SoulTasks = typeof soulTasks;
export type SoulTaskInput<Task extends keyof SoulTasks> = Parameters<SoulTasks[Task]>[0];

/** Where a text comes from. */
export interface TextOrigin {
  /** The part of the request that holds it, for the refusal of one that takes too long. */
  readonly part: string;
  /** The caller, as limits count callers: one of its texts is read at a time. */
  readonly caller: string;
}

/** Runs tasks on strangers' texts without holding other requests up. */
export interface SoulReader {
  /**
   * @throws ApiError what the task throws; INVALID_REQUEST for a text that takes too long; SERVICE_UNAVAILABLE when too many
   * texts are waiting, or this one waited too long.
   */
  run<Task extends keyof SoulTasks>(
    task: Task,
    input: SoulTaskInput<Task>,
    from: TextOrigin,
  ): Promise<ReturnType<SoulTasks[Task]>>;
}

function decode(source: Uint8Array, part: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(source);
  } catch {
    throw badRequest(part, "Not valid UTF-8");
  }
}
