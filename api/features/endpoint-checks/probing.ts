import type { ProbeFailure, SendProbe } from "../../../protocol/endpoints/index.ts";
import {
  HostBusyError,
  OutboundError,
  type OutboundInspection,
  type OutboundReason,
} from "../../platform/outbound/ports.ts";

/** The reasons of the outbound client in the words of a check; a redirect is an answer. */
const FAILURES: Readonly<Record<Exclude<OutboundReason, "redirect">, ProbeFailure>> = {
  malformed_url: "refused",
  not_https: "refused",
  credentials_in_url: "refused",
  port_not_allowed: "refused",
  host_not_allowed: "refused",
  address_not_public: "refused",
  unresolvable: "unresolvable",
  too_large: "too_large",
  timeout: "timeout",
  tls: "tls",
  connection: "connection",
  protocol: "protocol",
};

/**
 * Sends requests of checks under the rules of the outbound client.
 *
 * @param now A clock in milliseconds that only goes forward.
 * @returns Takes the signal that ends a running check: it rejects with the signal's reason.
 */
export function createProbing(http: OutboundInspection, now: () => number) {
  return (signal: AbortSignal): SendProbe =>
    async ({ method, url, headers, body, maxBytes, isEnough }) => {
      signal.throwIfAborted();
      const began = now();
      const decoder = new TextDecoder();
      try {
        const answer = await http.inspect({
          method,
          url,
          headers: { "accept-encoding": "identity", ...headers },
          body: body ?? undefined,
          maxResponseBytes: maxBytes,
          signal,
          isEnough:
            isEnough === null
              ? undefined
              : (part) => isEnough(decoder.decode(part, { stream: true })),
        });
        const { status, headers: received, body: read, certificateEnds } = answer;
        const outcome = { status, headers: received, body: read };
        return { outcome, ms: now() - began, certificateEnds };
      } catch (error) {
        if (error instanceof HostBusyError) {
          return { outcome: { failed: "busy" }, ms: 0, certificateEnds: null };
        }
        if (!(error instanceof OutboundError)) throw error;
        const ms = now() - began;
        if (error.reason === "redirect") {
          const outcome = { status: error.status ?? 302, headers: {}, body: new Uint8Array() };
          return { outcome, ms, certificateEnds: null };
        }
        return { outcome: { failed: FAILURES[error.reason] }, ms, certificateEnds: null };
      }
    };
}
