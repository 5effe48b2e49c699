/**
 * Why an untrusted address was not used, or gave no answer. The first six are found before anything
 * is sent, the others by connecting.
 */
export const OUTBOUND_REASONS = {
  malformed_url: "it is not an absolute URL",
  not_https: "it is not an https URL",
  credentials_in_url: "it holds a user name or a password",
  port_not_allowed: "its port is neither 443 nor 1024 or above",
  host_not_allowed: "its host ends in a dot",
  address_not_public: "its host is not, or does not only resolve to, public unicast addresses",
  unresolvable: "its host does not resolve",
  redirect: "it answered with a redirect, and none is followed",
  too_large: "its answer is too large",
  timeout: "it did not answer in time",
  tls: "no TLS connection with a valid certificate could be made",
  connection: "the connection failed",
  protocol: "its answer is not HTTP",
} as const;

export type OutboundReason = keyof typeof OUTBOUND_REASONS;

/**
 * An untrusted address was rejected or failed. The message says why, and never quotes an answer.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  constructor(
    readonly reason: OutboundReason,
    /** The HTTP status, when an answer began. */
    readonly status: number | null = null,
    options?: ErrorOptions,
  ) {
    super(`The address cannot be used: ${OUTBOUND_REASONS[reason]}.`, options);
  }
}

/** The host was asked too often: nothing was sent. */
export class HostBusyError extends OutboundError {
  constructor() {
    super("connection");
  }
}

/** Limits what strangers can have sent to one host, by all processes and for all agents together. */
export interface HostBudget {
  /**
   * Counts one request on the host's name, on the end of its name and on its addresses.
   *
   * @param addresses What the name resolved to, or the host itself.
   * @returns false when one of them has had as many as it may have.
   */
  take(hostname: string, addresses: readonly string[]): Promise<boolean>;
}

export interface OutboundRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** 0 leaves the body unread. A longer one is an error, not cut. */
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  /** Any status but a redirect's. */
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

/** A request whose answer is looked at closely, and not only used. */
export interface InspectedRequest extends Omit<OutboundRequest, "method" | "body"> {
  readonly body?: string | undefined;
  readonly method: OutboundRequest["method"] | "DELETE";
  /** Called with each part of the body. True ends the reading: an answer may stay open for ever. */
  readonly isEnough?: ((part: Uint8Array) => boolean) | undefined;
}

export interface InspectedResponse extends OutboundResponse {
  /** By name in lower case; of a repeated one the first value. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the server's certificate ends; null without TLS. */
  readonly certificateEnds: Date | null;
}

/** Looks at answers of untrusted addresses, under the rules of {@link OutboundHttp}. */
export interface OutboundInspection {
  /**
   * Sends one request over a connection of its own.
   *
   * @throws OutboundError as `request`.
   */
  inspect(request: InspectedRequest): Promise<InspectedResponse>;
}

/** The only client for untrusted addresses. */
export interface OutboundHttp {
  /**
   * The URL in its one canonical spelling, when it may be used now. What a name resolves to can change, so every request checks again.
   *
   * @throws OutboundError with one of the first reasons.
   */
  assertPublicUrl(url: string): Promise<string>;
  /**
   * Sends one request over a connection of its own.
   *
   * @throws OutboundError for every failure but the caller's own abort, which rejects with the signal's reason.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}
