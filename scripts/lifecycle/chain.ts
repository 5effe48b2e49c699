import { randomBytes } from "node:crypto";
import {
  type Account,
  BaseError,
  bytesToBigInt,
  createWalletClient,
  getContract,
  type Hex,
  http,
  keccak256,
  publicActions,
  stringToHex,
  type TransactionReceipt,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  allowanceVaultAbi,
  identityRegistryAbi,
  organizationRegistryAbi,
  passportWriterAbi,
  registrarsAbi,
  soulCertificateAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import type { Deployment } from "../deploy/deployment.ts";

/** Private keys of the accounts that send transactions. */
export interface Keys {
  readonly registrar: Hex;
  readonly owner: Hex;
  readonly buyer: Hex;
  readonly operator: Hex;
}

export type Chain = Awaited<ReturnType<typeof connect>>;

/** Signatures expire one hour after the block they are made at. */
const LIFETIME = 3_600n;

/** A hash that differs for different texts. */
export const hashOf = (text: string): Hex => keccak256(stringToHex(text));

/**
 * The contracts of a deployment, and the accounts that act on them. @throws Error when the node is
 * of another chain.
 */
export async function connect(rpcUrl: string, deployment: Deployment, keys: Keys) {
  const client = createWalletClient({ transport: http(rpcUrl) }).extend(publicActions);
  const chainId = await client.getChainId();
  if (chainId !== deployment.chainId) {
    throw new Error(`${rpcUrl} is chain ${chainId}; the deployment is of ${deployment.chainId}.`);
  }
  const { contracts } = deployment;
  const at = <const Abi>(abi: Abi, address: Hex) => ({ abi, address, client }) as const;

  return {
    client,
    chainId,
    contracts,
    registrar: privateKeyToAccount(keys.registrar),
    owner: privateKeyToAccount(keys.owner),
    buyer: privateKeyToAccount(keys.buyer),
    operator: privateKeyToAccount(keys.operator),
    identity: getContract(at(identityRegistryAbi, contracts.identityRegistry)),
    registrars: getContract(at(registrarsAbi, contracts.registrars)),
    souls: getContract(at(soulRegistryAbi, contracts.soulRegistry)),
    certificates: getContract(at(soulCertificateAbi, contracts.soulCertificate)),
    writer: getContract(at(passportWriterAbi, contracts.passportWriter)),
    organizations: getContract(at(organizationRegistryAbi, contracts.organizationRegistry)),
    vault: getContract(at(allowanceVaultAbi, contracts.allowanceVault)),

    by: (account: Account) => ({ account, chain: null }) as const,

    /** An unused nonce, and a deadline in one hour. */
    async signed() {
      const { timestamp } = await client.getBlock();
      return { nonce: bytesToBigInt(randomBytes(32)), deadline: timestamp + LIFETIME };
    },

    /** Waits for a step's transaction and prints its gas. @throws Error when it reverted. */
    async step(title: string, sending: Promise<Hex>): Promise<TransactionReceipt> {
      const receipt = await client.waitForTransactionReceipt({ hash: await sending });
      if (receipt.status !== "success") throw new Error(`${title}: reverted.`);
      console.log(`ok   ${title} (${receipt.gasUsed.toLocaleString("en")} gas)`);
      return receipt;
    },

    /** Requires that a read returns the expected value. */
    expect(title: string, actual: unknown, expected: unknown): void {
      if (actual !== expected) {
        throw new Error(`${title}: expected ${String(expected)}, found ${String(actual)}.`);
      }
      console.log(`ok   ${title}`);
    },

    /** Requires that a call is rejected with the named error. */
    async refused(title: string, error: string, call: () => Promise<unknown>): Promise<void> {
      try {
        await call();
      } catch (cause) {
        if (cause instanceof BaseError && cause.message.includes(error)) {
          console.log(`ok   ${title}: ${error}`);
          return;
        }
        throw cause;
      }
      throw new Error(`${title}: it was accepted.`);
    },
  };
}
