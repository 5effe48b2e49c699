import { z } from "@hono/zod-openapi";
import { soulDecision } from "../../operations/decisions/soul-decision.routes.ts";
import type { OwnerEvidence } from "../../operations/soul-operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import { AgentIdsAnswer, agentIds, Hex32Schema } from "../../platform/http/schemas.ts";

/** What a sealer's own suspension needs of the rest of the service. */
export interface SuspendParts {
  readonly suspendBySealerCall: (evidence: OwnerEvidence<"Suspend">) => Call;
}

/** Three times what was measured; the owner's wallet may be a contract. */
const GAS = 300_000n;

export const suspend = soulDecision({
  path: "suspend",
  tag: "Death and reincarnation",
  prepare: {
    operationId: "prepareSuspend",
    summary: "The EIP-712 data that an owner signs to suspend its own agent before a sale",
  },
  perform: {
    operationId: "suspendAgent",
    summary: "Suspend an agent by its owner, before the passport is sold",
    description:
      "A buyer can take the passport and return it in one transaction, after which everything that was granted would act again. While this suspension stands nothing acts, whichever account owns the passport. Only a reseal or a release ends it: the buyer's, or the owner's own from the next block on. It is no transfer.",
    done: "Suspended, and visible to reads from block `X-Svc-Block` on.",
  },
  messageName: "Suspend",
  schemaName: "Suspend",
  shape: {},
  answer: z
    .object({
      ...AgentIdsAnswer,
      agentName: z.string(),
      status: z.literal("suspended"),
      suspendTxHash: Hex32Schema,
      note: z.string(),
    })
    .openapi("SuspendedAgent"),
  errors: [],
  kind: ({ suspendBySealerCall }: SuspendParts) => ({
    kind: "suspend",
    messageName: "Suspend",
    gas: GAS,
    tokenIdOf: ({ tokenId }: { readonly tokenId: bigint }) => tokenId,
    requestJson: ({ tokenId }) => ({ tokenId: tokenId.toString() }),
    plan: async (_request, { name, passportId }) => ({
      fields: {},
      payload: { name, passportId: passportId.toString() },
      items: [],
    }),
    isSuperseded: async (_operation, { suspended }) => suspended,
    call: ({ evidence }) => suspendBySealerCall(evidence),
    result: async ({ tokenId, payload }, { txHash }) => ({
      ...payload,
      tokenId: tokenId.toString(),
      txHash,
    }),
  }),
  request: ({ tokenId }) => ({ tokenId }),
  answerOf: ({ tokenId, passportId, name, txHash }) => ({
    ...agentIds({ tokenId: BigInt(tokenId), passportId: BigInt(passportId) }),
    agentName: name,
    status: "suspended" as const,
    suspendTxHash: txHash,
    note: "Nothing that was granted acts any more. A reseal by the passport's owner begins the next epoch; a release ends the soul.",
  }),
});
