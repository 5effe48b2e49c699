import type { z } from "@hono/zod-openapi";
import type { ClaimedSchema, ClaimPageData } from "../../../features/claims/index.ts";
import { actions, button, code, element, link, notice, transaction } from "./dom.ts";
import { failureNotice } from "./failures.ts";
import { setAgentWalletData } from "./set-agent-wallet.ts";
import { progressSteps } from "./steps.ts";
import type { Connection } from "./wallet-panel.ts";
import { sendTransaction, signTypedData } from "./wallets.ts";

export type Claimed = z.output<typeof ClaimedSchema>;

/** The registry takes deadlines at most five minutes ahead of its block. */
const WALLET_DEADLINE_SECONDS = 240;

/** What the owner sees once: the secrets, and what can be done next. */
export function claimedView(
  page: ClaimPageData,
  claimed: Claimed,
  connection: Connection,
): HTMLElement {
  const { agentName, erc8004AgentId, tokenId, txHash, genesisStatus } = claimed;
  const heading = element("h1", { tabindex: "-1" }, `${agentName} is yours`);
  const sealed =
    genesisStatus === "SEALED"
      ? "It is registered and sealed."
      : "It is registered, and waits for its seal.";
  const facts = element(
    "dl",
    { class: "facts" },
    fact("Passport", String(erc8004AgentId)),
    fact("Certificate", String(tokenId)),
    fact("DID", code(claimed.did)),
    fact("Owner", code(claimed.ownerAddress)),
    fact("Transaction", transaction(page.network.explorer, txHash)),
  );
  const profile = link(`/agents/${agentName}`, `To ${agentName}`);
  profile.className = "button";
  return element(
    "div",
    { class: "stack" },
    element(
      "div",
      {},
      element("p", { class: "eyebrow" }, "Claimed"),
      heading,
      element("p", { class: "lead" }, sealed),
    ),
    secretsCard(claimed),
    card("Registered", facts, actions(profile)),
    followUps(page, claimed, connection),
  );
}

/** Leaving while a secret is not kept asks first. */
function secretsCard(claimed: Claimed): HTMLElement {
  const { agentName, apiKey, soulSalt } = claimed;
  const missing = new Set(["proof file", "API key"]);
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", warn);
  const kept = (what: string) => {
    missing.delete(what);
    if (missing.size === 0) window.removeEventListener("beforeunload", warn);
  };
  const said = element("p", { class: "muted", role: "status" });
  const copyKey = () => {
    navigator.clipboard.writeText(apiKey).then(
      () => {
        kept("API key");
        said.replaceChildren("The API key is in the clipboard.");
      },
      () => said.replaceChildren("Select the key and copy it: the browser did not let this page."),
    );
  };
  const download = element(
    "a",
    {
      class: "button",
      href: URL.createObjectURL(proofFile(claimed)),
      download: `${agentName}-soul.json`,
      click: () => {
        kept("proof file");
        said.replaceChildren("The proof file was downloaded.");
      },
    },
    "Download the proof file",
  );
  return card(
    "Keep these now: they are shown once",
    notice(
      "caution",
      "They cannot be shown again",
      "Without the salt no field of the soul can ever be proven. The holder of the API key acts for the agent.",
    ),
    element("h3", {}, "Salt and hashes of the soul"),
    element(
      "p",
      {},
      "The file holds the salt and the twelve hashes. It belongs beside your copy of the agent's prompt.",
    ),
    element("p", {}, code(soulSalt)),
    actions(download),
    element("h3", {}, "Your API key for the agent"),
    element(
      "p",
      {},
      claimed.agentKeeps
        ? "The agent can get a key of its own for seven days, with the key it registered with."
        : "The key that the agent registered with has ended.",
    ),
    element("p", {}, code(apiKey)),
    actions(button("Copy the API key", copyKey, "button secondary")),
    said,
  );
}

function proofFile(claimed: Claimed): Blob {
  const { agentName, did, tokenId, soulHash, soulMerkleRoot, soulSalt, merkleLeaves } = claimed;
  const content = { agentName, did, tokenId, soulHash, soulMerkleRoot, soulSalt, merkleLeaves };
  return new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: "application/json" });
}

