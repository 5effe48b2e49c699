import { isAddressEqual } from "viem";
import type { Transaction } from "../platform/database/transaction.ts";
import type { ChainSoul, ChainSouls } from "../soul/chain-soul.ts";
import { assertSoul, requireSoul } from "../soul/require-soul.ts";
import { parseApiKey } from "./api-keys.ts";
import type { Caller } from "./callers.ts";
import { ApiError } from "./errors.ts";
import { hashOfSecret } from "./secret-hash.ts";
import type { ConsoleSessions, VerifiedToken } from "./sessions.ts";

type FullKeyCaller = Extract<Caller, { readonly kind: "full" }>;
type SessionCaller = Extract<Caller, { readonly kind: "session" }>;
type IdentityCaller = Extract<Caller, { readonly kind: "identity" }>;

/**
 * What an operation requires of its caller.
 *
 * - `none`: nothing. A credential only decides the limits.
 * - `any-key`: any key, provisional too, or an owner session: a sign-in token with scope `manage`.
 * - `agent`: the full key of the agent that is acted on, or a session of its owner.
 * - `session`: a session of the agent's owner. No key does.
 * - `agent-or-signature`: as `agent`, or the owner's signature in the request itself, with which no
 *   other credential is needed.
 * - `session-or-signature`: as `session`, or the owner's signature in the same way.
 * - `provisional-key`: the provisional key of a claimed registration, checked where the operation
 *   is carried out: it ends there, and must still be able to ask for the same answer again.
 * - `signature`: the owner's signature in the request itself, checked where the operation is
 *   carried out. No key replaces it.
 */
export type AccessRule =
  | "none"
  | "any-key"
  | "agent"
  | "session"
  | "agent-or-signature"
  | "session-or-signature"
  | "provisional-key"
  | "signature";

/** Rules whose credential is checked where the operation is carried out. */
const CHECKED_LATER: ReadonlySet<AccessRule> = new Set([
  "none",
  "agent-or-signature",
  "session-or-signature",
  "provisional-key",
  "signature",
]);

/** What an operation does to the agent: a key whose passport has moved still reads. */
export type Effect = "reads" | "writes";

/** A key as it stands now. */
export interface KeyStanding {
  readonly kind: "live" | "provisional";
  readonly tokenId: bigint | null;
  readonly registrationId: string | null;
  /** Seal epoch it was issued in. Null exactly when `tokenId` is. */
  readonly epoch: number | null;
  readonly revokedAt: Date | null;
  /** The agent as indexed; null before the index has seen it, and for a provisional key. */
  readonly agent: {
    readonly epoch: number;
    /** Whether the soul is suspended until a reseal: see `isWithSealer`. */
    readonly suspended: boolean;
    /** Live membership; 0 for none. */
    readonly organizationId: bigint;
  } | null;
}

/** Where keys are looked up. One query. */
export interface KeyStandings {
  keyStanding(hash: Buffer): Promise<KeyStanding | null>;
  /** Live membership of an agent; 0 for none. */
  organizationOf(tokenId: bigint): Promise<bigint>;
}

/** Who calls, and whose limits the call counts on. */
export interface Identity {
  readonly caller: Caller;
  /** Null for anonymous callers: theirs is their address. */
  readonly account: Account | null;
}

/** What rate limits know of a caller. */
export interface Account {
  /** Counted together under this name: an agent's keys, an owner's sessions. */
  readonly subject: string;
  /** The agent whose id decides the tier; null for those who have none. */
  readonly tokenId: bigint | null;
  /** 0 for none. */
  readonly organizationId: bigint;
}

export type Access = ReturnType<typeof createAccess>;

/** The credential that a request was authenticated with. */
export type Credential =
  | { readonly kind: "key"; readonly hash: Buffer }
  | { readonly kind: "session"; readonly sessionId: string };

/**
 * Refuses a credential that has ended since the request was authenticated, as the transaction sees
 * it that issues something for it.
 *
 * @throws ApiError UNAUTHORIZED
 */
export type AssertLive = (transaction: Transaction, credential: Credential) => Promise<void>;

/** Something done to one agent. */
export interface AgentAction {
  readonly tokenId: bigint;
  readonly rule: AccessRule;
  readonly effect: Effect;
}

/** Where callers are looked up. */
interface AccessContext {
  readonly keys: KeyStandings;
  readonly sessions: ConsoleSessions & {
    introspect(token: string): Promise<VerifiedToken | null>;
  };
  /** Asked before an owner's session acts, and before a key writes. */
  readonly souls: ChainSouls;
  readonly clock: () => Date;
}

const BEARER = /^Bearer ([\x21-\x7e]{1,4096})$/i;

const ANONYMOUS: Identity = { caller: { kind: "anonymous" }, account: null };

/** The credential of an Authorization header; null when the header has none. */
export function bearerCredential(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? "")?.[1] ?? null;
}

