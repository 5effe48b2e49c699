import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import { Code } from "../../ui/components.tsx";
import type { WalletNetwork } from "../../ui/network.ts";
import { actions, button, copyText, notice } from "../lib/dom.tsx";
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

/** A panel, and the wallet that was chosen in it. */
interface Panel {
  readonly root: HTMLElement;
  readonly network: WalletNetwork;
  readonly preferred: readonly string[];
  readonly onChange: (connection: Connection | null) => void;
  wallets: readonly Wallet[];
  chosen: Wallet | null;
  /** Stops taking up what the owner changes in the chosen wallet. */
  unfollow: () => void;
}

/** Makes room in `root`: for the wallet panel, and below it for what the account can do. */
export function walletAreas(root: HTMLElement): readonly [wallet: HTMLElement, next: HTMLElement] {
  const created = () => document.createElement("div");
  const [both, wallet, next] = [created(), created(), created()];
  both.className = "stack";
  next.className = "stack";
  next.tabIndex = -1;
  both.append(wallet, next);
  root.replaceChildren(both);
  return [wallet, next];
}

/**
 * Choosing a wallet, connecting it, and bringing it to the right network, in `root`. Follows the wallet when its owner changes
 * account or network there.
 *
 * @param preferred The accounts of which one is taken when the wallet offers several. Default: its first one.
 * @param onChange Says what comes next; null while there is no connection.
 */
export function walletPanel(
  root: HTMLElement,
  {
    network,
    preferred = [],
    onChange,
  }: Pick<Panel, "network" | "onChange"> & Partial<Pick<Panel, "preferred">>,
): void {
  root.classList.add("stack");
  // Announced, so that who does not see the panel change hears it.
  root.setAttribute("aria-live", "polite");
  const unfollow = () => {};
  const panel: Panel = { root, network, preferred, onChange, wallets: [], chosen: null, unfollow };
  discoverWallets((found) => {
    panel.wallets = found;
    if (panel.chosen === null) showChoice(panel);
  });
}

function showChoice(panel: Panel, problem?: Child): void {
  leave(panel);
  if (panel.wallets.length === 0) {
    render(<NoWallet />, panel.root);
    return;
  }
  const choices = panel.wallets.map((wallet) => {
    const label = [
      wallet.icon === null ? null : <img src={wallet.icon} alt="" />,
      <span>Use {wallet.name}</span>,
    ];
    return <li>{button(label, () => connect(panel, wallet), "button secondary")}</li>;
  });
  render([problem, <ul class="wallets">{choices}</ul>], panel.root);
}

function NoWallet() {
  const copy = () =>
    copyText(
      location.href,
      document.getElementById("address-copied"),
      "Copied.",
      "Copy it from the address bar.",
    );
  return (
    <>
      {notice(
        "caution",
        "No wallet found in this browser",
        "Install a wallet extension and reload this page, or open its address in the browser inside your wallet's app.",
      )}
      {actions(
        button("Look again", () => location.reload()),
        button("Copy this page's address", copy, "button secondary"),
        <span class="muted" id="address-copied" />,
      )}
    </>
  );
}

/** Forgets the wallet that was chosen. */
function leave(panel: Panel): void {
  panel.unfollow();
  panel.unfollow = () => {};
  panel.chosen = null;
  panel.onChange(null);
}

async function connect(panel: Panel, wallet: Wallet): Promise<void> {
  leave(panel);
  panel.chosen = wallet;
  const waiting = `Waiting for ${wallet.name}`;
  render(notice("info", waiting, "Confirm the connection in your wallet."), panel.root);
  let accounts: readonly string[];
  try {
    accounts = await requestAccounts(wallet.provider);
  } catch (error) {
    return showChoice(panel, connectionProblem(wallet, error));
  }
  if (panel.chosen !== wallet) return;
  follow(panel, wallet);
  await settle(panel, wallet, accounts);
}

