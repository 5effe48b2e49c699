// A typed client of all operations of the service.

export type { ClientErrorCode, ErrorCode } from "./api-error.ts";
export { ApiError } from "./api-error.ts";
export type { Client } from "./client.ts";
export { createClient } from "./client.ts";
export type { ClientOptions, FullAnswer, PageOptions } from "./create-client.ts";
export type {
  Answer,
  CallInput,
  CallOptions,
  Entry,
  ListId,
  OperationId,
  ReadId,
  Schema,
  ServiceErrorCode,
} from "./operation-types.ts";
export type { WaitOptions } from "./wait-for.ts";
