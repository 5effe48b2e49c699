import type { z } from "@hono/zod-openapi";
import type { RecordedSchema, SignPageData } from "../../features/chronicles/index.ts";
import { ApiFailure, postJson } from "./lib/api.ts";
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
import { mayAct, otherAccount } from "./lib/signers.ts";
import { progressSteps } from "./lib/steps.ts";
import { type Connection, walletPanel } from "./lib/wallet-panel.ts";
import { signTypedData } from "./lib/wallets.ts";

type Recorded = z.output<typeof RecordedSchema>;

const root = byId("sign-root");
const page = pageData<SignPageData>(root);
const { network, owner, agentName, typedData } = page;
const signers = { accounts: [owner], refusal: `This account does not own ${agentName}` };

/** The same for every try of this page: a lost answer is asked for again, not acted on again. */
const repetition = crypto.randomUUID();
/** Kept until the service has answered, so that trying again does not ask the wallet again. */
let signature: string | null = null;

const wallet = element("div", {});
const next = element("div", { class: "stack" });
root.replaceChildren(element("div", { class: "stack" }, wallet, next));
walletPanel(wallet, { network, preferred: signers.accounts, onChange: showNext });

function showNext(connection: Connection | null): void {
  if (connection === null) next.replaceChildren();
  else if (mayAct(signers, connection.account)) offer(connection);
  else next.replaceChildren(otherAccount(signers));
}

function offer(connection: Connection, problem?: HTMLElement): void {
  const label = problem === undefined ? "Sign and record" : "Try again";
  next.replaceChildren(
    ...(problem === undefined ? [] : [problem]),
    actions(button(label, () => void sign(connection))),
  );
  problem?.scrollIntoView({ block: "nearest" });
}

async function sign(connection: Connection): Promise<void> {
  const { list, set } = progressSteps({
    sign: `Sign in ${connection.wallet.name}`,
    record: "Record it",
  });
  next.replaceChildren(list);
  try {
    set("sign", "active", "Your wallet asks for a signature.");
    signature ??= await signTypedData(connection.wallet.provider, connection.account, typedData);
    set("sign", "done");
    set("record", "active", "This takes a few seconds.");
    const recorded = await postJson<Recorded>(
      "/v1/chronicle",
      {
        tokenId: page.tokenId,
        category: page.category,
        data: page.data,
        requestId: page.requestId,
        signature,
        signer: connection.account,
        message: typedData.message,
      },
      repetition,
    );
    set("record", "done");
    showRecorded(recorded);
  } catch (error) {
    if (error instanceof ApiFailure && error.type === "INVALID_SIGNATURE") signature = null;
    offer(connection, failureNotice(error));
  }
}

function showRecorded(recorded: Recorded): void {
  const { txHash, queueId, estimatedConfirmation } = recorded;
  const where =
    txHash === undefined
      ? element("p", {}, `It goes on chain with the batch of ${moment(estimatedConfirmation)}.`)
      : element("p", {}, "Transaction ", transaction(network.explorer, txHash));
  const done = element(
    "div",
    { class: "stack", tabindex: "-1" },
    notice("good", "Signed and recorded", where),
    actions(
      linkButton(`/v1/chronicle/${queueId}/proof`, "See the proof"),
      linkButton(`/agents/${agentName}`, `To ${agentName}`),
    ),
  );
  root.replaceChildren(done);
  done.focus();
}

function moment(iso: string | undefined): string {
  if (iso === undefined) return "the next hour";
  return new Date(iso).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
}
