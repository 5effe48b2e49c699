import { visibleText } from "../../../../protocol/visible-text.ts";
import type { SignedWords } from "../../owner/data.ts";
import type { TypedData } from "../../typed-data.ts";
import { code, element, fact } from "./dom.ts";

/** Typed data before it is signed: every value as the wallet shows it, with its meaning. */
export function typedDataView({ domain, ...data }: TypedData, words: SignedWords): HTMLElement {
  const { primaryType, message } = data;
  const rows = Object.entries(message).map(([field, value]) => {
    const label = words.fields[field]?.label ?? field;
    return fact(label, code(visibleText(String(value))), ...meaningOf(field, value, words));
  });
  const [contract, chain] = [String(domain.verifyingContract), String(domain.chainId)];
  const contractFact = fact(
    "For the contract",
    `${String(domain.name)} `,
    code(contract),
    ` on chain ${chain}`,
  );
  return element(
    "div",
    {},
    element("h3", {}, `Exactly what you sign: ${primaryType}`),
    element("p", {}, element("strong", {}, words.sentences[primaryType] ?? "")),
    element("dl", { class: "facts" }, ...rows, contractFact),
  );
}

function meaningOf(field: string, value: unknown, words: SignedWords): HTMLElement[] {
  const { format = "raw", note = null } = words.fields[field] ?? {};
  const meanings = [formatted(format, value, words), note].filter((text) => text !== null);
  return meanings.map((text) => element("span", { class: "muted meaning" }, text));
}

function formatted(format: string, value: unknown, { names }: SignedWords): string | null {
  if (format === "usd") return `${Number(value) / 1_000_000} of the stablecoin`;
  if (format === "moment") return new Date(Number(value) * 1000).toUTCString();
  return names[format]?.[Number(value)] ?? null;
}
