import type { Hex } from "viem";
import { TEST_ACCOUNT_COUNT, testAccount } from "../../api/platform/config/test-accounts.ts";

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
  const all = Array.from({ length: TEST_ACCOUNT_COUNT }, (_, index): TestAccount => {
    const { account, privateKey } = testAccount(index);
    return { index, address: account.address, privateKey };
  });
  const [admin, storage, relayer] = [all[0], all[8], all[9]];
  if (!admin || !storage || !relayer) throw new Error("The stack needs at least 10 accounts.");
  const services = new Set([admin, storage, relayer]);
  return { admin, storage, relayer, users: all.filter((account) => !services.has(account)) };
}
