import type { z } from "@hono/zod-openapi";
import type { RecordedSchema } from "../../api/features/chronicles/index.ts";
import type { SignPageData } from "../chronicles/page-data.ts";
import {
  actions,
  button,
  byId,
  element,
  linkButton,
  notice,
  pageData,
  transaction,
} from "./lib/dom.ts";
import { failureNotice } from "./lib/failures.ts";
import { momentText } from "./lib/moments.ts";
import { signAndSend, signedRequest } from "./lib/sign-and-send.ts";
import { accountView } from "./lib/signers.ts";
import { type Connection, walletPanel } from "./wallets/wallet-panel.ts";

type Recorded = z.output<typeof RecordedSchema>;

const root = byId("sign-root");
const page = pageData<SignPageData>(root);
const { network, owner, agentName, typedData } = page;
const signers = { accounts: [owner], refusal: `This account does not own ${agentName}` };

const request = signedRequest([typedData]);

const wallet = element("div", {});
const next = element("div", { class: "stack" });
root.replaceChildren(element("div", { class: "stack" }, wallet, next));
const { show } = accountView(next, signers, offer);
walletPanel(wallet, { network, preferred: signers.accounts, onChange: show });

function offer(connection: Connection, problem?: HTMLElement): void {
  const label = problem === undefined ? "Sign and record" : "Try again";
  next.replaceChildren(
    ...(problem === undefined ? [] : [problem]),
    actions(button(label, () => void sign(connection))),
  );
  problem?.scrollIntoView({ block: "nearest" });
}

async function sign(connection: Connection): Promise<void> {
  const { tokenId, category, data, requestId } = page;
  try {
    const recorded = await signAndSend<Recorded>(next, connection, request, {
      method: "POST",
      path: "/v1/chronicle",
      label: "Record it",
      body: (signed) => ({
        tokenId,
        category,
        data,
        requestId,
        ...signed,
        signer: connection.account,
      }),
    });
    showRecorded(recorded);
  } catch (error) {
    offer(connection, failureNotice(error));
  }
}

function showRecorded(recorded: Recorded): void {
  const { txHash, queueId, estimatedConfirmation } = recorded;
  const batch =
    estimatedConfirmation === undefined ? "the next hour" : momentText(estimatedConfirmation);
  const where =
    txHash === undefined
      ? element("p", {}, `It goes on chain with the batch of ${batch}.`)
      : element("p", {}, "Transaction ", transaction(network.explorer, txHash));
  const done = element(
    "div",
    { class: "stack", tabindex: "-1" },
    notice("good", "Signed and recorded", where),
    actions(
      linkButton(`/proofs/chronicles/${queueId}`, "See the proof"),
      linkButton(`/agents/${agentName}`, `To ${agentName}`),
    ),
  );
  root.replaceChildren(done);
  done.focus();
}
