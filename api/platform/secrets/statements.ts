import type { Address, Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** Texts that the service signs with its storage key, and does not archive. */
export interface Statements {
  /** The storage signer, which `GET /v1/status` names. */
  readonly signer: Address;
  /**
   * Signs a text as a personal message (ERC-191). The same text always has the same signature. No
   * statement is an archived item too: of an item the 48 bytes of a hash are signed, and every
   * statement is longer.
   */
  sign(text: string): Promise<Hex>;
}

export function createStatements(privateKey: Hex): Statements {
  const account = privateKeyToAccount(privateKey);
  return {
    signer: account.address,
    sign: (message) => account.signMessage({ message }),
  };
}
