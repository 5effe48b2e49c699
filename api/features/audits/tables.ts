import { bigint, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { address, appTable, at, exactJson } from "../../platform/database/columns.ts";
import { AUDIT_KINDS } from "./audits.ts";
import type { AuditRecord } from "./records.ts";

// No file and no value of a field is in these tables: only who audits what, and the results.

/** Audits that an owner or an organization's admin signed. */
export const audit = appTable(
  "audit",
  {
    kept: { forever: "Owners and organizations prove with it which audits they asked for." },
    rebuiltFrom: null,
    lostWith:
      "The list of audits. Records of completed audits stay on permanent storage under the ids that their owners were given.",
  },
  {
    id: uuid("id").primaryKey(),
    kind: text("kind", { enum: AUDIT_KINDS }).notNull(),
    /** Null, like its epoch, for an organization. */
    tokenId: bigint("token_id", { mode: "bigint" }),
    epoch: integer("epoch"),
    /** Null for a single agent. */
    organizationId: bigint("organization_id", { mode: "bigint" }),
    signer: address("signer").notNull(),
    regulatoryBody: text("regulatory_body").notNull(),
    regulatoryDid: text("regulatory_did").notNull(),
    scope: text("scope").notNull(),
    auditReference: text("audit_reference").notNull(),
    createdAt: at("created_at").notNull(),
    uploadExpiresAt: at("upload_expires_at").notNull(),
    /** Null, like the record, until an upload was verified. */
    completedAt: at("completed_at"),
    record: exactJson<AuditRecord>("record"),
    /** Of the record on permanent storage; null until it is stored. */
    archiveId: text("archive_id"),
    /** Origin of the endpoint that took the package; null when none did. */
    deliveredTo: text("delivered_to"),
  },
);

/** How many files were compared with an agent's soul, for one audit. */
export const auditTry = appTable(
  "audit_try",
  {
    kept: { forever: "It belongs to its audit." },
    rebuiltFrom: null,
    lostWith: "How many files were compared for open audits.",
  },
  {
    auditId: uuid("audit_id")
      .notNull()
      .references(() => audit.id),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    tries: integer("tries").notNull(),
  },
  (table) => [primaryKey({ columns: [table.auditId, table.tokenId] })],
);
