import type { Access, AssertLive, Credential } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { CursorPage, PageOf } from "../../kernel/list-pages.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import { OutboundError } from "../../platform/outbound/ports.ts";
import type { IndexedAgents } from "../../soul/index-reads.ts";
import { byTokenId } from "../../soul/soul-ref.ts";
import { newDelivery, UNSTORED_EVENT } from "./event-sink.ts";
import type { EventName } from "./events.ts";
import { NO_FAILURES } from "./failures.ts";
import { sendDelivery } from "./job-names.ts";
import type { MailConfirmations } from "./mail/confirmations.ts";
import type {
  DeliveryPosition,
  DeliveryState,
  ListedDelivery,
  WebhookRecord,
  WebhookStore,
  WebhookSubject,
} from "./ports.ts";
import { EVENTS_KEPT_MS, TEST_EVENT } from "./ports.ts";
import type { WebhookSecrets } from "./secrets.ts";

/** Webhooks of one agent, and of one unclaimed registration. */
const MAX_WEBHOOKS = { agent: 20, registration: 5 } as const;

export interface NewWebhook {
  /** Null or absent: the agent of the caller's key; none before the claim. */
  readonly tokenId: bigint | null;
  readonly url: string;
  readonly events: readonly EventName[];
  /** Notified when it fails, once its holder has confirmed it; null for no mail. */
  readonly notifyEmail: string | null;
}

/** The most events that one call recovers. */
export const MAX_RECOVERED = 100;

/** The size of a recovery. */
export interface Recovered {
  readonly enqueued: number;
  /** Events of the range that are neither delivered nor enqueued yet: call again. */
  readonly remaining: number;
}

/** A secret, shown only once. */
export interface ShownSecret {
  readonly webhookId: string;
  readonly secret: string;
}

export interface WebhooksOptions {
  readonly store: WebhookStore;
  readonly queue: Pick<JobQueue, "send">;
  readonly http: Pick<OutboundHttp, "assertPublicUrl">;
  readonly secrets: WebhookSecrets;
  readonly confirmations: Pick<MailConfirmations, "ask">;
  readonly access: Pick<Access, "authorise">;
  readonly assertLive: AssertLive;
  readonly agents: IndexedAgents;
  readonly clock: () => Date;
}

/** Callers' operations on webhooks. Webhooks of other callers do not exist for them. */
export interface WebhookService {
  /**
   * @param operationKey identifies the request: repeated after a crash, it creates the same webhook
   * with the same secret.
   * @param credential the caller's: when it has ended by the time the webhook is stored, nothing is.
   */
  create(
    caller: Caller,
    webhook: NewWebhook,
    operationKey: string,
    credential: Credential,
  ): Promise<ShownSecret>;
  /** Deletes a webhook whose creator's credential ended while it was created. */
  takeBack(id: string): Promise<void>;
  list(caller: Caller, tokenId: bigint | null): Promise<readonly WebhookRecord[]>;
  remove(caller: Caller, id: string): Promise<void>;
  /**
   * Enabling sends the deliveries that were pending when it was disabled, not events since then:
   * {@link recover} does.
   */
  setEnabled(caller: Caller, id: string, state: "enabled" | "disabled"): Promise<WebhookRecord>;
  /** @param graceSeconds how long deliveries are also signed with the previous secret. */
  rotate(
    caller: Caller,
    id: string,
    graceSeconds: number,
    operationKey: string,
  ): Promise<ShownSecret & { readonly previousValidUntil: Date | null }>;
  /** Sends one test event. Resolves to its delivery's id. */
  test(caller: Caller, id: string, operationKey: string): Promise<string>;
  deliveries(
    caller: Caller,
    id: string,
    page: CursorPage<DeliveryPosition>,
  ): Promise<PageOf<ListedDelivery, DeliveryPosition>>;
  /**
   * Sends the undelivered events of a range of time, at most `MAX_RECOVERED` events, the oldest
   * first. Each goes under the id of its delivery and with a new budget of tries. Repeated or
   * parallel calls send nothing twice.
   *
   * @param until exclusive; null for now.
   */
  recover(
    caller: Caller,
    id: string,
    range: { readonly since: Date; readonly until: Date | null },
  ): Promise<Recovered>;
  /** Sends a delivery again, under its id and with a new budget of tries. */
  resend(caller: Caller, id: string, deliveryId: string): Promise<DeliveryState>;
}

