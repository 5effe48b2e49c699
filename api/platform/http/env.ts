import type { Logger } from "pino";
import type { Caller } from "../../kernel/callers.ts";
import type { IndexedPoint } from "../../soul/index-reads.ts";
import type { RateState } from "../limits/rate-limits.ts";
import type { Gate } from "./guard.ts";
import type { OperationRules } from "./operations.ts";

/** What middleware leaves on the request's context. */
export interface AppEnv {
  Variables: {
    /** Also in `X-Request-Id`, in every error and in every log line. */
    requestId: string;
    /** The application's logger with the request id bound to it. */
    log: Logger;
    /** What operations' rules are enforced with. Absent only in applications that have none. */
    gate?: Gate;
    /** The rules of the operation being carried out. */
    rules?: OperationRules;
    /** Who calls. Set for every operation; where no credential is looked at, everybody is anonymous. */
    caller: Caller;
    /** Where the caller stands in its limits. */
    rate?: RateState;
    /** The indexed block that the answer reflects; absent where it reflects none. */
    indexedAt?: IndexedPoint;
    /** What the answer is about decides how long it may be kept. */
    cacheVariant?: "sealed";
    /**
     * Stable name of the authenticated caller (never the credential itself). Set by authentication; absent for
     * anonymous requests.
     */
    credentialId?: string;
    /**
     * Id of the operation this request stands for; the same on every retry under one `Idempotency-Key`. Set by the
     * `idempotent` middleware. Whatever a handler starts (a transaction, an upload) is named after it, so that a retry
     * after a crash finds it instead of starting it again.
     */
    operationKey: string;
  };
}
