import { createRoute, z } from "@hono/zod-openapi";
import type { OwnerMessage, OwnerMessageName } from "../../../protocol/index.ts";
import { OWNER_MESSAGE_CONTRACTS } from "../../../protocol/index.ts";
import type { ErrorType } from "../../kernel/errors.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import type { OperationRules } from "../../platform/http/operations.ts";
import { ownerSigned } from "../../platform/http/operations.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { TokenIdSchema } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { type BoundOperation, bindOperation } from "../bind.ts";
import type { BuiltEngine } from "../build.ts";
import type { ChainOperationEnd } from "../operation.ts";
import { evidenceShape, OWNER_OPERATION_ERRORS, TYPED_DATA_ERRORS } from "../schemas.ts";
import { type OperationKind, type OwnerEvidence, soulOperation } from "../soul-operation.ts";
import { type TypedDataRoute, typedDataRoute } from "../typed-data/typed-data.routes.ts";

/** A decision that the owner of one soul signs alone: everything about it, in one file of a feature. */
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
> {
  /** `POST /v1/{path}` carries it out; `POST /v1/typed-data/{path}` answers what to sign. */
  readonly path: string;
  readonly tag: string;
  readonly prepare: {
    readonly operationId: PrepareId;
    readonly summary: string;
  };
  readonly perform: {
    readonly operationId: PerformId;
    readonly summary: string;
    readonly description: string;
    /** The outcome, as the description of status 200. */
    readonly done: string;
  };
  /** The EIP-712 type that the owner signs. */
  readonly messageName: Name;
  /** Names the bodies in the OpenAPI document: itself, and with `Signed` before it. */
  readonly schemaName: string;
  /** Members of the body besides `tokenId` and the signature. */
  readonly shape: Shape;
  readonly answer: Answer;
  /** Errors besides those of every such operation. */
  readonly errors: readonly ErrorType[];
  /** How it is carried out. */
  kind(parts: Parts): OperationKind<Request, Name, Payload, Result>;
  /** @throws ApiError of what a schema cannot say. */
  request(body: { readonly tokenId: bigint } & z.output<z.ZodObject<Shape>>, parts: Parts): Request;
  answerOf(result: Result): z.input<Answer>;
}

/** A decision with its engine, as its routes use it. */
export interface BuiltDecision {
  readonly definition: ChainOperationEnd;
  readonly bound: unknown;
  readonly parts: unknown;
}

/** The built decisions by their paths. */
export type BuiltDecisions = ReadonlyMap<string, BuiltDecision>;

export interface DecisionDeps {
  readonly decisions: BuiltDecisions;
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
  build(parts: Parts, engine: Pick<BuiltEngine, "operations" | "operatedSouls">): BuiltDecision;
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
    PerformId
  >,
): SoulDecision<Parts, PrepareId, PerformId> {
  type Built = { bound: BoundOperation<Request, Name, Result>; parts: Parts };
  const { path, messageName } = spec;
  const built = ({ decisions }: DecisionDeps): Built => {
    const decision = decisions.get(path);
    if (decision === undefined) throw new Error(`The decision ${path} is not built.`);
    const { bound, parts } = decision;
    return { bound: bound as Built["bound"], parts: parts as Parts };
  };
  const typedData = typedDataRoute({
    ...spec.prepare,
    path,
    tag: spec.tag,
    description: `Takes the body of \`POST /v1/${path}\` without its signature. Nothing is stored.`,
    body: z.strictObject({ tokenId: TokenIdSchema, ...spec.shape }).openapi(spec.schemaName),
    errors: [...TYPED_DATA_ERRORS, ...spec.errors],
    rules: { largeIntegers: "text" },
    async prepare(body, deps: DecisionDeps) {
      const { bound, parts } = built(deps);
      const message = await bound.prepare(spec.request(body as never, parts));
      return { contract: OWNER_MESSAGE_CONTRACTS[messageName], primaryType: messageName, message };
    },
  });
  const rules = {
    [spec.perform.operationId]: { ...ownerSigned, typedData: path, largeIntegers: "text" },
  } as Readonly<Record<PerformId, OperationRules>>;
  const perform = performRoute(spec);

  return {
    path,
    rules,
    typedData,

    build(parts, { operations, operatedSouls }) {
      const definition = soulOperation(spec.kind(parts), operatedSouls);
      return { definition, bound: bindOperation(operations, definition), parts };
    },

    routes: (deps) =>
      createRouter(rules).openapi(perform, async (c) => {
        const { bound, parts } = built(deps);
        const { message, signature, signer, ...body } = c.req.valid(
          "json",
        ) as unknown as Signed<Name>;
        const evidence: OwnerEvidence<Name> = { message, signature, signer };
        const request = spec.request(body as never, parts);
        const { result, indexedBlock } = await bound.perform(request, evidence, requesterOf(c));
        c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
        return c.json(spec.answerOf(result) as never, 200);
      }),
  };
}

type Signed<Name extends OwnerMessageName> = OwnerEvidence<Name> & {
  readonly message: OwnerMessage<Name>;
};

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
    string
  >,
  "path" | "tag" | "perform" | "messageName" | "schemaName" | "shape" | "answer" | "errors"
>;

function performRoute({ path, tag, perform, messageName, schemaName, ...spec }: AnySpec) {
  const shape = { tokenId: TokenIdSchema, ...spec.shape, ...evidenceShape(messageName) };
  return createRoute({
    method: "post",
    path: `/${path}`,
    operationId: perform.operationId,
    tags: [tag],
    summary: perform.summary,
    description: perform.description,
    request: {
      headers: IdempotencyHeaders,
      body: jsonBody(z.strictObject(shape).openapi(`Signed${schemaName}`)),
    },
    responses: {
      200: {
        description: perform.done,
        content: { "application/json": { schema: spec.answer } },
      },
      ...errorResponses(...OWNER_OPERATION_ERRORS, ...spec.errors),
    },
  });
}
