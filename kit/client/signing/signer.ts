import type { Account, Address, Chain, Hex, LocalAccount, Transport, WalletClient } from "viem";

/** A viem account with its key, or a wallet client with an account. */
export type Signer = LocalAccount | WalletClient<Transport, Chain | undefined, Account>;

/** EIP-712 data, as viem takes it. */
export interface TypedData {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: Address;
  };
  readonly types: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string }[]>
  >;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

export function addressOf(signer: Signer): Address {
  return "address" in signer ? signer.address : signer.account.address;
}

export function signTypedData(signer: Signer, data: TypedData): Promise<Hex> {
  if ("address" in signer) return signer.signTypedData(data as never);
  return signer.signTypedData({ ...data, account: signer.account } as never);
}

export function signMessage(signer: Signer, message: string): Promise<Hex> {
  if ("address" in signer) return signer.signMessage({ message });
  return signer.signMessage({ account: signer.account, message });
}
