import type { Address, Hex } from "viem";
import type { SOUL_REGISTRY_TYPES } from "./typed-data.ts";

/** Values by EIP-712 type. */
interface Primitives {
  readonly address: Address;
  readonly bool: boolean;
  readonly bytes: Hex;
  readonly bytes32: Hex;
  readonly string: string;
  readonly uint8: number;
  readonly uint16: number;
  readonly uint32: number;
  readonly uint56: bigint;
  readonly uint64: bigint;
  readonly uint256: bigint;
  readonly "BatchEntry[]": readonly MessageOf<typeof SOUL_REGISTRY_TYPES.BatchEntry>[];
}

/** A message with the fields of an EIP-712 type. `nonce` is fresh, `deadline` in Unix seconds and inclusive. */
export type MessageOf<
  Fields extends readonly { readonly name: string; readonly type: keyof Primitives }[],
> = { readonly [Field in Fields[number] as Field["name"]]: Primitives[Field["type"]] };
