import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/connect.ts";
import type { JobHandler } from "../jobs/ports.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createItemSigner } from "./ans104.ts";
import { createBundler } from "./bundler.ts";
import { confirmUploads } from "./confirm-uploads.ts";
import { createGateway } from "./gateways.ts";
import { createStorageHttp } from "./http.ts";
import { createStorageItems } from "./items.store.ts";
import { STORAGE_JOBS } from "./job-names.ts";
import { createLocalStorage } from "./local.ts";
import { createPermanentStorage, type StorageDriver } from "./permanent.ts";
import { createReader } from "./reader.ts";
import { createBundlerStorage } from "./uploads.ts";

/** Time limit in milliseconds for archiving, beside the time for the item's size. */
const ARCHIVE_PATIENCE_MS = 40_000;
/** After this delay, query the next gateway in parallel (hedged read). */
const GATEWAY_PATIENCE_MS = 400;

const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });
const idle: JobHandler = async () => {};

/** Everything about permanent storage, for the server and for the process that runs the jobs. */
export function buildStorage({
  config,
  db,
  metrics,
  log,
  clock,
}: {
  readonly config: Pick<Config, "storage" | "storagePrivateKey">;
  readonly db: Database;
  readonly metrics: Pick<Metrics, "upload" | "storageRead">;
  readonly log: Logger;
  readonly clock: () => Date;
}) {
  const { uploadUrl, gatewayUrls, readOrder, gatewayTimeoutMs, bundlerTimeoutMs } = config.storage;
  const http = createStorageHttp();
  const items = createStorageItems(db, clock);
  const signer = createItemSigner(config.storagePrivateKey);
  const gateways = gatewayUrls.map((url) =>
    createGateway({ url, http, timeoutMs: gatewayTimeoutMs }),
  );
  const reads = createReader({
    items,
    signer,
    gateways,
    order: readOrder,
    pause,
    clock,
    log,
    patienceMs: GATEWAY_PATIENCE_MS,
    observe: metrics.storageRead,
  });
  const built = (driver: StorageDriver, settle: JobHandler, confirm: JobHandler) => ({
    archive: createPermanentStorage(signer, driver, reads),
    handlers: { [STORAGE_JOBS.settle]: settle, [STORAGE_JOBS.confirm]: confirm },
    countUnsettled: items.countUnsettled,
    close: http.close,
  });
  if (uploadUrl === undefined) return built(createLocalStorage(db, clock), idle, idle);

  const storage = createBundlerStorage({
    items,
    log,
    pause,
    clock,
    patienceMs: ARCHIVE_PATIENCE_MS,
    bundler: createBundler({ url: uploadUrl, http, timeoutMs: bundlerTimeoutMs }),
    observe: metrics.upload,
  });
  return built(
    storage,
    async (_data, signal) => void (await storage.settle(signal)),
    async (_data, signal) =>
      void (await confirmUploads({ items, gateways, storage, clock, log }, signal)),
  );
}
