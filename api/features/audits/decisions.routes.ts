import { settledDecision } from "../../operations/decisions/settled-decision.routes.ts";
import { idNumber } from "../../platform/http/schemas.ts";
import { organizationIn, withFleetId } from "../organizations/index.ts";
import type { AuditRequestDeps } from "./audits.ts";
import { organizationAuditOperation, regulatoryAuditOperation, termsOf } from "./audits.ts";
import {
  ORGANIZATION_AUDIT_BODY,
  REGULATORY_AUDIT_BODY,
  RequestedOrganizationSchema,
  RequestedRegulatorySchema,
} from "./schemas.ts";

interface AuditParts {
  readonly auditRequests: AuditRequestDeps;
  /** With the origin of this server. */
  readonly config: { readonly publicUrl: URL };
}

const tag = "Selective disclosure";

const UPLOAD_NOTE =
  "Upload within 7 days, signed by the same account. A file is read in memory, and never stored.";

export const regulatoryAudit = settledDecision({
  path: "regulatory-audit",
  route: "/disclose/regulatory",
  tag,
  prepare: {
    operationId: "prepareRegulatoryAudit",
    schemaName: "NewRegulatoryAudit",
    summary: "The EIP-712 data with which an owner lets a regulator audit an agent",
  },
  perform: {
    operationId: "requestRegulatoryAudit",
    summary: "Begin a regulatory audit of an agent",
    description:
      "The agent's owner signs. The agent's soul is then uploaded to `uploadUrl`. Each signature counts once.",
    status: 202,
    done: "The audit waits for the upload.",
  },
  messageName: "RegulatoryAudit",
  schemaName: "RegulatoryAudit",
  shape: REGULATORY_AUDIT_BODY,
  answer: RequestedRegulatorySchema,
  errors: ["FORBIDDEN"],
  operation: ({ auditRequests }: AuditParts) => regulatoryAuditOperation(auditRequests),
  request: (body) => ({ tokenId: body.tokenId, ...termsOf(body) }),
  answerOf: ({ auditId, uploadExpiresAt }, { tokenId }, { parts }) => ({
    auditId,
    tokenId: idNumber(tokenId),
    status: "awaiting_ccsf_upload" as const,
    uploadUrl: new URL(`/v1/disclose/regulatory/${auditId}/upload`, parts.config.publicUrl).href,
    uploadExpiresAt,
    note: UPLOAD_NOTE,
  }),
});

export const organizationAudit = settledDecision({
  path: "org-audit",
  route: "/disclose/org-audit",
  tag,
  prepare: {
    operationId: "prepareOrganizationAudit",
    schemaName: "NewOrganizationAudit",
    summary: "The EIP-712 data with which an admin lets a regulator audit an organization",
  },
  perform: {
    operationId: "requestOrganizationAudit",
    summary: "Begin an audit of an organization's agents",
    description:
      "The organization's admin signs. The agents' souls are then uploaded to `batchUploadUrl`. Each signature counts once.",
    status: 202,
    done: "The audit waits for the upload.",
  },
  messageName: "OrganizationAudit",
  schemaName: "OrganizationAudit",
  shape: ORGANIZATION_AUDIT_BODY,
  rules: { legacyPaths: ["/disclose/fleet-audit"] },
  answer: RequestedOrganizationSchema,
  errors: ["FORBIDDEN", "INDEX_BEHIND"],
  operation: ({ auditRequests }: AuditParts) => organizationAuditOperation(auditRequests),
  request: (body) => ({ organizationId: organizationIn(body), ...termsOf(body) }),
  answerOf: ({ auditId, agentCount, uploadExpiresAt }, { organizationId }, { parts, c }) =>
    withFleetId(c, {
      orgAuditId: auditId,
      organizationId: idNumber(organizationId),
      agentCount,
      status: "awaiting_ccsf_uploads" as const,
      batchUploadUrl: new URL(`/v1/disclose/org-audit/${auditId}/upload`, parts.config.publicUrl)
        .href,
      uploadExpiresAt,
      note: UPLOAD_NOTE,
    }),
});
