import type { z } from "@hono/zod-openapi";
import type {
  AllowanceChanged,
  AllowanceEnded,
  AllowancePageData,
} from "../../features/allowances/index.ts";
import type { TypedData } from "../typed-data.ts";
import { ApiFailure, deleteJson, postJson } from "./lib/api.ts";
import {
  actions,
  button,
  byId,
  code,
  element,
  link,
  notice,
  pageData,
  transaction,
} from "./lib/dom.ts";
import { failureNotice } from "./lib/failures.ts";
import { progressSteps } from "./lib/steps.ts";
import { type Connection, walletPanel } from "./lib/wallet-panel.ts";
import { sameAddress, signTypedData } from "./lib/wallets.ts";

const root = byId("allowance-root");
const page = pageData<AllowancePageData>(root);
const { network, owner, agentName, tokenId, sentences, labels } = page;
const form = byId("allowance-form") as HTMLFormElement;
const PATH = `/v1/allowance/${tokenId}`;

/** What was prepared for one account and one state of the form. */
interface Prepared {
  readonly connection: Connection;
  readonly kind: "set" | "end";
  readonly body: object;
  /** One message, or two: the allowance's, and the stablecoin's permit. */
  readonly messages: readonly TypedData[];
  /** Kept, so that trying again does not ask the wallet again. */
  readonly signatures: string[];
  /** The same for every try: a lost answer is asked for again, not acted on again. */
  readonly repetition: string;
}

const wallet = element("div", {});
const next = element("div", { class: "stack", tabindex: "-1" });
root.replaceChildren(element("div", { class: "stack" }, wallet, next));
form.addEventListener("submit", (event) => event.preventDefault());
walletPanel(wallet, { network, preferred: owner, onChange: showStart });

/** Counts what was shown: an answer to an earlier question is of another account or other limits. */
let shown = 0;

function showStart(connection: Connection | null, problem?: HTMLElement): void {
  shown += 1;
  form.toggleAttribute("inert", false);
  if (connection === null) next.replaceChildren();
  else if (!sameAddress(connection.account, owner)) next.replaceChildren(notOwner());
  else {
    next.replaceChildren(
      problem ?? "",
      actions(
        button("Review what you sign", () => void prepareLimits(connection)),
        ...(page.active
          ? [button("End the allowance", () => void prepareEnd(connection), "button secondary")]
          : []),
      ),
    );
    problem?.scrollIntoView({ block: "nearest" });
  }
}

function notOwner(): HTMLElement {
  return notice(
    "caution",
    `This account does not own ${agentName}`,
    element("p", {}, "Choose ", code(owner), " in your wallet, or use another wallet."),
  );
}

function text(name: string): string {
  return (form.elements.namedItem(name) as HTMLInputElement).value.trim();
}

/** Base units; null for text that is not an amount. */
function amountOf(entered: string): number | null {
  const match = /^([0-9]{1,9})(?:\.([0-9]{1,6}))?$/.exec(entered);
  if (match === null) return null;
  return Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0"));
}

/** The request's limits; a notice that says which field is wrong. */
function limits(): object | HTMLElement {
  const perTransaction = amountOf(text("perTransaction"));
  const dailyLimit = amountOf(text("dailyLimit"));
  const approval = text("approval") === "" ? undefined : amountOf(text("approval"));
  if (perTransaction === null || dailyLimit === null || approval === null) {
    return notice(
      "caution",
      "Enter amounts as numbers",
      "Such as 2 or 2.50, with at most six digits after the point.",
    );
  }
  if (text("lastDay") === "") return notice("caution", "Choose the last day of the allowance");
  const validUntil = `${text("lastDay")}T23:59:59Z`;
  return { tokenId, perTransaction, dailyLimit, validUntil, approval };
}

async function prepareLimits(connection: Connection): Promise<void> {
  const body = limits();
  if (body instanceof HTMLElement) return showStart(connection, body);
  await prepare(connection, "set", body);
}

const prepareEnd = (connection: Connection) => prepare(connection, "end", { tokenId });

