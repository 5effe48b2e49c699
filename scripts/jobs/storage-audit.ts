import { setTimeout as delay } from "node:timers/promises";
import { connectDatabase } from "../../api/platform/database/connect.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { type AuditReport, auditStorage } from "../../api/platform/storage/audit.ts";
import { recordAudit } from "../../api/platform/storage/audits.store.ts";
import { createGateway } from "../../api/platform/storage/gateways.ts";
import { createStorageHttp } from "../../api/platform/storage/http.ts";
import { createStorageItems } from "../../api/platform/storage/items.store.ts";
import { createReader } from "../../api/platform/storage/reader.ts";
import { storageReferences } from "../../api/platform/storage/references.store.ts";

export interface StorageAuditOptions {
  readonly databaseUrl: string;
  /** Gateways that are checked too, in the form of `GATEWAY_URLS`. */
  readonly gatewayUrls: readonly string[];
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** No client waits for this, so a slow gateway may take long. */
const GATEWAY_TIMEOUT_MS = 30_000;

/**
 * Reads everything on permanent storage again, prints problems and totals, and records the end for
 * the metrics.
 *
 * @returns whether no problem was found.
 */
export async function storageAudit(options: StorageAuditOptions): Promise<boolean> {
  const { databaseUrl, gatewayUrls, print, complain } = options;
  const log = createLog("silent");
  const clock = () => new Date();
  const http = createStorageHttp();
  const { db, close } = connectDatabase(databaseUrl, log);
  try {
    const items = createStorageItems(db, clock);
    const gateways = gatewayUrls.map((url) =>
      createGateway({ url, http, timeoutMs: GATEWAY_TIMEOUT_MS }),
    );
    const { read: repair } = createReader({
      items,
      gateways,
      clock,
      log,
      signer: null,
      order: "copy",
      patienceMs: GATEWAY_TIMEOUT_MS,
      pause: (ms, signal) => delay(ms, undefined, { signal }),
      observe: () => {},
    });
    const startedAt = clock();
    const report = await auditStorage({
      items,
      gateways,
      repair,
      clock,
      references: storageReferences(db),
      problem: (line) => print(`${line}\n`),
      progress: (done, all) => complain(`${done} of ${all} items read\n`),
      signal: new AbortController().signal,
    });
    const { items: read, problems } = report;
    await recordAudit(db, { startedAt, finishedAt: clock(), items: read, problems });
    print(reportText(report));
    return report.problems === 0;
  } finally {
    await close();
    await http.close();
  }
}

function reportText({
  items,
  copies,
  stages,
  gateways,
  references,
  problems,
}: AuditReport): string {
  const lines = [
    `Items: ${items}. Copies here: ${copies.intact} intact, ${copies.altered} altered, ${copies.repaired} of them repaired.`,
    `Uploads: ${stages.seen} seen at a gateway, ${stages.acknowledged} acknowledged, ${stages.uploading} without a known end, ${stages.kept} never stored; ${stages.only_here} items are only here.`,
    ...Object.entries(gateways).map(
      ([name, { same, missing, altered, failed }]) =>
        `${name}: ${same} as stored, ${missing} missing, ${altered} altered, ${failed} without an answer.`,
    ),
    `Named by records: ${references.found} stored, ${references.missing} not stored.`,
    problems === 0 ? "Nothing is wrong." : `Problems: ${problems}.`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}
