import type { Address, Hex } from "viem";

/** Checks owners' signatures over what contracts verify. */
export interface OwnerSignatures {
  /**
   * @throws ApiError INVALID_SIGNATURE, WALLET_NOT_DEPLOYED or CHAIN_UNAVAILABLE unless a contract would accept `signature`
   * as `signer`'s over `digest` now.
   */
  assertSignedBy(signer: Address, digest: Hex, signature: Hex): Promise<void>;
}

/** Checks signatures over messages, which no contract verifies. */
export interface MessageSignatures {
  /**
   * Resolves when `signature` is `signer`'s EIP-191 signature over `message`: by key, by a contract (ERC-1271), or
   * by one that is not deployed yet (ERC-6492).
   *
   * @throws ApiError INVALID_SIGNATURE or CHAIN_UNAVAILABLE.
   */
  assertSigned(signer: Address, message: string, signature: Hex): Promise<void>;
}
