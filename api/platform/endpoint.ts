import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ErrorType } from "../kernel/errors.ts";
import type { IndexProgress } from "../soul/index-reads.ts";
import type { FeatureEndpoint } from "./define-feature.ts";
import type { AppEnv } from "./http/env.ts";
import { OWNER_SIGNATURE_HEADER } from "./http/guard.ts";
import { MinBlockQuery, minBlock } from "./http/indexed-block.ts";
import type { OperationRules } from "./http/operations.ts";
import { ownerSignatureIn } from "./http/owner-signature.ts";
import { createRouter, errorResponses, jsonBody } from "./http/router.ts";
import { IdempotencyHeaders } from "./idempotency/idempotency.http.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";
/** Schemas of the members of a path or query, by name. */
export type Shape = z.core.$ZodLooseShape;
/** What these schemas accept, as read. */
export type Members<Given extends Shape> = z.output<z.ZodObject<Given>>;

/** One operation of the API: everything about it. Rules, route and its part of the OpenAPI document follow. */
export interface EndpointSpec<
  Deps,
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Id extends string,
> {
  readonly operationId: Id;
  /** Who may call it, limits and caching: mostly one of `operations.ts`. */
  readonly rules: OperationRules;
  readonly method: Method;
  readonly path: string;
  /** Default: `/v1`, the protocol API. */
  readonly at?: FeatureEndpoint["at"];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** JSON. */
  readonly body?: Body;
  /** The body may come in the header `X-Svc-Owner-Signature`: many clients drop the body of a DELETE. Unchecked without either. */
  readonly bodyOrHeader?: true;
  /** Takes `minBlock`: a caller that knows its transaction's block reads its own write. */
  readonly waitsForBlock?: true;
  /** Default: 200; 204 without an answer. */
  readonly status?: 200 | 201 | 202;
  /** Description of that status. */
  readonly done: string;
  /** JSON. Left out: no body. */
  readonly answer?: Answer;
  /** Answers besides, which `run` gives as a Response. */
  readonly otherAnswers?: RouteConfig["responses"];
  /** Errors besides those of its rules. */
  readonly errors: readonly ErrorType[];
  /**
   * @param input Members of path and query, and `body`.
   * @returns What `answer` describes; a Response is sent as it is.
   * @throws ApiError of `errors`.
   */
  run(
    input: Members<Params> & Members<Query> & { readonly body: z.output<Body> },
    deps: Deps,
    c: Context<AppEnv>,
  ): Promise<z.input<Answer> | Response>;
}

/** What every endpoint gets from the service beside its own parts. */
export interface EndpointDeps {
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** An endpoint as features list it. */
export interface Endpoint<Deps, Id extends string = string> {
  readonly path: string;
  readonly method: Method;
  readonly at: FeatureEndpoint["at"];
  readonly rules: Readonly<Record<Id, OperationRules>>;
  routes(deps: Deps & EndpointDeps): ReturnType<typeof createRouter>;
}

export function endpoint<
  Deps,
  const Id extends string,
  Answer extends z.ZodType = z.ZodVoid,
  const Params extends Shape = Record<never, never>,
  const Query extends Shape = Record<never, never>,
  Body extends z.ZodType = z.ZodUndefined,
>(spec: EndpointSpec<Deps, Params, Query, Body, Answer, Id>): Endpoint<Deps, Id> {
  const { operationId, at = "/v1" } = spec;
  const status = spec.answer === undefined ? 204 : (spec.status ?? 200);
  const rules = { [operationId]: spec.rules } as Readonly<Record<Id, OperationRules>>;
  const route = routeOf(spec, status);
  return {
    path: spec.path,
    method: spec.method,
    at,
    rules,
    routes(deps) {
      const middleware = spec.waitsForBlock ? [minBlock(deps.index, deps.indexerWaitMs)] : [];
      return createRouter(rules).openapi({ ...route, middleware }, async (c) => {
        const valid = (part: "param" | "query" | "json"): object | undefined =>
          c.req.valid(part as never);
        const header = spec.bodyOrHeader ? c.req.header(OWNER_SIGNATURE_HEADER) : undefined;
        const body =
          header === undefined || !spec.body ? valid("json") : ownerSignatureIn(header, spec.body);
        const input = { ...valid("param"), ...valid("query"), body };
        const answer = await spec.run(input as never, deps, c);
        if (answer instanceof Response) return answer as never;
        return (status === 204 ? c.body(null, 204) : c.json(answer as object, status)) as never;
      });
    },
  };
}

const SignedHeaders = IdempotencyHeaders.extend({
  [OWNER_SIGNATURE_HEADER.toLowerCase()]: z.string().max(65_536).optional(),
});

type AnySpec = Omit<
  EndpointSpec<never, Shape, Shape, z.ZodType, z.ZodType, string>,
  "rules" | "run"
> & { readonly rules: OperationRules };

function routeOf(spec: AnySpec, status: 200 | 201 | 202 | 204) {
  const { method, path, operationId, summary, description, params, body, answer } = spec;
  const query = spec.waitsForBlock ? { ...spec.query, ...MinBlockQuery.shape } : (spec.query ?? {});
  const headers = spec.bodyOrHeader ? SignedHeaders : IdempotencyHeaders;
  return createRoute({
    method,
    path,
    operationId,
    tags: [spec.tag],
    summary,
    ...(description && { description }),
    request: {
      params: params && z.object(params),
      query: Object.keys(query).length === 0 ? undefined : z.object(query),
      headers: spec.rules.idempotent ? headers : undefined,
      ...(body && { body: { ...jsonBody(body), required: !spec.bodyOrHeader } }),
    },
    responses: {
      [status]: {
        description: spec.done,
        content: answer && { "application/json": { schema: answer } },
      },
      ...spec.otherAnswers,
      ...errorResponses(...spec.errors),
    },
  });
}
