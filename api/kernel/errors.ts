import type { ContentfulStatusCode } from "hono/utils/http-status";

/**
 * Every error either service can answer with. Status, default message and OpenAPI responses all come
 * from this table, so they cannot disagree.
 */
export const errorCatalogue = {
  INVALID_REQUEST: { status: 400, title: "The request is not valid." },
  INVALID_NAME: { status: 400, title: "This is not a valid agent name." },
  UNAUTHORIZED: { status: 401, title: "A valid API key or access token is required." },
  INVALID_SIGNATURE: { status: 401, title: "The signature is not valid for this message." },
  NONCE_EXPIRED: { status: 401, title: "The nonce is unknown or has expired." },
  NONCE_USED: { status: 401, title: "The nonce has already been used." },
  CODE_EXPIRED: { status: 401, title: "The code is unknown or has expired." },
  CODE_USED: { status: 401, title: "The code has already been used." },
  FORBIDDEN: { status: 403, title: "The caller may not do this." },
  WALLET_SIGNATURE_REQUIRED: {
    status: 403,
    title: "This operation requires the owner's wallet signature.",
  },
  FULL_KEY_REQUIRED: {
    status: 403,
    title: "A provisional key may only read. After the claim it can be exchanged for a full key.",
  },
  MANAGE_SCOPE_REQUIRED: {
    status: 403,
    title:
      "This token only identifies its holder. To act for the agent, sign in again as its owner with the scope manage.",
  },
  TIER_TOO_LOW: { status: 403, title: "The holder's tier is below the required minimum." },
  NOT_OWNER: { status: 403, title: "The signer does not own this passport." },
  APPROVAL_REQUIRED: {
    status: 403,
    title: "The passport's owner must approve the passport writer first.",
  },
  NOT_FOUND: { status: 404, title: "There is nothing here under this name or id." },
  METHOD_NOT_ALLOWED: { status: 405, title: "This path does not take this method." },
  NOT_ACCEPTABLE: {
    status: 406,
    title: "None of the media types in the Accept header can be sent.",
  },
  NAME_TAKEN: { status: 409, title: "This name has already been given." },
  ALREADY_SEALED: { status: 409, title: "This soul is already sealed." },
  ALREADY_CLAIMED: { status: 409, title: "This registration has already been claimed." },
  ALREADY_MEMBER: { status: 409, title: "This agent is a member of an organization already." },
  NOT_CLAIMED: { status: 409, title: "The agent's owner has not claimed it yet." },
  ALLOWANCE_INACTIVE: { status: 409, title: "There is no active allowance to end." },
  BURNED: { status: 409, title: "This soul has been burned." },
  SUSPENDED: {
    status: 409,
    title:
      "This soul is suspended until a reseal: its passport has left the owner who sealed the soul.",
  },
  WALLET_NOT_DEPLOYED: {
    status: 409,
    title: "A contract must verify this signature, and the signer's wallet is not deployed yet.",
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    title: "This Idempotency-Key is in use by another request.",
  },
  Erc8004AgentIdAlreadyBound: {
    status: 409,
    title: "This passport is already bound to a certificate.",
  },
  GONE: { status: 410, title: "This has expired." },
  PAYLOAD_TOO_LARGE: { status: 413, title: "The request body is too large." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "The content type of the body is not supported." },
  HASH_MISMATCH: { status: 422, title: "A hash does not match the data it stands for." },
  INVALID_MERKLE_DATA: { status: 422, title: "The Merkle data is not consistent." },
  RATE_LIMIT_EXCEEDED: { status: 429, title: "Too many requests." },
  INTERNAL: { status: 500, title: "Something went wrong on our side." },
  CHAIN_UNAVAILABLE: {
    status: 503,
    title: "The blockchain node does not answer.",
    retryAfter: 2,
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    title: "Permanent storage does not answer.",
    retryAfter: 2,
  },
  GAS_BUDGET_EXHAUSTED: {
    status: 503,
    title: "The gas that the service pays for today is spent.",
  },
  REGISTRY_PENDING: {
    status: 503,
    title: "The registry's index has not caught up yet.",
    retryAfter: 1,
  },
  INDEX_BEHIND: {
    status: 503,
    title: "The index is too far behind the chain to answer this. Retry, or read the chain.",
    retryAfter: 2,
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: "A part that the service needs does not answer. Retry after a moment.",
    retryAfter: 2,
  },
} as const satisfies Record<string, CatalogueRow>;

