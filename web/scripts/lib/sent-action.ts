import type { AgentWalletAction, SentAction, Signers } from "../../owner/data.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { sendTransaction } from "../wallets/wallets.ts";
import { element } from "./dom.ts";
import { offerTransaction } from "./follow-ups.ts";
import { nameAgentWallet } from "./name-agent-wallet.ts";
import { accountView } from "./signers.ts";

/** Has an account send a transaction of its own. Returns what takes up the wallet's account. */
export function sentAction(
  area: HTMLElement,
  { signers, label, to, data, done }: SentAction,
  explorer: string | null,
): (connection: Connection | null) => void {
  return offered(area, signers, {
    label,
    explorer,
    done,
    act: ({ wallet, account }) => sendTransaction(wallet.provider, account, { to, data }),
  });
}

/** Has an owner make its account the agent's wallet. Returns what takes up the wallet's account. */
export function agentWalletAction(
  area: HTMLElement,
  { signers, passportId: agentId, typedData, to, selector }: AgentWalletAction,
  explorer: string | null,
): (connection: Connection | null) => void {
  return offered(area, signers, {
    label: "Make this account the agent's wallet",
    explorer,
    done: "Payers find this account once the transaction is confirmed.",
    act: (connection) => nameAgentWallet(connection, { agentId, typedData, to, selector }),
  });
}

function offered(
  area: HTMLElement,
  signers: Signers,
  offer: {
    readonly label: string;
    readonly explorer: string | null;
    readonly done: string;
    readonly act: (connection: Connection) => Promise<string>;
  },
): (connection: Connection | null) => void {
  const { label, explorer, done, act } = offer;
  return accountView(area, signers, (connection) =>
    offerTransaction(area, {
      label,
      explorer,
      kind: "button",
      act: () => act(connection),
      onSent: () => area.append(element("p", {}, done)),
    }),
  ).show;
}
