import type { RouteConfig } from "@hono/zod-openapi";
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import type { H, RouterRoute } from "hono/types";
import type { core } from "zod";
import type { ErrorStatus, ErrorType, RequestIssue } from "../../kernel/errors.ts";
import { ApiError, errorCatalogue } from "../../kernel/errors.ts";
import { isKeepable } from "./cache-rules.ts";
import type { AppEnv } from "./env.ts";
import { acceptsCredential, errorsOfRules, guard } from "./guard.ts";
import type { OperationRules, OperationTable } from "./operations.ts";
import { securityOf } from "./operations.ts";

/**
 * A router whose validation failures answer with the catalogue's errors, and whose routes are under the rules that `table` has
 * for their `operationId`.
 *
 * A route without `operationId` has no rules: only applications made by tests have such.
 *
 * @param search How an application finds its routes. Those of features are only mounted.
 */
export function createRouter(
  table: OperationTable = {},
  search: Search = new TrieRouter(),
): OpenAPIHono<AppEnv> {
  const router = new OpenAPIHono<AppEnv>({
    router: search,
    defaultHook: (result) => {
      if (!result.success) throw validationError(result.error);
    },
  });
  const register = router.openapi as (...registration: unknown[]) => unknown;
  router.openapi = ((route: Route, ...handlers: unknown[]) => {
    for (const ruled of underRules(route, table)) register(ruled, ...handlers);
    return router;
  }) as typeof router.openapi;
  return router;
}

type Search = Router<[H, RouterRoute]>;

type Responses = Readonly<Record<string, { readonly description: string }>>;

interface Route extends Omit<RouteConfig, "responses"> {
  readonly responses: Responses;
  readonly middleware?: MiddlewareHandler | MiddlewareHandler[];
}

/**
 * The route with its rules enforced and documented, and one more for each of its former paths.
 *
 * @throws Error when its operation is not in the table.
 */
function underRules(route: Route, table: OperationTable): Route[] {
  const { operationId } = route;
  if (operationId === undefined) return [route];
  const rules = Object.hasOwn(table, operationId) ? table[operationId] : undefined;
  if (rules === undefined) {
    throw new Error(
      `The operation ${operationId} has no rules: add it to its feature's operation-rules.ts.`,
    );
  }
  const own = route.middleware ?? [];
  const parameters = acceptedParameters(route, rules);
  const documented = {
    ...route,
    ...documentation(route, rules),
    // Browsers' pages are no part of the interface that the document describes.
    ...(rules.answers === undefined ? {} : { hide: true }),
  };
  const legacy = (rules.legacyPaths ?? []).map((path, index) => ({
    ...documented,
    path,
    operationId: `${operationId}Legacy${index === 0 ? "" : index + 1}`,
    deprecated: true,
    middleware: [
      guard(rules, { current: routerPath(route.path), former: routerPath(path) }, parameters),
      own,
    ].flat(),
  }));
  return [
    {
      ...documented,
      middleware: [
        guard(rules, { current: routerPath(route.path), former: null }, parameters),
        own,
      ].flat(),
    },
    ...legacy,
  ];
}

/** A path of the document in the router's spelling. */
const routerPath = (path: string): string => path.replaceAll(/\{(.+?)\}/g, ":$1");

/**
 * Names of the query parameters that an operation takes: those of its schema, and none without one. Null for what takes any:
 * links to pages and files are shared, and others add parameters to them.
 *
 * @throws Error for a query schema that does not name its parameters.
 */
function acceptedParameters(route: Route, rules: OperationRules): readonly string[] | null {
  if (rules.answers !== undefined || rules.ignoresParameters === true) return null;
  const query = route.request?.query;
  if (query === undefined) return [];
  if (query instanceof z.ZodObject) return Object.keys(query.shape);
  throw new Error(`The query of ${route.operationId} must be an object of its parameters.`);
}

/** What the rules add to a route's part of the OpenAPI document. */
function documentation(route: Route, rules: OperationRules) {
  const unchanged = { 304: { description: "The client's copy is still valid." } };
  const isKept = route.method === "get" && isKeepable(rules.cache);
  return {
    "x-svc-access": rules.access,
    "x-svc-rate-category": rules.rate,
    "x-svc-cache": rules.cache,
    "x-svc-body-bytes": rules.bodyBytes,
    "x-svc-idempotent": rules.idempotent,
    "x-svc-reads": rules.reads ?? "primary",
    ...(acceptsCredential(rules) || rules.access === "provisional-key"
      ? { security: securityOf(rules.access) }
      : {}),
    responses: withErrors(
      { ...(isKept ? unchanged : {}), ...route.responses },
      errorsOfRules(rules),
    ),
  };
}

/**
 * Turns a failed validation into the error sent. INVALID_REQUEST, unless a schema's own check names another type with
 * `params: { errorType }` (agent names do).
 */
