import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { ApiError } from "../../kernel/errors.ts";
import type { Content, ItemSigner, SignedItem } from "./ans104.ts";
import { dataHash, InvalidItemError, itemHeader, openItem } from "./ans104.ts";
import type { Gateway, GatewayAnswer } from "./gateways.ts";
import { firstThatHas } from "./gateways.ts";
import type { StorageItems } from "./items.store.ts";
import type { ItemFacts } from "./items.ts";
import type { StorageReads } from "./permanent.ts";
import type { ReadOrder } from "./settings.ts";

/**
 * The outcome of a read from one source. `unverifiable`: it may be right, but nothing proves it.
 * `altered`: it differs from the stored content.
 */
type ReadOutcome = "good" | "missing" | "altered" | "unverifiable" | "failed" | "repaired";

/** What items are read with. */
interface Sources {
  readonly items: Pick<StorageItems, "readAnnounced" | "factsOf" | "replace">;
  /** Rebuilds items of this service from their data; null without the key. */
  readonly signer: Pick<ItemSigner, "sign"> | null;
  readonly gateways: readonly Gateway[];
  /** The source that is read first. */
  readonly order: ReadOrder;
  /** Milliseconds after which the next gateway is queried in parallel (hedged read). */
  readonly patienceMs: number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly clock: () => Date;
  readonly log: Logger;
  /** @param source a gateway's host, or `copy` for the service's own. */
  readonly observe: (source: string, outcome: ReadOutcome) => void;
}

/** The largest item of this service, a batch's list, is smaller. */
const MAX_OWN_BYTES = 64 * 1024 * 1024;
/** Size limit of items that are not the service's own. */
const MAX_FOREIGN_BYTES = 4 * 1024 * 1024;
/** How long an item is cached as missing, in milliseconds. */
const MISSING_KEPT_MS = 30_000;
const MISSING_REMEMBERED = 10_000;

/** Checked content; the whole item where it could be put together. */
interface Found {
  readonly content: Content;
  readonly item: SignedItem | null;
}

/** Facts about an item that come from no gateway. */
interface Known {
  readonly facts: ItemFacts | null;
  /** The service's altered copy; its header may be intact. */
  readonly damaged: Buffer | null;
}

const UNKNOWN: Known = { facts: null, damaged: null };

/**
 * Reads items from the service's own copies and from gateways. Everything returned was verified: a
 * whole item by its signature, data alone by the hash that was stored with the item. Data of other
 * services without its item is not returned.
 */
export function createReader(sources: Sources): StorageReads {
  const { gateways, order, clock } = sources;
  const missing = new LRUCache<string, number>({ max: MISSING_REMEMBERED });
  const underWay = new Map<string, Promise<Found | null>>();

  /** As `fromGateways`, with a cache of missing ids: any caller can choose ids. */
  async function unlessMissing(id: string, known: Known): Promise<Found | null> {
    const now = clock().getTime();
    if ((missing.get(id) ?? 0) > now) return null;
    const found = await fromGateways(sources, id, known);
    if (found === null) missing.set(id, now + MISSING_KEPT_MS);
    return found;
  }

  async function findAnew(id: string): Promise<Found | null> {
    if (gateways.length === 0) return fromCopy(sources, id);
    if (order === "copy") return (await fromCopy(sources, id)) ?? unlessMissing(id, UNKNOWN);
    const facts = await sources.items.factsOf(id);
    let outage: unknown;
    const found = await unlessMissing(id, { facts, damaged: null }).catch((error: unknown) => {
      outage = error;
      return null;
    });
    const own = found ?? (await fromCopy(sources, id));
    if (own === null && outage !== undefined) throw outage;
    return own;
  }

  /** Concurrent callers share one read. */
  function find(id: string): Promise<Found | null> {
    const running = underWay.get(id);
    if (running) return running;
    const finding = findAnew(id).finally(() => underWay.delete(id));
    underWay.set(id, finding);
    return finding;
  }

  return {
    read: async (id) => (await find(id))?.content ?? null,

    async readItem(id) {
      const found = await find(id);
      if (found === null || found.item !== null) return found?.item?.bytes ?? null;
      // A gateway has the data, but the service no longer has the key that signed it: only its own
      // copy can be complete.
      const own = await fromCopy(sources, id);
      if (own?.item) return own.item.bytes;
      throw new InvalidItemError(`Of the item ${id} only the data is left.`);
    },
  };
}

