import type { Context } from "hono";
import type { Logger } from "pino";
import type { Access } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import type { Network } from "../../kernel/networks.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { IndexedPoint } from "../../soul/index-reads.ts";
import type { Reads } from "../database/reads.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { RateLimiter, RateState } from "../limits/rate-limits.ts";
import type { OperationRules } from "./operations.ts";

/** Headers by their names in lower case. */
export type HeaderRecord = Record<string, string>;

/** A body that is sent more than once, and its compressed forms as they are first asked for. */
export interface KeptBody {
  readonly whole: string | Uint8Array<ArrayBuffer>;
  /** By the name of the encoding. */
  readonly encoded: Map<string, Promise<Uint8Array<ArrayBuffer>>>;
}

/**
 * The body of an answer at any block that the index reaches while no row changes: the same, text
 * that is made of what was read before and of the block, or the same but for one part.
 */
export type BodyAt = "same" | ((at: IndexedPoint) => string) | PartAt;

/** The text of the only part of a body that depends on the block. */
export interface PartAt {
  readonly partAt: (at: IndexedPoint) => string;
}

/** Values that middleware sets on the request's context. */
export interface AppEnv {
  Variables: {
    /** Also in `X-Request-Id`, in every error and in every log line. */
    requestId: string;
    /** Makes the application's logger with the request id bound to it. Most requests need none. */
    log: () => Logger;
    /** Enforces operations' rules. Absent only in applications without operations. */
    gate?: Gate;
    /** The rules of the current operation. */
    rules?: OperationRules;
    /** The caller. Set for every operation; anonymous where no credential is read. */
    caller: Caller;
    /** The caller's position in its limits. */
    rate?: RateState;
    /** What the handler set with `c.header` before it answered. */
    prepared?: { readonly headers: HeaderRecord; readonly cookies: string[] };
    /** The answer that was made last, and its body as it was given. */
    made?: {
      readonly answer: Response;
      readonly body: Parameters<Context["newResponse"]>[0];
      /** Undefined where only the answer holds them. */
      readonly headers: HeaderRecord | undefined;
    };
    /** The indexed block that the answer reflects; absent where it reflects none. */
    indexedAt?: IndexedPoint;
    /** What the body of the answer would be at another indexed block. */
    bodyAt?: BodyAt;
    /** The subject of the answer decides how long it may be cached. */
    cacheVariant?: "sealed";
    /** The answer is wanted even if the caller holds it: it may be kept for others. */
    isBuiltWhole?: true;
    /** Set where the answer's body is kept. */
    keptBody?: KeptBody;
    /**
     * Stable name of the authenticated caller (never the credential itself). Set by authentication;
     * absent for anonymous requests.
     */
    credentialId?: string;
    /**
     * Id of the operation that this request belongs to; the same on every retry under one
     * `Idempotency-Key`. Set by the `idempotent` middleware. A handler names its transaction or
     * upload after it, so that a retry after a crash finds it instead of starting it again.
     */
    operationKey: string;
  };
}

/** Enforces the rules of operations. */
export interface Gate {
  readonly access: Access;
  readonly rates: RateLimiter;
  readonly idempotency: Idempotency;
  /** Where reads of operations go that a replica may answer. */
  readonly reads: Pick<Reads, "within" | "position">;
  /** Answers of operations that are made from the database alone. */
  readonly kept: {
    /**
     * Answers with what an earlier request for the same was answered, if no row that such answers are made
     * from has changed since before it was built. Builds the answer otherwise, and keeps it.
     */
    answer(c: Context, build: () => Promise<void>): Promise<void>;
  };
  /** Decides how long answers from the index may be kept. */
  readonly age: IndexAge;
  /** Where the world reaches the service: pages of its origin act with the console's cookie. */
  readonly publicUrl: URL;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly Network[];
}
