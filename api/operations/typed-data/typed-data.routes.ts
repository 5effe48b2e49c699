import { createRoute, type z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ErrorType } from "../../kernel/errors.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import type { OperationRules } from "../../platform/http/operations.ts";
import { BODY_BYTES, freshRead } from "../../platform/http/operations.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { TypedDataSchema } from "../typed-data.schemas.ts";
import type { TypedDataOf } from "./typed-data.http.ts";
import type { UnsignedMessage } from "./unsigned-message.ts";

/** How the signature of one operation is prepared: everything about `POST /v1/typed-data/{path}`. */
export interface TypedDataSpec<Deps, Body extends z.ZodType, Id extends string> {
  /** What the rules of the prepared operation have as `typedData`. */
  readonly path: string;
  readonly operationId: Id;
  readonly tag: string;
  readonly summary: string;
  /** Default: that nothing is stored. */
  readonly description?: string;
  /** The body of the operation without its signatures. */
  readonly body: Body;
  readonly errors: readonly ErrorType[];
  /** Default: one message. */
  readonly answer?: z.ZodType;
  /** What differs from the rules of other preparations. */
  readonly rules?: Partial<OperationRules>;
  /** @throws ApiError of `errors`. */
  prepare(body: z.output<Body>, deps: Deps, c: Context<AppEnv>): Promise<MessageToSign>;
}

/** What the signer signs; `permit` is a second message, for the stablecoin. */
export type MessageToSign = UnsignedMessage & {
  readonly permit?: UnsignedMessage | undefined;
  /** Further members of the answer. */
  readonly beside?: object | undefined;
};

export interface TypedDataDeps {
  readonly typedDataOf: TypedDataOf;
}

/** The route of one preparation, as features list it. */
export interface TypedDataRoute<Deps, Id extends string = string> {
  readonly path: string;
  readonly rules: Readonly<Record<Id, OperationRules>>;
  routes(deps: Deps & TypedDataDeps): ReturnType<typeof createRouter>;
}

/** Makes the route that answers what is signed for one operation. Nothing else answers typed data. */
export function typedDataRoute<Deps, Body extends z.ZodType, const Id extends string>(
  spec: TypedDataSpec<Deps, Body, Id>,
): TypedDataRoute<Deps, Id> {
  const { path, operationId, summary, description = "Nothing is stored." } = spec;
  const rules = {
    [operationId]: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own", ...spec.rules },
  } as Readonly<Record<Id, OperationRules>>;
  const route = createRoute({
    method: "post",
    path: `/typed-data/${path}`,
    operationId,
    tags: [spec.tag],
    summary,
    description,
    request: { body: jsonBody(spec.body) },
    responses: {
      200: {
        description: "Exactly the data that is verified.",
        content: { "application/json": { schema: spec.answer ?? TypedDataSchema } },
      },
      ...errorResponses(...spec.errors),
    },
  });

  return {
    path,
    rules,
    routes: (deps) =>
      createRouter(rules).openapi(route, async (c) => {
        const body = c.req.valid("json" as never) as z.output<Body>;
        const { permit, beside, ...message } = await spec.prepare(body, deps, c);
        const typedData = { ...(await deps.typedDataOf(message)), ...beside };
        const answer =
          permit === undefined
            ? typedData
            : { ...typedData, permit: await deps.typedDataOf(permit) };
        return c.json(answer as never, 200);
      }),
  };
}