export function createWebhookService(options: WebhooksOptions): WebhookService {
  const { store, queue, http, secrets, confirmations, access, assertLive, agents, clock } = options;
  const { rows } = store;

  async function subjectOf(
    caller: Caller,
    requestedTokenId: bigint | null,
  ): Promise<WebhookSubject & { readonly owner: string | null }> {
    if (caller.kind === "provisional") {
      if (requestedTokenId !== null) {
        throw new ApiError("FULL_KEY_REQUIRED", {
          message: "A registration has no token id before its claim: leave tokenId out.",
        });
      }
      return { registrationId: caller.registrationId, owner: null };
    }
    const tokenId = requestedTokenId ?? (caller.kind === "full" ? caller.tokenId : null);
    if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
    if (tokenId === null) throw missingTokenId();
    await access.authorise(caller, { tokenId, rule: "agent", effect: "writes" });
    const { epoch, sealer } = await currentSoul(tokenId);
    return { tokenId, epoch, owner: sealer.toLowerCase() };
  }

  async function currentSoul(tokenId: bigint): Promise<{ epoch: number; sealer: string }> {
    const { value: agent } = await agents.agent(byTokenId(tokenId));
    // The caller may act for it, so it exists.
    if (agent === null) throw new ApiError("REGISTRY_PENDING");
    if (agent.soul.status === "BURNED") throw new ApiError("BURNED");
    return { epoch: agent.soul.epoch, sealer: agent.soul.sealer };
  }

  /** The webhook, when the caller is authorized for this action. */
  async function find(caller: Caller, id: string, effect: "reads" | "writes") {
    if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
    if (caller.kind === "provisional") throw new ApiError("FULL_KEY_REQUIRED");
    const webhook = await rows.findWebhook(id);
    if (webhook === null) throw noSuchWebhook();
    const { tokenId, epoch } = webhook;
    if (tokenId === null || epoch === null) throw noSuchWebhook();
    try {
      await access.authorise(caller, {
        tokenId,
        rule: "agent",
        effect: readEffect(caller, effect),
      });
    } catch (error) {
      const foreign = ["FORBIDDEN", "NOT_FOUND"];
      if (error instanceof ApiError && foreign.includes(error.type)) throw noSuchWebhook();
      throw error;
    }
    // Only now: of a burned agent, the caller learns that it is burned.
    if (webhook.endedAt !== null) throw noSuchWebhook();
    // A reseal ended it on chain, and the index has not recorded that yet.
    if ((await currentSoul(tokenId)).epoch !== epoch) throw noSuchWebhook();
    return webhook;
  }

  return {
    async create(caller, { tokenId, url, events, notifyEmail }, operationKey, credential) {
      const subject = await subjectOf(caller, tokenId);
      const checkedUrl = await http.assertPublicUrl(url).catch(refuseUrl);
      const { secret, hash, master } = secrets.create(operationKey, 1);
      await store.transaction(async (tx, own) => {
        // An emergency stop holds the same lock until its end is stored.
        await own.lockSubject(subject);
        await assertLive(tx, credential);
        const existing = await own.listWebhooks(subject);
        if (existing.some(({ id }) => id === operationKey)) return;
        const limit = "tokenId" in subject ? MAX_WEBHOOKS.agent : MAX_WEBHOOKS.registration;
        if (existing.length >= limit) {
          throw new ApiError("FORBIDDEN", {
            message: `There are ${limit} webhooks already: delete one first.`,
            details: { limit },
          });
        }
        const sameAddress = existing.find(
          (other) => other.notifyEmail === notifyEmail && other.mailConfirmedAt !== null,
        );
        const mailConfirmedAt = sameAddress?.mailConfirmedAt ?? null;
        await own.insertWebhook({
          id: operationKey,
          tokenId: "tokenId" in subject ? subject.tokenId : null,
          registrationId: "tokenId" in subject ? null : subject.registrationId,
          epoch: "tokenId" in subject ? subject.epoch : null,
          owner: subject.owner,
          url: checkedUrl,
          events: [...new Set(events)],
          notifyEmail,
          mailConfirmedAt,
          enabled: true,
          disabledReason: null,
          disabledAt: null,
          endedAt: null,
          ...NO_FAILURES,
          mailedAt: null,
          warnedAt: null,
          secretVersion: 1,
          secretMaster: master,
          secretHash: hash,
          previousMaster: null,
          previousUntil: null,
          rotation: null,
          createdAt: clock(),
        });
        if (notifyEmail === null || mailConfirmedAt !== null) return;
        const asked = { webhookId: operationKey, address: notifyEmail, subject: nameOf(subject) };
        await confirmations.ask(tx, own, asked);
      });
      return { webhookId: operationKey, secret };
    },

    async takeBack(id) {
      await rows.deleteWebhook(id);
    },

    async list(caller, requestedTokenId) {
      if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
      if (caller.kind === "provisional") throw new ApiError("FULL_KEY_REQUIRED");
      const tokenId = requestedTokenId ?? (caller.kind === "full" ? caller.tokenId : null);
      if (tokenId === null) throw missingTokenId();
      await access.authorise(caller, {
        tokenId,
        rule: "agent",
        effect: readEffect(caller, "reads"),
      });
      const { epoch } = await currentSoul(tokenId);
      return rows.listWebhooks({ tokenId, epoch });
    },

    async remove(caller, id) {
      await find(caller, id, "writes");
      await rows.deleteWebhook(id);
    },

    async setEnabled(caller, id, state) {
      const webhook = await find(caller, id, "writes");
      const at = clock();
      if (state === "disabled") {
        if (webhook.enabled) {
          await rows.updateWebhook(id, {
            enabled: false,
            disabledReason: "owner",
            disabledAt: at,
          });
        }
      } else {
        await store.transaction(async (tx, own) => {
          const enabled = { enabled: true, disabledReason: null, disabledAt: null };
          await own.updateWebhook(id, { ...enabled, ...NO_FAILURES });
          for (const revived of await own.revive({ pausedOfWebhook: id }, at)) {
            await sendDelivery(queue, tx, revived);
          }
        });
      }
      return (await rows.findWebhook(id)) ?? webhook;
    },

    async rotate(caller, id, graceSeconds, operationKey) {
      await find(caller, id, "writes");
      const at = clock();
      return store.transaction(async (_tx, own) => {
        await own.lockSubject({ registrationId: id });
        const webhook = await own.findWebhook(id);
        if (webhook === null) throw noSuchWebhook();
        if (webhook.rotation === operationKey) {
          const { current } = secrets.signingWith(webhook, at);
          return { webhookId: id, secret: current, previousValidUntil: webhook.previousUntil };
        }
        const version = webhook.secretVersion + 1;
        const { secret, hash, master } = secrets.create(id, version);
        const previousUntil =
          graceSeconds === 0 ? null : new Date(at.getTime() + graceSeconds * 1000);
        await own.updateWebhook(id, {
          secretVersion: version,
          secretMaster: master,
          secretHash: hash,
          previousMaster: previousUntil === null ? null : webhook.secretMaster,
          previousUntil,
          rotation: operationKey,
        });
        return { webhookId: id, secret, previousValidUntil: previousUntil };
      });
    },

    async test(caller, id, operationKey) {
      await find(caller, id, "writes");
      const at = clock();
      await store.transaction(async (tx, own) => {
        const event = {
          id: operationKey,
          key: `${TEST_EVENT} ${id} ${operationKey}`,
          event: TEST_EVENT,
          data: { webhookId: id },
          occurredAt: at,
        } as const;
        if (!(await own.insertEvents([event])).has(event.id)) return;
        const delivery = { ...newDelivery(id, at), id: operationKey };
        await own.insertDeliveries([{ ...delivery, eventId: event.id }]);
        await sendDelivery(queue, tx, delivery);
      });
      return operationKey;
    },

    async deliveries(caller, id, page) {
      await find(caller, id, "reads");
      return rows.listDeliveries(id, page);
    },

    async recover(caller, id, { since, until }) {
      await find(caller, id, "writes");
      const at = clock();
      const range = { webhookId: id, since, until: until ?? new Date(at.getTime() + 1) };
      checkRange(range.since, range.until, at);
      return store.transaction(async (tx, own) => {
        const webhook = await own.lockWebhook(id);
        if (webhook === null) throw noSuchWebhook();
        if (!webhook.enabled) {
          throw new ApiError("INVALID_REQUEST", {
            message: `This webhook is disabled. Enable it with PATCH /v1/webhooks/${id} and {"enabled": true}, then recover.`,
          });
        }
        const revived = await own.revive({ undelivered: range, limit: MAX_RECOVERED }, at);
        for (const delivery of revived) await sendDelivery(queue, tx, delivery);
        return { enqueued: revived.length, remaining: await own.countUndelivered(range) };
      });
    },

    async resend(caller, id, deliveryId) {
      await find(caller, id, "writes");
      const open = await rows.findDelivery(deliveryId);
      if (open === null || open.webhook.id !== id) throw new ApiError("NOT_FOUND");
      if (open.event.event === UNSTORED_EVENT) {
        throw new ApiError("GONE", {
          message: "It held private values, which are not stored. The owner must send them again.",
        });
      }
      await store.transaction(async (tx, own) => {
        for (const revived of await own.revive({ deliveryId }, clock())) {
          await sendDelivery(queue, tx, revived);
        }
      });
      return "pending";
    },
  };
}

