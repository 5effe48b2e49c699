import { createRequire } from "node:module";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Address, type Hex, recoverAddress } from "viem";
import { publicKeyToAddress } from "viem/accounts";

const MESSAGE_PREFIX = "\x19Ethereum Signed Message:\n";

/** What a wallet signs for a message (EIP-191, version 0x45). viem's `hashMessage` takes more than twice the time. */
export function messageDigest(message: string): Hex {
  const bytes = Buffer.from(message);
  const digest = keccak_256(Buffer.concat([Buffer.from(MESSAGE_PREFIX + bytes.length), bytes]));
  return `0x${Buffer.from(digest).toString("hex")}`;
}

/** Recovers signers. It dominates the cost of a sign-in: pure JavaScript takes about 2 ms. */
export interface Recovery {
  /**
   * `native`: the compiled library, about thirty times as fast. `pure`: on platforms without it.
   */
  readonly path: "native" | "pure";
  /**
   * The address whose key made the 65-byte `signature` (r, s, v) over the 32-byte `digest`; null
   * when no key could have. `v` is 0, 1, 27 or 28. Both values of `s` are accepted; callers that
   * must reject the higher one check it first. The compact form (EIP-2098) is not supported.
   */
  recover(digest: Hex, signature: Hex): Promise<Address | null>;
}

/**
 * The used part of the native package: `recid` is 0 or 1; throws for numbers that are not on the
 * curve.
 */
interface NativeCurve {
  ecdsaRecover(
    signature: Uint8Array,
    recid: number,
    digest: Uint8Array,
    compressed: false,
  ): Uint8Array;
}

/** In viem's pure JavaScript. */
export const pureRecovery: Recovery = {
  path: "pure",
  async recover(digest, signature) {
    if (parsed(signature) === null) return null;
    try {
      return await recoverAddress({ hash: digest, signature });
    } catch {
      // Numbers that are not on the curve.
      return null;
    }
  },
};

/**
 * The fastest recovery available. `load` returns the native package, or throws where it was not
 * built.
 */
export function chooseRecovery(load: () => NativeCurve): Recovery {
  try {
    const curve = load();
    return { path: "native", recover: async (...of) => recoverNatively(curve, ...of) };
  } catch {
    return pureRecovery;
  }
}

/** The recovery of this process. */
export const recovery: Recovery = chooseRecovery(() => {
  // Not the package's own entry, which silently falls back to a slower JavaScript curve.
  return createRequire(import.meta.url)("secp256k1/bindings.js") as NativeCurve;
});

function recoverNatively(curve: NativeCurve, digest: Hex, signature: Hex): Address | null {
  const parts = parsed(signature);
  if (parts === null) return null;
  try {
    const key = curve.ecdsaRecover(parts.rs, parts.recid, bytesOf(digest), false);
    return publicKeyToAddress(`0x${Buffer.from(key).toString("hex")}`);
  } catch {
    return null;
  }
}

function parsed(signature: Hex): { readonly rs: Uint8Array; readonly recid: 0 | 1 } | null {
  if (signature.length !== 2 + 2 * 65) return null;
  const bytes = bytesOf(signature);
  const v = bytes[64];
  if (v === 0 || v === 27) return { rs: bytes.subarray(0, 64), recid: 0 };
  if (v === 1 || v === 28) return { rs: bytes.subarray(0, 64), recid: 1 };
  return null;
}

/** Bytes behind a character that is no digit are left out. */
function bytesOf(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), "hex");
}
