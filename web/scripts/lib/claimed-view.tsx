import type { z } from "@hono/zod-openapi";
import type { Child } from "hono/jsx";
import type { ClaimedSchema } from "../../../api/features/claims/index.ts";
import type { ClaimPageData } from "../../claims/page-data.ts";
import { Card, Code, Facts, Transaction } from "../../ui/components.tsx";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { nameAgentWallet } from "./agent-wallet.ts";
import { actions, linkButton } from "./dom.tsx";
import { followUp, leftTransactions, OWN_TRANSACTIONS } from "./follow-ups.tsx";
import { secretsCard } from "./secrets-card.tsx";

export type Claimed = z.output<typeof ClaimedSchema>;

/** What the owner sees once: the secrets, and what can be done next. */
export function claimedView(page: ClaimPageData, claimed: Claimed, connection: Connection): Child {
  const { agentName, tokenId } = claimed;
  return (
    <div class="stack">
      <div>
        <p class="eyebrow">Claimed</p>
        <h1 tabindex={-1}>{agentName} is yours</h1>
        <p class="lead">
          {claimed.genesisStatus === "SEALED"
            ? "It is registered and sealed."
            : "It is registered, and waits for its seal."}
        </p>
      </div>
      {keptSecrets(claimed)}
      <Card title="Registered">
        <Facts
          of={{
            Passport: claimed.erc8004AgentId,
            Certificate: tokenId,
            DID: <Code>{claimed.did}</Code>,
            Owner: <Code>{claimed.ownerAddress}</Code>,
            Transaction: <Transaction kit={page} hash={claimed.txHash} />,
          }}
        />
        {actions(
          linkButton(`/agents/${agentName}`, `To ${agentName}`, "button"),
          linkButton(`/console/${tokenId}`, "Manage it"),
        )}
      </Card>
      <Card title="If you like">
        <p class="muted">{OWN_TRANSACTIONS}</p>
        {followUps(page, claimed, connection)}
      </Card>
    </div>
  );
}

function keptSecrets(claimed: Claimed): Child {
  const { agentName, did, tokenId, soulHash, soulMerkleRoot, soulSalt, merkleLeaves } = claimed;
  const note = claimed.agentKeeps
    ? "The agent can get a key of its own for seven days, with the key it registered with."
    : "The key that the agent registered with has ended.";
  const proof = { agentName, did, tokenId, soulHash, soulMerkleRoot, soulSalt, merkleLeaves };
  return secretsCard({ value: claimed.apiKey, note }, proof);
}

function followUps(page: ClaimPageData, claimed: Claimed, connection: Connection): Child {
  const { agentWallet, erc8004AgentId: passportId } = claimed;
  const whyUri =
    agentWallet === null
      ? "The approval on your passport was taken back before the claim, so the passport still points at its former file. This one describes the agent."
      : "Another registration came between, so the passport names a file without its numbers. Both are right; this one says more.";
  const left = leftTransactions(claimed, whyUri, connection, page);
  if (agentWallet === null) return left;
  const { typedData, transaction } = agentWallet;
  const call = { passportId, typedData, to: transaction.to, selector: page.setAgentWalletSelector };
  return [
    left,
    followUp(
      page,
      "Let this account be the agent's wallet",
      "The passport names no wallet yet, so payers find none. It then names your account. You sign once more, and send one transaction.",
      "Set the agent's wallet",
      () => nameAgentWallet(connection, call),
    ),
  ];
}
