import { soulDecision } from "../../operations/decisions/soul-decision.routes.ts";
import { agentIds, idNumber } from "../../platform/http/schemas.ts";
import type { createFileUpdateKind } from "./file-update.ts";
import { FILE_EDITS, FileUpdatedSchema, toFileEdit } from "./schemas.ts";

export interface FileParts {
  readonly fileUpdate: ReturnType<typeof createFileUpdateKind>;
}

export const registrationFile = soulDecision({
  path: "registration-file",
  method: "put",
  route: "/registration-file/{tokenId}",
  tag: "Registration file",
  prepare: {
    operationId: "prepareRegistrationFile",
    summary: "The EIP-712 data that an owner signs to change the registration file",
  },
  perform: {
    operationId: "updateRegistrationFile",
    summary: "Change the registration file by the owner's signature",
    description:
      "Writes the new file to permanent storage and points the passport at it through the passport writer, which the passport's owner must have approved. The members that the service writes are written anew; everything else that the file holds stays.",
    done: "The passport points at the new file.",
  },
  messageName: "SetAgentURI",
  schemaName: "RegistrationFileUpdate",
  shape: FILE_EDITS,
  answer: FileUpdatedSchema,
  errors: ["APPROVAL_REQUIRED"],
  kind: ({ fileUpdate }: FileParts) => fileUpdate,
  request: ({ tokenId, ...edits }) => ({ tokenId, edit: toFileEdit(edits) }),
  answerOf: (updated, { tokenId }) => {
    const passportId = BigInt(updated.passportId);
    return {
      agentId: idNumber(passportId),
      ...agentIds({ tokenId, passportId }),
      agentURI: updated.agentURI,
      updatedFields: [...updated.updatedFields],
      erc8004TxHash: updated.txHash,
    };
  },
});
