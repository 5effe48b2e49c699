import { createRoute } from "@hono/zod-openapi";
import type { GivenSignature } from "../../operations/operation.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { adminBody, foundedBody, performed } from "./answers.http.ts";
import { withFleetId } from "./fleet.http.ts";
import { operations as rules } from "./operation-rules.ts";
import type { OrganizationOperations } from "./operations.ts";
import { OrganizationParams } from "./schemas.ts";
import {
  AdminAnswer,
  FoundedAnswer,
  SignedAcceptBody,
  SignedAdminBody,
  SignedFoundingBody,
} from "./signed.schemas.ts";

const foundOrganization = createRoute({
  method: "post",
  path: "/org",
  operationId: "createOrganization",
  tags: ["Organizations"],
  summary: "Found an organization",
  description: "`adminAddress` signs, and becomes its admin. Names need not be unique.",
  request: { headers: IdempotencyHeaders, body: jsonBody(SignedFoundingBody) },
  responses: {
    201: {
      description: "Founded, and visible to reads from block `X-Svc-Block` on.",
      content: { "application/json": { schema: FoundedAnswer } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS),
  },
});

const changeAdmin = createRoute({
  method: "put",
  path: "/org/{organizationId}/admin",
  operationId: "changeOrganizationAdmin",
  tags: ["Organizations"],
  summary: "Hand an organization over",
  description:
    "The admin signs. It takes effect when the new admin accepts: with `newAdminSignature` at once, else with `POST /v1/org/{organizationId}/admin/accept`. Another naming replaces one that was not accepted.",
  request: {
    params: OrganizationParams,
    headers: IdempotencyHeaders,
    body: jsonBody(SignedAdminBody),
  },
  responses: {
    200: {
      description: "Named, or handed over.",
      content: { "application/json": { schema: AdminAnswer } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS),
  },
});

const acceptAdmin = createRoute({
  method: "post",
  path: "/org/{organizationId}/admin/accept",
  operationId: "acceptOrganizationAdmin",
  tags: ["Organizations"],
  summary: "Take an organization over",
  description: "The account that the admin named signs.",
  request: {
    params: OrganizationParams,
    headers: IdempotencyHeaders,
    body: jsonBody(SignedAcceptBody),
  },
  responses: {
    200: {
      description: "The signer is the admin now.",
      content: { "application/json": { schema: AdminAnswer } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, "FORBIDDEN"),
  },
});

/** Founding organizations and handing them over. */
export function adminRoutes({
  organizationOperations: { engine, definitions },
}: {
  readonly organizationOperations: OrganizationOperations;
}) {
  return createRouter(rules)
    .openapi(foundOrganization, async (c) => {
      const { name, adminAddress: admin, ...evidence } = c.req.valid("json");
      const given = [{ ...evidence, role: "admin" as const }];
      const done = await engine.perform(definitions.found, { name, admin }, given, requesterOf(c));
      const { result, txHash } = performed(c, done);
      return c.json(withFleetId(c, foundedBody(result, txHash)), 201);
    })
    .openapi(changeAdmin, async (c) => {
      const { organizationId } = c.req.valid("param");
      const { newAdmin, newAdminSignature, ...evidence } = c.req.valid("json");
      const given: GivenSignature[] = [{ ...evidence, role: "admin" }];
      if (newAdminSignature !== undefined) given.push({ ...newAdminSignature, role: "newAdmin" });
      const isAccepted = newAdminSignature !== undefined;
      const definition = isAccepted ? definitions.handOver : definitions.name;
      const request = { organizationId, newAdmin };
      const done = await engine.perform(definition, request, given, requesterOf(c));
      const { result, txHash } = performed(c, done);
      return c.json(withFleetId(c, adminBody(result, isAccepted, txHash)), 200);
    })
    .openapi(acceptAdmin, async (c) => {
      const { organizationId } = c.req.valid("param");
      const given = [{ ...c.req.valid("json"), role: "newAdmin" as const }];
      const done = await engine.perform(
        definitions.accept,
        { organizationId },
        given,
        requesterOf(c),
      );
      const { result, txHash } = performed(c, done);
      return c.json(withFleetId(c, adminBody(result, true, txHash)), 200);
    });
}
