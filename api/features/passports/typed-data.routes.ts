import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import type { AgentUris } from "./agent-uri.ts";
import { PrepareAgentUriSchema, toFileEdit } from "./schemas.ts";

const tag = "Registration file";

export const prepareAgentUri = typedDataRoute({
  path: "agent-uri-update",
  operationId: "prepareAgentUri",
  tag,
  summary: "The EIP-712 data that an owner signs to have a new registration file written",
  description:
    "Takes the body of `POST /v1/agent-uri/update` without its signature. No contract accepts such a signature.",
  body: PrepareAgentUriSchema,
  errors: TYPED_DATA_ERRORS,
  async prepare(
    { erc8004AgentId: passportId, ...edits },
    { agentUris }: { readonly agentUris: AgentUris },
  ) {
    const message = await agentUris.prepare({ passportId, edit: toFileEdit(edits) });
    return unsigned("SoulRegistry", "AgentUriUpdate", message);
  },
});
