import type { Address, Hex } from "viem";
import type { OffChainMessage, OffChainName, SigningPlace } from "../../protocol/index.ts";
import { offChainDigest } from "../../protocol/index.ts";
import type { OwnerSignatures } from "../features/registration/ports.ts";
import { ApiError } from "../kernel/errors.ts";
import { assertEndsSoon, assertNotOver, signingDeadline } from "./signing-deadline.ts";

/** What somebody signed for this service alone, and with what. */
export interface OffChainEvidence<Name extends OffChainName> {
  readonly message: OffChainMessage<Name>;
  readonly signature: Hex;
  readonly signer: Address;
}

/** Nonces of messages that never reach the chain. */
export interface NonceStore<Transaction> {
  /** Whether the nonce was unused, which it then is no longer: of two that want it one gets it. */
  consume(
    transaction: Transaction | null,
    use: { readonly signer: Address; readonly nonce: bigint; readonly digest: Hex },
  ): Promise<boolean>;
}

export interface OffChainDeps<Transaction> {
  readonly place: SigningPlace;
  readonly signatures: OwnerSignatures;
  readonly nonces: NonceStore<Transaction>;
  readonly chain: {
    isNonceUsed(verifier: Address, signer: Address, nonce: bigint): Promise<boolean>;
  };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
}

export type OffChainSignatures<Transaction> = ReturnType<
  typeof createOffChainSignatures<Transaction>
>;

/** Owners' signatures that only this service looks at: each is used once. */
export function createOffChainSignatures<Transaction>(deps: OffChainDeps<Transaction>) {
  return {
    /** A fresh nonce, and 15 minutes to sign. */
    once: () => ({ nonce: deps.randomNonce(), deadline: signingDeadline(deps.clock()) }),

    /**
     * Refuses what `owner` did not sign in time. The nonce stays unused.
     *
     * @throws ApiError NOT_OWNER, NONCE_EXPIRED, INVALID_SIGNATURE, WALLET_NOT_DEPLOYED; NONCE_USED for one cancelled on chain;
     * CHAIN_UNAVAILABLE.
     */
    async assertSigned<Name extends OffChainName>(
      name: Name,
      { message, signature, signer }: OffChainEvidence<Name>,
      owner: Address,
    ): Promise<void> {
      if (signer !== owner) throw new ApiError("NOT_OWNER");
      assertNotOver(message.deadline, deps.clock());
      assertEndsSoon(message.deadline, deps.clock());
      const digest = offChainDigest(deps.place, name, message);
      await deps.signatures.assertSignedBy(signer, digest, signature);
      // Nothing of this reaches the chain, but its owner can cancel a nonce there.
      const { verifyingContract } = deps.place;
      if (await deps.chain.isNonceUsed(verifyingContract, signer, message.nonce)) {
        throw new ApiError("NONCE_USED");
      }
    },

    /** Uses the nonce, by itself or in a transaction. @throws ApiError NONCE_USED */
    async consume<Name extends OffChainName>(
      name: Name,
      { message, signer }: OffChainEvidence<Name>,
      transaction: Transaction | null = null,
    ): Promise<void> {
      const digest = offChainDigest(deps.place, name, message);
      const use = { signer, nonce: message.nonce, digest };
      if (!(await deps.nonces.consume(transaction, use))) throw new ApiError("NONCE_USED");
    },
  };
}

/**
 * Refuses a message that says anything else than `expected`.
 *
 * @throws ApiError INVALID_REQUEST naming every field that differs.
 */
export function assertSays(message: object, expected: object): void {
  const said = message as Readonly<Record<string, unknown>>;
  const issues = Object.entries(expected)
    .filter(([field, value]) => said[field] !== value)
    .map(([field, value]) => ({
      path: `message.${field}`,
      message: `This request needs ${String(value)}`,
    }));
  if (issues.length > 0) {
    throw new ApiError("INVALID_REQUEST", {
      message: "The signed message is not about this request.",
      details: { issues },
    });
  }
}
