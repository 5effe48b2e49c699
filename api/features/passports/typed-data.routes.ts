import type { BoundOperation } from "../../operations/bind.ts";
import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import type { AgentUris } from "./agent-uri.ts";
import type { FileUpdated, FileUpdateRequest } from "./file-update.ts";
import { PrepareAgentUriSchema, PrepareFileUpdateSchema, toFileEdit } from "./schemas.ts";

const tag = "Registration file";

export const prepareRegistrationFile = typedDataRoute({
  path: "registration-file",
  operationId: "prepareRegistrationFile",
  tag,
  summary: "The EIP-712 data that an owner signs to change the registration file",
  description:
    "Takes the body of `PUT /v1/registration-file/{tokenId}` without its signature, and with `tokenId`. Nothing is stored.",
  body: PrepareFileUpdateSchema,
  errors: [...TYPED_DATA_ERRORS, "APPROVAL_REQUIRED"],
  async prepare(
    { tokenId, ...edits },
    {
      fileUpdates,
    }: { readonly fileUpdates: BoundOperation<FileUpdateRequest, "SetAgentURI", FileUpdated> },
  ) {
    const message = await fileUpdates.prepare({ tokenId, edit: toFileEdit(edits) });
    return unsigned("PassportWriter", "SetAgentURI", message);
  },
});

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
