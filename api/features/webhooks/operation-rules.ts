import type { OperationTable } from "../../platform/http/operations.ts";
import { agentRead, agentWrite, unlistedPage } from "../../platform/http/operations.ts";

/** Rules of the operations of webhooks. */
export const operations = {
  createWebhook: { ...agentWrite, access: "any-key" },
  listWebhooks: agentRead,
  deleteWebhook: { ...agentWrite, bodyBytes: 0, idempotent: false },
  updateWebhook: { ...agentWrite, idempotent: false },
  rotateWebhook: agentWrite,
  testWebhook: agentWrite,
  listWebhookDeliveries: agentRead,
  recoverWebhook: agentWrite,
  resendWebhookDelivery: agentWrite,
  showMailConfirmationPage: unlistedPage,
  // The token in its path is the credential. The form has no fields.
  confirmMail: { ...unlistedPage, effect: "writes", rate: "write" },
} as const satisfies OperationTable;
