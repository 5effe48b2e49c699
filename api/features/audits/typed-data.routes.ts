import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import { organizationIn } from "../organizations/index.ts";
import type { AuditRequests } from "./audits.routes.ts";
import { termsOf } from "./audits.ts";
import { PrepareOrganizationAuditSchema, PrepareRegulatorySchema } from "./schemas.ts";

const tag = "Selective disclosure";

interface AuditDeps {
  readonly auditRequests: AuditRequests;
}

export const prepareRegulatoryAudit = typedDataRoute({
  path: "regulatory-audit",
  operationId: "prepareRegulatoryAudit",
  tag,
  summary: "The EIP-712 data with which an owner lets a regulator audit an agent",
  description:
    "Takes the body of `POST /v1/disclose/regulatory` without its signature. No contract accepts such a signature.",
  body: PrepareRegulatorySchema,
  errors: [...TYPED_DATA_ERRORS, "FORBIDDEN"],
  async prepare({ tokenId, ...terms }, { auditRequests }: AuditDeps) {
    const message = await auditRequests.regulatory.prepare({ tokenId, ...termsOf(terms) });
    return unsigned("SoulRegistry", "RegulatoryAudit", message);
  },
});

export const prepareOrganizationAudit = typedDataRoute({
  path: "org-audit",
  operationId: "prepareOrganizationAudit",
  tag,
  summary: "The EIP-712 data with which an admin lets a regulator audit an organization",
  description:
    "Takes the body of `POST /v1/disclose/org-audit` without its signature. No contract accepts such a signature.",
  body: PrepareOrganizationAuditSchema,
  errors: [...TYPED_DATA_ERRORS, "FORBIDDEN", "INDEX_BEHIND"],
  async prepare(body, { auditRequests }: AuditDeps) {
    const request = { organizationId: organizationIn(body), ...termsOf(body) };
    const message = await auditRequests.organization.prepare(request);
    return unsigned("SoulRegistry", "OrganizationAudit", message);
  },
});
