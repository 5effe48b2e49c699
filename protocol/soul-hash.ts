import { type Hex, sha256 } from "viem";
import { concatBytes, hashBytes, isHash, utf8 } from "./bytes.ts";
import { type Ccsf, canonicalCcsf } from "./ccsf.ts";
import { ProtocolError } from "./errors.ts";

/**
 * The salt is not 32 bytes in hexadecimal. The error omits the value: a salt is secret, and errors
 * are logged.
 */
export class InvalidSaltError extends ProtocolError {
  override readonly name = "InvalidSaltError";
  readonly code = "invalid_salt";

  constructor() {
    super("A soul's salt is 0x and 64 hexadecimal digits.");
  }
}

/** The bytes of a salt. @throws InvalidSaltError */
export function saltBytes(salt: Hex): Uint8Array {
  if (!isHash(salt)) throw new InvalidSaltError();
  return hashBytes(salt);
}

/**
 * The soul hash: SHA-256 of the 32 salt bytes followed by the canonical soul in UTF-8.
 * @throws InvalidSaltError, InvalidCcsfError
 */
export function soulHash(salt: Hex, ccsf: Ccsf): Hex {
  return sha256(concatBytes(saltBytes(salt), utf8(canonicalCcsf(ccsf))));
}
