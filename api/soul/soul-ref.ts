/** A soul as a caller names it. */
export type SoulRef =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "tokenId"; readonly tokenId: bigint };

/** One seal epoch of a soul. What an owner decides or grants belongs to it, and ends with it. */
export interface SoulEpoch {
  readonly tokenId: bigint;
  readonly epoch: number;
}
