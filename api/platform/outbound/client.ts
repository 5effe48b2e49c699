import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Agent, buildConnector, request as send } from "undici";
import { literalAddress } from "../../../protocol/public-addresses.ts";
import { bounded } from "../../kernel/bounded.ts";
import { readsBesideDatabase } from "../../kernel/database-alone.ts";
import type { AddressPolicy } from "./addresses.ts";
import { checkUrl } from "./addresses.ts";
import type {
  HostBudget,
  InspectedRequest,
  InspectedResponse,
  OutboundHttp,
  OutboundInspection,
} from "./ports.ts";
import { HostBusyError, OutboundError } from "./ports.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Every address of a host name. Rejects when it has none. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface OutboundOptions {
  readonly policy: AddressPolicy;
  /** The operating system's resolver when left out. */
  readonly resolve?: Resolver;
  /** PEM certificates trusted instead of the usual ones. */
  readonly certificateAuthorities?: readonly string[];
  readonly limits?: OutboundLimits;
  /** For requests that strangers cause. Counted where the addresses are known that are connected to. */
  readonly budget?: HostBudget;
}

export interface OutboundLimits {
  /** Milliseconds for one request from its start to the end of the answer. */
  readonly totalMs: number;
  /** Milliseconds for finding and reaching the host. */
  readonly connectMs: number;
  /** Largest header section of an answer, in bytes. */
  readonly headerBytes: number;
}

export const DEFAULT_OUTBOUND_LIMITS: OutboundLimits = {
  totalMs: 15_000,
  connectMs: 5_000,
  headerBytes: 16 * 1024,
};

const USER_AGENT = "agent-identity-protocol/1";

/**
 * The one HTTP client for untrusted addresses. An address is checked as a literal, among all
 * results of its name's resolution, and again on the connected socket. A resolver that changes its
 * answer gains nothing, because the checked addresses are the ones connected to. It follows no
 * redirect, uses no proxy of the environment, shares no connection, and decodes no content
 * encoding.
 */
export function createOutboundHttp(
  options: OutboundOptions,
): OutboundHttp & OutboundInspection & { close(): Promise<void> } {
  const { policy, resolve = systemResolver, limits = DEFAULT_OUTBOUND_LIMITS, budget } = options;

  /**
   * @throws OutboundError unless every address of the name may be used: one bad answer among good
   * ones is an attack.
   */
  async function resolveAllowed(
    hostname: string,
    protocol: string,
  ): Promise<readonly ResolvedAddress[]> {
    const addresses = await resolve(hostname).catch((cause: unknown) => {
      throw new OutboundError("unresolvable", null, { cause });
    });
    if (addresses.length === 0) throw new OutboundError("unresolvable");
    if (!addresses.every(({ address }) => policy.allows(address, protocol))) {
      throw new OutboundError("address_not_public");
    }
    return addresses;
  }

  /** @throws HostBusyError */
  async function countOn(hostname: string, addresses: readonly string[]): Promise<void> {
    if (budget === undefined) return;
    const isFree = await budget.take(hostname, addresses).catch((cause: unknown) => {
      throw new BudgetFailure("The host budget could not be read.", { cause });
    });
    if (!isFree) throw new HostBusyError();
  }

  async function resolveCounted(hostname: string, protocol: string) {
    const addresses = await resolveAllowed(hostname, protocol);
    await countOn(
      hostname,
      addresses.map(({ address }) => address),
    );
    return addresses;
  }

  const lookupFor =
    (protocol: string): LookupFunction =>
    (hostname, wanted, answer) => {
      resolveCounted(hostname, protocol).then(
        (addresses) => {
          const [first] = addresses;
          if (first === undefined) answer(new OutboundError("unresolvable"), "", 0);
          else if (wanted.all === true) answer(null, [...addresses]);
          else answer(null, first.address, first.family);
        },
        (error: Error) => answer(error, "", 0),
      );
    };

  const connectorFor = (protocol: string) =>
    buildConnector({
      lookup: lookupFor(protocol),
      timeout: limits.connectMs,
      allowH2: false,
      // A resumed session would not present its certificate again.
      maxCachedSessions: 0,
      ...(options.certificateAuthorities === undefined
        ? {}
        : { ca: [...options.certificateAuthorities] }),
    });
  const connectors = new Map([["https:", connectorFor("https:")]]);
  if (policy.loopbackHttp) connectors.set("http:", connectorFor("http:"));

  const guardedConnect: buildConnector.connector = (target, done) => {
    const { protocol } = target;
    const connect = connectors.get(protocol);
    const literal = literalAddress(target.hostname);
    // Node does not call lookup for a number.
    if (connect === undefined || (literal !== null && !policy.allows(literal, protocol))) {
      done(new OutboundError("address_not_public"), null);
      return;
    }
    const connectCounted = () =>
      connect(target, (...[error, socket]) => {
        if (error !== null) return done(error, null);
        if (!policy.allows(socket.remoteAddress ?? "", protocol)) {
          socket.destroy();
          return done(new OutboundError("address_not_public"), null);
        }
        done(null, socket);
      });
    if (literal === null) return void connectCounted();
    countOn(literal, [literal]).then(connectCounted, (error: Error) => done(error, null));
  };

  const agentOver = (connect: buildConnector.connector) =>
    new Agent({
      connect,
      pipelining: 0,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.totalMs,
      bodyTimeout: limits.totalMs,
    });
  const agent = agentOver(guardedConnect);

  async function carryOut(over: Agent, request: InspectedRequest): Promise<Exchanged> {
    readsBesideDatabase();
    const url = checkUrl(request.url, policy);
    const deadline = AbortSignal.timeout(limits.totalMs);
    const signal = AbortSignal.any([deadline, ...(request.signal ? [request.signal] : [])]);
    try {
      return await exchange(over, url, request, signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      throw asOutboundError(error);
    }
  }

  return {
    async assertPublicUrl(text) {
      const url = checkUrl(text, policy);
      if (literalAddress(url.hostname) === null) {
        await bounded(
          limits.connectMs,
          () => resolveAllowed(url.hostname, url.protocol),
          () => new OutboundError("timeout"),
        );
      }
      return url.href;
    },

    async request(request) {
      const { status, contentType, body } = await carryOut(agent, request);
      return { status, contentType, body };
    },

    async inspect(request) {
      let certificateEnds: Date | null = null;
      // An agent of its own: of a shared one it is not known which connection was whose.
      const own = agentOver((target, done) =>
        guardedConnect(target, (...[error, socket]) => {
          if (error !== null) return done(error, null);
          certificateEnds = certificateEnd(socket);
          done(null, socket);
        }),
      );
      try {
        const exchanged = await carryOut(own, request);
        return { ...exchanged, certificateEnds };
      } finally {
        await own.destroy();
      }
    },

    close: () => agent.destroy(),
  };
}

type Exchanged = Omit<InspectedResponse, "certificateEnds">;

async function exchange(
  agent: Agent,
  url: URL,
  request: InspectedRequest,
  signal: AbortSignal,
): Promise<Exchanged> {
  const { statusCode, headers, body } = await send(url, {
    dispatcher: agent,
    method: request.method,
    headers: { "user-agent": USER_AGENT, ...request.headers },
    body: request.body ?? null,
    signal,
  });
  // Leaving a body unread ends its connection, and that must not end the process.
  body.on("error", () => {});
  if (statusCode >= 300 && statusCode < 400) {
    body.destroy();
    throw new OutboundError("redirect", statusCode);
  }
  const single = singleHeaders(headers);
  return {
    status: statusCode,
    contentType: single["content-type"] ?? null,
    headers: single,
    body: await readBounded(body, request, statusCode, hasNoBody(statusCode, single)),
  };
}

/** When the certificate of a connection ends; null without one. */
function certificateEnd(socket: Socket): Date | null {
  if (!(socket instanceof TLSSocket)) return null;
  const ends = new Date(socket.getPeerCertificate().valid_to);
  return Number.isNaN(ends.getTime()) ? null : ends;
}

function singleHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? value : (value?.[0] ?? ""),
    ]),
  );
}