interface CatalogueRow {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** Whole seconds after which asking again is worth it, unless the error itself knows better. */
  readonly retryAfter?: number;
}

/** A row of the catalogue: the `type` a caller branches on. */
export type ErrorType = keyof typeof errorCatalogue;

/** The HTTP status of a row. */
export type ErrorStatus<T extends ErrorType = ErrorType> = (typeof errorCatalogue)[T]["status"];

export interface ApiErrorOptions {
  /** Sent to the caller; the row's title when absent. */
  readonly message?: string;
  /** Sent to the caller. Bigints become decimal strings, ids and block numbers integers. Never put a secret here. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Only logged. */
  readonly cause?: unknown;
  /** Whole seconds after which the same request may succeed: `Retry-After`, and `retryAfter` in the body. */
  readonly retryAfter?: number;
}

/** An expected failure: everything but `cause` is sent to the caller. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly type: ErrorType;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;

  constructor(type: ErrorType, options: ApiErrorOptions = {}) {
    const row: CatalogueRow = errorCatalogue[type];
    super(
      options.message ?? row.title,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.type = type;
    this.details = options.details;
    this.retryAfter = options.retryAfter ?? row.retryAfter;
  }

  get status(): ErrorStatus {
    return errorCatalogue[this.type].status;
  }
}

/** A definite no, as opposed to a service that does not answer now. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

/**
 * A transaction was mined and reverted: its operation has ended, for any reason, and repeating the request returns the same error.
 * The row is the reason's, INTERNAL when the reason is not the caller's.
 */
export class RevertedError extends ApiError {}

/** Whether a contract refused it with that error, in simulation or on chain. */
export function isRefusedFor(error: unknown, reason: string): boolean {
  return error instanceof ApiError && error.details?.reason === reason;
}

/** What a failed request answers. */
export interface ErrorBody {
  readonly error: {
    /** The HTTP status. */
    readonly code: number;
    readonly type: ErrorType;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>> & { readonly requestId: string };
    readonly retryAfter?: number;
  };
}

/** One thing that is wrong with a request. `path` is dotted, and empty for the whole. */
export interface RequestIssue {
  readonly path: string;
  readonly message: string;
}

/** Most entries of a list in an error's details: a caller mends a few at a time, and chooses how many there are. */
const MAX_LISTED = 20;

/**
 * The wire form of an error. `requestId` always wins over a detail of the same name. A list of more than 20 entries is cut, and
 * `<name>Total` says how many there were.
 */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const details = jsonSafe(shortened(error.details ?? {}));
  return {
    error: {
      code: error.status,
      type: error.type,
      message: error.message,
      details: { ...details, requestId },
      ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    },
  };
}

function shortened(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short: Record<string, unknown> = { ...details };
  for (const [name, value] of Object.entries(details)) {
    if (!Array.isArray(value) || value.length <= MAX_LISTED) continue;
    short[name] = value.slice(0, MAX_LISTED);
    short[`${name}Total`] = value.length;
  }
  return short;
}

/** Names of details that hold a passport's, certificate's or organization's id, or a block's number. */
const INTEGER_DETAIL = /^(?:id|.*(?:Id|Block))$/;

/**
 * Details often carry decoded contract values, and JSON has no bigint. Ids and block numbers become integers, as everywhere in
 * the interface, unless a number would round them; amounts become decimal strings.
 */
function jsonSafe(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const text = JSON.stringify(details, (key, value: unknown) => {
    if (typeof value !== "bigint") return value;
    const exact = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= 0n;
    return exact && INTEGER_DETAIL.test(key) ? Number(value) : value.toString();
  });
  return JSON.parse(text) as Record<string, unknown>;
}

/** For one member of a request that cannot be accepted. `path` names it as the caller sent it. */
export function badRequest(path: string, message: string): ApiError {
  return new ApiError("INVALID_REQUEST", { details: { issues: [{ path, message }] } });
}
