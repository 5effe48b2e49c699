// What other features and pages may use of this one.

export type { AgentEvent, BatchEventSink, EventName, EventSink, SentOnce } from "./events.ts";
export { EVENT_NAMES } from "./events.ts";
export type { ListedDelivery, WebhookRecord } from "./records.ts";
export { webhook } from "./tables.ts";
export type { WebhookEpochs, WebhookService } from "./webhooks.ts";