/** Tells callers apart and says what they may do. */
export function createAccess(context: AccessContext) {
  return {
    /**
     * Who sent this Authorization header or, without one, this secret of a console's cookie.
     *
     * @throws ApiError UNAUTHORIZED when there is one and it is not a good credential;
     * REGISTRY_PENDING while nothing is indexed.
     */
    async authenticate(
      authorization: string | undefined,
      secret?: string | undefined,
    ): Promise<Identity> {
      if (authorization === undefined && secret !== undefined) return byCookie(context, secret);
      if (authorization === undefined) return ANONYMOUS;
      const credential = bearerCredential(authorization);
      if (credential === null) throw new ApiError("UNAUTHORIZED");
      const key = parseApiKey(credential);
      return key === null ? bySession(context, credential) : byKey(context, key.hash);
    },

    /**
     * Lets `caller` act on the agent, or throws.
     *
     * @throws ApiError of `authoriseCaller`; FORBIDDEN for an agent of another owner; SUSPENDED when its
     * passport has moved since it was sealed; NOT_FOUND when there is no such agent;
     * CHAIN_UNAVAILABLE.
     */
    async authorise(caller: Caller, { tokenId, rule, effect }: AgentAction): Promise<void> {
      authoriseCaller(caller, rule, effect);
      if (CHECKED_LATER.has(rule)) return;
      // A key may read what it could read before a sale that the index has not seen yet. For all else only the chain knows the
      // owner of this block.
      if (actingOn(tokenId, caller, effect).kind === "full" && effect === "reads") return;
      authoriseOn(await requireSoul(context.souls, tokenId, "registered"), caller, effect);
    },
  };
}

async function byKey({ keys, clock }: AccessContext, hash: Buffer): Promise<Identity> {
  const key = await keys.keyStanding(hash);
  if (key === null) throw new ApiError("UNAUTHORIZED");
  // Written as "is still valid", so that an invalid date ends the key.
  if (key.revokedAt !== null && !(key.revokedAt > clock())) throw new ApiError("UNAUTHORIZED");
  const { tokenId, epoch, agent } = key;
  if (key.kind === "provisional" && tokenId === null) return provisional(key);
  if (tokenId === null || epoch === null) throw new ApiError("UNAUTHORIZED");
  // A key outlives its seal epoch only while the index is behind the chain. An index behind the
  // key says nothing.
  if (agent !== null && agent.epoch > epoch) throw new ApiError("UNAUTHORIZED");
  if (key.kind === "provisional") return provisional(key);
  const subject = `agent:${tokenId}`;
  return {
    caller: {
      kind: "full",
      id: `${subject}:${epoch}`,
      tokenId,
      epoch,
      suspended: agent?.suspended ?? false,
    },
    account: { subject, tokenId, organizationId: agent?.organizationId ?? 0n },
  };
}

async function bySession({ sessions, keys }: AccessContext, token: string): Promise<Identity> {
  const session = await sessions.introspect(token);
  if (session === null) throw new ApiError("UNAUTHORIZED");
  // A relying party holds this token. Accepted here, it would be a credential of the agent in
  // that party's hands.
  if (session.audience !== session.issuer) throw otherAudience(session.audience);
  const { tokenId } = session;
  const caller = callerOf(session);
  return {
    caller,
    account: {
      // Counted apart: a relying party that holds an identity token cannot use up the owner's
      // limits.
      subject: `${caller.kind === "session" ? "owner" : "identity"}:${caller.owner.toLowerCase()}`,
      tokenId,
      organizationId: tokenId === null ? 0n : await keys.organizationOf(tokenId),
    },
  };
}

/** The cookie manages every agent of its account: each action asks the chain who owns the agent. */
async function byCookie({ sessions }: AccessContext, secret: string): Promise<Identity> {
  const session = await sessions.consoleSession(hashOfSecret(secret));
  if (session === null) {
    throw new ApiError("UNAUTHORIZED", {
      message: "You are signed out. Sign in to the console.",
    });
  }
  const caller = accountSession(session.id, session.account);
  return { caller, account: { subject: caller.id, tokenId: null, organizationId: 0n } };
}

/**
 * Whether such a caller may use such an operation at all, whichever agent it is about.
 *
 * @throws ApiError UNAUTHORIZED without a credential where one is needed; MANAGE_SCOPE_REQUIRED for
 * a token that only identifies; FULL_KEY_REQUIRED for a provisional key where a full one is;
 * FORBIDDEN for a key where only a session will do; SUSPENDED for a key that only reads any more.
 */
export function authoriseCaller(caller: Caller, rule: AccessRule, effect: Effect): void {
  if (CHECKED_LATER.has(rule)) return;
  if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
  if (caller.kind === "identity") throw manageRequired();
  if (rule === "session" && caller.kind !== "session") {
    throw new ApiError("FORBIDDEN", {
      message: "Only the agent's owner may do this, signed in with the owner's wallet.",
    });
  }
  if (rule === "agent" && caller.kind === "provisional") throw new ApiError("FULL_KEY_REQUIRED");
  if (caller.kind === "provisional" && caller.claimed && effect === "writes") {
    throw new ApiError("FULL_KEY_REQUIRED", {
      message: "The agent has been claimed: exchange this key with POST /v1/keys/exchange.",
    });
  }
  if (caller.kind === "full" && caller.suspended && effect === "writes") {
    throw new ApiError("SUSPENDED");
  }
}