function followUps(page: ClaimPageData, claimed: Claimed, connection: Connection): HTMLElement {
  const { agentUriTransaction, agentWallet, erc8004AgentId } = claimed;
  const { wallet, account } = connection;
  const { explorer } = page.network;
  const parts: HTMLElement[] = [];
  if (claimed.needsAgentUriUpdate && agentUriTransaction !== null) {
    parts.push(
      followUp({
        title: "Point the passport at its own file",
        why:
          agentWallet === null
            ? "The approval on your passport was taken back before the claim, so the passport still points at its former file. This one describes the agent."
            : "Another registration came between, so the passport names a file without its numbers. Both are right; this one says more.",
        label: "Update the passport",
        explorer,
        act: () => sendTransaction(wallet.provider, account, agentUriTransaction),
      }),
    );
  }
  const { approvalTransaction, pendingMetadata } = claimed;
  if (approvalTransaction !== null) {
    parts.push(
      followUp({
        title: "Approve the passport writer",
        why: "The passport does not show the agent's soul yet. This transaction lets the passport writer write it. The passport writer cannot move your passport.",
        label: "Approve the passport writer",
        explorer,
        act: () => sendTransaction(wallet.provider, account, approvalTransaction),
      }),
    );
  }
  // Entries that the passport writer writes share one transaction.
  const writes = new Map(pendingMetadata.map((entry) => [entry.transaction.data, entry]));
  for (const { transaction } of writes.values()) {
    const keys = pendingMetadata.filter((entry) => entry.transaction.data === transaction.data);
    parts.push(
      followUp({
        title: "Write the agent's soul on the passport",
        why: `The passport lacks ${keys.map(({ key }) => key).join(", ")}. Send this transaction when the approval is confirmed.`,
        label: "Write to the passport",
        explorer,
        act: () => sendTransaction(wallet.provider, account, transaction),
      }),
    );
  }
  if (agentWallet !== null) {
    const { typedData, transaction } = agentWallet;
    parts.push(
      followUp({
        title: "Let this account be the agent's wallet",
        why: "The passport names no wallet yet, so payers find none. It then names your account. You sign once more, and send one transaction.",
        label: "Set the agent's wallet",
        explorer,
        act: async () => {
          const deadline = Math.floor(Date.now() / 1000) + WALLET_DEADLINE_SECONDS;
          const call = { agentId: erc8004AgentId, newWallet: account, deadline };
          const message = {
            ...typedData.message,
            newWallet: account,
            deadline: String(deadline),
          };
          const signature = await signTypedData(wallet.provider, account, {
            ...typedData,
            message,
          });
          const data = setAgentWalletData(page.setAgentWalletSelector, { ...call, signature });
          return sendTransaction(wallet.provider, account, { to: transaction.to, data });
        },
      }),
    );
  }
  return card(
    "If you like",
    element(
      "p",
      { class: "muted" },
      "These are transactions of your own wallet, which pays a small fee for them. Nothing depends on them.",
    ),
    ...parts,
  );
}

function followUp(options: {
  readonly title: string;
  readonly why: string;
  readonly label: string;
  readonly explorer: string | null;
  readonly act: () => Promise<string>;
}): HTMLElement {
  const { title, why, label, explorer, act } = options;
  const state = element("div", { "aria-live": "polite" });
  const offer = (problem?: HTMLElement) =>
    state.replaceChildren(
      ...(problem === undefined ? [] : [problem]),
      actions(button(problem ? "Try again" : label, () => void run(), "button secondary")),
    );
  const run = async () => {
    const { list, set } = progressSteps({ send: label });
    state.replaceChildren(list);
    set("send", "active", "Your wallet asks you.");
    try {
      const hash = await act();
      set("send", "done", element("span", {}, "Sent as ", transaction(explorer, hash)));
    } catch (error) {
      offer(failureNotice(error));
    }
  };
  offer();
  return element(
    "div",
    { class: "follow-up" },
    element("h3", {}, title),
    element("p", {}, why),
    state,
  );
}

function card(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element("section", { class: "card" }, element("h2", {}, title), ...content);
}

function fact(name: string, value: string | HTMLElement): HTMLElement {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}
