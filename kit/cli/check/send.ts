import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { TLSSocket } from "node:tls";
import type {
  ProbeFailure,
  ProbeOutcome,
  ProbeRequest,
  SendProbe,
} from "../../../protocol/endpoints/index.ts";
import { checkedLookup } from "../../disclosure/checked-lookup.ts";
import { allowedUrl, ForbiddenEndpointError } from "../../disclosure/disclose.ts";

/** Time limit for one request. */
const TIMEOUT_MS = 8_000;

class TooLarge extends Error {}

/**
 * Sends the requests of a check from this machine. A registration file can name any address: only
 * https to public hosts is used, and with `loopbackHttp` also http to this machine. No redirect is
 * followed.
 */
export function createSender(loopbackHttp: boolean, timeoutMs = TIMEOUT_MS): SendProbe {
  return async (probe) => {
    const url = allowedUrl(probe.url, loopbackHttp);
    if (url === null) return { outcome: { failed: "refused" }, ms: 0, certificateEnds: null };
    const began = performance.now();
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await answerTo(url, probe, signal);
      const ms = performance.now() - began;
      const certificateEnds = certificateEnd(answer);
      return { outcome: await read(answer, probe, signal), ms, certificateEnds };
    } catch (error) {
      const failed = signal.aborted ? "timeout" : failureOf(error);
      return { outcome: { failed }, ms: performance.now() - began, certificateEnds: null };
    }
  };
}

function answerTo(
  url: URL,
  { method, headers, body }: ProbeRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: {
          "user-agent": "agent-identity-protocol-check/1",
          "accept-encoding": "identity",
          ...headers,
        },
        signal,
        agent: false,
        lookup: checkedLookup(url.protocol),
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body ?? undefined);
  });
}

async function read(
  answer: IncomingMessage,
  { maxBytes, isEnough }: ProbeRequest,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  // Ending a connection is no failure of its answer.
  answer.on("error", () => {});
  const parts: Buffer[] = [];
  const decoder = new TextDecoder();
  let size = 0;
  if (maxBytes > 0) {
    for await (const part of answer as AsyncIterable<Buffer>) {
      size += part.byteLength;
      if (size > maxBytes) throw new TooLarge();
      parts.push(part);
      if (isEnough?.(decoder.decode(part, { stream: true })) === true) break;
    }
  }
  signal.throwIfAborted();
  answer.destroy();
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    typeof value === "string" ? value : (value?.[0] ?? ""),
  ]);
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(parts),
  };
}

/** When the certificate of a connection ends; null without one. */
function certificateEnd({ socket }: IncomingMessage): Date | null {
  if (!(socket instanceof TLSSocket)) return null;
  const ends = new Date(socket.getPeerCertificate().valid_to);
  return Number.isNaN(ends.getTime()) ? null : ends;
}

function failureOf(error: unknown): ProbeFailure {
  if (error instanceof ForbiddenEndpointError) return "refused";
  if (error instanceof TooLarge) return "too_large";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(code)) return "unresolvable";
  if (code === "ETIMEDOUT") return "timeout";
  if (/TLS|SSL|CERT|SIGNATURE|EPROTO/.test(code)) return "tls";
  if (code === "HPE_HEADER_OVERFLOW") return "too_large";
  return code.startsWith("HPE_") ? "protocol" : "connection";
}
