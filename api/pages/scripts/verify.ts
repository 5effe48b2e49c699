import { createClient, type Hex, http, isAddress } from "viem";
import { disclosureChain } from "../../../kit/disclosure/chain.ts";
import {
  checkDisclosureDocument,
  parseDisclosureDocument,
} from "../../../kit/disclosure/document.ts";
import { ProtocolError } from "../../../protocol/errors.ts";
import type { VerificationPageData } from "../../features/disclosure/index.ts";
import { linkedDocument } from "./disclosure/document-link.ts";
import { handOver, takeOver } from "./disclosure/hand-over.ts";
import { reportView, uncheckedView } from "./disclosure/report-view.ts";
import { actions, button, byId, element, notice, pageData } from "./lib/dom.ts";
import { fieldOf } from "./lib/form-values.ts";

// Nothing here asks the service: the page's policy lets it connect to the chosen node alone.

const root = byId("verify-root");
const { origins } = pageData<VerificationPageData>(root);
const result = byId("verification");
const file = fieldOf(byId("document-form") as HTMLFormElement, "documentFile");
const text = fieldOf(byId("document-form") as HTMLFormElement, "documentText");
const trust = byId("trust-form") as HTMLFormElement;
const [node, soulView] = [fieldOf(trust, "node"), fieldOf(trust, "soulView")];

/** Origins as the service accepts them for the page's policy, which cannot name IPv6 addresses. */
const NODE = /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:localhost|127\.0\.0\.1))(?::[0-9]{1,5})?$/;

/** A document has at most twelve values, of which a soul of half a mebibyte has all. */
const MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

const entered = (field: { readonly value: string }) => field.value.trim();

/** Counts the checks: the answer of an earlier one is about another document or node. */
let turn = 0;

root.replaceChildren(actions(button("Check it", () => void check())));
result.setAttribute("aria-live", "polite");
for (const form of document.forms)
  form.addEventListener("submit", (event) => event.preventDefault());
file.addEventListener("change", () => void read((file as HTMLInputElement).files?.[0]));
for (const field of [text, node, soulView]) field.addEventListener("input", forget);
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  void read(event.dataTransfer?.files[0]);
});
window.addEventListener("hashchange", start);
start();

/** Goes on after the page was loaded again for another node, or with the document of a link. */
function start(): void {
  const left = takeOver();
  const linked = linkedDocument(location.hash);
  if (left !== null) {
    text.value = left.document;
    node.value = left.node;
    soulView.value = left.soulView;
  } else if (linked !== null) text.value = linked;
  // The values are in the address no longer than needed: it is stored in the history.
  if (linked !== null) history.replaceState(null, "", location.pathname + location.search);
  if (text.value !== "") void check();
}

/** What is shown belongs to what was entered before. */
function forget(): void {
  turn += 1;
  result.replaceChildren();
}

async function read(chosen: File | undefined): Promise<void> {
  if (chosen === undefined) return;
  forget();
  if (chosen.size > MAX_BYTES) {
    result.replaceChildren(
      notice("bad", "This file is too large", "It is no disclosure document."),
    );
    return;
  }
  text.value = await chosen.text();
  await check();
}

async function check(): Promise<void> {
  forget();
  const now = turn;
  const problem = inputProblem();
  if (problem !== null) {
    result.replaceChildren(problem);
    return;
  }
  if (!origins.includes(new URL(entered(node)).origin)) {
    handOver({ document: text.value, node: entered(node), soulView: entered(soulView) });
    location.assign(`?node=${encodeURIComponent(new URL(entered(node)).origin)}`);
    return;
  }
  result.replaceChildren(element("p", { class: "muted" }, "The node is being asked…"));
  const client = createClient({
    transport: http(entered(node), { timeout: TIMEOUT_MS, retryCount: 1 }),
  });
  const trusted = { soulView: entered(soulView) as Hex, now: new Date() };
  try {
    const report = await checkDisclosureDocument(
      parsed(text.value),
      disclosureChain(client),
      trusted,
    );
    if (now === turn) show(reportView(report, { ...trusted, node: entered(node) }));
  } catch (error) {
    // The node did not answer, or answered something else: nothing is known then.
    if (now === turn) show(uncheckedView(error, entered(node)));
  }
}

/** The JSON of a text. Text that is not JSON becomes null, which the checks refuse. */
function parsed(input: string): unknown {
  try {
    return parseDisclosureDocument(input);
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}

function inputProblem(): HTMLElement | null {
  if (entered(text) === "") {
    return notice("caution", "Choose a disclosure first", "Its file, or its text.");
  }
  if (!URL.canParse(entered(node)) || !NODE.test(new URL(entered(node)).origin)) {
    return notice(
      "caution",
      "Enter the address of a node",
      "Such as https://node.example: a host name, not an IPv6 address. Without https it must be on this machine.",
    );
  }
  if (!isAddress(entered(soulView))) {
    return notice("caution", "Enter the contract's address", "0x and 40 hexadecimal digits.");
  }
  return null;
}

function show(view: readonly HTMLElement[]): void {
  result.replaceChildren(...view);
  const [verdict] = view;
  verdict?.setAttribute("tabindex", "-1");
  verdict?.focus();
}
