/** A request of a check. It carries no secret. */
export interface ProbeRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** 0 leaves the answer's body unread. A longer one is a failure, not cut. */
  readonly maxBytes: number;
  /** Takes the body part by part, and says when enough of it was read. */
  readonly isEnough: ((part: string) => boolean) | null;
}

/** Why a request has no answer, and how that is said after "It". */
export const PROBE_FAILURES = {
  refused: "has an address that may not be checked: only https to public hosts may",
  unresolvable: "has a host name that does not resolve",
  timeout: "did not answer in time",
  tls: "has no valid TLS certificate",
  connection: "refused or ended the connection",
  too_large: "answered with more than may be read",
  protocol: "answered with something other than HTTP",
  busy: "was not asked, because its host has been asked too often in the last minutes",
} as const;

export type ProbeFailure = keyof typeof PROBE_FAILURES;

export type ProbeOutcome =
  | {
      /** Any status: redirects are not followed. */
      readonly status: number;
      /** By name in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      /** What was read of the body. */
      readonly body: Uint8Array;
    }
  | { readonly failed: ProbeFailure };

/** What a check of one endpoint found. */
export interface ProbeFinding {
  /** Null: it could not be asked. */
  readonly answers: boolean | null;
  /** A sentence of this protocol's own words: nothing in it was written by the endpoint. */
  readonly seen: string;
  /** Whether a valid payment quote was among the answers; null where none was asked for. */
  readonly quotes: boolean | null;
}

/** The requests of a check in their order. Each outcome is handed back. */
export type Probe = Generator<ProbeRequest, ProbeFinding, ProbeOutcome>;

export const JSON_ONLY = { accept: "application/json" } as const;

export function get(
  url: string,
  maxBytes: number,
  headers: Readonly<Record<string, string>>,
): ProbeRequest {
  return { method: "GET", url, headers, body: null, maxBytes, isEnough: null };
}

export function failed(outcome: ProbeOutcome): outcome is { readonly failed: ProbeFailure } {
  return "failed" in outcome;
}

export function silentBy(failure: ProbeFailure): ProbeFinding {
  const seen = `It ${PROBE_FAILURES[failure]}.`;
  return { answers: failure === "busy" ? null : false, seen, quotes: null };
}

export function silent(seen: string): ProbeFinding {
  return { answers: false, seen, quotes: null };
}

export function answering(seen: string, quotes: boolean | null = null): ProbeFinding {
  return { answers: true, seen, quotes };
}

/** The JSON of a body; undefined for anything else. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** A version as endpoints write it; null for any other text. */
export function versionOf(value: unknown): string | null {
  return typeof value === "string" && /^[0-9A-Za-z][0-9A-Za-z.+-]{0,19}$/.test(value)
    ? value
    : null;
}

export function counted(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}
