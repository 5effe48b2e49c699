import type { SignedWords } from "../../owner/data.ts";
import type { TypedData } from "../../ui/typed-data.ts";
import { type Content, code, element } from "../lib/dom.ts";
import { type SignedRow, signedRows } from "./signed-rows.ts";

/**
 * Typed data before it is signed: every value in words and as the wallet shows it. `more` follows
 * the message's sentence.
 */
export function typedDataView(
  { domain, primaryType, message }: TypedData,
  words: SignedWords,
  ...more: readonly Content[]
): HTMLElement {
  const { content, limits } = signedRows(message, words);
  const [contract, chain] = [String(domain.verifyingContract), String(domain.chainId)];
  const about = more.length === 0 ? [] : [element("p", {}, ...more)];
  const forContract = element(
    "div",
    {},
    element("dt", {}, "For the contract"),
    element("dd", {}, `${String(domain.name)} on chain ${chain}`, raw(contract)),
  );
  return element(
    "div",
    { class: "signed" },
    element("h3", {}, `Exactly what you sign: ${primaryType}`),
    element("p", { class: "sentence" }, words.sentences[primaryType] ?? ""),
    ...about,
    element("dl", { class: "facts" }, ...content.map(row)),
    element("h4", {}, "What limits the signature"),
    element("dl", { class: "facts" }, ...limits.map(row), forContract),
  );
}

function row({ label, field, says, value, note }: SignedRow): HTMLElement {
  const shown: Content[] = says === null ? [code(value)] : [says];
  if (says !== null && value !== "" && value !== says) shown.push(raw(value));
  const meaning = note === null ? [] : [element("span", { class: "muted meaning" }, note)];
  return element(
    "div",
    {},
    element("dt", {}, label, raw(field)),
    element("dd", {}, ...shown, ...meaning),
  );
}

/** As the wallet shows it. */
function raw(text: string): HTMLElement {
  return element("code", { class: "code raw" }, text);
}
