import type { Logger } from "pino";
import type { Caller } from "../services/callers.ts";

/** What middleware leaves on the request's context. */
export interface AppEnv {
  Variables: {
    /** Also in `X-Request-Id`, in every error and in every log line. */
    requestId: string;
    /** The application's logger with the request id bound to it. */
    log: Logger;
    /**
     * Stable name of the authenticated caller (never the credential itself). Set by authentication; absent for
     * anonymous requests.
     */
    credentialId?: string;
    /** Who the request comes from. Set by authentication, before every route. */
    caller: Caller;
    /**
     * Id of the operation this request stands for; the same on every retry under one `Idempotency-Key`. Set by the
     * `idempotent` middleware. Whatever a handler starts (a transaction, an upload) is named after it, so that a retry
     * after a crash finds it instead of starting it again.
     */
    operationKey: string;
  };
}
