import { createRoute } from "@hono/zod-openapi";
import type { GivenSignature } from "../../operations/operation.ts";
import { OWNER_OPERATION_ERRORS, TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { TypedDataSchema } from "../../operations/typed-data.schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { adminBody, foundedBody, organizationIn, performed, typedDataOf } from "./answers.http.ts";
import { withFleetId } from "./fleet.http.ts";
import { operations as rules } from "./operation-rules.ts";
import type { OrganizationOperations } from "./operations.ts";
import { OrganizationParams } from "./schemas.ts";
import {
  AdminAnswer,
  FoundedAnswer,
  FoundingBody,
  PrepareAcceptBody,
  PrepareAdminBody,
  SignedAcceptBody,
  SignedAdminBody,
  SignedFoundingBody,
} from "./signed.schemas.ts";

const typedData = {
  200: {
    description: "Exactly what the organization registry will verify.",
    content: { "application/json": { schema: TypedDataSchema } },
  },
};

const prepareFounding = createRoute({
  method: "post",
  path: "/typed-data/org",
  operationId: "prepareOrganization",
  tags: ["Organizations"],
  summary: "The EIP-712 data that founds an organization",
  request: { body: jsonBody(FoundingBody) },
  responses: { ...typedData, ...errorResponses(...TYPED_DATA_ERRORS) },
});

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

const prepareAdmin = createRoute({
  method: "post",
  path: "/typed-data/org-admin",
  operationId: "prepareAdminChange",
  tags: ["Organizations"],
  summary: "The EIP-712 data that names an organization's next admin",
  description:
    "With `role` `newAdmin`: the acceptance that may come in the same `PUT`. To accept later, use `POST /v1/typed-data/org-admin-accept`.",
  request: { body: jsonBody(PrepareAdminBody) },
  responses: { ...typedData, ...errorResponses(...TYPED_DATA_ERRORS) },
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

const prepareAccept = createRoute({
  method: "post",
  path: "/typed-data/org-admin-accept",
  operationId: "prepareAdminAcceptance",
  tags: ["Organizations"],
  summary: "The EIP-712 data with which a named admin takes over",
  request: { body: jsonBody(PrepareAcceptBody) },
  responses: { ...typedData, ...errorResponses(...TYPED_DATA_ERRORS, "FORBIDDEN") },
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

/** Founding organizations and handing them over, and what is signed for it. */
export function adminRoutes({
  organizationOperations: { engine, definitions, domains },
}: {
  readonly organizationOperations: OrganizationOperations;
}) {
  return createRouter(rules)
    .openapi(prepareFounding, async (c) => {
      const { name, adminAddress: admin } = c.req.valid("json");
      const prepared = await engine.prepare(definitions.found, { name, admin });
      return c.json(typedDataOf(domains, prepared, "admin"), 200);
    })
    .openapi(foundOrganization, async (c) => {
      const { name, adminAddress: admin, ...evidence } = c.req.valid("json");
      const given = [{ ...evidence, role: "admin" as const }];
      const done = await engine.perform(definitions.found, { name, admin }, given, requesterOf(c));
      const { result, txHash } = performed(c, done);
      return c.json(withFleetId(c, foundedBody(result, txHash)), 201);
    })
    .openapi(prepareAdmin, async (c) => {
      const { newAdmin, role, ...body } = c.req.valid("json");
      const request = { organizationId: organizationIn(body), newAdmin };
      const definition = role === "admin" ? definitions.name : definitions.handOver;
      const prepared = await engine.prepare(definition, request);
      return c.json(typedDataOf(domains, prepared, role), 200);
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
    .openapi(prepareAccept, async (c) => {
      const request = { organizationId: organizationIn(c.req.valid("json")) };
      const prepared = await engine.prepare(definitions.accept, request);
      return c.json(typedDataOf(domains, prepared, "newAdmin"), 200);
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
