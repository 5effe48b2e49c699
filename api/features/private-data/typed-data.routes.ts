import type { PreparedMessage } from "../../operations/engine.ts";
import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import type { PrivateDataDeps } from "./private-data.routes.ts";
import { PrepareDeletionBody, PrepareExportBody } from "./schemas.ts";

const tag = "Private data";

export const preparePrivateDataExport = typedDataRoute({
  path: "private-data-export",
  operationId: "preparePrivateDataExport",
  tag,
  summary: "The EIP-712 data that an account signs to export its private data",
  description: "`ExportPrivateData`, which no contract accepts. Nothing is stored.",
  body: PrepareExportBody,
  errors: TYPED_DATA_ERRORS,
  async prepare({ accountAddress: account }, { privateData }: PrivateDataDeps) {
    return onlyMessage(await privateData.engine.prepare(privateData.exporting, { account }));
  },
});

export const preparePrivateDataDeletion = typedDataRoute({
  path: "private-data-deletion",
  operationId: "preparePrivateDataDeletion",
  tag,
  summary: "The EIP-712 data that an account signs to delete its private data",
  description: "`DeletePrivateData`, which no contract accepts. Nothing is deleted yet.",
  body: PrepareDeletionBody,
  errors: TYPED_DATA_ERRORS,
  async prepare({ accountAddress: account, salts }, { privateData }: PrivateDataDeps) {
    return onlyMessage(await privateData.engine.prepare(privateData.deleting, { account, salts }));
  },
});

function onlyMessage([message]: readonly PreparedMessage[]): PreparedMessage {
  if (message === undefined) throw new Error("The account signs one message.");
  return message;
}
