import type { z } from "@hono/zod-openapi";
import type { ClaimedSchema } from "../../../api/features/claims/index.ts";
import type { ClaimPageData } from "../../claims/page-data.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { actions, card, code, element, fact, link, linkButton, transaction } from "./dom.ts";
import { followUp, leftTransactions, OWN_TRANSACTIONS } from "./follow-ups.ts";
import { nameAgentWallet } from "./name-agent-wallet.ts";
import { secretsCard } from "./secrets-card.ts";

export type Claimed = z.output<typeof ClaimedSchema>;

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
    keptSecrets(claimed),
    card("Registered", facts, actions(profile, linkButton(`/console/${tokenId}`, "Manage it"))),
    followUps(page, claimed, connection),
  );
}

function keptSecrets(claimed: Claimed): HTMLElement {
  const { agentName, did, tokenId, soulHash, soulMerkleRoot, soulSalt, merkleLeaves } = claimed;
  const note = claimed.agentKeeps
    ? "The agent can get a key of its own for seven days, with the key it registered with."
    : "The key that the agent registered with has ended.";
  return secretsCard({
    apiKey: { value: claimed.apiKey, note },
    proof: {
      agentName,
      did,
      tokenId,
      soulHash,
      soulMerkleRoot,
      soulSalt,
      merkleLeaves,
    },
  });
}

function followUps(page: ClaimPageData, claimed: Claimed, connection: Connection): HTMLElement {
  const { agentWallet, erc8004AgentId } = claimed;
  const { explorer } = page.network;
  const whyUri =
    agentWallet === null
      ? "The approval on your passport was taken back before the claim, so the passport still points at its former file. This one describes the agent."
      : "Another registration came between, so the passport names a file without its numbers. Both are right; this one says more.";
  const parts = leftTransactions(claimed, whyUri, connection, explorer);
  if (agentWallet !== null) {
    const { typedData, transaction } = agentWallet;
    parts.push(
      followUp({
        title: "Let this account be the agent's wallet",
        why: "The passport names no wallet yet, so payers find none. It then names your account. You sign once more, and send one transaction.",
        label: "Set the agent's wallet",
        explorer,
        act: () =>
          nameAgentWallet(connection, {
            agentId: erc8004AgentId,
            typedData,
            to: transaction.to,
            selector: page.setAgentWalletSelector,
          }),
      }),
    );
  }
  return card("If you like", element("p", { class: "muted" }, OWN_TRANSACTIONS), ...parts);
}
