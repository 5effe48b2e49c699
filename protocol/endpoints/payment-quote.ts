import { isPlainObject } from "../json.ts";
import { answering, jsonOf, type ProbeFinding, type ProbeOutcome, silent } from "./exchange.ts";

/** Far above any quote, which headers limit to a few kilobytes. */
const QUOTE_CHARACTERS = 64 * 1024;

/**
 * The payments that a 402 answer accepts (x402), by its header `PAYMENT-REQUIRED` (version 2) or its
 * body (version 1); null where it names no valid one.
 */
export function acceptedPayments(
  outcome: Extract<ProbeOutcome, { status: number }>,
): number | null {
  const header = outcome.headers["payment-required"];
  const quote = header === undefined ? jsonOf(outcome.body) : decoded(header);
  if (!isPlainObject(quote) || !Number.isInteger(quote.x402Version)) return null;
  if (!Array.isArray(quote.accepts)) return null;
  const valid = quote.accepts.filter(isPayment).length;
  return valid === 0 ? null : valid;
}

/** What a 402 answer says of an endpoint. */
export function paymentFinding(outcome: Extract<ProbeOutcome, { status: number }>): ProbeFinding {
  const accepted = acceptedPayments(outcome);
  if (accepted === null) {
    const seen = "It asks for a payment (402) without a valid x402 quote.";
    return { ...silent(seen), quotes: false };
  }
  const ways = accepted === 1 ? "1 way" : `${accepted} ways`;
  return answering(`It asks for a payment (402) and quotes ${ways} to pay.`, true);
}

function isPayment(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const amount = value.amount ?? value.maxAmountRequired;
  const texts = [value.scheme, value.network, value.payTo, value.asset];
  return (
    texts.every((text) => typeof text === "string" && text !== "") &&
    typeof amount === "string" &&
    /^[0-9]{1,78}$/.test(amount)
  );
}

function decoded(header: string): unknown {
  if (header.length > QUOTE_CHARACTERS) return undefined;
  try {
    const binary = atob(header.trim());
    return jsonOf(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