const nameOf = (subject: WebhookSubject): string =>
  "tokenId" in subject ? `agent:${subject.tokenId}` : `registration:${subject.registrationId}`;

/**
 * A key limited to reads still reads. The buyer of a passport must not read where the seller's
 * events go: a session reads only what it may change.
 */
function readEffect(caller: Caller, effect: "reads" | "writes"): "reads" | "writes" {
  return caller.kind === "session" ? "writes" : effect;
}

function refuseUrl(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error;
  throw new ApiError("INVALID_REQUEST", {
    details: { issues: [{ path: "url", message: error.message }], reason: error.reason },
  });
}

/** @throws ApiError when the range is empty, or begins before the oldest stored event. */
function checkRange(since: Date, until: Date, at: Date): void {
  const earliest = new Date(at.getTime() - EVENTS_KEPT_MS);
  const refuse = (path: string, message: string) => badRequest(path, message);
  if (since < earliest) {
    throw refuse("since", `Events are stored for 30 days: use ${earliest.toISOString()} or later.`);
  }
  if (since > at) throw refuse("since", "It is in the future.");
  if (until <= since) throw refuse("until", "It must be after since.");
}

function missingTokenId(): ApiError {
  return badRequest("tokenId", "tokenId is required with a session token.");
}

function noSuchWebhook(): ApiError {
  return new ApiError("NOT_FOUND", { message: "There is no webhook with this id." });
}

