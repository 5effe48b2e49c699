import { z } from "@hono/zod-openapi";
import { soulDecision } from "../../operations/decisions/soul-decision.routes.ts";
import { agentIds } from "../../platform/http/schemas.ts";
import type { createBurnKind } from "./burn.ts";
import { BurnedSchema, endedBody } from "./endings.schemas.ts";

export const burn = soulDecision({
  path: "burn",
  route: "/burn/{tokenId}",
  tag: "Death and reincarnation",
  prepare: {
    operationId: "prepareBurn",
    summary: "The EIP-712 data that an owner signs to end its agent",
  },
  perform: {
    operationId: "burnAgent",
    summary: "End an agent for ever, by its owner's signature",
    description:
      "Irreversible. The profile stays readable, the DID is deactivated, keys and webhooks end after the event `soul.burned`, and every other write answers `BURNED`. The name stays taken; the passport is free to carry another soul.",
    done: "Ended, and visible to reads from block `X-Svc-Block` on.",
  },
  messageName: "Burn",
  schemaName: "Burn",
  shape: {
    reason: z.string().min(1).max(1000).openapi({
      description: "The owner's own words. Only their keccak256 goes on chain.",
      example: "Its work is done.",
    }),
  },
  answer: BurnedSchema,
  errors: [],
  kind: ({ burnKind }: { readonly burnKind: ReturnType<typeof createBurnKind> }) => burnKind,
  request: ({ tokenId, reason }) => ({ tokenId, reason }),
  answerOf: ({ tokenId, passportId, ...burned }) => ({
    ...agentIds({ tokenId: BigInt(tokenId), passportId: BigInt(passportId) }),
    agentName: burned.name,
    status: "BURNED" as const,
    burnTxHash: burned.txHash,
    arweaveArchive: burned.archiveId,
    burnedAt: burned.burnedAt,
    ended: endedBody(burned.ended),
    inactiveAgentURI: burned.inactiveUri,
    agentUriTransaction: burned.agentUriTransaction,
    note: "The soul has ended, and its archive and profile stay. The name stays taken. Reincarnate it with POST /v1/reincarnate.",
  }),
});