async function prepare(
  connection: Connection,
  kind: Prepared["kind"],
  body: object,
): Promise<void> {
  form.toggleAttribute("inert", true);
  next.replaceChildren(notice("info", "One moment", "What you sign is being prepared."));
  const turn = shown;
  const path = kind === "set" ? "/v1/typed-data/allowance" : "/v1/typed-data/allowance-end";
  try {
    const { permit, ...message } = await postJson<TypedData & { permit?: TypedData }>(path, body);
    if (turn !== shown) return;
    const messages = permit === undefined ? [message] : [message, permit];
    const repetition = crypto.randomUUID();
    offer({ connection, kind, body, messages, signatures: [], repetition });
    next.focus();
  } catch (error) {
    if (turn === shown) showStart(connection, failureNotice(error));
  }
}

function offer(prepared: Prepared, problem?: HTMLElement): void {
  const { connection, kind, messages } = prepared;
  const label = kind === "set" ? "Sign and set" : "Sign and end";
  next.replaceChildren(
    ...(problem === undefined ? messages.map(review) : [problem]),
    actions(
      button(problem === undefined ? label : "Try again", () => void perform(prepared)),
      button("Change something", () => showStart(connection), "button secondary"),
    ),
  );
}

function review({ primaryType, message, domain }: TypedData): HTMLElement {
  const rows = Object.entries(message).map(([field, value]) =>
    fact(labels[field] ?? field, code(String(value)), meaningOf(field, value)),
  );
  const [contract, chain] = [String(domain.verifyingContract), String(domain.chainId)];
  return element(
    "div",
    {},
    element("h3", {}, `Exactly what you sign: ${primaryType}`),
    element("p", {}, element("strong", {}, sentences[primaryType] ?? "")),
    element(
      "dl",
      { class: "facts" },
      ...rows,
      fact("For the contract", `${String(domain.name)} `, code(contract), ` on chain ${chain}`),
    ),
  );
}

const AMOUNTS: ReadonlySet<string> = new Set(["perTransaction", "dailyLimit", "value"]);
const MOMENTS: ReadonlySet<string> = new Set(["validUntil", "deadline"]);

function meaningOf(field: string, value: unknown): string | HTMLElement {
  const meaning = AMOUNTS.has(field)
    ? `${Number(value) / 1_000_000} of the stablecoin`
    : MOMENTS.has(field)
      ? new Date(Number(value) * 1000).toUTCString()
      : null;
  if (meaning === null) return "";
  return element("span", { class: "muted" }, ` ${meaning}`);
}

function fact(name: string, ...value: readonly (string | HTMLElement)[]): HTMLElement {
  return element("div", {}, element("dt", {}, name), element("dd", {}, ...value));
}

async function perform(prepared: Prepared): Promise<void> {
  const { connection, kind, body, messages, signatures, repetition } = prepared;
  const { provider } = connection.wallet;
  const count = messages.length === 1 ? "once" : "twice";
  const { list, set } = progressSteps({
    sign: `Sign ${count} in ${connection.wallet.name}`,
    send: kind === "set" ? "Set the limits" : "End the allowance",
  });
  next.replaceChildren(list);
  try {
    for (const [index, typedData] of messages.entries()) {
      set("sign", "active", `Your wallet asks for signature ${index + 1} of ${messages.length}.`);
      signatures[index] ??= await signTypedData(provider, connection.account, typedData);
    }
    set("sign", "done");
    set("send", "active", "One transaction, which the service pays for. This takes a few seconds.");
    const [message, permit] = messages;
    const [signature, permitSignature] = signatures;
    const signed = {
      ...body,
      message: message?.message,
      signature,
      signer: connection.account,
      permit: permit && { message: permit.message, signature: permitSignature },
    };
    const { txHash } =
      kind === "set"
        ? await postJson<z.output<typeof AllowanceChanged>>(PATH, signed, repetition)
        : await deleteJson<z.output<typeof AllowanceEnded>>(PATH, signed, repetition);
    showDone(kind, txHash);
  } catch (error) {
    if (error instanceof ApiFailure && error.type === "INVALID_SIGNATURE") signatures.length = 0;
    offer(prepared, failureNotice(error));
  }
}

function showDone(kind: Prepared["kind"], txHash: string): void {
  const title = kind === "set" ? "The limits are in force" : "The allowance has ended";
  const reload = link(`/allowances/${tokenId}`, "See the allowance now");
  reload.className = "button secondary";
  const done = element(
    "div",
    { class: "stack", tabindex: "-1" },
    notice("good", title, element("p", {}, "Transaction ", transaction(network.explorer, txHash))),
    actions(reload),
  );
  root.replaceChildren(done);
  done.focus();
}
