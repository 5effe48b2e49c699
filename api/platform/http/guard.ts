import { randomUUID } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { SERVICE_LABEL } from "../../../protocol/constants.ts";
import { isPlainObject } from "../../../protocol/json.ts";
import type { AccessRule, Credential, Identity } from "../../kernel/access.ts";
import { authoriseCaller, authoriseUnsigned, bearerCredential } from "../../kernel/access.ts";
import { parseApiKey } from "../../kernel/api-keys.ts";
import type { ErrorType } from "../../kernel/errors.ts";
import { ApiError } from "../../kernel/errors.ts";
import { networksOf } from "../../kernel/networks.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import { idempotent, type RoutePath } from "../idempotency/idempotency.http.ts";
import { clientAddress, peerAddress } from "../limits/client-address.ts";
import type { RateState, RateSubject } from "../limits/rate-limits.ts";
import { tightest } from "../limits/rate-limits.ts";
import type { Requester } from "../sponsorship/gas-budget.ts";
import { headersOfAnswer } from "./answers/answer-body.ts";
import type { RequestPart } from "./answers/every-request.ts";
import { limitDeclaredBody, readBody, refuseEncodedBody } from "./bodies/body.ts";
import { isKeepable } from "./cache-rules.ts";
import { applyCacheRule } from "./caching.ts";
import { consoleSecret } from "./console/cookie.ts";
import type { AppEnv, Gate, HeaderRecord } from "./env.ts";
import type { OperationRules } from "./operations.ts";
import { FIRST_RELEASE, SUNSET } from "./operations.ts";
import { refuseUnknownParameters } from "./parameters.ts";
import { withReads } from "./read-position.ts";

/**
 * Categories without credentials, which are counted per address alone. A credential is not read.
 */
const WITHOUT_CREDENTIAL: ReadonlySet<string> = new Set([
  "challenge",
  "sign-in",
  "token-check",
  "probe",
]);

/**
 * Carries the owner's signature of a DELETE, as base64url JSON: many clients drop the body of one.
 */
export const OWNER_SIGNATURE_HEADER = `X-${SERVICE_LABEL}-Owner-Signature`;

/** Rules under which an owner's signature in the request may be needed. */
const SIGNED: ReadonlySet<AccessRule> = new Set([
  "agent-or-signature",
  "session-or-signature",
  "signature",
]);

const NOTHING_MORE = async () => {};

const ANONYMOUS: Identity = { caller: { kind: "anonymous" }, account: null };

const rulesOfGuards = new WeakMap<object, OperationRules>();

/**
 * Part of every request: provides the gate to every operation, and sets the rate-limit headers of
 * every answer. A request without an operation counts as a read of its address.
 */
export function provideGate(gate: Gate): RequestPart {
  return {
    before(c) {
      c.set("gate", gate);
      return undefined;
    },

    after(c, { headers }) {
      const state = c.get("rate");
      if (state !== undefined) return nameRate(headers, state);
      return gate.rates
        .peek(anonymousAt(c, gate), "read")
        .then((peeked) => nameRate(headers, peeked));
    },
  };
}

function nameRate(headers: HeaderRecord, { limit, remaining, resetAt }: RateState): undefined {
  headers["x-ratelimit-limit"] = String(limit);
  headers["x-ratelimit-remaining"] = String(remaining);
  headers["x-ratelimit-reset"] = String(Math.ceil(resetAt.getTime() / 1000));
}

/** Counts a request that no operation answers. */
export async function countUnmatched(c: Context<AppEnv>): Promise<void> {
  const gate = c.get("gate");
  if (gate !== undefined) enforceRateLimit(c, await gate.rates.take(anonymousAt(c, gate), "read"));
}

/**
 * The middleware of one operation: credential, limits, body, idempotency, caching, in this order.
 * Requests are rejected as early and as cheaply as possible.
 *
 * @param path Where the route is, and where its operation is now.
 * @param parameters Names of the query parameters that are accepted; null for any.
 */
