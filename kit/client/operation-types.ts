import type { OPERATIONS } from "./generated/operations.ts";
import type { components, operations } from "./generated/schema.ts";

// Types of requests and answers by the operation's id in the OpenAPI document.

/** The id of an operation, as docs/access.md and the OpenAPI document name it. */
export type OperationId = keyof typeof OPERATIONS & keyof operations;

/** A named type of the API, such as `Schema<"AgentProfile">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** The `code` of an error that the service answers with. */
export type ServiceErrorCode = Schema<"Error">["error"]["type"];

/** Content of an upload. */
export type Bytes = Blob | Uint8Array<ArrayBuffer>;

type Parameters<Id extends OperationId> = operations[Id]["parameters"];

type Body<Id extends OperationId> = operations[Id] extends { requestBody: infer Given }
  ? BodyContent<Given>
  : operations[Id] extends { requestBody?: infer Given }
    ? BodyContent<Exclude<Given, undefined>> | undefined
    : undefined;

type BodyContent<Given> = [Given] extends [never]
  ? undefined
  : Given extends { content: { "application/json": infer Json } }
    ? Json
    : Given extends { content: { "multipart/form-data": unknown } }
      ? FormData
      : Bytes;

/** A part that may be left out when all of it may. */
type Part<Name extends string, Value> = [Exclude<Value, undefined>] extends [never]
  ? { readonly [K in Name]?: undefined }
  : undefined extends Value
    ? { readonly [K in Name]?: Value }
    : { readonly [K in Name]: Value };

/** What one call takes besides the parts of the request. */
export interface CallOptions {
  /** Ends the call, its retries and the waiting between them. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each try in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /**
   * 16 to 128 letters, digits, `-` or `_`. Without it the client makes one for each call of an
   * operation that takes one. Pass your own to repeat a call after a crash.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The parts of a request: its path and query parameters and its body. */
export type RequestParts<Id extends OperationId> = Part<"path", Parameters<Id>["path"]> &
  Part<"query", Parameters<Id>["query"]> &
  Part<"body", Body<Id>>;

export type CallInput<Id extends OperationId> = RequestParts<Id> & CallOptions;

/** The input may be left out where all of its members may. */
export type InputOf<Id extends OperationId> =
  Record<never, never> extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>];

type Answers<Id extends OperationId> = operations[Id]["responses"];

type AnswerContent<Response> = Response extends { content: infer Content }
  ? Content extends { "application/json": infer Json }
    ? Json
    : Content extends { "application/jwk-set+json": infer Json }
      ? Json
      : Uint8Array<ArrayBuffer>
  : undefined;

/** What an operation answers with: JSON, bytes, or nothing. */
export type Answer<Id extends OperationId> = AnswerContent<Answers<Id>[keyof Answers<Id>]>;

/** Operations that only read. */
export type ReadId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id]["method"] extends "GET" ? Id : never;
}[OperationId];

/** Operations that answer with a list. */
export type ListId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id] extends { pages: { items: string } } ? Id : never;
}[OperationId];

type Entries<Id extends ListId> = (typeof OPERATIONS)[Id] extends {
  pages: { items: infer Name };
}
  ? Name extends keyof Answer<Id>
    ? Answer<Id>[Name]
    : never
  : never;

/** An entry of the list that an operation answers with. */
export type Entry<Id extends ListId> = Entries<Id> extends readonly (infer One)[] ? One : never;