/** @throws InvalidItemError when the copy was altered, and no gateway has the intact item. */
async function fromCopy(sources: Sources, id: string): Promise<Found | null> {
  const { items, log, observe } = sources;
  const copy = await items.readAnnounced(id);
  if (copy === null) return null;
  try {
    const content = await openItem(copy);
    observe("copy", "good");
    return { content, item: copy };
  } catch (error) {
    if (!(error instanceof InvalidItemError)) throw error;
    observe("copy", "altered");
    log.error({ id }, "the service's copy of an item was altered; gateways are asked for it");
    const known = { facts: await items.factsOf(id), damaged: copy.bytes };
    const found = await fromGateways(sources, id, known).catch(() => null);
    if (found === null) throw error;
    if (found.item !== null) {
      await items.replace(found.item, found.content);
      observe("copy", "repaired");
      log.warn({ id }, "the altered copy of an item was replaced by a good one");
    }
    return found;
  }
}

/** @throws ApiError STORAGE_UNAVAILABLE when a gateway that may have it does not answer. */
async function fromGateways(sources: Sources, id: string, known: Known): Promise<Found | null> {
  let outage: unknown;
  const found = await firstThatHas(
    sources.gateways,
    async (gateway, signal) => {
      try {
        return await fromGateway(sources, gateway, id, known, signal);
      } catch (error) {
        if (signal.aborted) return null;
        outage = error;
        sources.observe(gateway.name, "failed");
        sources.log.warn({ err: error, id, gateway: gateway.name }, "a gateway failed");
        return null;
      }
    },
    (signal) => sources.pause(sources.patienceMs, signal),
  );
  if (found === null && outage !== undefined) {
    throw new ApiError("STORAGE_UNAVAILABLE", { cause: outage });
  }
  return found;
}

async function fromGateway(
  { signer, log, observe }: Sources,
  gateway: Gateway,
  id: string,
  known: Known,
  signal: AbortSignal,
): Promise<Found | null> {
  const { facts, damaged } = known;
  const isOurs = facts !== null || damaged !== null;
  const limits = { maxBytes: isOurs ? MAX_OWN_BYTES : MAX_FOREIGN_BYTES, signal };
  const answer = await gateway.read(id, limits);
  if (answer === null) {
    observe(gateway.name, "missing");
    return null;
  }
  const found =
    (await asItem(id, answer.bytes)) ??
    (await asData(signer, id, answer.bytes, known)) ??
    // For an item of this service, data that differs from the stored hash was altered.
    (facts === null ? await fromBundle(gateway, id, answer, limits) : null);
  if (found !== null) {
    observe(gateway.name, "good");
  } else if (facts === null) {
    observe(gateway.name, "unverifiable");
  } else {
    observe(gateway.name, "altered");
    log.error({ id, gateway: gateway.name }, "a gateway serves altered content; it is not shown");
  }
  return found;
}

/**
 * Data without its item. It is valid if it has the stored hash, or if this service's signature
 * over it has the id.
 */
async function asData(
  signer: Sources["signer"],
  id: string,
  data: Buffer,
  { facts, damaged }: Known,
): Promise<Found | null> {
  if (facts !== null && !dataHash(data).equals(facts.dataHash)) return null;
  const content = facts && { data, contentType: facts.contentType };
  const signed = content && (await signer?.sign(content));
  const item = signed?.id === id ? signed : damaged && (await withHeader(id, damaged, data));
  if (item) return { content: await openItem(item), item };
  return content && { content, item: null };
}

async function asItem(id: string, bytes: Buffer): Promise<Found | null> {
  const item = { id, bytes };
  try {
    return { content: await openItem(item), item };
  } catch {
    return null;
  }
}

async function withHeader(id: string, damaged: Buffer, data: Buffer): Promise<SignedItem | null> {
  const header = itemHeader(damaged);
  if (header === null) return null;
  return (await asItem(id, Buffer.concat([header, data])))?.item ?? null;
}

/** Cuts an item of another service out of its bundle, if the gateway names its range. */
async function fromBundle(
  gateway: Gateway,
  id: string,
  { range }: GatewayAnswer,
  limits: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Found | null> {
  if (range === null || range.length > limits.maxBytes) return null;
  return asItem(id, await gateway.readRange(range, limits));
}