function validationError(error: core.$ZodError): ApiError {
  const issues = error.issues.flatMap(describeIssue);
  return new ApiError(errorTypeOf(error.issues) ?? "INVALID_REQUEST", { details: { issues } });
}

function describeIssue(issue: core.$ZodIssue): RequestIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].map(String).join("."),
      message: "Unknown field",
    }));
  }
  return [{ path: issue.path.map(String).join("."), message: issue.message }];
}

function errorTypeOf(issues: readonly core.$ZodIssue[]): ErrorType | undefined {
  for (const issue of issues) {
    const named: unknown = issue.code === "custom" ? issue.params?.errorType : undefined;
    if (typeof named === "string" && Object.hasOwn(errorCatalogue, named))
      return named as ErrorType;
  }
  return undefined;
}

/**
 * The body of a route that takes JSON. Without `required` an empty body would reach the handler as `{}`.
 *
 * @throws Error when the route is built, if an object in the schema would silently drop unknown keys.
 */
export function jsonBody<T extends z.ZodType>(schema: T) {
  assertStrict(schema, "body", new Set());
  return { required: true as const, content: { "application/json": { schema } } };
}

function assertStrict(schema: unknown, path: string, seen: Set<unknown>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall === undefined) {
      throw new Error(`${path} drops unknown keys: declare it with z.strictObject.`);
    }
    for (const [key, field] of Object.entries(schema.shape)) {
      assertStrict(field, `${path}.${key}`, seen);
    }
  } else if (schema instanceof z.ZodArray) {
    assertStrict(schema.element, `${path}[]`, seen);
  } else if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) assertStrict(option, path, seen);
  } else if (schema instanceof z.ZodPipe) {
    assertStrict(schema.in, path, seen);
  } else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    assertStrict(schema.unwrap(), path, seen);
  }
}

const ErrorSchema = z
  .object({
    error: z.object({
      code: z.int().openapi({ description: "The HTTP status." }),
      type: z.enum(Object.keys(errorCatalogue) as [ErrorType, ...ErrorType[]]),
      message: z.string(),
      details: z
        .looseObject({ requestId: z.string() })
        .openapi({ description: "Depends on the type; always names the request." }),
      retryAfter: z
        .int()
        .optional()
        .openapi({ description: "Seconds until the same request may succeed." }),
    }),
  })
  .openapi("Error");

interface ErrorResponse {
  description: string;
  content: { "application/json": { schema: typeof ErrorSchema } };
}

/** Errors any route can answer with, so that no route has to list them. */
const ALWAYS = [
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL",
  "SERVICE_UNAVAILABLE",
] as const satisfies readonly ErrorType[];

type ErrorResponses<T extends ErrorType> = {
  [S in ErrorStatus<T | (typeof ALWAYS)[number]>]: ErrorResponse;
};

/** The route's responses with the errors that its rules add; a status that both have is described by both. */
function withErrors(responses: Responses, types: readonly ErrorType[]): Responses {
  const merged = { ...responses };
  for (const type of types) {
    const { status, title } = errorCatalogue[type];
    const line = `\`${type}\`: ${title}`;
    const known = merged[status];
    if (known === undefined) {
      merged[status] = errorResponse(line);
    } else if (!known.description.includes(`\`${type}\``)) {
      const lines = [...known.description.split("\n\n"), line];
      merged[status] = { ...known, description: inOrder(lines) };
    }
  }
  return merged;
}

/** Lines about one status: the route's own first, then those of errors as the catalogue lists them. */
function inOrder(lines: readonly string[]): string {
  const types = Object.keys(errorCatalogue);
  const place = (line: string) => types.indexOf(/^`([^`]+)`: /.exec(line)?.[1] ?? "");
  return [...lines].sort((one, other) => place(one) - place(other)).join("\n\n");
}

function errorResponse(description: string): ErrorResponse {
  return { description, content: { "application/json": { schema: ErrorSchema } } };
}

/** What every read of one agent from the index can answer with. */
export const AGENT_READ_ERRORS = [
  "INVALID_REQUEST",
  "INVALID_NAME",
  "NOT_FOUND",
  "REGISTRY_PENDING",
  "INDEX_BEHIND",
] as const satisfies readonly ErrorType[];

/** OpenAPI responses of the given errors, from the catalogue; types that share a status share one entry. */
export function errorResponses<T extends ErrorType>(...types: readonly T[]): ErrorResponses<T> {
  const lines = new Map<number, string[]>();
  for (const type of new Set<ErrorType>([...types, ...ALWAYS])) {
    const { status, title } = errorCatalogue[type];
    lines.set(status, [...(lines.get(status) ?? []), `\`${type}\`: ${title}`]);
  }
  const responses: Record<number, ErrorResponse> = {};
  for (const [status, described] of lines) {
    responses[status] = errorResponse(inOrder(described));
  }
  return responses as ErrorResponses<T>;
}
