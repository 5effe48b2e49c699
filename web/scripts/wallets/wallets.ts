import { requestProviders } from "mipd";
import type { WalletNetwork } from "../../ui/network.ts";
import type { TypedData } from "../../ui/typed-data.ts";

/** EIP-1193. */
export interface WalletProvider {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

/**
 * A wallet that can be chosen. Name and icon are the wallet's own words, and any extension can say
 * anything.
 */
export interface Wallet {
  /** Tells wallets apart. */
  readonly id: string;
  readonly name: string;
  /** A `data:` image, or null. */
  readonly icon: string | null;
  readonly provider: WalletProvider;
}

/** What EIP-6963 wallets announce themselves with. */
interface Announcement {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string };
  readonly provider: WalletProvider;
}

const MAX_NAME = 40;

/**
 * Asks for the wallets in this browser (EIP-6963), and tells `onChange` of all of them each time
 * there is another. Before any has announced itself, the list is what older wallets leave in
 * `window.ethereum`, or empty.
 */
export function discoverWallets(onChange: (wallets: readonly Wallet[]) => void): void {
  const announced = new Map<string, Wallet>();
  requestProviders((detail: unknown) => {
    const wallet = announcedWallet(detail);
    if (wallet === null || announced.has(wallet.id)) return;
    announced.set(wallet.id, wallet);
    onChange([...announced.values()]);
  });
  if (announced.size > 0) return;

  const { ethereum } = window as unknown as { ethereum?: WalletProvider };
  onChange(
    isProvider(ethereum)
      ? [{ id: "window.ethereum", name: "this browser's wallet", icon: null, provider: ethereum }]
      : [],
  );
}

function announcedWallet(detail: unknown): Wallet | null {
  const { info, provider } = (detail ?? {}) as Partial<Announcement>;
  if (typeof info?.uuid !== "string" || typeof info.name !== "string" || !isProvider(provider)) {
    return null;
  }
  const icon = typeof info.icon === "string" && info.icon.startsWith("data:image/");
  return {
    id: info.uuid,
    name: info.name.trim().slice(0, MAX_NAME) || "Unnamed wallet",
    icon: icon ? info.icon : null,
    provider,
  };
}

function isProvider(value: unknown): value is WalletProvider {
  return typeof (value as Partial<WalletProvider> | undefined)?.request === "function";
}

/** Why a wallet did not do what it was asked. */
export type WalletProblem = "refused" | "busy" | "unknown-network" | "failed";

const REFUSED = 4001;
const PENDING = -32002;
const UNKNOWN_NETWORK = 4902;

/** What a wallet's error means. Wallets wrap the code in different places. */
export function walletProblem(error: unknown): WalletProblem {
  for (let inner = error, depth = 0; depth < 4 && typeof inner === "object" && inner; depth += 1) {
    const { code, data, cause } = inner as { code?: unknown; data?: unknown; cause?: unknown };
    if (code === REFUSED || code === "ACTION_REJECTED") return "refused";
    if (code === PENDING) return "busy";
    if (code === UNKNOWN_NETWORK) return "unknown-network";
    inner = (data as { originalError?: unknown } | undefined)?.originalError ?? cause;
  }
  return "failed";
}

/** The wallet's message, for diagnosis. */
export function walletMessage(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === "string" && message !== ""
    ? message.slice(0, 300)
    : "It did not say why.";
}

/** The accounts that the owner lets this page see; asks when it sees none. */
export async function requestAccounts(provider: WalletProvider): Promise<readonly string[]> {
  return addresses(await provider.request({ method: "eth_requestAccounts" }));
}

/** Addresses as a wallet lists them, and nothing else that it may list. */
export function addresses(listed: unknown): readonly string[] {
  return Array.isArray(listed)
    ? listed.filter(
        (entry): entry is string => typeof entry === "string" && /^0x[0-9a-fA-F]{40}$/.test(entry),
      )
    : [];
}

export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The chain that the wallet is on. */
export async function currentChain(provider: WalletProvider): Promise<number> {
  return Number(await provider.request({ method: "eth_chainId" }));
}

/**
 * Asks the wallet to go to the deployment's chain, and to learn it first where it does not know it.
 */
export async function switchNetwork(
  provider: WalletProvider,
  { chainId, addable }: WalletNetwork,
): Promise<void> {
  const params = [{ chainId: `0x${chainId.toString(16)}` }];
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params });
  } catch (error) {
    if (walletProblem(error) !== "unknown-network" || addable === null) throw error;
    await provider.request({ method: "wallet_addEthereumChain", params: [addable] });
    // Adding does not have to switch.
    await provider.request({ method: "wallet_switchEthereumChain", params });
  }
}

/** After this time a person wonders whether anything happens. */
const SLOW_MS = 8_000;

const STILL_WAITING =
  "Still waiting for your wallet. A hardware wallet must be connected and unlocked, and shows the request on its own screen. Nothing is lost by waiting.";

/** Asks a wallet, and says that the page waits when it takes long. */
export async function patiently<T>(ask: () => Promise<T>, say: (note: string) => void): Promise<T> {
  const timer = setTimeout(() => say(STILL_WAITING), SLOW_MS);
  try {
    return await ask();
  } finally {
    clearTimeout(timer);
  }
}

/** Has the account sign typed data, as the service answered it. */
export function signTypedData(
  provider: WalletProvider,
  account: string,
  data: TypedData,
): Promise<string> {
  return signature(provider, "eth_signTypedData_v4", [account, JSON.stringify(data)]);
}

/** Has the account sign a message (EIP-191). */
export function signMessage(
  provider: WalletProvider,
  account: string,
  text: string,
): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return signBytes(provider, account, `0x${hex}`);
}

/** Has the account sign bytes as a message (EIP-191). */
export function signBytes(provider: WalletProvider, account: string, hex: string): Promise<string> {
  return signature(provider, "personal_sign", [hex, account]);
}

async function signature(
  provider: WalletProvider,
  method: string,
  params: readonly string[],
): Promise<string> {
  const signed = await provider.request({ method, params });
  if (typeof signed !== "string") throw new Error("The wallet returned no signature.");
  return signed;
}

/** Has the account send a transaction that it pays for itself, and gives its hash. */
export async function sendTransaction(
  provider: WalletProvider,
  account: string,
  transaction: { readonly to: string; readonly data: string },
): Promise<string> {
  const { to, data } = transaction;
  const hash = await provider.request({
    method: "eth_sendTransaction",
    params: [{ from: account, to, data }],
  });
  if (typeof hash !== "string") throw new Error("The wallet returned no transaction.");
  return hash;
}