function connectionProblem({ name }: Wallet, error: unknown): Child {
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
function follow(panel: Panel, wallet: Wallet): void {
  const { provider } = wallet;
  const onAccounts = (listed: unknown) => void settle(panel, wallet, addresses(listed));
  const onChain = () => void resettle(panel, wallet);
  provider.on?.("accountsChanged", onAccounts);
  provider.on?.("chainChanged", onChain);
  panel.unfollow = () => {
    provider.removeListener?.("accountsChanged", onAccounts);
    provider.removeListener?.("chainChanged", onChain);
  };
}

async function resettle(panel: Panel, wallet: Wallet): Promise<void> {
  const listed = await wallet.provider.request({ method: "eth_accounts" }).catch(() => []);
  await settle(panel, wallet, addresses(listed));
}

/** @param wanted The account that the owner has chosen on the page; by default one that can act. */
async function settle(
  panel: Panel,
  wallet: Wallet,
  accounts: readonly string[],
  wanted?: string,
): Promise<void> {
  const { root, network, preferred, onChange } = panel;
  const isPreferred = (one: string) => preferred.some((other) => sameAddress(one, other));
  const account = wanted ?? accounts.find(isPreferred) ?? accounts[0];
  if (account === undefined) return showChoice(panel);
  const chain = await currentChain(wallet.provider).catch(() => Number.NaN);
  if (panel.chosen !== wallet) return;
  if (chain !== network.chainId) {
    onChange(null);
    return showWrongNetwork(panel, wallet, chain);
  }
  const choose = (chosen: string) => void settle(panel, wallet, accounts, chosen);
  render(
    [
      <div class="account">
        {wallet.icon === null ? null : <img src={wallet.icon} alt="" class="wallet-icon" />}
        <p>
          Connected with {wallet.name} as <Code>{account}</Code>
        </p>
        {button("Use another wallet", () => showChoice(panel), "link-button")}
      </div>,
      accounts.length < 2 ? null : (
        <AccountChoice accounts={accounts} account={account} choose={choose} />
      ),
    ],
    root,
  );
  // The choice was drawn anew under the hands of who made it.
  if (wanted !== undefined) root.querySelector("select")?.focus();
  onChange({ wallet, account });
}

/** A wallet can show the page several accounts. */
function AccountChoice({
  accounts,
  account,
  choose,
}: {
  accounts: readonly string[];
  account: string;
  choose: (account: string) => void;
}) {
  const onChange = ({ target }: Event) => choose((target as HTMLSelectElement).value);
  return (
    <div class="field">
      <label for="wallet-account">Act as</label>
      <select class="control" id="wallet-account" onChange={onChange}>
        {accounts.map((one) => (
          <option value={one} selected={one === account}>
            {one}
          </option>
        ))}
      </select>
    </div>
  );
}

function showWrongNetwork(panel: Panel, wallet: Wallet, chain: number, problem?: Child): void {
  const { name, chainId } = panel.network;
  const where = Number.isSafeInteger(chain) ? `chain ${chain}` : "an unknown chain";
  const wrong = notice(
    "caution",
    "Your wallet is on another network",
    `It is on ${where}. This happens on ${name} (chain ${chainId}).`,
  );
  const buttons = actions(
    button(`Switch to ${name}`, () => change(panel, wallet, chain)),
    button("Use another wallet", () => showChoice(panel), "button secondary"),
  );
  render([problem ?? wrong, buttons], panel.root);
}

async function change(panel: Panel, wallet: Wallet, chain: number): Promise<void> {
  const { network } = panel;
  try {
    await switchNetwork(wallet.provider, network);
  } catch (error) {
    const problem =
      walletProblem(error) === "refused"
        ? notice("info", "The wallet stayed where it is", `It has to be on ${network.name}.`)
        : notice(
            "bad",
            `${wallet.name} could not switch`,
            `${walletMessage(error)} You can choose ${network.name} (chain ${network.chainId}) in the wallet itself.`,
          );
    return showWrongNetwork(panel, wallet, chain, problem);
  }
  await resettle(panel, wallet);
}
