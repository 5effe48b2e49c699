import { ApiError } from "../kernel/errors.ts";

/** A soul as a caller names it: by its own name, by its certificate or by its passport. */
export type SoulRef =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "tokenId"; readonly tokenId: bigint }
  | { readonly kind: "passportId"; readonly passportId: bigint };

/** One seal epoch of a soul. What an owner decides or grants belongs to it, and ends with it. */
export interface SoulEpoch {
  readonly tokenId: bigint;
  readonly epoch: number;
}

export function byName(name: string): SoulRef {
  return { kind: "name", name };
}

export function byTokenId(tokenId: bigint): SoulRef {
  return { kind: "tokenId", tokenId };
}

export function byPassport(passportId: bigint): SoulRef {
  return { kind: "passportId", passportId };
}

/** The soul as messages name it, after the word "agent". */
export function calledOf(ref: SoulRef): string {
  switch (ref.kind) {
    case "name":
      return ref.name;
    case "tokenId":
      return `with token id ${ref.tokenId}`;
    case "passportId":
      return `of passport ${ref.passportId}`;
  }
}

/** For a soul that was never registered, and for one that is gone. */
export function noSuchSoul(ref: SoulRef): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no agent ${calledOf(ref)}.` });
}
