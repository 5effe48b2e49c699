import { bytesToHex, type Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";

/**
 * The mnemonic of every local Ethereum node's test accounts. It is public: its keys must never hold
 * value.
 */
export const TEST_PHRASE = "test test test test test test test test test test test junk";
const ACCOUNT_COUNT = 20;

export interface TestAccount {
  readonly index: number;
  readonly address: Hex;
  readonly privateKey: Hex;
}

/** The roles of the 20 accounts that the local chain funds with 10,000 ether each. */
export interface StackAccounts {
  /** Deploys the contracts and administers their roles. Account 0. */
  readonly admin: TestAccount;
  /** For owners, agents and operators: no service uses them. Accounts 1 to 7 and 10 to 19. */
  readonly users: readonly TestAccount[];
  /** Signs items of permanent storage. Account 8. */
  readonly storage: TestAccount;
  /** Pays for and submits the service's transactions. Account 9. */
  readonly relayer: TestAccount;
}

export function stackAccounts(): StackAccounts {
  const all = Array.from({ length: ACCOUNT_COUNT }, (_, index) => testAccount(index));
  const [admin, storage, relayer] = [all[0], all[8], all[9]];
  if (!admin || !storage || !relayer) throw new Error("The stack needs at least 10 accounts.");
  const services = new Set([admin, storage, relayer]);
  return { admin, storage, relayer, users: all.filter((account) => !services.has(account)) };
}

function testAccount(index: number): TestAccount {
  const account = mnemonicToAccount(TEST_PHRASE, { addressIndex: index });
  const privateKey = account.getHdKey().privateKey;
  if (!privateKey) throw new Error(`Test account ${index} has no private key.`);
  return { index, address: account.address, privateKey: bytesToHex(privateKey) };
}
