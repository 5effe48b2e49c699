import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { OffChainName, OwnerMessageName } from "../../../protocol/index.ts";
import { OFF_CHAIN_TYPES, OWNER_MESSAGE_TYPES } from "../../../protocol/index.ts";
import type { Caller } from "../../kernel/callers.ts";
import type { ErrorType } from "../../kernel/errors.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import type { OperationRules } from "../../platform/http/operations.ts";
import { ownerSigned } from "../../platform/http/operations.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { BuiltEngine } from "../build.ts";
import type { GivenSignature, SignatureRole } from "../operation.ts";
import { allOrNone, messageShape, OWNER_OPERATION_ERRORS, TYPED_DATA_ERRORS } from "../schemas.ts";
import type { OperatedSouls } from "../soul-operation.ts";
import { type TypedDataRoute, typedDataRoute } from "../typed-data/typed-data.routes.ts";
import type { AnyDefinition } from "../verify.ts";

/** What everyone sees of a decision that one account signs alone, and how its body becomes a request. */
export interface DecisionSpec<
  Parts,
  Body,
  Request,
  Result,
  Answer extends z.ZodType,
  PrepareId extends string,
  PerformId extends string,
> {
  /** `POST /v1/typed-data/{path}` answers what to sign. */
  readonly path: string;
  /** How it is carried out. Default: `post`. */
  readonly method?: "post" | "put";
  /** Where, under `/v1`. With `{tokenId}` the body may leave the id out. Default: `/{path}`. */
  readonly route?: string;
  /** What the route names besides `{tokenId}`. `request` finds it in the body, unless it is only prepared. */
  readonly parameters?: z.core.$ZodLooseShape;
  readonly tag: string;
  readonly prepare: {
    readonly operationId: PrepareId;
    readonly summary: string;
    /** Default: whose body it takes, and that this has no effect. */
    readonly description?: string;
    /** Names its body in the OpenAPI document. Default: `schemaName` of the decision. */
    readonly schemaName?: string;
  };
  readonly perform: {
    readonly operationId: PerformId;
    readonly summary: string;
    readonly description: string;
    /** The outcome, as the description of the status. */
    readonly done: string;
    /** Default: 200. */
    readonly status?: 200 | 201 | 202;
    /** Default: those of every such operation, and `errors`. */
    readonly errors?: readonly ErrorType[];
  };
  /** The EIP-712 type that is signed. */
  readonly messageName: OwnerMessageName | OffChainName;
  /** Names the bodies in the OpenAPI document, the signed one with `Signed` before it. Default: they have no names. */
  readonly schemaName?: string;
  /** Members of the body besides the signature. */
  readonly shape: z.core.$ZodLooseShape;
  /** What they must fulfil together, and the words for a body that does not. */
  readonly together?: { isFulfilled(body: Body): boolean; readonly words: string };
  /** See `OperationRules.largeIntegers`. */
  readonly largeIntegers?: "text";
  /** What differs from the rules of other decisions. */
  readonly rules?: Partial<OperationRules>;
  readonly answer: Answer;
  /** Errors of both routes besides those of every such operation. */
  readonly errors: readonly ErrorType[];
  /** @throws ApiError of what a schema cannot say. */
  request(body: Body, parts: Parts): Request;
  /** What a caller may do without a signature, where `rules.access` lets one in. Default: nothing. */
  byCaller?(request: Request, parts: Parts, caller: Caller, requester: Requester): Promise<Result>;
  /** @param asked What it was asked with; `c` is for headers, and for what depends on the path. */
  answerOf(
    result: Result,
    request: Request,
    asked: { readonly body: Body; readonly parts: Parts; readonly c: Context<AppEnv> },
  ): z.input<Answer> | Promise<z.input<Answer>>;
}

/** What the members of a body are once they are validated. */
export type Members<Shape extends z.core.$ZodLooseShape> = z.output<z.ZodObject<Shape>>;

type Definition = AnyDefinition<unknown, unknown, unknown>;

/** How a kind of decision is carried out. */
interface Carrier<Parts> {
  /** What the description of its typed data ends with. */
  readonly note: string;
  definition(parts: Parts, souls: OperatedSouls): Definition;
}

/** A decision with its engine, as its routes use it. */
interface BuiltDecision {
  readonly definition: Definition;
  readonly operations: BuiltEngine["operations"];
  readonly parts: unknown;
}

export interface DecisionDeps {
  /** The built decisions by their paths. */
  readonly decisions: ReadonlyMap<string, BuiltDecision>;
}

/** A decision as features list it. */
export interface Decision<
  Parts,
  PrepareId extends string = string,
  PerformId extends string = string,
> {
  readonly path: string;
  readonly rules: Readonly<Record<PerformId, OperationRules>>;
  /** What is signed. */
  readonly typedData: TypedDataRoute<DecisionDeps, PrepareId>;
  build(parts: Parts, engine: Pick<BuiltEngine, "operations" | "operatedSouls">): BuiltDecision;
  /** What carries it out. */
  routes(deps: DecisionDeps): ReturnType<typeof createRouter>;
}

type AnySpec<Parts, PrepareId extends string, PerformId extends string> = DecisionSpec<
  Parts,
  unknown,
  unknown,
  unknown,
  z.ZodType,
  PrepareId,
  PerformId
>;

