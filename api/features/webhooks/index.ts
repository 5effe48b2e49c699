// What other features and pages may use of this one.

export type { SentOnce } from "./delivery.ts";
export type { AgentEvent, EventName, EventSink } from "./events.ts";
export { webhook } from "./tables.ts";
export type { WebhookEpochs } from "./webhooks.ts";