/**
 * Changes to webhooks by the features that claim, reseal and stop agents, within their own transactions.
 */
export interface WebhookEpochs {
  /** Webhooks registered with a provisional key are the agent's from its claim on. */
  claimed(
    transaction: Transaction,
    claim: {
      readonly registrationId: string;
      readonly tokenId: bigint;
      readonly epoch: number;
      readonly owner: string;
    },
  ): Promise<void>;
  /** Ends webhooks of earlier epochs. Emit `soul.resealed` first: they are notified of it. */
  resealed(
    transaction: Transaction,
    reseal: { readonly tokenId: bigint; readonly epoch: number },
  ): Promise<void>;
  /**
   * Ends every webhook of the agent, also of the present epoch, and those of its registration while
   * the claim is unfinished. Resolves to how many.
   */
  stopped(
    transaction: Transaction,
    stop: {
      readonly tokenId: bigint;
      readonly epoch: number;
      /** Null unless a claim of the agent is being finished. */
      readonly registrationId: string | null;
      readonly at: Date;
    },
  ): Promise<number>;
}

export function createWebhookEpochs(store: WebhookStore, clock: () => Date): WebhookEpochs {
  return {
    claimed: (transaction, { registrationId, tokenId, epoch, owner }) =>
      store.within(transaction).adopt(registrationId, tokenId, epoch, owner),
    async resealed(transaction, { tokenId, epoch }) {
      await store.within(transaction).end(tokenId, epoch, clock());
    },
    async stopped(transaction, { tokenId, epoch, registrationId, at }) {
      const own = store.within(transaction);
      // A webhook that is being added is seen afterwards, or is added afterwards and then refused.
      await own.lockSubject({ tokenId, epoch });
      const ended = await own.end(tokenId, epoch + 1, at);
      if (registrationId === null) return ended;
      await own.lockSubject({ registrationId });
      return ended + (await own.endUnclaimed(registrationId, at));
    },
  };
}
