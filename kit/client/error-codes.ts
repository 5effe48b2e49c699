import type { ServiceErrorCode } from "./operation-types.ts";

/** What goes wrong in the client itself, or on the way. */
export type ClientErrorCode =
  | "NETWORK_ERROR"
  | "TIMEOUT"
  | "INVALID_ANSWER"
  | "INVALID_INPUT"
  | "TOO_MANY_PAGES"
  | "STILL_PENDING"
  | "UNSAFE_TO_SIGN"
  | "UNVERIFIED_FIELDS";

/** `string`: a later version of the service may have codes that this client does not know. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & Record<never, never>);
