import type { Access, AssertLive } from "../../kernel/access.ts";
import type { Platform } from "../../platform/build.ts";
import { createSmtpMailer } from "../../platform/mail/smtp.ts";
import { createAddressPolicy } from "../../platform/outbound/addresses.ts";
import { createOutboundHttp } from "../../platform/outbound/client.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createWebhookDelivery } from "./delivery.jobs.ts";
import { createEventSink } from "./event-sink.store.ts";
import type { EventName } from "./events.ts";
import { WEBHOOK_JOBS } from "./job-names.ts";
import { createMailConfirmations } from "./mail-confirmations.store.ts";
import { createWebhookSecrets } from "./secrets.ts";
import { createWebhookStore } from "./webhooks.store.ts";
import { createWebhookEpochs, createWebhookService } from "./webhooks.ts";

type Options = Pick<
  Platform,
  "config" | "db" | "jobs" | "secrets" | "metrics" | "links" | "clock"
> &
  Pick<SoulReads, "current"> & {
    readonly access: Access;
    readonly assertLive: AssertLive;
  };

/** Webhooks, and the sink that other features emit their events to. */
export function buildWebhooks(options: Options) {
  const { config, db, clock, current } = options;
  const mailer = config.smtp === undefined ? null : createSmtpMailer(config.smtp);
  const http = createOutboundHttp({
    policy: createAddressPolicy(config.outboundAllow, config.outboundLoopbackHttp),
  });
  const store = createWebhookStore(db);
  const shared = {
    store,
    queue: options.jobs,
    http,
    secrets: createWebhookSecrets(options.secrets),
    // An old index would send events of a sold agent to its seller.
    agents: current,
    mailer,
    clock,
  };
  const confirmations = createMailConfirmations({
    ...shared,
    db,
    secrets: options.secrets,
    links: options.links,
  });
  const deliveries = createWebhookDelivery({ ...shared, observe: options.metrics.delivery });
  return {
    events: createEventSink(shared),
    webhookEpochs: createWebhookEpochs(store, clock),
    webhooks: createWebhookService({
      ...shared,
      confirmations,
      access: options.access,
      assertLive: options.assertLive,
    }),
    mailConfirmations: confirmations,
    webhookJobs: { ...deliveries.handlers, [WEBHOOK_JOBS.confirmMail]: confirmations.mail },
    /** The client for addresses at which agents receive something. */
    receivers: http,
    /** Sends an event with private values, once and from memory. */
    sendOnce: deliveries.sendOnce,
    /** Whether a webhook of the agent receives this event. */
    isSubscribed: async (event: EventName, tokenId: bigint) => {
      const found = await store.rows.subscribers([{ event, tokenId, registrationId: null }]);
      return found.flat().some(({ enabled }) => enabled);
    },
    async close() {
      await http.close();
      mailer?.close();
    },
  };
}
