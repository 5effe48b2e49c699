import { isPlainObject } from "../json.ts";
import {
  answering,
  failed,
  get,
  JSON_ONLY,
  jsonOf,
  type Probe,
  type ProbeFinding,
  type ProbeOutcome,
  silent,
  silentBy,
  versionOf,
} from "./exchange.ts";
import { acceptedPayments, paymentFinding } from "./payment-quote.ts";

const QUOTE_BYTES = 64 * 1024;
const RECORD_BYTES = 256 * 1024;

type Answer = Extract<ProbeOutcome, { status: number }>;

/** Statuses of an endpoint that is there and asks for a credential or a payment first. */
export function asksForAccess(status: number): boolean {
  return status === 401 || status === 402 || status === 403;
}

/** What such a status says of an endpoint. */
export function refusalFinding(outcome: Answer): ProbeFinding {
  if (outcome.status === 402) return paymentFinding(outcome);
  return answering(`It answers, and asks for a credential (${outcome.status}).`);
}

/** A page or another endpoint that only has to be there. Its answer is not read. */
export function* webProbe(endpoint: string): Probe {
  const outcome = yield get(endpoint, 0, { accept: "*/*" });
  if (failed(outcome)) return silentBy(outcome.failed);
  const { status } = outcome;
  if (status === 402) {
    // The quote of version 2 is in a header. That of version 1 is in the body, which was not read.
    const quotes = acceptedPayments(outcome) === null ? null : true;
    return answering("It answers, and asks for a payment (402).", quotes);
  }
  if (asksForAccess(status)) return refusalFinding(outcome);
  // The endpoint wants another method, or other headers.
  if (status === 405 || status === 406) return answering(`It answered ${status} to a GET.`);
  if (status >= 300 && status < 400) {
    return answering(`It answered with a redirect (${status}), which is not followed.`);
  }
  return status < 300 ? answering(`It answered ${status}.`) : silent(`It answered ${status}.`);
}

/** An endpoint that is paid for: without a payment it must quote its price. */
export function* x402Probe(endpoint: string): Probe {
  const outcome = yield get(endpoint, QUOTE_BYTES, JSON_ONLY);
  if (failed(outcome)) return { ...silentBy(outcome.failed), quotes: false };
  if (outcome.status === 402) return paymentFinding(outcome);
  const seen = `It answered ${outcome.status} instead of 402 with an x402 quote.`;
  return { ...silent(seen), quotes: false };
}

/** A record of the Open Agentic Schema Framework. */
export function* oasfProbe(endpoint: string): Probe {
  const outcome = yield get(endpoint, RECORD_BYTES, JSON_ONLY);
  if (failed(outcome)) return silentBy(outcome.failed);
  if (asksForAccess(outcome.status)) return refusalFinding(outcome);
  if (outcome.status !== 200) {
    return silent(`It answered ${outcome.status} instead of an OASF record.`);
  }
  const record = jsonOf(outcome.body);
  const isRecord =
    isPlainObject(record) && typeof record.name === "string" && record.name.trim() !== "";
  if (!isRecord) return silent("It answered, and not with an OASF record.");
  const version = versionOf(record.schema_version);
  return answering(`An OASF record${version === null ? "" : ` (schema ${version})`}.`);
}
