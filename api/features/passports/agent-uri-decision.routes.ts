import { settledDecision } from "../../operations/decisions/settled-decision.routes.ts";
import { AgentIdSchema, idNumber } from "../../platform/http/schemas.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import { agentUriOperation } from "./agent-uri.ts";
import type { FileDeps } from "./file-update.ts";
import { AGENT_URI_EDITS, AgentUriUpdatedSchema, toFileEdit } from "./schemas.ts";

export interface AgentUriParts {
  readonly passportFiles: FileDeps;
  readonly operatedSouls: ChainSouls;
}

export const agentUri = settledDecision({
  path: "agent-uri-update",
  route: "/agent-uri/update",
  tag: "Registration file",
  prepare: {
    operationId: "prepareAgentUri",
    summary: "The EIP-712 data that an owner signs to have a new registration file written",
  },
  perform: {
    operationId: "updateAgentUri",
    summary: "Write a new registration file that the owner points the passport at",
    description:
      "Needs no approval: the answer holds the transaction that the passport's owner sends. Each signature counts once.",
    done: "The file is stored; `transaction` is to be sent.",
  },
  messageName: "AgentUriUpdate",
  schemaName: "AgentUriUpdate",
  shape: { erc8004AgentId: AgentIdSchema, ...AGENT_URI_EDITS },
  answer: AgentUriUpdatedSchema,
  errors: [],
  operation: ({ passportFiles, operatedSouls }: AgentUriParts) =>
    agentUriOperation({ ...passportFiles, souls: operatedSouls }),
  request: ({ erc8004AgentId, ...edits }) => ({
    passportId: erc8004AgentId,
    edit: toFileEdit(edits),
  }),
  answerOf: ({ storageId, uri, transaction }, { passportId }, { body, parts }) => ({
    success: true as const,
    erc8004AgentId: idNumber(passportId),
    newAgentUri: {
      url: parts.passportFiles.context.links.storage(storageId),
      arUri: uri,
      txId: storageId,
    },
    transaction,
    updated: {
      x402Support: body.x402Support !== undefined,
      services: body.services !== undefined || body.removeServices !== undefined,
      description: body.description !== undefined,
      imageUrl: body.imageUrl !== undefined,
    },
  }),
});
