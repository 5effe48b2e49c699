import type { Caller } from "../../../kernel/callers.ts";
import { ApiError } from "../../../kernel/errors.ts";
import type { CursorPage, PageOf } from "../../../kernel/list-pages.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { hashOfSecret } from "../../../kernel/secret-hash.ts";
import type { ConsoleSessions, Manages } from "../../../kernel/sessions.ts";
import type { ChainSouls } from "../../../soul/chain-soul.ts";
import { requireSoul } from "../../../soul/require-soul.ts";

/** Stands for the passport of a console's session. A number, because earlier versions read one. */
export const NO_PASSPORT = -1n;

/** A sign-in whose token works, as the owner of its agent sees it. */
export interface ListedSession {
  readonly id: string;
  /** Null for a session of the console: it is of the account as such. */
  readonly passportId: bigint | null;
  readonly audience: string;
  readonly scopes: readonly Scope[];
  readonly manages: Manages | null;
  readonly openedAt: Date;
  readonly expiresAt: Date;
  /** To the minute; null before the first use. */
  readonly lastUsedAt: Date | null;
}

/** Whose sessions: those of an account that name a passport, or manage every agent of the account. */
export interface SessionsOf {
  readonly holder: string;
  readonly passportId: bigint;
}

/** Where a session is in the list. */
export type SessionPosition = Pick<ListedSession, "openedAt" | "id">;

export interface SessionStore {
  /** The newest first. */
  list(
    of: SessionsOf,
    page: CursorPage<SessionPosition>,
    at: Date,
  ): Promise<PageOf<ListedSession, SessionPosition>>;
  /** Ends a session of that account; null: whichever passport it names. False without one. */
  end(
    sessionId: string,
    of: { readonly holder: string; readonly passportId: bigint | null },
  ): Promise<boolean>;
  /** Ends every session of an account, and its open challenges. */
  endAll(holder: string, at: Date): Promise<void>;
}

export type OwnerSessions = ReturnType<typeof createOwnerSessions>;

/** The sign-ins of an agent's owner. */
export function createOwnerSessions({
  store,
  consoleSessions,
  souls,
  clock,
}: {
  readonly store: SessionStore;
  readonly consoleSessions: ConsoleSessions;
  readonly souls: ChainSouls;
  readonly clock: () => Date;
}) {
  return {
    /**
     * A page of the live sessions that reach an agent, of its present owner. Whether the caller may
     * see them is decided before.
     *
     * @throws ApiError NOT_FOUND, BURNED, CHAIN_UNAVAILABLE.
     */
    async list(tokenId: bigint, page: CursorPage<SessionPosition>) {
      const { passportId, owner } = await requireSoul(souls, tokenId, "owned");
      return store.list({ holder: owner, passportId }, page, clock());
    },

    /**
     * Ends a session of the caller's account. Its token is refused from the next request on.
     *
     * @throws ApiError NOT_FOUND.
     */
    async end(sessionId: string, caller: Caller): Promise<void> {
      if (caller.kind !== "session") throw new ApiError("UNAUTHORIZED");
      const of = { holder: caller.owner, passportId: caller.agentId };
      if (await store.end(sessionId, of)) return;
      throw new ApiError("NOT_FOUND", { message: "Your account has no session with this id." });
    },

    /** Ends the session of a console's cookie that another sign-in replaces. */
    async endConsole(secret: string): Promise<void> {
      const former = await consoleSessions.consoleSession(hashOfSecret(secret));
      if (former === null) return;
      await store.end(former.id, { holder: former.account, passportId: null });
    },

    /**
     * Ends the caller's own session, or with `everywhere` all of its account.
     *
     * @throws ApiError FORBIDDEN for a session of one agent: the account's are not its own.
     */
    async signOut(caller: Caller, everywhere: boolean): Promise<void> {
      if (caller.kind !== "session") throw new ApiError("UNAUTHORIZED");
      const { sessionId, owner, agentId } = caller;
      if (agentId !== null) {
        throw new ApiError("FORBIDDEN", {
          message: `This token manages the agent of passport ${agentId} only. End it with POST /api/v1/auth/token/revoke.`,
        });
      }
      if (everywhere) await store.endAll(owner, clock());
      else await store.end(sessionId, { holder: owner, passportId: null });
    },
  };
}
