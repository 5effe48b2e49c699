import { createRoute, z } from "@hono/zod-openapi";
import type { OwnerMessage, OwnerMessageName } from "../../../protocol/index.ts";
import type { ErrorType } from "../../kernel/errors.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import type { OperationRules } from "../../platform/http/operations.ts";
import { ownerSigned } from "../../platform/http/operations.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { TokenIdParam, TokenIdSchema } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { OperationEngine } from "../engine.ts";
import type { ChainOperationEnd } from "../operation.ts";
import { evidenceShape, OWNER_OPERATION_ERRORS, TYPED_DATA_ERRORS } from "../schemas.ts";
import {
  type OperatedSouls,
  type OperationKind,
  type OwnerEvidence,
  type SoulOperation,
  soulOperation,
} from "../soul-operation.ts";
import { type TypedDataRoute, typedDataRoute } from "../typed-data/typed-data.routes.ts";

/** A decision on one soul that one account signs alone: everything about it, in one file of a feature. */
export interface SoulDecisionSpec<
  Parts,
  Shape extends z.core.$ZodLooseShape,
  Request,
  Name extends OwnerMessageName,
  Payload,
  Result,
  Answer extends z.ZodType,
  PrepareId extends string,
  PerformId extends string,
  Agent,
> {
  /** `POST /v1/typed-data/{path}` answers what to sign. */
  readonly path: string;
  /** How it is carried out. Default: `post`. */
  readonly method?: "post" | "put";
  /** Where, under `/v1`. With `{tokenId}` the body may leave the id out. Default: `/{path}`. */
  readonly route?: string;
  /** What `{name}` of the route is: how it names the agent beside the id in the body. */
  readonly agent?: z.ZodType<Agent>;
  readonly tag: string;
  readonly prepare: {
    readonly operationId: PrepareId;
    readonly summary: string;
    /** Default: whose body it takes. */
    readonly description?: string;
  };
  readonly perform: {
    readonly operationId: PerformId;
    readonly summary: string;
    readonly description: string;
    /** The outcome, as the description of status 200. */
    readonly done: string;
  };
  /** The EIP-712 type that is signed. */
  readonly messageName: Name;
  /** Names the bodies in the OpenAPI document: itself, and with `Signed` before it. Default: they have no names. */
  readonly schemaName?: string;
  /** Members of the body besides `tokenId` and the signature. */
  readonly shape: Shape;
  /** What they must fulfil together, and the words for a body that does not. */
  readonly together?: { isFulfilled(body: Members<Shape>): boolean; readonly words: string };
  /** See `OperationRules.largeIntegers`. */
  readonly largeIntegers?: "text";
  readonly answer: Answer;
  /** Errors besides those of every such operation. */
  readonly errors: readonly ErrorType[];
  /** How it is carried out. */
  kind(parts: Parts): OperationKind<Request, Name, Payload, Result>;
  /**
   * @param agent How the route names the agent; null where it is only prepared.
   * @throws ApiError of what a schema cannot say.
   */
  request(
    body: { readonly tokenId: bigint } & Members<Shape>,
    parts: Parts,
    agent: Agent | null,
  ): Request;
  /** @param requester Who asked, where the answer holds what only the first request may read. */
  answerOf(
    result: Result,
    request: Request,
    parts: Parts,
    requester: Requester,
  ): z.input<Answer> | Promise<z.input<Answer>>;
}

type Members<Shape extends z.core.$ZodLooseShape> = z.output<z.ZodObject<Shape>>;

/** A decision as its routes use it. */
export interface BuiltDecision {
  readonly definition: ChainOperationEnd;
  readonly parts: unknown;
}

/** The built decisions by their paths. */
export type BuiltDecisions = ReadonlyMap<string, BuiltDecision>;

export interface DecisionDeps {
  readonly decisions: BuiltDecisions;
  readonly operations: Pick<OperationEngine, "prepare" | "perform">;
}

/** A decision as features list it. */
export interface SoulDecision<
  Parts,
  PrepareId extends string = string,
  PerformId extends string = string,
> {
  readonly path: string;
  readonly rules: Readonly<Record<PerformId, OperationRules>>;
  /** What the owner signs. */
  readonly typedData: TypedDataRoute<DecisionDeps, PrepareId>;
  build(parts: Parts, souls: OperatedSouls): BuiltDecision;
  /** What carries it out. */
  routes(deps: DecisionDeps): ReturnType<typeof createRouter>;
}

/** Makes both routes and the definition of a decision. */
export function soulDecision<
  Parts,
  const Shape extends z.core.$ZodLooseShape,
  Request,
  Name extends OwnerMessageName,
  Payload,
  Result,
  Answer extends z.ZodType,
  const PrepareId extends string,
  const PerformId extends string,
  Agent = never,
