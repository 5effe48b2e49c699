import type { Content } from "./ans104.ts";
import { openItem } from "./ans104.ts";
import { compareAtGateway } from "./compare.ts";
import type { Gateway } from "./gateways.ts";
import type { StorageItems } from "./items.store.ts";
import type { ItemState, UploadStage } from "./items.ts";
import type { StorageReads } from "./permanent.ts";

/** A record of the service that names an item. */
export interface Reference {
  readonly id: string;
  /** What names it, for people. */
  readonly by: string;
}

/** What an audit reads, and whom it tells. */
interface AuditedStorage {
  readonly items: Pick<StorageItems, "states" | "readAny" | "readAnnounced" | "count">;
  /** Everything in the database that names an item. */
  readonly references: AsyncIterable<Reference>;
  readonly gateways: readonly Gateway[];
  /** Replaces an altered copy when a gateway has the intact item, and rejects when none has. */
  readonly repair: StorageReads["read"];
  readonly clock: () => Date;
  /** Called with each problem as it is found, in one line. */
  readonly problem: (line: string) => void;
  /** Called from time to time with the progress. */
  readonly progress: (done: number, all: number) => void;
  readonly signal: AbortSignal;
}

/** Items whose bytes are in memory at once. */
const AT_ONCE = 4;
const PROGRESS_EVERY = 500;
const HOUR_MS = 3_600_000;
/** The job has tried several times by then. */
const SETTLED_WITHIN_MS = HOUR_MS;
const SERVED_WITHIN_MS = 24 * HOUR_MS;

export type AuditReport = ReturnType<typeof emptyReport>;

/** Nothing is counted yet. The gateways are named by their hosts. */
function emptyReport(gateways: readonly Gateway[]) {
  return {
    items: 0,
    problems: 0,
    copies: { intact: 0, altered: 0, repaired: 0 },
    stages: { only_here: 0, kept: 0, uploading: 0, acknowledged: 0, seen: 0 } satisfies Record<
      UploadStage,
      number
    >,
    gateways: Object.fromEntries(
      gateways.map(({ name }) => [name, { same: 0, missing: 0, altered: 0, failed: 0 }]),
    ),
    references: { found: 0, missing: 0 },
  };
}

/** A running audit: what it counts, and reports problems to. */
interface Audit extends AuditedStorage {
  readonly report: AuditReport;
  readonly startedAt: number;
}

/**
 * Verifies all stored content again: the service's copies, the gateways' answers, and that every
 * recorded id is stored.
 */
export async function auditStorage(storage: AuditedStorage): Promise<AuditReport> {
  const { items, gateways, progress, signal } = storage;
  const all = await items.count();
  const report = emptyReport(gateways);
  const problem = (line: string) => {
    report.problems += 1;
    storage.problem(line);
  };
  const audit: Audit = { ...storage, problem, report, startedAt: storage.clock().getTime() };
  let lastSuccess = 0;
  let lastOutOfBalance = 0;
  let outOfBalance = 0;

  /** Several at once share the list, so that a slow gateway does not hold up all. */
  const states = items.states();
  async function checkOneByOne(): Promise<void> {
    for (;;) {
      const { value: state, done } = await states.next();
      if (done) return;
      signal.throwIfAborted();
      const touchedAt = state.touchedAt.getTime();
      if (state.acknowledgedAt !== null) lastSuccess = Math.max(lastSuccess, touchedAt);
      if (state.lastFailure === "out_of_balance") {
        outOfBalance += 1;
        lastOutOfBalance = Math.max(lastOutOfBalance, touchedAt);
      }
      checkUpload(audit, state);
      const content = await checkCopy(audit, state.id);
      if (content !== null) await checkGateways(audit, state, content);
      report.items += 1;
      if (report.items % PROGRESS_EVERY === 0) progress(report.items, all);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, checkOneByOne));

  if (lastOutOfBalance > lastSuccess) {
    problem(
      `out of balance: the bundler's account is empty since ${new Date(lastOutOfBalance).toISOString()} or longer; uploads that it stopped: ${outOfBalance}`,
    );
  }
  for (const [name, { failed }] of Object.entries(report.gateways)) {
    if (failed > 0) problem(`${name}  it did not answer for ${failed} of the items`);
  }
  for await (const { id, by } of storage.references) {
    signal.throwIfAborted();
    const isHere = (await items.readAnnounced(id)) !== null;
    report.references[isHere ? "found" : "missing"] += 1;
    if (!isHere) problem(`${id}  ${by} names it, and it is not stored`);
  }
  return report;
}

function checkUpload(
  { report, startedAt, problem }: Audit,
  { id, stage, createdAt, lastFailure, lastMessage }: ItemState,
): void {
  report.stages[stage] += 1;
  if (stage === "uploading" && startedAt - createdAt.getTime() > SETTLED_WITHIN_MS) {
    const why = lastFailure === null ? "" : `: ${lastFailure} (${lastMessage})`;
    problem(`${id}  its upload has no known end${why}`);
  }
}

async function checkCopy(
  { items, report, repair, problem }: Audit,
  id: string,
): Promise<Content | null> {
  const copy = await items.readAny(id);
  // Deleted since it was listed.
  if (copy === null) return null;
  try {
    const content = await openItem(copy);
    report.copies.intact += 1;
    return content;
  } catch {
    report.copies.altered += 1;
  }
  const content = await repair(id).catch(() => null);
  if (content === null) {
    problem(`${id}  the copy here is altered, and no gateway has the intact item`);
    return null;
  }
  const isRepaired = await openItem((await items.readAny(id)) ?? copy).then(
    () => true,
    () => false,
  );
  if (isRepaired) report.copies.repaired += 1;
  problem(
    `${id}  the copy here was altered; ${isRepaired ? "it is repaired from a gateway" : "a gateway has its data, but not the item"}`,
  );
  return content;
}

async function checkGateways(
  { gateways, report, startedAt, problem, signal }: Audit,
  { id, stage, acknowledgedAt }: ItemState,
  content: Content,
): Promise<void> {
  // Unannounced items may be absent everywhere.
  if (stage !== "acknowledged" && stage !== "seen") return;
  const found = await Promise.all(
    gateways.map(async (gateway) => {
      const comparison = await compareAtGateway(gateway, id, content, signal);
      const counts = report.gateways[gateway.name];
      if (counts) counts[comparison] += 1;
      if (comparison === "altered") problem(`${id}  ${gateway.name} serves altered content`);
      return comparison;
    }),
  );
  const isOld = startedAt - (acknowledgedAt?.getTime() ?? startedAt) > SERVED_WITHIN_MS;
  const isNowhere = found.length > 0 && found.every((one) => one === "missing");
  if (isOld && isNowhere) {
    problem(`${id}  no gateway has it, although the bundler acknowledged it`);
  }
}
