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
import { type EventName, TEST_EVENT, UNSTORED_EVENT } from "./events.ts";
import { NO_FAILURES } from "./failures.ts";
import { sendDelivery } from "./job-names.ts";
import type {
  AddedWebhook,
  DeliveryPosition,
  DeliveryState,
  EventRecord,
  ListedDelivery,
  NewDelivery,
  OpenDelivery,
  QueuedDelivery,
  RevivedDeliveries,
  UndeliveredRange,
  WebhookChanges,
  WebhookRecord,
  WebhookSubject,
} from "./records.ts";
import { EVENTS_KEPT_MS, newDelivery } from "./records.ts";
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

/** What these operations ask of the database. */
interface SubscriptionRows {
  lockSubject(subject: WebhookSubject): Promise<void>;
  listWebhooks(subject: WebhookSubject): Promise<readonly WebhookRecord[]>;
  insertWebhook(webhook: WebhookSubject & AddedWebhook): Promise<void>;
  findWebhook(id: string): Promise<WebhookRecord | null>;
  lockWebhooks(ids: readonly string[]): Promise<readonly WebhookRecord[]>;
  updateWebhook(id: string, changes: WebhookChanges): Promise<void>;
  deleteWebhook(id: string): Promise<void>;
  insertEvents(events: readonly EventRecord[]): Promise<ReadonlySet<string>>;
  insertDeliveries(deliveries: readonly NewDelivery[]): Promise<void>;
  findDeliveries(ids: readonly string[]): Promise<readonly OpenDelivery[]>;
  listDeliveries(
    webhookId: string,
    page: CursorPage<DeliveryPosition>,
  ): Promise<PageOf<ListedDelivery, DeliveryPosition>>;
  revive(which: RevivedDeliveries, at: Date): Promise<readonly QueuedDelivery[]>;
  countUndelivered(range: UndeliveredRange): Promise<number>;
}

