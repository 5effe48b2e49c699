import type { Logger } from "pino";
import { type Content, openItem } from "./ans104.ts";
import { type Comparison, compareAtGateway } from "./compare.ts";
import type { Gateway } from "./gateways.ts";
import type { StorageItems } from "./items.store.ts";
import type { BundlerStorage } from "./uploads.ts";

/** Most items of one round. */
const PER_ROUND = 50;
/**
 * A gateway shows an item within minutes; bundles reach Arweave within hours. After this time it is
 * uploaded again.
 */
const EXPECTED_WITHIN_MS = 24 * 60 * 60 * 1000;

/**
 * One round of checking whether gateways serve what a bundler acknowledged. Items that do not
 * appear within a day are uploaded again, under the same id: this detects broken promises of a
 * bundler.
 *
 * @returns how many were found.
 */
export async function confirmUploads(
  {
    items,
    gateways,
    storage,
    clock,
    log,
  }: {
    readonly items: StorageItems;
    readonly gateways: readonly Gateway[];
    readonly storage: Pick<BundlerStorage, "again">;
    readonly clock: () => Date;
    readonly log: Logger;
  },
  signal: AbortSignal,
): Promise<number> {
  if (gateways.length === 0) return 0;
  let seen = 0;
  for (const { id, since } of await items.claimUnseen(PER_ROUND)) {
    signal.throwIfAborted();
    const item = await items.readAny(id);
    if (item === null) continue;
    const content = await openItem(item).catch(() => null);
    if (content === null) {
      log.error({ id }, "the service's copy of an item was altered");
      await items.notSeen(id);
      continue;
    }
    const found = await comparisonsOf(id, content);
    if (found.has("same")) {
      await items.seen(id);
      seen += 1;
      continue;
    }
    await items.notSeen(id);
    // A failed gateway may have it: an outage of gateways must not cause new uploads.
    const isMissing = found.has("missing") && !found.has("failed");
    if (isMissing && clock().getTime() - since.getTime() > EXPECTED_WITHIN_MS) {
      log.error({ id, since }, "an acknowledged item does not appear; it is uploaded again");
      await storage.again(item, signal).catch(() => signal.throwIfAborted());
    }
  }
  return seen;

  /** The gateways' results, up to the first that serves it. */
  async function comparisonsOf(id: string, content: Content): Promise<ReadonlySet<Comparison>> {
    const found = new Set<Comparison>();
    for (const gateway of gateways) {
      const comparison = await compareAtGateway(gateway, id, content, signal);
      found.add(comparison);
      if (comparison === "same") break;
      if (comparison === "altered") {
        log.error({ id, gateway: gateway.name }, "a gateway serves altered content");
      }
    }
    return found;
  }
}
