import { isPlainObject } from "../json.ts";
import {
  parseRegistrationFile,
  REGISTRATION_FILE_LIMITS,
  type ReadRegistrationFile,
} from "../read-registration-file.ts";
import { REGISTRATION_FILE_TYPE } from "../registration-file.ts";
import { namesPassport, type PassportId } from "./domain-proof.ts";

/** How far the reading of a registration file came. */
export const FILE_READINGS = ["read", "no_uri", "unavailable", "unsupported", "invalid"] as const;

export type FileReading = (typeof FILE_READINGS)[number];

/** What a registration file has, as the grade uses it. Nothing in it was written by the owner. */
export interface FileFacts {
  readonly reading: FileReading;
  readonly hasType: boolean;
  readonly hasName: boolean;
  readonly hasDescription: boolean;
  readonly hasImage: boolean;
  readonly namesPassport: boolean;
  readonly offersPayment: boolean;
}

const NOTHING: Omit<FileFacts, "reading"> = {
  hasType: false,
  hasName: false,
  hasDescription: false,
  hasImage: false,
  namesPassport: false,
  offersPayment: false,
};

/** Of a passport whose file has no text. */
export function missingFile(reading: Exclude<FileReading, "read">): FileFacts {
  return { reading, ...NOTHING };
}

/** What the text at a passport's URI has, and its content; null where it is no JSON object. */
export function readFileFacts(
  text: string,
  passport: PassportId,
): { readonly facts: FileFacts; readonly file: ReadRegistrationFile | null } {
  const json = objectIn(text);
  if (json === null) return { facts: missingFile("invalid"), file: null };
  const file = parseRegistrationFile(text);
  return {
    file,
    facts: {
      reading: "read",
      hasType: file.type === REGISTRATION_FILE_TYPE,
      hasName: isSaid(file.name),
      hasDescription: isSaid(file.description),
      hasImage: /^(?:https|ipfs|ar|data):/i.test(file.image ?? ""),
      namesPassport: namesPassport(json, passport),
      offersPayment: file.x402Support === true,
    },
  };
}

function objectIn(text: string): Record<string, unknown> | null {
  const { bytes } = REGISTRATION_FILE_LIMITS;
  if (text.length > bytes || new TextEncoder().encode(text).length > bytes) return null;
  try {
    const json: unknown = JSON.parse(text);
    return isPlainObject(json) ? json : null;
  } catch {
    return null;
  }
}

function isSaid(text: string | null): boolean {
  return text !== null && text.trim() !== "";
}