export function guard(
  rules: OperationRules,
  path: RoutePath,
  parameters: readonly string[] | null,
): MiddlewareHandler<AppEnv> {
  const isLegacy = path.former !== null;
  const body =
    rules.streamsBody === true
      ? limitDeclaredBody(rules.bodyBytes)
      : readBody(rules.bodyBytes, rules.largeIntegers);
  const mayBeSigned = SIGNED.has(rules.access);
  const isKept = mayBeKept(rules) && !isLegacy;
  const middleware: MiddlewareHandler<AppEnv> = async (c, next) => {
    const gate = c.get("gate");
    if (gate === undefined) throw new Error("The application was built without provideGate.");
    c.set("rules", rules);
    // For rejections below, and again on the answer, which may be a new one.
    if (isLegacy) announceSunset({ set: (name, value) => c.header(name, value) });

    await authenticateCaller(c, gate, rules);
    authoriseCaller(c.get("caller"), rules.access, rules.effect);
    if (parameters !== null) refuseUnknownParameters(c.req.url, parameters);
    const { method } = c.req;
    if (method !== "GET" && method !== "HEAD") {
      refuseEncodedBody(c);
      await body(c, NOTHING_MORE);
    }
    if (rules.rate === "challenge") await limitChallenges(c, gate);
    if (mayBeSigned) await requireSignature(c, rules);

    await withReads(c, gate, rules, async () => {
      if (isKept) return gate.kept.answer(c, next);
      if (!rules.idempotent) return next();
      const repeated = await idempotent(gate.idempotency, path)(c, next);
      if (repeated instanceof Response) c.res = repeated;
    });
    await applyCacheRule(c, rules.cache, gate.age);
    if (isLegacy) announceSunset(headersOfAnswer(c));
  };
  rulesOfGuards.set(middleware, rules);
  return middleware;
}

/** What clients may not keep is not kept here either. */
function mayBeKept({ madeFrom, effect, cache }: OperationRules): boolean {
  return madeFrom === "database" && effect === "reads" && isKeepable(cache);
}

/** Whether the operation reads a credential, even if only for the limits. */
export function acceptsCredential(rules: OperationRules): boolean {
  return !WITHOUT_CREDENTIAL.has(rules.rate);
}

