import type { WalletNetwork } from "../../ui/network.ts";
import { actions, button, code, element, notice } from "../lib/dom.ts";
import {
  addresses,
  currentChain,
  discoverWallets,
  requestAccounts,
  sameAddress,
  switchNetwork,
  type Wallet,
  walletMessage,
  walletProblem,
} from "./wallets.ts";

/** A wallet on the right network, with the account that acts. */
export interface Connection {
  readonly wallet: Wallet;
  readonly account: string;
}

export interface WalletPanelOptions {
  readonly network: WalletNetwork;
  /** The accounts of which one is taken when the wallet offers several. Default: its first one. */
  readonly preferred?: readonly string[];
  /** Says what comes next; null while there is no connection. */
  readonly onChange: (connection: Connection | null) => void;
}

/**
 * Choosing a wallet, connecting it, and bringing it to the right network, in `root`. Follows the wallet when its owner changes
 * account or network there.
 */
export function walletPanel(root: HTMLElement, options: WalletPanelOptions): void {
  const { network, onChange } = options;
  root.classList.add("stack");
  // Announced, so that who does not see the panel change hears it.
  root.setAttribute("aria-live", "polite");
  let wallets: readonly Wallet[] = [];
  let chosen: Wallet | null = null;
  let followed: (() => void) | null = null;

  discoverWallets((found) => {
    wallets = found;
    if (chosen === null) showChoice();
  });

  function show(...content: readonly HTMLElement[]): void {
    root.replaceChildren(...content);
  }

  function showChoice(problem?: HTMLElement): void {
    leave();
    if (wallets.length === 0) {
      showNoWallet();
      return;
    }
    const list = wallets.map((wallet) => {
      const label = element("span", {}, `Use ${wallet.name}`);
      const choice = button(label, () => void connect(wallet), "button secondary");
      if (wallet.icon !== null) choice.prepend(element("img", { src: wallet.icon, alt: "" }));
      return element("li", {}, choice);
    });
    show(...(problem ? [problem] : []), element("ul", { class: "wallets" }, ...list));
  }

  function showNoWallet(): void {
    const copied = element("span", { class: "muted" });
    show(
      notice(
        "caution",
        "No wallet found in this browser",
        "Install a wallet extension and reload this page, or open its address in the browser inside your wallet's app.",
      ),
      actions(
        button("Look again", () => location.reload()),
        button(
          "Copy this page's address",
          () =>
            void navigator.clipboard.writeText(location.href).then(
              () => copied.replaceChildren("Copied."),
              () => copied.replaceChildren("Copy it from the address bar."),
            ),
          "button secondary",
        ),
        copied,
      ),
    );
  }

  /** Forgets the wallet that was chosen. */
  function leave(): void {
    followed?.();
    followed = null;
    chosen = null;
    onChange(null);
  }

  async function connect(wallet: Wallet): Promise<void> {
    leave();
    chosen = wallet;
    show(notice("info", `Waiting for ${wallet.name}`, "Confirm the connection in your wallet."));
    let accounts: readonly string[];
    try {
      accounts = await requestAccounts(wallet.provider);
    } catch (error) {
      return showChoice(connectionProblem(wallet, error));
    }
    if (chosen !== wallet) return;
    follow(wallet);
    await settle(wallet, accounts);
  }

  function connectionProblem({ name }: Wallet, error: unknown): HTMLElement {
    switch (walletProblem(error)) {
      case "refused":
        return notice(
          "info",
          "The connection was declined",
          "Nothing has happened. Choose a wallet when you are ready.",
        );
      case "busy":
        return notice(
          "caution",
          `${name} is waiting for you`,
          "It shows an earlier request. Answer it there, then choose the wallet again.",
        );
      default:
        return notice("bad", `${name} could not be connected`, walletMessage(error));
    }
  }

  /** Takes up what the owner changes in the wallet. */
  function follow(wallet: Wallet): void {
    const { provider } = wallet;
    const onAccounts = (listed: unknown) => void settle(wallet, addresses(listed));
    const onChain = () => void resettle(wallet);
    provider.on?.("accountsChanged", onAccounts);
    provider.on?.("chainChanged", onChain);
    followed = () => {
      provider.removeListener?.("accountsChanged", onAccounts);
      provider.removeListener?.("chainChanged", onChain);
    };
  }

  async function resettle(wallet: Wallet): Promise<void> {
    const listed = await wallet.provider.request({ method: "eth_accounts" }).catch(() => []);
    await settle(wallet, addresses(listed));
  }

  /** @param wanted The account that the owner has chosen on the page; by default one that can act. */
  async function settle(
    wallet: Wallet,
    accounts: readonly string[],
    wanted?: string,
  ): Promise<void> {
    const { preferred = [] } = options;
    const isPreferred = (one: string) => preferred.some((other) => sameAddress(one, other));
    const account = wanted ?? accounts.find(isPreferred) ?? accounts[0];
    if (account === undefined) return showChoice();
    const chain = await currentChain(wallet.provider).catch(() => Number.NaN);
    if (chosen !== wallet) return;
    if (chain !== network.chainId) {
      onChange(null);
      return showWrongNetwork(wallet, chain);
    }
    show(connected(wallet, account), ...accountChoice(wallet, accounts, account));
    // The choice was drawn anew under the hands of who made it.
    if (wanted !== undefined) root.querySelector("select")?.focus();
    onChange({ wallet, account });
  }

  /** A wallet can show the page several accounts. */
  function accountChoice(
    wallet: Wallet,
    accounts: readonly string[],
    account: string,
  ): HTMLElement[] {
    if (accounts.length < 2) return [];
    const choices = accounts.map((one) =>
      element("option", { value: one, selected: one === account }, one),
    );
    const select = element("select", { class: "control", id: "wallet-account" }, ...choices);
    select.addEventListener("change", () => void settle(wallet, accounts, select.value));
    const label = element("label", { for: "wallet-account" }, "Act as");
    return [element("div", { class: "field" }, label, select)];
  }

  function connected({ name, icon }: Wallet, account: string): HTMLElement {
    const who = element("p", {}, `Connected with ${name} as `, code(account));
    return element(
      "div",
      { class: "account" },
      ...(icon === null ? [] : [element("img", { src: icon, alt: "", class: "wallet-icon" })]),
      who,
      button("Use another wallet", () => showChoice(), "link-button"),
    );
  }

  function showWrongNetwork(wallet: Wallet, chain: number, problem?: HTMLElement): void {
    const where = Number.isSafeInteger(chain) ? `chain ${chain}` : "an unknown chain";
    show(
      problem ??
        notice(
          "caution",
          "Your wallet is on another network",
          `It is on ${where}. This happens on ${network.name} (chain ${network.chainId}).`,
        ),
      actions(
        button(`Switch to ${network.name}`, () => void change(wallet, chain)),
        button("Use another wallet", () => showChoice(), "button secondary"),
      ),
    );
  }

  async function change(wallet: Wallet, chain: number): Promise<void> {
    try {
      await switchNetwork(wallet.provider, network);
    } catch (error) {
      const refused = walletProblem(error) === "refused";
      return showWrongNetwork(
        wallet,
        chain,
        refused
          ? notice("info", "The wallet stayed where it is", `It has to be on ${network.name}.`)
          : notice(
              "bad",
              `${wallet.name} could not switch`,
              `${walletMessage(error)} You can choose ${network.name} (chain ${network.chainId}) in the wallet itself.`,
            ),
      );
    }
    await resettle(wallet);
  }
}
