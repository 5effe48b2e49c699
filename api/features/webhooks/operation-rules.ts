import type { OperationTable } from "../../platform/http/operations.ts";
import { agentRead, agentWrite } from "../../platform/http/operations.ts";

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
} as const satisfies OperationTable;
