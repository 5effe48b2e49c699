import type { z } from "@hono/zod-openapi";
import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { RecordedSchema } from "../../api/features/chronicles/index.ts";
import type { SignPageData } from "../chronicles/page-data.ts";
import { Transaction } from "../ui/components.tsx";
import { momentText } from "../ui/text.ts";
import { actions, button, byId, linkButton, notice, pageData } from "./lib/dom.tsx";
import { failureNotice } from "./lib/failures.tsx";
import { signAndSend, signedRequest } from "./lib/sign-and-send.ts";
import { accountView } from "./lib/signers.tsx";
import { type Connection, walletAreas, walletPanel } from "./wallets/wallet-panel.tsx";

type Recorded = z.output<typeof RecordedSchema>;

const root = byId("sign-root");
const page = pageData<SignPageData>(root);
const { network, owner, agentName } = page;
const signers = { accounts: [owner], refusal: `This account does not own ${agentName}` };

const request = signedRequest(page.typedData);

const [wallet, next] = walletAreas(root);
const { show } = accountView(next, signers, offer);
walletPanel(wallet, { network, preferred: signers.accounts, onChange: show });

function offer(connection: Connection, problem?: Child): void {
  const label = problem === undefined ? "Sign and record" : "Try again";
  render([problem, actions(button(label, () => sign(connection)))], next);
  if (problem !== undefined) next.firstElementChild?.scrollIntoView({ block: "nearest" });
}

async function sign(connection: Connection): Promise<void> {
  const { tokenId, category, data, requestId } = page;
  const sending = { method: "POST", path: "/v1/chronicle", label: "Record it" };
  try {
    const recorded = await signAndSend<Recorded>(next, connection, request, sending, (signed) => ({
      tokenId,
      category,
      data,
      requestId,
      ...signed,
      signer: connection.account,
    }));
    showRecorded(recorded);
  } catch (error) {
    offer(connection, failureNotice(error));
  }
}

function showRecorded({ txHash, queueId, estimatedConfirmation: batch }: Recorded): void {
  const where =
    txHash === undefined ? (
      <p>
        It goes on chain with the batch of{" "}
        {batch === undefined ? "the next hour" : momentText(batch)}.
      </p>
    ) : (
      <p>
        Transaction <Transaction kit={page} hash={txHash} />
      </p>
    );
  render(
    <div class="stack" tabindex={-1}>
      {notice("good", "Signed and recorded", where)}
      {actions(
        linkButton(`/proofs/chronicles/${queueId}`, "See the proof"),
        linkButton(`/agents/${agentName}`, `To ${agentName}`),
      )}
    </div>,
    root,
  );
  root.querySelector("div")?.focus();
}