/** Makes both routes and their rules, for `soulDecision` and `settledDecision`. */
export function decision<Parts, PrepareId extends string, PerformId extends string>(
  spec: AnySpec<Parts, PrepareId, PerformId>,
  carrier: Carrier<Parts>,
): Decision<Parts, PrepareId, PerformId> {
  const { path, method = "post", route = `/${path}`, largeIntegers, byCaller } = spec;
  const isOfAgent = route.includes("{tokenId}");
  const { status = 200 } = spec.perform;
  const integers = largeIntegers === undefined ? {} : { largeIntegers };
  const built = ({ decisions }: DecisionDeps) => {
    const found = decisions.get(path);
    if (found === undefined) throw new Error(`The decision ${path} is not built.`);
    return found as BuiltDecision & { readonly parts: Parts };
  };
  const typedData = typedDataRoute({
    description: `Takes the body of \`${method.toUpperCase()} /v1${route}\` without its signature${isOfAgent ? ", and with `tokenId`" : ""}. ${carrier.note}`,
    ...spec.prepare,
    path,
    tag: spec.tag,
    body: bodyOf(spec, spec.prepare.schemaName ?? spec.schemaName, spec.shape),
    errors: [...TYPED_DATA_ERRORS, ...spec.errors],
    rules: integers,
    async prepare(body, deps: DecisionDeps) {
      const { definition, operations, parts } = built(deps);
      const [prepared] = await operations.prepare(definition, spec.request(body, parts));
      return prepared;
    },
  });
  const own: OperationRules = { ...ownerSigned, typedData: path, ...integers, ...spec.rules };
  const rules = { [spec.perform.operationId]: own } as Decision<Parts, never, PerformId>["rules"];
  const perform = performRoute({ ...spec, method, route }, { isOfAgent, status, rules: own });

  return {
    path,
    rules,
    typedData,

    build: (parts, { operations, operatedSouls }) => ({
      definition: carrier.definition(parts, operatedSouls),
      operations,
      parts,
    }),

    routes: (deps) =>
      createRouter(rules).openapi(perform, async (c) => {
        const { parts, ...engine } = built(deps);
        const { message, signature, signer, ...sent } = c.req.valid("json") as Sent;
        const named = c.req.valid("param" as never) as Named;
        if (named.tokenId !== undefined) assertSameAgent(named.tokenId, sent.tokenId);
        const body = { ...sent, ...named };
        const request = spec.request(body, parts);
        const result =
          byCaller !== undefined && signature === undefined
            ? await byCaller(request, parts, c.get("caller"), requesterOf(c))
            : await carriedOut(c, engine, request, { message, signature, signer });
        const answer = await spec.answerOf(result, request, { body, parts, c });
        return c.json(answer as never, status);
      }),
  };
}

type Evidence = Omit<GivenSignature, "role">;
type Named = { readonly tokenId?: bigint };
type Sent = Evidence & Named;

async function carriedOut(
  c: Context<AppEnv>,
  { definition, operations }: Pick<BuiltDecision, "definition" | "operations">,
  request: unknown,
  evidence: Evidence,
): Promise<unknown> {
  const roles = Object.keys(definition.messageTypes) as SignatureRole[];
  const signatures = roles.map((role) => ({ role, ...evidence }));
  if (definition.settlement === "postgres") {
    return operations.settle(definition, request, signatures, requesterOf(c));
  }
  const performed = await operations.perform(definition, request, signatures, requesterOf(c));
  c.header(INDEXED_BLOCK_HEADER, performed.indexedBlock.toString());
  return performed.result;
}

type Routed = AnySpec<never, string, string> & {
  readonly method: "post" | "put";
  readonly route: string;
};

function bodyOf(
  { together }: Pick<Routed, "together">,
  name: string | undefined,
  shape: z.core.$ZodLooseShape,
  isSignatureOptional = false,
) {
  const members = z.strictObject(shape);
  const body =
    together === undefined ? members : members.refine(together.isFulfilled, together.words);
  const whole = isSignatureOptional ? body.superRefine(allOrNone) : body;
  return name === undefined ? whole : whole.openapi(name);
}

function performRoute(
  { perform, parameters, schemaName, messageName, byCaller, ...spec }: Routed,
  { isOfAgent, status, rules }: { isOfAgent: boolean; status: number; rules: OperationRules },
) {
  const { message, signature, signer } = messageShape(messageName, MESSAGE_TYPES[messageName]);
  const evidence =
    byCaller === undefined
      ? { signature, signer, message }
      : { message: message.optional(), signature: signature.optional(), signer: signer.optional() };
  const tokenId = isOfAgent && { tokenId: z.optional(spec.shape.tokenId) };
  const shape = { ...spec.shape, ...tokenId, ...evidence };
  const signedName = schemaName && `Signed${schemaName}`;
  const responses: RouteConfig["responses"] = {
    [status]: {
      description: perform.done,
      content: { "application/json": { schema: spec.answer } },
    },
    ...errorResponses(...(perform.errors ?? [...OWNER_OPERATION_ERRORS, ...spec.errors])),
  };
  return createRoute({
    method: spec.method,
    path: spec.route,
    operationId: perform.operationId,
    tags: [spec.tag],
    summary: perform.summary,
    description: perform.description,
    request: {
      ...(rules.idempotent && { headers: IdempotencyHeaders }),
      params: z.object({ ...(isOfAgent && { tokenId: TokenIdParam }), ...parameters }),
      body: jsonBody(bodyOf(spec, signedName, shape, byCaller !== undefined)),
    },
    responses,
  });
}

const MESSAGE_TYPES = { ...OWNER_MESSAGE_TYPES, ...OFF_CHAIN_TYPES };
