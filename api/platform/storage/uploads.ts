import type { Logger } from "pino";
import type { SignedItem } from "./ans104.ts";
import { openItem } from "./ans104.ts";
import type { Bundler } from "./bundler.ts";
import { UploadError } from "./bundler.ts";
import { transferMs } from "./http.ts";
import type { StorageItems } from "./items.store.ts";
import type { UploadFailure } from "./items.ts";

/** The outcome of one upload attempt. */
export type UploadOutcome = "acknowledged" | UploadFailure;

/** What uploads are made with. */
interface UploadContext {
  readonly items: StorageItems;
  readonly bundler: Bundler;
  readonly log: Logger;
  readonly observe: (outcome: UploadOutcome) => void;
  /** Resolves after `ms`; rejects when the signal ends the wait. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Time limit of `store` in milliseconds, plus the time for a large item's bytes. */
  readonly patienceMs: number;
  readonly clock: () => Date;
}

export type BundlerStorage = ReturnType<typeof createBundlerStorage>;

/** Pauses between the attempts of one `store`. */
const PAUSES_MS = [250, 1_500];
/** Longest pause that a bundler may request before a waiting caller gets STORAGE_UNAVAILABLE. */
const MAX_PAUSE_MS = 5_000;
/** Most uploads of one round, so that a long outage does not block the process. */
const PER_ROUND = 50;
/** Items that were never sent or requested again are deleted after this time. */
const NEVER_SENT_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Transient errors. The others need an operator, or would fail again. */
const PASSING: ReadonlySet<UploadFailure> = new Set(["throttled", "unreachable", "unavailable"]);
/** Errors that affect every upload. */
const FOR_OPERATORS: ReadonlySet<UploadFailure> = new Set([
  "out_of_balance",
  "refused",
  "wrong_answer",
]);

/**
 * Stores items by uploading them to a bundler. Each item is first stored here, and counts as stored
 * when the bundler has acknowledged it; only then its id is announced. An item always has the same
 * id, so a repeated upload has no effect.
 */
export function createBundlerStorage(context: UploadContext) {
  const { items } = context;
  return {
    name: "bundler",

    async store(item: SignedItem): Promise<void> {
      const content = await openItem(item);
      if ((await items.keepForUpload(item, content)) === "acknowledged") return;
      await upload(context, item);
    },

    read: items.readAnnounced,

    /**
     * One round of work on uploads with an unknown result, and on items that exist only here.
     *
     * @returns how many uploads were acknowledged.
     */
    async settle(signal: AbortSignal): Promise<number> {
      let acknowledged = 0;
      const ids = [
        ...(await items.claimUnsettled(PER_ROUND)),
        ...(await items.claimOnlyHere(PER_ROUND)),
      ];
      for (const id of ids) {
        signal.throwIfAborted();
        if (await inBackground(context, id, signal)) acknowledged += 1;
      }
      await items.forgetNeverSent(new Date(context.clock().getTime() - NEVER_SENT_KEPT_MS));
      return acknowledged;
    },

    /** Uploads an acknowledged item again that no gateway serves. */
    again: (item: SignedItem, signal: AbortSignal) => tryOnce(context, item, signal),
  };
}

async function tryOnce(
  { items, bundler, log, observe }: UploadContext,
  item: SignedItem,
  signal: AbortSignal,
): Promise<void> {
  const { id } = item;
  const earlier = await items.begin(id);
  let receipt: object;
  try {
    receipt = await bundler.upload(item, earlier, signal);
  } catch (error) {
    const failed = asUploadError(error);
    const { failure, message, outcome } = failed;
    observe(failure);
    const entry = { id, failure, outcome, bundler: bundler.name, said: message };
    if (failure === "out_of_balance") {
      log.error(
        entry,
        "out of balance: nothing can be stored until the bundler's account is funded",
      );
    } else if (FOR_OPERATORS.has(failure)) {
      log.error(entry, "the bundler does not store what it is given");
    } else {
      log.warn(entry, "an upload failed");
    }
    await items.failed(id, failed);
    throw failed;
  }
  await items.acknowledged(id, receipt);
  observe("acknowledged");
}

async function upload(context: UploadContext, item: SignedItem): Promise<void> {
  const signal = AbortSignal.timeout(context.patienceMs + transferMs(item.bytes.length));
  for (const wait of [...PAUSES_MS, null]) {
    try {
      return await tryOnce(context, item, signal);
    } catch (error) {
      if (wait === null || !(error instanceof UploadError) || !PASSING.has(error.failure)) {
        throw error;
      }
      const asked = error.retryAfterMs ?? 0;
      if (asked > MAX_PAUSE_MS || signal.aborted) throw error;
      await context.pause(Math.max(wait, asked), signal);
    }
  }
}

/** For background work. @returns whether it was acknowledged. */
async function inBackground(
  context: UploadContext,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const item = await context.items.readAny(id);
  if (item === null) return false;
  try {
    await openItem(item);
    await tryOnce(context, item, signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UploadError)) {
      context.log.error({ err: error, id }, "an item cannot be uploaded");
    }
    return false;
  }
}

function asUploadError(error: unknown): UploadError {
  if (error instanceof UploadError) return error;
  return new UploadError("unavailable", "unknown", "The upload was broken off.", { cause: error });
}
