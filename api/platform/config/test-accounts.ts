import { pbkdf2Sync } from "node:crypto";
import { bytesToHex, type Hex } from "viem";
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/**
 * The mnemonic of every local Ethereum node's test accounts. It is public: its keys must never hold
 * value.
 */
const TEST_PHRASE = "test test test test test test test test test test test junk";

/** The number of accounts that a local node has. */
export const TEST_ACCOUNT_COUNT = 20;

let parent: HDKey | undefined;
const derived = new Map<number, { privateKey: Hex; account: PrivateKeyAccount }>();

/**
 * A test account of every local node (BIP-39, BIP-44 path m/44'/60'/0'/0/index). Each is derived
 * once, because a derivation takes long. viem would hash the phrase 2,048 times for each account.
 */
export function testAccount(index: number): { privateKey: Hex; account: PrivateKeyAccount } {
  const known = derived.get(index);
  if (known !== undefined) return known;
  parent ??= HDKey.fromMasterSeed(pbkdf2Sync(TEST_PHRASE, "mnemonic", 2048, 64, "sha512")).derive(
    "m/44'/60'/0'/0",
  );
  const key = parent.deriveChild(index).privateKey;
  if (!key) throw new Error(`Test account ${index} has no private key.`);
  const privateKey = bytesToHex(key);
  const made = { privateKey, account: privateKeyToAccount(privateKey) };
  derived.set(index, made);
  return made;
}
