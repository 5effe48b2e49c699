import { randomUUID } from "node:crypto";
import { createRoute } from "@hono/zod-openapi";
import type { OperationEngine } from "../../operations/engine.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { OWNED_ROWS, PUBLISHED } from "./inventory.ts";
import { operations } from "./operation-rules.ts";
import type { PrivateDataDeletion, PrivateDataOperations } from "./private-data.ts";
import { DeletionAnswer, DeletionBody, ExportAnswer, ExportBody } from "./schemas.ts";

/** None of it costs gas. */
const ERRORS = [
  ...OWNER_OPERATION_ERRORS.filter((type) => type !== "GAS_BUDGET_EXHAUSTED"),
  "INDEX_BEHIND",
] as const;

const tags = ["Private data"];

const exportPrivateData = createRoute({
  method: "post",
  path: "/private-data/export",
  operationId: "exportPrivateData",
  tags,
  summary: "Everything that the service stores about an account and is not public",
  description:
    "For the account that signs `POST /v1/typed-data/private-data-export`: rows of the account, and of every epoch of a soul that it sealed, also after a sale. The answer holds the salts of its souls: store it safely. A signature counts once.",
  request: { body: jsonBody(ExportBody) },
  responses: {
    200: {
      description: "All rows, by kind.",
      content: { "application/json": { schema: ExportAnswer } },
    },
    ...errorResponses(...ERRORS),
  },
});

const deletePrivateData = createRoute({
  method: "post",
  path: "/private-data/deletion",
  operationId: "deletePrivateData",
  tags,
  summary: "Delete what the service stores about an account",
  description:
    "For the account that signs `POST /v1/typed-data/private-data-deletion`. It cannot be undone. API keys, sessions and webhooks of its agents end. Souls, passports and allowances are on chain and stay as they are. The answer names what stays, and why. The same request again deletes nothing more.",
  request: { headers: IdempotencyHeaders, body: jsonBody(DeletionBody) },
  responses: {
    200: {
      description: "It is deleted.",
      content: { "application/json": { schema: DeletionAnswer } },
    },
    ...errorResponses(...ERRORS),
  },
});

export interface PrivateDataDeps {
  readonly privateData: PrivateDataOperations & {
    readonly engine: Pick<OperationEngine, "prepare" | "settle">;
  };
}

/** `/private-data/export` and `/private-data/deletion`. */
export function privateDataRoutes({ privateData }: PrivateDataDeps) {
  return createRouter(operations)
    .openapi(exportPrivateData, async (c) => {
      const { engine, exporting } = privateData;
      const { accountAddress: account, ...evidence } = c.req.valid("json");
      const signatures = [{ ...evidence, role: "owner" as const }];
      // Without an Idempotency-Key nothing names the request.
      const requester = { ...requesterOf(c), operationKey: randomUUID() };
      const exported = await engine.settle(exporting, { account }, signatures, requester);
      const data = exported.data.map(({ name, description, deletion, rows, complete }) => ({
        name,
        description,
        deletion: deletion.kind,
        why: deletion.kind === "deleted" ? null : deletion.why,
        rows: [...rows],
        complete,
      }));
      return c.json(
        {
          accountAddress: account,
          exportedAt: exported.exportedAt.toISOString(),
          data,
          published: PUBLISHED,
        },
        200,
      );
    })
    .openapi(deletePrivateData, async (c) => {
      const { engine, deleting } = privateData;
      const { accountAddress: account, salts, ...evidence } = c.req.valid("json");
      const signatures = [{ ...evidence, role: "owner" as const }];
      const request = { account, salts };
      return c.json(
        deletionAnswer(await engine.settle(deleting, request, signatures, requesterOf(c))),
        200,
      );
    });
}

function deletionAnswer({ account, salts, deletedAt }: PrivateDataDeletion) {
  const deleted: string[] = [];
  const kept: { name: string; why: string }[] = [];
  for (const { name, deletion } of OWNED_ROWS) {
    const isDeleted =
      deletion.kind === "deleted" || (deletion.kind === "with-salts" && salts === "delete");
    if (isDeleted) deleted.push(name);
    else if ("why" in deletion) kept.push({ name, why: deletion.why });
  }
  return {
    accountAddress: account,
    deletedAt,
    deleted,
    kept,
    published: PUBLISHED,
  };
}
