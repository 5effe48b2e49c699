import { settledDecision } from "../../operations/decisions/settled-decision.routes.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { OWNED_ROWS, PUBLISHED } from "./inventory.ts";
import { deletionOperation, exportOperation, type PrivateDataStore } from "./private-data.ts";
import { ACCOUNT, DeletionAnswer, ExportAnswer, SALTS } from "./schemas.ts";

interface PrivateDataParts {
  readonly privateData: PrivateDataStore;
  readonly clock: () => Date;
}

/** None of it costs gas. */
const errors = [
  ...OWNER_OPERATION_ERRORS.filter((type) => type !== "GAS_BUDGET_EXHAUSTED"),
  "INDEX_BEHIND",
] as const;

const tag = "Private data";

export const privateDataExport = settledDecision({
  path: "private-data-export",
  route: "/private-data/export",
  tag,
  prepare: {
    operationId: "preparePrivateDataExport",
    schemaName: "PrivateDataExportRequest",
    summary: "The EIP-712 data that an account signs to export its private data",
    description: "`ExportPrivateData`, which no contract accepts. Nothing is stored.",
  },
  perform: {
    operationId: "exportPrivateData",
    summary: "Everything that the service stores about an account and is not public",
    description:
      "For the account that signs `POST /v1/typed-data/private-data-export`: rows of the account, and of every epoch of a soul that it sealed, also after a sale. The answer holds the salts of its souls: store it safely. A signature counts once.",
    done: "All rows, by kind.",
    errors,
  },
  messageName: "ExportPrivateData",
  schemaName: "PrivateDataExport",
  shape: { accountAddress: ACCOUNT },
  // Its answer holds salts, which must not be stored as an answer under an Idempotency-Key would be.
  rules: { effect: "reads", idempotent: false, holdsValues: true },
  answer: ExportAnswer,
  errors: [],
  operation: ({ privateData, clock }: PrivateDataParts) => exportOperation(privateData, clock),
  request: ({ accountAddress: account }) => ({ account }),
  answerOf: ({ exportedAt, data }, { account }) => ({
    accountAddress: account,
    exportedAt: exportedAt.toISOString(),
    data: data.map(({ name, description, deletion, rows, complete }) => ({
      name,
      description,
      deletion: deletion.kind,
      why: deletion.kind === "deleted" ? null : deletion.why,
      rows: [...rows],
      complete,
    })),
    published: PUBLISHED,
  }),
});

export const privateDataDeletion = settledDecision({
  path: "private-data-deletion",
  route: "/private-data/deletion",
  tag,
  prepare: {
    operationId: "preparePrivateDataDeletion",
    schemaName: "PrivateDataDeletionRequest",
    summary: "The EIP-712 data that an account signs to delete its private data",
    description: "`DeletePrivateData`, which no contract accepts. Nothing is deleted yet.",
  },
  perform: {
    operationId: "deletePrivateData",
    summary: "Delete what the service stores about an account",
    description:
      "For the account that signs `POST /v1/typed-data/private-data-deletion`. It cannot be undone. API keys, sessions and webhooks of its agents end. Souls, passports and allowances are on chain and stay as they are. The answer names what stays, and why. The same request again deletes nothing more.",
    done: "It is deleted.",
    errors,
  },
  messageName: "DeletePrivateData",
  schemaName: "PrivateDataDeletion",
  shape: { accountAddress: ACCOUNT, salts: SALTS },
  answer: DeletionAnswer,
  errors: [],
  operation: ({ privateData, clock }: PrivateDataParts) => deletionOperation(privateData, clock),
  request: ({ accountAddress: account, salts }) => ({ account, salts }),
  answerOf: ({ deletedAt }, { account, salts }) => {
    const deleted: string[] = [];
    const kept: { name: string; why: string }[] = [];
    for (const { name, deletion } of OWNED_ROWS) {
      const isDeleted =
        deletion.kind === "deleted" || (deletion.kind === "with-salts" && salts === "delete");
      if (isDeleted) deleted.push(name);
      else if ("why" in deletion) kept.push({ name, why: deletion.why });
    }
    return { accountAddress: account, deletedAt, deleted, kept, published: PUBLISHED };
  },
});