interface Subscribing {
  readonly store: {
    readonly rows: SubscriptionRows;
    transaction<T>(work: (tx: Transaction, rows: SubscriptionRows) => Promise<T>): Promise<T>;
  };
  readonly queue: Pick<JobQueue, "send">;
  readonly http: Pick<OutboundHttp, "assertPublicUrl">;
  readonly secrets: WebhookSecrets;
  readonly confirmations: {
    ask(
      tx: Transaction,
      asked: { readonly webhookId: string; readonly address: string; readonly subject: string },
    ): Promise<void>;
  };
  readonly access: Pick<Access, "authorise">;
  readonly assertLive: AssertLive;
  readonly agents: IndexedAgents;
  readonly clock: () => Date;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

/** Callers' operations on webhooks. Webhooks of other callers do not exist for them. */
export function createWebhookService(subscribing: Subscribing) {
  const permitted = permissions(subscribing);
  return {
    ...registrations(subscribing, permitted),
    ...changes(subscribing, permitted),
    ...deliveries(subscribing, permitted),
  };
}

type Permissions = ReturnType<typeof permissions>;

/** What callers may do with which webhooks. */
function permissions({ store, access, agents }: Subscribing) {
  return { subjectOf, list, find };

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

  async function list(
    caller: Caller,
    requestedTokenId: bigint | null,
  ): Promise<readonly WebhookRecord[]> {
    if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
    if (caller.kind === "provisional") throw new ApiError("FULL_KEY_REQUIRED");
    const tokenId = requestedTokenId ?? (caller.kind === "full" ? caller.tokenId : null);
    if (tokenId === null) throw missingTokenId();
    await access.authorise(caller, { tokenId, rule: "agent", effect: readEffect(caller, "reads") });
    const { epoch } = await currentSoul(tokenId);
    return store.rows.listWebhooks({ tokenId, epoch });
  }

  /** The webhook, when the caller is authorized for this action. */
  async function find(caller: Caller, id: string, effect: "reads" | "writes") {
    if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
    if (caller.kind === "provisional") throw new ApiError("FULL_KEY_REQUIRED");
    const webhook = await store.rows.findWebhook(id);
    if (webhook === null) throw noSuchWebhook();
    const { tokenId, epoch } = webhook;
    if (tokenId === null || epoch === null) throw noSuchWebhook();
    try {
      const needed = readEffect(caller, effect);
      await access.authorise(caller, { tokenId, rule: "agent", effect: needed });
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
}

/** Webhooks begin and end. */
function registrations(subscribing: Subscribing, { subjectOf, list, find }: Permissions) {
  const { store, http, secrets } = subscribing;
  return {
    list,

    /**
     * @param operationKey identifies the request: repeated after a crash, it creates the same webhook
     * with the same secret.
     * @param credential the caller's: when it has ended by the time the webhook is stored, nothing is.
     */
    async create(
      caller: Caller,
      { tokenId, url, events, notifyEmail }: NewWebhook,
      operationKey: string,
      credential: Credential,
    ): Promise<ShownSecret> {
      const subject = await subjectOf(caller, tokenId);
      const checkedUrl = await http.assertPublicUrl(url).catch(refuseUrl);
      const { secret, hash, master } = secrets.create(operationKey, 1);
      const added = {
        id: operationKey,
        url: checkedUrl,
        events: [...new Set(events)],
        notifyEmail,
        enabled: true,
        secretVersion: 1,
        secretMaster: master,
        secretHash: hash,
      };
      await store.transaction((tx, own) => add(subscribing, tx, own, subject, added, credential));
      return { webhookId: operationKey, secret };
    },

    /** Deletes a webhook whose creator's credential ended while it was created. */
    takeBack: (id: string) => store.rows.deleteWebhook(id),

    async remove(caller: Caller, id: string): Promise<void> {
      await find(caller, id, "writes");
      await store.rows.deleteWebhook(id);
    },
  };
}

type OwnedSubject = Awaited<ReturnType<Permissions["subjectOf"]>>;

/** Adds a webhook, unless a process did before it crashed. */
async function add(
  { assertLive, confirmations, clock }: Subscribing,
  tx: Transaction,
  own: SubscriptionRows,
  subject: OwnedSubject,
  added: Omit<AddedWebhook, "owner" | "mailConfirmedAt" | "createdAt">,
  credential: Credential,
): Promise<void> {
  // An emergency stop holds the same lock until its end is stored.
  await own.lockSubject(subject);
  await assertLive(tx, credential);
  const existing = await own.listWebhooks(subject);
  if (existing.some(({ id }) => id === added.id)) return;
  const limit = "tokenId" in subject ? MAX_WEBHOOKS.agent : MAX_WEBHOOKS.registration;
  if (existing.length >= limit) {
    throw new ApiError("FORBIDDEN", {
      message: `There are ${limit} webhooks already: delete one first.`,
      details: { limit },
    });
  }
  const { id: webhookId, notifyEmail: address } = added;
  const sameAddress = existing.find(
    (other) => other.notifyEmail === address && other.mailConfirmedAt !== null,
  );
  const mailConfirmedAt = sameAddress?.mailConfirmedAt ?? null;
  await own.insertWebhook({ ...subject, ...added, mailConfirmedAt, createdAt: clock() });
  if (address === null || mailConfirmedAt !== null) return;
  await confirmations.ask(tx, { webhookId, address, subject: nameOf(subject) });
}

/** Webhooks are enabled and disabled, and get new secrets. */
function changes({ store, queue, secrets, clock }: Subscribing, { find }: Permissions) {
  return {
    /**
     * Enabling sends the deliveries that were pending when it was disabled, not events since then:
     * `recover` does.
     */
    async setEnabled(
      caller: Caller,
      id: string,
      state: "enabled" | "disabled",
    ): Promise<WebhookRecord> {
      const webhook = await find(caller, id, "writes");
      const at = clock();
      if (state === "disabled") {
        if (webhook.enabled) {
          const disabled = { enabled: false, disabledReason: "owner", disabledAt: at } as const;
          await store.rows.updateWebhook(id, disabled);
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
      return (await store.rows.findWebhook(id)) ?? webhook;
    },

    /** @param graceSeconds how long deliveries are also signed with the previous secret. */
    async rotate(
      caller: Caller,
      id: string,
      graceSeconds: number,
      operationKey: string,
    ): Promise<ShownSecret & { readonly previousValidUntil: Date | null }> {
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
  };
}

/** What webhooks were sent, and are sent on request. */
function deliveries({ store, queue, clock }: Subscribing, { find }: Permissions) {
  return {
    /** Sends one test event. Resolves to its delivery's id. */
    async test(caller: Caller, id: string, operationKey: string): Promise<string> {
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

    async deliveries(caller: Caller, id: string, page: CursorPage<DeliveryPosition>) {
      await find(caller, id, "reads");
      return store.rows.listDeliveries(id, page);
    },

    /**
     * Sends the undelivered events of a range of time, at most `MAX_RECOVERED` events, the oldest
     * first. Each goes under the id of its delivery and with a new budget of tries. Repeated or
     * parallel calls send nothing twice.
     *
     * @param until exclusive; null for now.
     */
    async recover(
      caller: Caller,
      id: string,
      { since, until }: { readonly since: Date; readonly until: Date | null },
    ): Promise<Recovered> {
      await find(caller, id, "writes");
      const at = clock();
      const range = { webhookId: id, since, until: until ?? new Date(at.getTime() + 1) };
      checkRange(range.since, range.until, at);
      return store.transaction(async (tx, own) => {
        const [webhook] = await own.lockWebhooks([id]);
        if (webhook === undefined) throw noSuchWebhook();
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

    /** Sends a delivery again, under its id and with a new budget of tries. */
    async resend(caller: Caller, id: string, deliveryId: string): Promise<DeliveryState> {
      await find(caller, id, "writes");
      const [open] = await store.rows.findDeliveries([deliveryId]);
      if (open?.webhook.id !== id) throw new ApiError("NOT_FOUND");
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

interface OwnershipRows {
  lockSubject(subject: WebhookSubject): Promise<void>;
  adopt(registrationId: string, tokenId: bigint, epoch: number, owner: string): Promise<void>;
  end(tokenId: bigint, epoch: number, at: Date): Promise<number>;
  endUnclaimed(registrationId: string, at: Date): Promise<number>;
}

export type WebhookEpochs = ReturnType<typeof createWebhookEpochs>;

interface Epoch {
  readonly tokenId: bigint;
  readonly epoch: number;
}

/**
 * Changes to webhooks by the features that claim, reseal and stop agents, within their own transactions.
 */
export function createWebhookEpochs(
  store: { within(tx: Transaction): OwnershipRows },
  clock: () => Date,
) {
  return {
    /** Webhooks registered with a provisional key are the agent's from its claim on. */
    claimed: (
      tx: Transaction,
      claim: Epoch & { readonly registrationId: string; readonly owner: string },
    ): Promise<void> =>
      store.within(tx).adopt(claim.registrationId, claim.tokenId, claim.epoch, claim.owner),

    /** Ends webhooks of earlier epochs. Emit `soul.resealed` first: they are notified of it. */
    async resealed(tx: Transaction, { tokenId, epoch }: Epoch): Promise<void> {
      await store.within(tx).end(tokenId, epoch, clock());
    },

    /**
     * Ends every webhook of the agent, also of the present epoch, and those of its registration while
     * the claim is unfinished. Resolves to how many.
     *
     * @param stop its `registrationId` is null unless a claim of the agent is being finished.
     */
    async stopped(
      tx: Transaction,
      stop: Epoch & { readonly registrationId: string | null; readonly at: Date },
    ): Promise<number> {
      const { tokenId, epoch, registrationId, at } = stop;
      const own = store.within(tx);
      // A webhook that is being added is seen afterwards, or is added afterwards and then refused.
      await own.lockSubject({ tokenId, epoch });
      const ended = await own.end(tokenId, epoch + 1, at);
      if (registrationId === null) return ended;
      await own.lockSubject({ registrationId });
      return ended + (await own.endUnclaimed(registrationId, at));
    },
  };
}