/** Every error that the guard itself can answer with. */
export function errorsOfRules(rules: OperationRules): ErrorType[] {
  return [
    ...(acceptsCredential(rules)
      ? (["UNAUTHORIZED", "REGISTRY_PENDING", "INDEX_BEHIND"] as const)
      : []),
    ...ERRORS_OF_ACCESS[rules.access],
    ...(rules.bodyBytes > 0 ? (["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    ...(rules.idempotent ? (["IDEMPOTENCY_CONFLICT"] as const) : []),
    // A query parameter that the operation does not know.
    "INVALID_REQUEST",
  ];
}

const ERRORS_OF_ACCESS: Readonly<Record<AccessRule, readonly ErrorType[]>> = {
  none: [],
  "any-key": ["MANAGE_SCOPE_REQUIRED", "SUSPENDED", "CHAIN_UNAVAILABLE"],
  agent: [
    "FORBIDDEN",
    "MANAGE_SCOPE_REQUIRED",
    "FULL_KEY_REQUIRED",
    "SUSPENDED",
    "CHAIN_UNAVAILABLE",
  ],
  session: ["FORBIDDEN", "MANAGE_SCOPE_REQUIRED", "SUSPENDED", "CHAIN_UNAVAILABLE"],
  "agent-or-signature": [
    "FORBIDDEN",
    "MANAGE_SCOPE_REQUIRED",
    "FULL_KEY_REQUIRED",
    "SUSPENDED",
    "WALLET_SIGNATURE_REQUIRED",
    "CHAIN_UNAVAILABLE",
  ],
  "session-or-signature": [
    "FORBIDDEN",
    "MANAGE_SCOPE_REQUIRED",
    "SUSPENDED",
    "WALLET_SIGNATURE_REQUIRED",
    "CHAIN_UNAVAILABLE",
  ],
  "provisional-key": ["UNAUTHORIZED", "FORBIDDEN", "SUSPENDED", "CHAIN_UNAVAILABLE"],
  signature: ["WALLET_SIGNATURE_REQUIRED"],
};

/** The rules of the operation that answers this request; undefined when none does. */
export function rulesOf(c: Context<AppEnv>): OperationRules | undefined {
  return rulesAmong(matchedRoutes(c).map(({ handler }) => handler));
}

/** The rules among the handlers that a router has found. */
export function rulesAmong(handlers: Iterable<unknown>): OperationRules | undefined {
  for (const handler of handlers) {
    if (typeof handler !== "function") continue;
    const rules = rulesOfGuards.get(handler);
    if (rules !== undefined) return rules;
  }
  return undefined;
}

function operationOf(c: Context<AppEnv>): { readonly gate: Gate; readonly rules: OperationRules } {
  const gate = c.get("gate");
  const rules = c.get("rules");
  if (gate === undefined || rules === undefined) {
    throw new Error("Only an operation of the table has a gate and rules.");
  }
  return { gate, rules };
}

/**
 * Lets the caller act on the agent under the operation's own rule, or throws; see
 * `Access.authorise`. Every handler that acts on one agent calls it before anything else.
 */
export async function authorise(c: Context<AppEnv>, tokenId: bigint): Promise<void> {
  const { gate, rules } = operationOf(c);
  const { access: rule, effect } = rules;
  await gate.access.authorise(c.get("caller"), { tokenId, rule, effect });
}

/**
 * The credential of a request that issues something. The transaction that stores it looks the
 * credential up again: an emergency stop that came between has ended it.
 *
 * @throws ApiError UNAUTHORIZED without one.
 */
export function credentialOf(c: Context<AppEnv>): Credential {
  const caller = c.get("caller");
  if (caller.kind === "session") return { kind: "session", sessionId: caller.sessionId };
  const key = parseApiKey(bearerCredential(c.req.header("authorization")) ?? "");
  if (key === null) throw new ApiError("UNAUTHORIZED");
  return { kind: "key", hash: key.hash };
}

/**
 * Takes back what a request issued when its own credential ended in the meantime, by what only the
 * index knows: a sale or a reseal.
 *
 * @throws ApiError UNAUTHORIZED when it has ended.
 */
export async function unlessEnded(
  c: Context<AppEnv>,
  takeBack: () => Promise<void>,
): Promise<void> {
  const { gate, rules } = operationOf(c);
  try {
    await identify(c, gate, rules);
  } catch (error) {
    if (error instanceof ApiError && error.type === "UNAUTHORIZED") await takeBack();
    throw error;
  }
}

/**
 * Counts a request as so many more on the day's limit of its category: a batch counts as what is in it.
 *
 * @throws ApiError RATE_LIMIT_EXCEEDED
 */
export async function countAlso(c: Context<AppEnv>, times: number): Promise<void> {
  const { gate, rules } = operationOf(c);
  const { account } = await identify(c, gate, rules);
  const subject = { ...anonymousAt(c, gate), account };
  if (times > 0) enforceRateLimit(c, await gate.rates.takeOfDay(subject, rules.rate, times));
}

/** The caller's address, by which limits count callers without a credential. */
export function addressOf(c: Context<AppEnv>): string {
  const gate = c.get("gate");
  if (gate === undefined) throw new Error("The application was built without provideGate.");
  return anonymousAt(c, gate).address;
}

/** The caller, for operations that the service may pay for. Only an Idempotency-Key names a request twice. */
export function requesterOf(c: Context<AppEnv>): Requester {
  const operationKey = c.get("operationKey") ?? randomUUID();
  return { operationKey, network: networksOf(addressOf(c))[0] };
}

/**
 * The caller by its Authorization header, or by the console's cookie where the operation takes it.
 *
 * @throws ApiError of `Access.authenticate` and of `consoleSecret`.
 */
function identify(c: Context<AppEnv>, gate: Gate, rules: OperationRules): Promise<Identity> {
  const secret = consoleSecret(c, rules, gate.publicUrl);
  return gate.access.authenticate(c.req.header("authorization"), secret);
}

/** An invalid credential counts on the limits of the caller's address. */
async function authenticateCaller(
  c: Context<AppEnv>,
  gate: Gate,
  rules: OperationRules,
): Promise<void> {
  const anonymous = anonymousAt(c, gate);
  let identity = ANONYMOUS;
  if (acceptsCredential(rules)) {
    try {
      identity = await identify(c, gate, rules);
    } catch (error) {
      // Where no credential is needed, one that cannot be verified now is ignored.
      const isIgnored = rules.access === "none" && (isUnjudged(error) || isSignedOut(c, rules));
      if (!isIgnored) {
        enforceRateLimit(c, await gate.rates.take(anonymous, rules.rate));
        throw error;
      }
    }
  }
  const { caller, account } = identity;
  c.set("caller", caller);
  if (caller.kind !== "anonymous") c.set("credentialId", caller.id);
  enforceRateLimit(c, await gate.rates.take({ ...anonymous, account }, rules.rate));
}

/** The index is too old to tell whether the credential is still valid. */
function isUnjudged(error: unknown): boolean {
  return error instanceof ApiError && error.type === "INDEX_BEHIND";
}

/** The cookie of a page stays in the browser when its session has ended: the page says so itself. */
function isSignedOut(c: Context<AppEnv>, rules: OperationRules): boolean {
  return rules.answers === "page" && c.req.header("authorization") === undefined;
}

/** One address may request many wallets, but each wallet less often. */
async function limitChallenges(c: Context<AppEnv>, gate: Gate): Promise<void> {
  const { address } = await jsonFields(c);
  // The schema rejects invalid addresses; they must not fill the counters with names of a caller's
  // choice.
  if (typeof address !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(address)) return;
  const state = await gate.rates.takeForWallet(anonymousAt(c, gate), address);
  enforceRateLimit(c, tightest([c.get("rate") ?? state, state]));
}

/** The owner's signature is required before anything else in the body is checked. */
async function requireSignature(c: Context<AppEnv>, rules: OperationRules): Promise<void> {
  const caller = c.get("caller");
  const { kind } = caller;
  if (rules.access === "agent-or-signature" && (kind === "provisional" || kind === "identity")) {
    // Before the agent is read: such a credential may do it for no agent.
    const { signature } = await jsonFields(c);
    if (signature === undefined) authoriseUnsigned(caller);
  }
  if (rules.access === "session-or-signature" && kind !== "anonymous") {
    const { signature = c.req.header(OWNER_SIGNATURE_HEADER) } = await jsonFields(c);
    if (signature === undefined) authoriseCaller(caller, "session", rules.effect);
    return;
  }
  const isOwnerNeeded = rules.access === "signature" || rules.access === "session-or-signature";
  if (!isOwnerNeeded || c.req.header(OWNER_SIGNATURE_HEADER) !== undefined) return;
  const fields = await jsonObject(c);
  // The schema rejects a body that is not an object, but the body of a DELETE may be absent. An
  // agent's own registration steps need no signature.
  if (fields === null ? c.req.method !== "DELETE" : hasEvidence(fields)) return;
  throw rules.typedData === undefined
    ? new ApiError("WALLET_SIGNATURE_REQUIRED")
    : signatureRequired(rules.typedData);
}

function hasEvidence({ signature, step }: Readonly<Record<string, unknown>>): boolean {
  return signature !== undefined || step !== undefined;
}

async function jsonFields(c: Context<AppEnv>): Promise<Readonly<Record<string, unknown>>> {
  return (await jsonObject(c)) ?? {};
}

async function jsonObject(c: Context<AppEnv>): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const parsed: unknown = await c.req.json();
    return isPlainObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function enforceRateLimit(c: Context<AppEnv>, state: RateState): void {
  c.set("rate", state);
  if (state.retryAfter === null) return;
  throw new ApiError("RATE_LIMIT_EXCEEDED", {
    retryAfter: state.retryAfter,
    details: { limit: state.limit, resetAt: state.resetAt.toISOString() },
  });
}

function anonymousAt(c: Context<AppEnv>, gate: Gate): RateSubject {
  const address = clientAddress(
    peerAddress(c),
    c.req.header("x-forwarded-for"),
    gate.trustedProxies,
  );
  return { address, account: null };
}

/** Announces that the request used a deprecated name: RFC 9745 and RFC 8594. */
export function announceSunset(headers: Pick<Headers, "set">): void {
  headers.set("Deprecation", `@${Math.floor(FIRST_RELEASE.getTime() / 1000)}`);
  headers.set("Sunset", SUNSET.toUTCString());
}
