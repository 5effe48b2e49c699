import type { z } from "zod";
import type { VerifiedOrganizationSchema, VerifiedRegulatorySchema } from "./schemas.ts";
import type { CompletedAudit } from "./uploads.ts";

export function regulatoryBody(done: CompletedAudit): z.output<typeof VerifiedRegulatorySchema> {
  const [agent] = done.record.agents;
  if (agent === undefined || agent.verification === null || agent.chronicles === null) {
    throw new Error("A completed regulatory audit has verified its agent.");
  }
  return {
    auditId: done.audit.id,
    tokenId: Number(agent.tokenId),
    agentName: agent.agentName,
    verification: agent.verification,
    chronicles: agent.chronicles,
    ...completedBody(done),
  };
}

export function organizationBody(
  done: CompletedAudit,
): z.output<typeof VerifiedOrganizationSchema> & { readonly organizationId: number } {
  const { agents } = done.record;
  return {
    orgAuditId: done.audit.id,
    organizationId: Number(done.record.organizationId),
    agentCount: agents.length,
    verifiedCount: agents.filter(({ status }) => status === "verified").length,
    results: agents.map(({ tokenId, agentName, status, reason, verification, chronicles }) => ({
      tokenId: Number(tokenId),
      agentName,
      status,
      reason,
      verification,
      chronicles,
    })),
    ...completedBody(done),
  };
}

function completedBody(done: CompletedAudit) {
  const { record, archiveId, deliveredTo } = done;
  return {
    scope: record.scope,
    auditPackageDelivered: deliveredTo !== null,
    deliveredTo,
    signedBy: record.signedBy,
    block: Number(record.block),
    issuedAt: record.issuedAt,
    expiresAt: record.expiresAt,
    arweaveAuditTxId: archiveId,
    ccsf_handling: `${HANDLING} ${
      deliveredTo === null
        ? "The package was not delivered: pass it on yourself."
        : `The package was sent once to ${deliveredTo}.`
    }`,
    package: done.package as z.output<typeof VerifiedRegulatorySchema>["package"],
  };
}

const HANDLING =
  "Each file was held in memory only, and compared with the chain. Nothing of its content was stored or logged.";
