import { base64 } from "@scure/base";
import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import { isAddress } from "viem";
import type { ProofPageData } from "../proofs/page-data.ts";
import { linkedDocument } from "./disclosure/document-link.ts";
import { actions, button, byId, notice, pageData } from "./lib/dom.tsx";
import { fieldOf } from "./lib/form-values.ts";
import {
  alignmentCheck,
  certificateCheck,
  chronicleCheck,
  disclosureCheck,
  subjectCheck,
  type Trusted,
} from "./proofs/checks.ts";
import { type HandedOver, handOver, takeOver } from "./proofs/hand-over.ts";
import { nodeClient } from "./proofs/node.ts";
import { MAX_FILE_BYTES, type Recognised, recognise, TAKEN } from "./proofs/recognise.ts";
import { uncheckedView } from "./proofs/steps-view.tsx";

// Nothing here asks the service: the page's policy lets it connect to the chosen node alone.

const root = byId("verify-root");
const { origins, subject, expects, chainId, startBlock } = pageData<ProofPageData>(root);
const result = byId("verification");
const trust = byId("trust-form") as HTMLFormElement;
const node = fieldOf(trust, "node");
const contractFields = [...trust.querySelectorAll("input")].filter(({ name }) => name !== "node");
const fileForm = document.getElementById("document-form") as HTMLFormElement | null;
const text = fileForm === null ? null : fieldOf(fileForm, "documentText");

/** Origins as the service accepts them for the page's policy, which cannot name IPv6 addresses. */
const NODE = /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:localhost|127\.0\.0\.1))(?::[0-9]{1,5})?$/;

const entered = (field: { readonly value: string } | null) => field?.value.trim() ?? "";
const contracts = () => Object.fromEntries(contractFields.map((one) => [one.name, entered(one)]));

/** Counts the checks: the answer of an earlier one is about another document or node. */
let turn = 0;
/** A chosen file that is not text, such as an archive item. */
let chosen: Uint8Array | null = null;

render(actions(button("Check it", check)), root);
result.setAttribute("aria-live", "polite");
for (const form of document.forms)
  form.addEventListener("submit", (event) => event.preventDefault());
for (const field of [node, ...contractFields]) field.addEventListener("input", forget);
if (fileForm !== null) takeFiles(fileForm);
window.addEventListener("hashchange", start);
start();

function takeFiles(form: HTMLFormElement): void {
  const file = fieldOf(form, "documentFile") as HTMLInputElement;
  file.addEventListener("change", () => void read(file.files?.[0]));
  text?.addEventListener("input", () => {
    chosen = null;
    forget();
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    void read(event.dataTransfer?.files[0]);
  });
}

/** Goes on after the page was loaded again for another node, or with the document of a link. */
function start(): void {
  const left = takeOver();
  const linked = text === null ? null : linkedDocument(location.hash);
  if (left !== null) restore(left);
  else if (linked !== null && text !== null) text.value = linked;
  // The values are in the address no longer than needed: it is stored in the history.
  if (linked !== null) history.replaceState(null, "", location.pathname + location.search);
  const isLong = subject?.kind === "alignment";
  const isReady = subject === null ? entered(text) !== "" || chosen !== null : !isLong;
  if (isReady || left !== null) void check();
}

function restore(left: HandedOver): void {
  if (text !== null) text.value = left.text;
  chosen = left.file === null ? null : base64.decode(left.file);
  node.value = left.node;
  for (const field of contractFields) field.value = left.contracts[field.name] ?? field.value;
}

/** What is shown belongs to what was entered before. */
function forget(): void {
  turn += 1;
  result.replaceChildren();
}

async function read(file: File | undefined): Promise<void> {
  if (file === undefined || text === null) return;
  forget();
  if (file.size > MAX_FILE_BYTES) {
    render(notice("bad", "This file is too large", `It has more than 4 MiB. ${TAKEN}`), result);
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isItem = recognise(bytes).kind === "alignment";
  chosen = isItem ? bytes : null;
  text.value = isItem ? "" : new TextDecoder().decode(bytes);
  await check();
}

async function check(): Promise<void> {
  forget();
  const now = turn;
  const found = inputProblem();
  if (found !== null) {
    render(found, result);
    return;
  }
  const url = entered(node);
  const { origin } = new URL(url);
  if (!origins.includes(origin)) {
    handOver({
      file: chosen === null ? null : base64.encode(chosen),
      text: entered(text),
      node: url,
      contracts: contracts(),
    });
    location.assign(`?node=${encodeURIComponent(origin)}`);
    return;
  }
  render(<p class="muted">The node is being asked…</p>, result);
  const progress = result.firstElementChild;
  const { client, reads } = nodeClient(url, (count) => {
    if (now === turn) progress?.replaceChildren(`The node has given ${count} answers…`);
  });
  const trusted = { node: url, chainId, startBlock, contracts: contracts(), client, reads };
  try {
    const view = await checked(trusted);
    if (now === turn) show(view);
  } catch (error) {
    // The node did not answer, or answered something else: nothing is known then.
    if (now === turn) show(uncheckedView(error, url));
  }
}

async function checked(trusted: Trusted): Promise<Child> {
  if (subject === null) return checkedFile(given(), trusted);
  if (subject.kind === "certificate") return certificateCheck(subject.claims, trusted);
  if (subject.kind === "chronicle") {
    const record = subject.record === null ? undefined : base64.decode(subject.record);
    return chronicleCheck(subject.proof, record, trusted);
  }
  if (subject.item !== null) {
    return alignmentCheck(base64.decode(subject.item), subject.tokenId, trusted);
  }
  return notice(
    "caution",
    "There is nothing to check here",
    "The snapshot is not in this page. See above.",
  );
}

/** What the visitor brought. */
function given(): Recognised {
  const file = recognise(chosen ?? new TextEncoder().encode(entered(text)));
  if (expects !== "disclosure" || file.kind === "disclosure") return file;
  return { kind: "disclosure", json: null };
}

async function checkedFile(file: Recognised, trusted: Trusted): Promise<Child> {
  switch (file.kind) {
    case "disclosure":
      return disclosureCheck(file.json, trusted);
    case "chronicle":
      return chronicleCheck(file.json, undefined, trusted);
    case "alignment":
      return alignmentCheck(file.item, null, trusted);
    case "passport":
      return subjectCheck(file.what, file.references, trusted);
    case "unknown":
      return notice("caution", "This page cannot check this file", file.why, TAKEN);
  }
}

function inputProblem(): Child {
  if (subject === null && entered(text) === "" && chosen === null) {
    const what = expects === "disclosure" ? "Choose a disclosure first" : "Choose a file first";
    return notice("caution", what, "Its file, or its text.");
  }
  if (!URL.canParse(entered(node)) || !NODE.test(new URL(entered(node)).origin)) {
    return notice(
      "caution",
      "Enter the address of a node",
      "Such as https://node.example: a host name, not an IPv6 address. Without https it must be on this machine.",
    );
  }
  if (!contractFields.every((field) => isAddress(entered(field)))) {
    return notice("caution", "Enter the contract's address", "0x and 40 hexadecimal digits.");
  }
  return null;
}

function show(view: Child): void {
  render(view, result);
  const verdict = result.firstElementChild as HTMLElement | null;
  verdict?.setAttribute("tabindex", "-1");
  verdict?.focus();
}
