import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import type { Address, Hex, LocalAccount, SignTypedDataParameters } from "viem";
import { getAddress } from "viem";

/**
 * A wallet extension whose owner is played by the test. Every member can be changed while a page is
 * open.
 */
export interface TestWallet {
  readonly name: string;
  readonly icon: string;
  /** The accounts that it shows the page once it is connected. */
  accounts: readonly LocalAccount[];
  /** The chain that it is on. */
  chainId: number;
  /** Chains that it can switch to; the page can add others. */
  readonly chains: Set<number>;
  /** Methods that its owner declines. */
  readonly declines: Set<string>;
  /** EIP-6963, or only `window.ethereum` as older wallets do. */
  readonly manner: "announced" | "legacy";
  /** Sends transactions; undefined for a wallet without a node. */
  readonly send?: (from: LocalAccount, call: { to: Address; data: Hex }) => Promise<Hex>;
  /** Reads the chain; undefined for a wallet without a node. */
  readonly read?: (method: string, params: unknown) => Promise<unknown>;
  /** Every call that reached it, in order. */
  readonly calls: { readonly method: string; readonly params: unknown }[];
}

/** An image of one pixel. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8Dwn4EIwDiqEAA7DQMBbJmR1wAAAABJRU5ErkJggg==";

/** A wallet of these accounts, on the local chain, whose owner agrees to everything. */
export function testWallet(
  accounts: readonly LocalAccount[],
  change: Partial<TestWallet> = {},
): TestWallet {
  return {
    name: "Heron Wallet",
    icon: PIXEL,
    accounts,
    chainId: 31337,
    chains: new Set([31337]),
    declines: new Set(),
    manner: "announced",
    calls: [],
    ...change,
  };
}

class WalletError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Adds the wallet to every document that the page loads from now on. */
export async function announceWallet(page: Page, wallet: TestWallet): Promise<void> {
  const channel = `wallet_${randomUUID().replaceAll("-", "")}`;
  await page.exposeFunction(channel, async (method: string, params: unknown) => {
    wallet.calls.push({ method, params });
    try {
      return { result: await answer(wallet, method, params as unknown[]) };
    } catch (error) {
      const { code = -32603, message } = error as WalletError;
      return { error: { code, message } };
    }
  });
  const info = {
    uuid: randomUUID(),
    name: wallet.name,
    icon: wallet.icon,
    rdns: "example.heron",
  };
  await page.addInitScript(
    ({ channel, info, manner }) => {
      type Listener = (value: unknown) => void;
      const listeners = new Map<string, Set<Listener>>();
      const of = (event: string) => {
        const set = listeners.get(event) ?? new Set();
        listeners.set(event, set);
        return set;
      };
      const page = window as unknown as Record<string, unknown>;
      const ask = page[channel] as (
        method: string,
        params: unknown,
      ) => Promise<{ result?: unknown; error?: object }>;
      const provider = {
        request: async ({ method, params }: { method: string; params?: unknown }) => {
          const { result, error } = await ask(method, params ?? []);
          if (error) throw error;
          return result;
        },
        on: (event: string, listener: Listener) => of(event).add(listener),
        removeListener: (event: string, listener: Listener) => of(event).delete(listener),
      };
      window.addEventListener(`emit:${channel}`, (event) => {
        const { name, value } = (event as CustomEvent<{ name: string; value: unknown }>).detail;
        for (const listener of of(name)) listener(value);
      });
      if (manner === "legacy") {
        page.ethereum = provider;
        return;
      }
      const announce = () =>
        window.dispatchEvent(
          new CustomEvent("eip6963:announceProvider", {
            detail: Object.freeze({ info, provider }),
          }),
        );
      window.addEventListener("eip6963:requestProvider", announce);
      announce();
    },
    { channel, info, manner: wallet.manner },
  );
  emitters.set(wallet, async (name, value) => {
    await page.evaluate(
      ({ channel, name, value }) => {
        window.dispatchEvent(new CustomEvent(`emit:${channel}`, { detail: { name, value } }));
      },
      { channel, name, value },
    );
  });
}

const emitters = new WeakMap<TestWallet, (name: string, value: unknown) => Promise<void>>();

/** The owner chooses other accounts in the wallet. */
export async function chooseAccounts(
  wallet: TestWallet,
  accounts: readonly LocalAccount[],
): Promise<void> {
  wallet.accounts = accounts;
  await emitters.get(wallet)?.(
    "accountsChanged",
    accounts.map(({ address }) => address),
  );
}

/** How often the wallet got this request. */
export function timesAsked(wallet: TestWallet, method: string): number {
  return wallet.calls.filter((call) => call.method === method).length;
}

async function answer(wallet: TestWallet, method: string, params: unknown[]): Promise<unknown> {
  if (wallet.declines.has(method)) throw new WalletError(4001, "User rejected the request.");
  const listed = wallet.accounts.map(({ address }) => address);
  switch (method) {
    case "eth_requestAccounts":
    case "eth_accounts":
      return listed;
    case "eth_chainId":
      return `0x${wallet.chainId.toString(16)}`;
    case "wallet_switchEthereumChain": {
      const chainId = Number((params[0] as { chainId: string }).chainId);
      if (!wallet.chains.has(chainId)) throw new WalletError(4902, "Unrecognized chain ID.");
      wallet.chainId = chainId;
      await emitters.get(wallet)?.("chainChanged", `0x${chainId.toString(16)}`);
      return null;
    }
    case "wallet_addEthereumChain":
      wallet.chains.add(Number((params[0] as { chainId: string }).chainId));
      return null;
    case "eth_signTypedData_v4": {
      const typedData = JSON.parse(params[1] as string) as SignTypedDataParameters;
      return signer(wallet, params[0]).signTypedData(typedData);
    }
    case "personal_sign":
      return signer(wallet, params[1]).signMessage({ message: { raw: params[0] as Hex } });
    case "eth_sendTransaction": {
      const { from, to, data } = params[0] as { from: string; to: Address; data: Hex };
      if (!wallet.send) throw new WalletError(-32603, "This wallet has no node.");
      return wallet.send(signer(wallet, from), { to, data });
    }
    case "eth_call":
      if (!wallet.read) throw new WalletError(-32603, "This wallet has no node.");
      return wallet.read(method, params);
    default:
      throw new WalletError(4200, `The wallet does not know ${method}.`);
  }
}

function signer(wallet: TestWallet, address: unknown): LocalAccount {
  const account = wallet.accounts.find((one) => one.address === getAddress(String(address)));
  if (!account) throw new WalletError(4100, "The account is not connected.");
  return account;
}