>(
  spec: SoulDecisionSpec<
    Parts,
    Shape,
    Request,
    Name,
    Payload,
    Result,
    Answer,
    PrepareId,
    PerformId,
    Agent
  >,
): SoulDecision<Parts, PrepareId, PerformId> {
  type Built = { definition: SoulOperation<Request, Payload, Result>; parts: Parts };
  const { path } = spec;
  const { method = "post", route = `/${path}`, largeIntegers } = spec;
  const integers = largeIntegers === undefined ? {} : { largeIntegers };
  const built = ({ decisions }: DecisionDeps): Built => {
    const decision = decisions.get(path);
    if (decision === undefined) throw new Error(`The decision ${path} is not built.`);
    return decision as Built;
  };
  const typedData = typedDataRoute({
    path,
    tag: spec.tag,
    description: `Takes the body of \`${method.toUpperCase()} /v1${route}\` without its signature${isInPath(route) ? ", and with `tokenId`" : ""}. Nothing is stored.`,
    ...spec.prepare,
    body: bodyOf(spec, spec.schemaName, { tokenId: TokenIdSchema, ...spec.shape }),
    errors: [...TYPED_DATA_ERRORS, ...spec.errors],
    rules: integers,
    async prepare(body, deps: DecisionDeps) {
      const { definition, parts } = built(deps);
      const request = spec.request(body as never, parts, null);
      const [prepared] = await deps.operations.prepare(definition, request);
      return prepared;
    },
  });
  const rules = {
    [spec.perform.operationId]: { ...ownerSigned, typedData: path, ...integers },
  } as Readonly<Record<PerformId, OperationRules>>;
  const perform = performRoute(spec, { method, route });

  return {
    path,
    rules,
    typedData,

    build: (parts, souls) => ({ definition: soulOperation(spec.kind(parts), souls), parts }),

    routes: (deps) =>
      createRouter(rules).openapi(perform, async (c) => {
        const { definition, parts } = built(deps);
        const { message, signature, signer, ...body } = c.req.valid(
          "json",
        ) as unknown as Signed<Name>;
        const signed = { role: definition.role, message, signature, signer };
        const named = c.req.valid("param" as never) as Named<Agent>;
        if (named.tokenId !== undefined) assertSameAgent(named.tokenId, body.tokenId);
        const tokenId = named.tokenId ?? body.tokenId;
        const request = spec.request({ ...body, tokenId } as never, parts, named.name ?? null);
        const requester = requesterOf(c);
        const done = await deps.operations.perform(definition, request, [signed], requester);
        c.header(INDEXED_BLOCK_HEADER, done.indexedBlock.toString());
        return c.json((await spec.answerOf(done.result, request, parts, requester)) as never, 200);
      }),
  };
}

type Signed<Name extends OwnerMessageName> = OwnerEvidence<Name> & {
  readonly message: OwnerMessage<Name>;
  readonly tokenId?: bigint;
};

interface Named<Agent> {
  readonly tokenId?: bigint;
  readonly name?: Agent;
}

const isInPath = (route: string) => route.includes("{tokenId}");

type AnySpec = Pick<
  SoulDecisionSpec<
    never,
    z.core.$ZodLooseShape,
    never,
    OwnerMessageName,
    never,
    never,
    z.ZodType,
    string,
    string,
    unknown
  >,
  | "tag"
  | "perform"
  | "messageName"
  | "schemaName"
  | "shape"
  | "together"
  | "agent"
  | "answer"
  | "errors"
>;

function bodyOf(
  { together }: Pick<AnySpec, "together">,
  name: string | undefined,
  shape: z.core.$ZodLooseShape,
) {
  const members = z.strictObject(shape);
  const body =
    together === undefined ? members : members.refine(together.isFulfilled, together.words);
  return name === undefined ? body : body.openapi(name);
}

function performRoute(
  { tag, perform, messageName, schemaName, agent, ...spec }: AnySpec,
  { method, route }: { readonly method: "post" | "put"; readonly route: string },
) {
  const tokenId = isInPath(route) ? TokenIdSchema.optional() : TokenIdSchema;
  const params = {
    ...(isInPath(route) ? { tokenId: TokenIdParam } : {}),
    ...(agent === undefined ? {} : { name: agent }),
  };
  const shape = { tokenId, ...spec.shape, ...evidenceShape(messageName) };
  return createRoute({
    method,
    path: route,
    operationId: perform.operationId,
    tags: [tag],
    summary: perform.summary,
    description: perform.description,
    request: {
      headers: IdempotencyHeaders,
      params: z.object(params),
      body: jsonBody(bodyOf(spec, schemaName && `Signed${schemaName}`, shape)),
    },
    responses: {
      200: {
        description: perform.done,
        content: { "application/json": { schema: spec.answer } },
      },
      ...errorResponses(
        ...OWNER_OPERATION_ERRORS,
        ...(agent === undefined ? [] : (["INVALID_NAME"] as const)),
        ...spec.errors,
      ),
    },
  });
}
