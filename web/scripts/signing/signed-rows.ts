import { visibleText } from "../../../protocol/visible-text.ts";
import type { SignedWords } from "../../owner/data.ts";
import type { TypedData } from "../../ui/typed-data.ts";
import { momentText } from "../lib/moments.ts";

/** One value of a message, for its signer. */
export interface SignedRow {
  readonly label: string;
  /** The field's name, as wallets show it. */
  readonly field: string;
  /** The value in words; null where the value says it itself. */
  readonly says: string | null;
  /** As wallets show it. */
  readonly value: string;
  /** What the value means; null where the label says it. */
  readonly note: string | null;
}

export interface SignedRows {
  /** What is decided. */
  readonly content: readonly SignedRow[];
  /** When and how often the signature counts. */
  readonly limits: readonly SignedRow[];
}

const LIMITS: ReadonlySet<string> = new Set(["epoch", "version", "nonce", "deadline"]);

/** Every value of a message, with its meaning: the decision first, then what limits the signature. */
export function signedRows(message: TypedData["message"], words: SignedWords): SignedRows {
  const rows = Object.entries(message).map(([field, value]) => rowOf(field, value, words));
  return {
    content: rows.filter(({ field }) => !LIMITS.has(field)),
    limits: rows.filter(({ field }) => LIMITS.has(field)),
  };
}

function rowOf(field: string, value: unknown, words: SignedWords): SignedRow {
  const { label = field, format = "raw", note = null, empty = null } = words.fields[field] ?? {};
  const row = { label, field, value: visibleText(String(value)) };
  if (empty !== null && isEmpty(value)) return { ...row, says: empty, note: null };
  const says = inWords(format, value, words);
  // The name of the agent says what its number means.
  return { ...row, says, note: format === "agent" && says !== null ? null : note };
}

function inWords(format: string, value: unknown, { names, agents }: SignedWords): string | null {
  if (format === "usd") return `${Number(value) / 1_000_000} of the stablecoin`;
  if (format === "moment") return momentText(Number(value) * 1000);
  if (value === true) return "Yes";
  if (format === "agent") {
    const name = agents?.[String(value)];
    return name === undefined ? null : `${name}, certificate ${String(value)}`;
  }
  return names[format]?.[Number(value)] ?? null;
}

/** Zero, no text, or no. */
function isEmpty(value: unknown): boolean {
  return value === false || value === "" || /^(?:0x)?0+$/.test(String(value));
}
