import type { Address } from "viem";
import { isAddressEqual } from "viem";
import { ApiError } from "../errors.ts";
import { parseApiKey } from "./api-keys.ts";
import type { Caller } from "./callers.ts";
import type { Introspection } from "./introspection.ts";

/**
 * What an operation asks of whoever calls it.
 *
 * - `none`: nothing. A credential only decides the limits.
 * - `any-key`: any key, provisional too, or an owner session.
 * - `agent`: the full key of the agent that is acted on, or a session of its owner.
 * - `session`: a session of the agent's owner. No key does.
 * - `agent-or-signature`: as `agent`, or the owner's signature in the request itself, with which no other credential is needed.
 * - `signature`: the owner's signature in the request itself, checked where the operation is carried out. No key replaces it.
 */
export type AccessRule =
  | "none"
  | "any-key"
  | "agent"
  | "session"
  | "agent-or-signature"
  | "signature";

/** What an operation does to the agent: a key whose passport has moved still reads. */
export type Effect = "reads" | "writes";

/** A key as it stands now. */
export interface KeyStanding {
  readonly kind: "live" | "provisional";
  readonly tokenId: bigint | null;
  readonly registrationId: string | null;
  /** Seal epoch it was issued in. Null exactly when `tokenId` is. */
  readonly epoch: bigint | null;
  readonly revokedAt: Date | null;
  /** The agent as indexed; null before the index has seen it, and for a provisional key. */
  readonly agent: {
    readonly epoch: bigint;
    /** Whether the passport has another owner than the one who sealed. */
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

/** Who owns an agent in this very block. */
export interface AgentOwner {
  readonly epoch: bigint;
  /** Of the passport; null when there is none any more. */
  readonly owner: Address | null;
  /** Who sealed it, or minted it when it is not sealed. */
  readonly sealer: Address;
}

/** The chain as it is asked before an owner's session acts. Rejects with CHAIN_UNAVAILABLE. */
export interface AgentOwners {
  /** Null when there is no such soul, or it was burned. */
  ownerOfAgent(tokenId: bigint): Promise<AgentOwner | null>;
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

export interface Access {
  /**
   * Who sent this Authorization header.
   *
   * @throws ApiError UNAUTHORIZED when there is one and it is not a good credential; REGISTRY_PENDING while nothing is indexed.
   */
  authenticate(authorization: string | undefined): Promise<Identity>;
  /**
   * Lets `caller` act on the agent, or throws.
   *
   * @throws ApiError of `admit`; FORBIDDEN when it is somebody else's agent; SUSPENDED when its passport has moved since it was
   * sealed; NOT_FOUND when there is no such agent; CHAIN_UNAVAILABLE.
   */
  authorise(caller: Caller, action: AgentAction): Promise<void>;
}

/** Something done to one agent. */
export interface AgentAction {
  readonly tokenId: bigint;
  readonly rule: AccessRule;
  readonly effect: Effect;
}

export interface AccessOptions {
  readonly keys: KeyStandings;
  readonly sessions: Introspection;
  readonly owners: AgentOwners;
  readonly clock: () => Date;
}

const BEARER = /^Bearer ([\x21-\x7e]{1,4096})$/i;

const ANONYMOUS: Identity = { caller: { kind: "anonymous" }, account: null };

/** Tells callers apart and says what they may do. */
export function createAccess({ keys, sessions, owners, clock }: AccessOptions): Access {
  async function byKey(hash: Buffer): Promise<Identity> {
    const key = await keys.keyStanding(hash);
    if (key === null) throw new ApiError("UNAUTHORIZED");
    // Written as "is still good", so that a date that is none ends the key.
    if (key.revokedAt !== null && !(key.revokedAt > clock())) throw new ApiError("UNAUTHORIZED");
    if (key.kind === "provisional") return provisional(key);

    const { tokenId, epoch, agent } = key;
    if (tokenId === null || epoch === null) throw new ApiError("UNAUTHORIZED");
    // A key outlives its seal epoch only while the index is behind the chain. An index behind the key says nothing.
    if (agent !== null && agent.epoch > epoch) throw new ApiError("UNAUTHORIZED");
    return {
      caller: {
        kind: "full",
        id: `agent:${tokenId}:${epoch}`,
        tokenId,
        suspended: agent?.suspended ?? false,
      },
      account: {
        subject: `agent:${tokenId}`,
        tokenId,
        organizationId: agent?.organizationId ?? 0n,
      },
    };
  }

  async function bySession(token: string): Promise<Identity> {
    const session = await sessions.introspect(token);
    if (session === null) throw new ApiError("UNAUTHORIZED");
    const { holder: owner, tokenId } = session;
    return {
      // By owner, not by token: who signs in again is still the one who sent the request that is repeated.
      caller: { kind: "session", id: `owner:${owner.toLowerCase()}`, owner },
      account: {
        subject: `owner:${owner.toLowerCase()}`,
        tokenId,
        organizationId: tokenId === null ? 0n : await keys.organizationOf(tokenId),
      },
    };
  }

  return {
    async authenticate(authorization) {
      if (authorization === undefined) return ANONYMOUS;
      const credential = BEARER.exec(authorization)?.[1];
      if (credential === undefined) throw new ApiError("UNAUTHORIZED");
      const key = parseApiKey(credential);
      return key === null ? bySession(credential) : byKey(key.hash);
    },

    async authorise(caller, { tokenId, rule, effect }) {
      admit(caller, rule, effect);
      if (rule === "none" || rule === "signature" || rule === "agent-or-signature") return;
      if (caller.kind === "full" && caller.tokenId !== tokenId) throw notYourAgent();
      if (caller.kind === "provisional") throw new ApiError("FULL_KEY_REQUIRED");
      if (caller.kind !== "session") return;

      const agent = await owners.ownerOfAgent(tokenId);
      if (agent === null) throw noSuchAgent(tokenId);
      if (agent.owner === null || !isAddressEqual(agent.owner, caller.owner)) throw notYourAgent();
      if (effect === "writes" && !isAddressEqual(agent.sealer, caller.owner)) {
        throw new ApiError("SUSPENDED");
      }
    },
  };
}

/**
 * Whether such a caller may use such an operation at all, whichever agent it is about.
 *
 * @throws ApiError UNAUTHORIZED without a credential where one is needed; FULL_KEY_REQUIRED for a provisional key where a full
 * one is; FORBIDDEN for a key where only a session will do; SUSPENDED for a key that only reads any more.
 */
export function admit(caller: Caller, rule: AccessRule, effect: Effect): void {
  if (rule === "none" || rule === "signature" || rule === "agent-or-signature") return;
  if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
  if (rule === "session" && caller.kind !== "session") {
    throw new ApiError("FORBIDDEN", {
      message: "Only the agent's owner may do this, signed in with the owner's wallet.",
    });
  }
  if (rule === "agent" && caller.kind === "provisional") throw new ApiError("FULL_KEY_REQUIRED");
  if (caller.kind === "full" && caller.suspended && effect === "writes") {
    throw new ApiError("SUSPENDED");
  }
}

function provisional({ registrationId }: KeyStanding): Identity {
  if (registrationId === null) throw new ApiError("UNAUTHORIZED");
  const id = `registration:${registrationId}`;
  return {
    caller: { kind: "provisional", id, registrationId },
    account: { subject: id, tokenId: null, organizationId: 0n },
  };
}

function notYourAgent(): ApiError {
  return new ApiError("FORBIDDEN", { message: "The credential belongs to another agent." });
}

function noSuchAgent(tokenId: bigint): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no agent with token id ${tokenId}.` });
}
