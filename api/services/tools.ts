import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex } from "viem";
import { InvalidAgentTypeError } from "../../protocol/agent-type.ts";
import { type Ccsf, fieldValue, InvalidCcsfError, normaliseCcsf } from "../../protocol/ccsf.ts";
import { buildFieldTree } from "../../protocol/field-tree.ts";
import { FIELDS, type Field } from "../../protocol/fields.ts";
import {
  type IdentityDefaults,
  InvalidSourceError,
  parseSource,
  sourceHash,
  UnknownFormatError,
} from "../../protocol/formats/index.ts";
import { InvalidJsonError } from "../../protocol/json.ts";
import { soulHash } from "../../protocol/soul-hash.ts";
import { ApiError } from "../errors.ts";
import type { ProfileService } from "./profile.ts";

/** A soul as its owner needs it to register, made from a source text. */
export interface NormalisedSource {
  readonly soulHash: Hex;
  /** Made here and kept nowhere: without it no field can ever be proven. */
  readonly soulSalt: Hex;
  readonly soulMerkleRoot: Hex;
  /** The leaves of every field but the documents', which belong to a registration. The root commits to an empty list of them. */
  readonly merkleLeaves: readonly {
    readonly index: number;
    readonly field: Field;
    readonly hash: Hex;
  }[];
  readonly normalisedCcsf: Ccsf;
  /** The fields that are not empty. */
  readonly extractedFields: readonly Field[];
  readonly sourceFormat: string;
  readonly sourceHash: Hex;
}

export interface HashCheck {
  readonly match: boolean;
  readonly computedHash: Hex;
  /** Null before the owner's claim. */
  readonly onChainHash: Hex | null;
  readonly agentName: string;
  readonly tokenId: bigint | null;
}

/** Nothing given to these is kept or logged. */
export interface Tools {
  /** @throws ApiError INVALID_REQUEST that says where the text is wrong. */
  normalise(format: string, source: Uint8Array, defaults: IdentityDefaults): NormalisedSource;
  /** @throws ApiError INVALID_REQUEST, NOT_FOUND */
  verifyHash(agentName: string, salt: Hex, document: unknown): Promise<HashCheck>;
}

export function createTools(deps: { readonly profiles: Pick<ProfileService, "profile"> }): Tools {
  return {
    normalise(format, source, defaults) {
      const text = decode(source);
      const ccsf = explained("file", () => parseSource(format, text, defaults));
      const salt = bytesToHex(randomBytes(32));
      const hash = soulHash(salt, ccsf);
      const { root, leaves } = buildFieldTree({ ccsf, salt, soulHash: hash });
      return {
        soulHash: hash,
        soulSalt: salt,
        soulMerkleRoot: root,
        merkleLeaves: leaves.filter(({ field }) => field !== "soul.documents"),
        normalisedCcsf: ccsf,
        extractedFields: FIELDS.filter((field) => fieldValue(ccsf, field).length > 0),
        sourceFormat: format,
        sourceHash: sourceHash(text),
      };
    },
    async verifyHash(agentName, salt, document) {
      const ccsf = explained("normalisedCcsf", () => normaliseCcsf(document));
      const { value } = await deps.profiles.profile({ kind: "name", name: agentName });
      const computedHash = soulHash(salt, ccsf);
      return {
        match: value.soulHash === computedHash,
        computedHash,
        onChainHash: value.soulHash,
        agentName: value.agentName,
        tokenId: value.tokenId,
      };
    },
  };
}

function decode(source: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(source);
  } catch {
    throw refused("file", "Not valid UTF-8");
  }
}

/** What a parser refuses is the caller's mistake, and the parser says where it is: `part` names what was read. */
export function explained(part: string, read: () => Ccsf): Ccsf {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownFormatError) throw refused("format", error.message);
    if (error instanceof InvalidAgentTypeError) throw refused("agentType", error.message);
    if (error instanceof InvalidCcsfError || error instanceof InvalidJsonError) {
      throw refused(error.path === "" ? part : `${part}.${error.path}`, error.message);
    }
    if (error instanceof InvalidSourceError) throw refused(part, error.message);
    throw error;
  }
}

function refused(path: string, message: string): ApiError {
  return new ApiError("INVALID_REQUEST", { details: { issues: [{ path, message }] } });
}
