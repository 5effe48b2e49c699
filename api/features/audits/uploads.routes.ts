import { createRoute } from "@hono/zod-openapi";
import type { OperationTable } from "../../platform/http/operations.ts";
import { UPLOAD_BYTES } from "../../platform/http/operations.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { withFleetId } from "../organizations/index.ts";
import { organizationBody, regulatoryBody } from "./answers.http.ts";
import {
  OrganizationAuditParams,
  RegulatoryParams,
  VerifiedOrganizationSchema,
  VerifiedRegulatorySchema,
} from "./schemas.ts";
import { uploadParts } from "./upload-form.http.ts";
import { type AuditUploads, MAX_FILES } from "./uploads.ts";

/** Beside the file: the headers of the parts, the salt and the signature. */
const FORM_BYTES = 64 * 1024;
/** Largest upload for an organization: it has to arrive within two minutes, as every request has. */
const ORGANIZATION_UPLOAD_BYTES = 100 * 1024 * 1024;

/**
 * The upload's own signature is its credential. It covers the files, so it is checked behind them.
 * A repetition would need the stored values, so none is answered.
 */
const upload = {
  access: "none",
  effect: "writes",
  rate: "write",
  cache: "never",
  idempotent: false,
  holdsValues: true,
  streamsBody: true,
  origins: "own",
} as const;

/** Rules of the uploads of audits. */
export const operations = {
  uploadRegulatoryAudit: { ...upload, bodyBytes: UPLOAD_BYTES + FORM_BYTES },
  uploadOrganizationAudit: {
    ...upload,
    bodyBytes: ORGANIZATION_UPLOAD_BYTES,
    legacyPaths: ["/disclose/fleet-audit/{orgAuditId}/upload"],
  },
} as const satisfies OperationTable;

const tags = ["Selective disclosure"];

const SIGNATURE = {
  type: "string",
  description:
    "Of the signer of the audit, as a personal message (EIP-191), over the audit's id and the hash of the files: see docs/disclosure.md.",
} as const;
const SALT = {
  type: "string",
  pattern: "^0x[0-9a-fA-F]{64}$",
  description:
    "Before the file that it belongs to. Default: the stored salt, for agents of the signer.",
} as const;
const FILE = {
  type: "string",
  format: "binary",
  description: "The normalised soul (CCSF) as YAML or JSON, of at most 10 MiB.",
} as const;

/** A form whose parts are read as they arrive. Only its documentation is here. */
function formBody(files: object) {
  return {
    required: true,
    content: {
      "multipart/form-data": {
        schema: {
          type: "object" as const,
          properties: { signature: SIGNATURE, salt: SALT, ...files },
          required: ["signature", ...Object.keys(files)],
        },
      },
    },
  };
}

const UPLOAD_ERRORS = [
  "INVALID_REQUEST",
  "UNSUPPORTED_MEDIA_TYPE",
  "PAYLOAD_TOO_LARGE",
  "INVALID_SIGNATURE",
  "NOT_OWNER",
  "FORBIDDEN",
  "NOT_FOUND",
  "BURNED",
  "SUSPENDED",
  "GONE",
  "HASH_MISMATCH",
  "RATE_LIMIT_EXCEEDED",
  "CHAIN_UNAVAILABLE",
  "STORAGE_UNAVAILABLE",
  "INDEX_BEHIND",
] as const;

const uploadRegulatory = createRoute({
  method: "post",
  path: "/disclose/regulatory/{auditId}/upload",
  operationId: "uploadRegulatoryAudit",
  tags,
  summary: "Upload the soul of an audited agent",
  description:
    "The file is read in memory and compared with the chain. One upload that is verified completes the audit; a refused one can be repeated, and three files are compared at most.",
  request: {
    params: RegulatoryParams,
    body: formBody({ file: FILE }),
  },
  responses: {
    200: {
      description: "The results, and the package for the regulator.",
      content: { "application/json": { schema: VerifiedRegulatorySchema } },
    },
    ...errorResponses(...UPLOAD_ERRORS),
  },
});

const uploadOrganization = createRoute({
  method: "post",
  path: "/disclose/org-audit/{orgAuditId}/upload",
  operationId: "uploadOrganizationAudit",
  tags,
  summary: "Upload the souls of an audited organization's agents",
  description:
    "Each file is matched to the live member whose name it states, and compared with the chain. The files are read one by one as they arrive. The upload is verified as a whole.",
  request: {
    params: OrganizationAuditParams,
    body: formBody({ "files[]": { type: "array", items: FILE, maxItems: MAX_FILES } }),
  },
  responses: {
    200: {
      description: "The results by agent, and the package for the regulator.",
      content: { "application/json": { schema: VerifiedOrganizationSchema } },
    },
    ...errorResponses(...UPLOAD_ERRORS),
  },
});

/** Uploads of the files of audits. */
export const auditUploadRoutes = ({ auditUploads }: { readonly auditUploads: AuditUploads }) =>
  createRouter(operations)
    .openapi(uploadRegulatory, async (c) => {
      const { bodyBytes } = operations.uploadRegulatoryAudit;
      const parts = uploadParts(c, { fileName: "file", maxFiles: 1, bodyBytes });
      const { auditId } = c.req.valid("param");
      return c.json(regulatoryBody(await auditUploads.regulatory(auditId, parts)), 200);
    })
    .openapi(uploadOrganization, async (c) => {
      const { bodyBytes } = operations.uploadOrganizationAudit;
      const parts = uploadParts(c, { fileName: "files[]", maxFiles: MAX_FILES, bodyBytes });
      const { orgAuditId } = c.req.valid("param");
      const done = await auditUploads.organization(orgAuditId, parts);
      return c.json(withFleetId(c, organizationBody(done)), 200);
    });