/** Whether an answer's head says that nothing follows it: RFC 9112, section 6.3. */
function hasNoBody(status: number, headers: Readonly<Record<string, string>>): boolean {
  return status === 204 || headers["content-length"] === "0";
}

async function readBounded(
  body: AsyncIterable<Buffer> & { destroy(): unknown; resume(): unknown },
  { maxResponseBytes: maxBytes, isEnough }: InspectedRequest,
  status: number,
  isEmpty: boolean,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  if (maxBytes === 0) {
    // A body that is known to be empty has ended: its connection needs no error to end it.
    if (isEmpty) body.resume();
    else body.destroy();
    return Buffer.alloc(0);
  }
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw new OutboundError("too_large", status);
    chunks.push(chunk);
    if (isEnough?.(chunk) === true) break;
  }
  return Buffer.concat(chunks);
}

/** Says nothing about the host, so it must not be taken for a failure of it. */
class BudgetFailure extends Error {}

const systemResolver: Resolver = (hostname) => systemLookup(hostname, { all: true });

const TIMEOUT_CODES = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/**
 * Classifies a connection's failure. Its message may quote the remote server, so it is kept only as
 * the cause.
 */
function asOutboundError(error: unknown): Error {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof OutboundError || at instanceof BudgetFailure) return at;
    // Node tries several addresses of a host, and reports their failures together.
    if (at instanceof AggregateError && at.errors.length > 0) {
      return asOutboundError(at.errors[0]);
    }
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    const failed = (reason: OutboundError["reason"]) =>
      new OutboundError(reason, null, { cause: error });
    if (at.name === "TimeoutError" || TIMEOUT_CODES.has(code)) return failed("timeout");
    if (code === "UND_ERR_HEADERS_OVERFLOW") return failed("too_large");
    if (/TLS|SSL|CERT|SIGNATURE|EPROTO/.test(code)) return failed("tls");
    const isParsing = at.name === "HTTPParserError" || code.startsWith("HPE_");
    if (isParsing || code === "UND_ERR_RESPONSE") return failed("protocol");
  }
  return new OutboundError("connection", null, { cause: error });
}
