import { createRoute } from "@hono/zod-openapi";
import type { BoundSettlement } from "../../operations/bind.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { organizationIn, withFleetId } from "../organizations/index.ts";
import { requestedOrganizationBody, requestedRegulatoryBody } from "./answers.http.ts";
import type {
  OrganizationAuditMessage,
  OrganizationAuditRequest,
  RegulatoryAuditMessage,
  RegulatoryAuditRequest,
  RequestedAudit,
} from "./audits.ts";
import { termsOf } from "./audits.ts";
import { operations } from "./operation-rules.ts";
import {
  RequestedOrganizationSchema,
  RequestedRegulatorySchema,
  SignedOrganizationAuditSchema,
  SignedRegulatorySchema,
} from "./schemas.ts";

const tags = ["Selective disclosure"];

const requestRegulatory = createRoute({
  method: "post",
  path: "/disclose/regulatory",
  operationId: "requestRegulatoryAudit",
  tags,
  summary: "Begin a regulatory audit of an agent",
  description:
    "The agent's owner signs. The agent's soul is then uploaded to `uploadUrl`. Each signature counts once.",
  request: { headers: IdempotencyHeaders, body: jsonBody(SignedRegulatorySchema) },
  responses: {
    202: {
      description: "The audit waits for the upload.",
      content: { "application/json": { schema: RequestedRegulatorySchema } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, "FORBIDDEN"),
  },
});

const requestOrganization = createRoute({
  method: "post",
  path: "/disclose/org-audit",
  operationId: "requestOrganizationAudit",
  tags,
  summary: "Begin an audit of an organization's agents",
  description:
    "The organization's admin signs. The agents' souls are then uploaded to `batchUploadUrl`. Each signature counts once.",
  request: { headers: IdempotencyHeaders, body: jsonBody(SignedOrganizationAuditSchema) },
  responses: {
    202: {
      description: "The audit waits for the upload.",
      content: { "application/json": { schema: RequestedOrganizationSchema } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, "FORBIDDEN", "INDEX_BEHIND"),
  },
});

/** What audits are signed with. */
export interface AuditRequests {
  readonly regulatory: BoundSettlement<
    RegulatoryAuditRequest,
    RegulatoryAuditMessage,
    RequestedAudit
  >;
  readonly organization: BoundSettlement<
    OrganizationAuditRequest,
    OrganizationAuditMessage,
    RequestedAudit
  >;
}

export interface AuditRouteDeps {
  readonly auditRequests: AuditRequests;
  /** Origin of this server. */
  readonly publicUrl: URL;
}

/** `/disclose/regulatory` and `/disclose/org-audit`. */
export function auditRoutes({ auditRequests, publicUrl }: AuditRouteDeps) {
  const uploadUrl = (kind: "regulatory" | "org-audit", id: string) =>
    new URL(`/v1/disclose/${kind}/${id}/upload`, publicUrl).href;

  return createRouter(operations)
    .openapi(requestRegulatory, async (c) => {
      const { tokenId, message, signature, signer, ...terms } = c.req.valid("json");
      const requested = await auditRequests.regulatory.settle(
        { tokenId, ...termsOf(terms) },
        { message, signature, signer },
        requesterOf(c),
      );
      const url = uploadUrl("regulatory", requested.auditId);
      return c.json(requestedRegulatoryBody(tokenId, requested, url), 202);
    })
    .openapi(requestOrganization, async (c) => {
      const { message, signature, signer, ...body } = c.req.valid("json");
      const organizationId = organizationIn(body);
      const requested = await auditRequests.organization.settle(
        { organizationId, ...termsOf(body) },
        { message, signature, signer },
        requesterOf(c),
      );
      const url = uploadUrl("org-audit", requested.auditId);
      return c.json(withFleetId(c, requestedOrganizationBody(organizationId, requested, url)), 202);
    });
}