/** What lets a caller act on an agent without its owner's signature. */
export type Authority = "api_key" | "session";

/**
 * Whether a caller may act on a soul without its owner's signature, as its agent or its owner: the
 * one decision, with one answer for each case.
 *
 * @throws ApiError UNAUTHORIZED, FULL_KEY_REQUIRED or MANAGE_SCOPE_REQUIRED for a credential that
 * acts for no agent, or for an epoch that a reseal has ended; FORBIDDEN for one of another agent or another owner; BURNED; SUSPENDED for
 * writes while the soul is suspended.
 */
export function authoriseOn(soul: ChainSoul, caller: Caller, effect: Effect): Authority {
  const { tokenId, passportOwner, passportId } = soul;
  const acting = actingOn(tokenId, caller, effect);
  assertSoul(soul, "live");
  // A reseal ended the key, and the index that authenticated it had not seen that yet.
  if (acting.kind === "full" && soul.epoch > acting.epoch) throw new ApiError("UNAUTHORIZED");
  if (acting.kind === "session") {
    if (passportOwner === null || !isAddressEqual(passportOwner, acting.owner)) {
      throw notYourAgent();
    }
    assertReaches(acting, passportId);
  }
  if (effect === "writes") assertSoul(soul, "owned");
  return acting.kind === "full" ? "api_key" : "session";
}

/**
 * The caller, if it can act on this agent at all. Whether a session's account owns it is not
 * checked.
 */
function actingOn(tokenId: bigint, caller: Caller, effect: Effect): FullKeyCaller | SessionCaller {
  authoriseCaller(caller, "agent", effect);
  if (caller.kind === "full" && caller.tokenId === tokenId) return caller;
  if (caller.kind === "session") return caller;
  throw notYourAgent();
}

/**
 * Refuses credentials that permit nothing where the owner's signature is missing and the rule is
 * `agent-or-signature`.
 *
 * @throws ApiError FULL_KEY_REQUIRED or MANAGE_SCOPE_REQUIRED.
 */
export function authoriseUnsigned(caller: Caller): void {
  if (caller.kind === "provisional") throw new ApiError("FULL_KEY_REQUIRED");
  if (caller.kind === "identity") throw manageRequired();
}

/**
 * Refuses a session that is bound to another agent. Whether its account owns this agent is a
 * question for the chain.
 *
 * @throws ApiError FORBIDDEN.
 */
function assertReaches(session: SessionCaller, passportId: bigint): void {
  if (session.agentId === null || session.agentId === passportId) return;
  throw new ApiError("FORBIDDEN", {
    message: `This token manages the agent of passport ${session.agentId} only. Sign in for passport ${passportId}, or without agentId.`,
  });
}

/** For a token that says who its holder is, where only one with scope `manage` will do. */
function manageRequired(): ApiError {
  return new ApiError("MANAGE_SCOPE_REQUIRED");
}

/**
 * The caller that a token makes. Its id is that of the account, not of the token: an owner who
 * signs in again repeats a request under the same Idempotency-Key. A bound session has an id of its
 * own, so that it never gets the answer about another agent.
 */
function callerOf({
  jti: sessionId,
  holder,
  agentId,
  manages,
}: VerifiedToken): SessionCaller | IdentityCaller {
  const account = holder.toLowerCase();
  switch (manages) {
    case "account":
      return accountSession(sessionId, holder);
    case "agent":
      return {
        kind: "session",
        id: `owner:${account}:${agentId}`,
        sessionId,
        owner: holder,
        agentId,
      };
    case null:
      return { kind: "identity", id: `identity:${account}`, owner: holder };
  }
}

/** A session that manages every agent of an account. */
function accountSession(sessionId: string, owner: SessionCaller["owner"]): SessionCaller {
  return { kind: "session", id: `owner:${owner.toLowerCase()}`, sessionId, owner, agentId: null };
}

function otherAudience(audience: string): ApiError {
  return new ApiError("UNAUTHORIZED", {
    message: `This access token was issued for ${audience}. Sign in without an audience to use one here.`,
  });
}

function provisional({ registrationId, tokenId }: KeyStanding): Identity {
  if (registrationId === null) throw new ApiError("UNAUTHORIZED");
  const id = `registration:${registrationId}`;
  return {
    caller: { kind: "provisional", id, registrationId, claimed: tokenId !== null },
    account: { subject: id, tokenId: null, organizationId: 0n },
  };
}

function notYourAgent(): ApiError {
  return new ApiError("FORBIDDEN", { message: "The credential belongs to another agent." });
}
