import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "../../kit/client/index.ts";

/** A write with an Idempotency-Key. */
interface Write {
  readonly what: string;
  /** Sends it, each time under the same key. */
  send(): Promise<unknown>;
  /** How often the service shows it. */
  shown(): Promise<number>;
}

/** A sold passport, and what was still answered about its agent. Times are of this process. */
export interface Sale {
  /** When the transfer was in a block that is still one of the chain. */
  at: number;
  /** The latest request that was answered with "valid". */
  valid?: { readonly at: number; readonly operation: string };
}

/** A request that got no success. */
interface Failure {
  readonly at: number;
  readonly what: string;
}

/** Time for an unanswered write to complete under its key, in milliseconds. */
const SETTLE_MS = 600_000;
const REPEAT_MS = 1_000;
/** Statuses that say nothing about whether the write happened. */
const UNDECIDED: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** What a client knows of its requests: their times, their failures, and what was promised. */
export class Ledger {
  readonly latencies = new Map<string, number[]>();
  readonly failures: Failure[] = [];
  /** Promises that were broken, one sentence each. */
  readonly broken: string[] = [];
  readonly #done: Write[] = [];
  readonly #refused: Write[] = [];
  readonly #open = new Set<Write>();
  /** Requests that were sent, without their repetitions. */
  requests = 0;
  /** Writes without an answer that completed under their key. */
  completed = 0;
  readonly sales: Sale[] = [];
  /** Ends of processes, by their name. */
  readonly kills = new Map<string, number>();
  /** Agents that were registered, and answered as unknown. */
  readonly wrongAbsences: string[] = [];

  get counts() {
    return { done: this.#done.length, completed: this.completed, refused: this.#refused.length };
  }

  /** The longest time after a sale at which a request began that was answered with "valid". */
  get longestValid(): { readonly ms: number; readonly operation: string } | undefined {
    return this.sales
      .flatMap(({ at, valid }) =>
        valid === undefined ? [] : [{ ms: valid.at - at, operation: valid.operation }],
      )
      .filter(({ ms }) => ms > 0)
      .sort((one, other) => other.ms - one.ms)[0];
  }

  /** The chain left the sales of since then out, and has them again, from now on. */
  reorganized(since: number): void {
    for (const sale of this.sales) if (sale.at >= since) sale.at = performance.now();
  }

  /** Starts new percentiles, and returns those so far. */
  takeLatencies(): ReadonlyMap<string, readonly number[]> {
    const taken = new Map(this.latencies);
    this.latencies.clear();
    return taken;
  }

  /** Times a request. Counts its failure, and throws it. */
  async timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.requests += 1;
    const begun = performance.now();
    try {
      const answer = await work();
      const known = this.latencies.get(what) ?? [];
      known.push(performance.now() - begun);
      this.latencies.set(what, known);
      return answer;
    } catch (error) {
      this.failures.push({ at: performance.now(), what: `${what}: ${textOf(error)}` });
      throw error;
    }
  }

  /** Sends a write once. Without a success it stays open until {@link settle}. */
  async write(kind: string, write: Write): Promise<void> {
    await this.timed(kind, write.send).catch((error: unknown) => {
      this.#open.add(write);
      throw error;
    });
    this.#done.push(write);
  }

  /** Repeats what is open, each under its key, until it is done or refused. */
  async settle(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    await Promise.all(open.map((write) => this.#settleOne(write)));
  }

  async #settleOne(write: Write): Promise<void> {
    const until = performance.now() + SETTLE_MS;
    for (;;) {
      try {
        await write.send();
        this.completed += 1;
        this.#done.push(write);
        break;
      } catch (error) {
        if (!isUndecided(error)) {
          this.#refused.push(write);
          this.failures.push({ at: performance.now(), what: `${write.what}: ${textOf(error)}` });
          break;
        }
        if (performance.now() > until) {
          this.broken.push(`${write.what} does not complete under its key: ${textOf(error)}`);
          break;
        }
        await delay(REPEAT_MS);
      }
    }
  }

  /** Every done write is shown once, and no refused one. */
  async verify(): Promise<void> {
    const judge = async (write: Write, expected: number) => {
      const count = await write.shown();
      if (count === expected) return;
      this.broken.push(`${write.what} is there ${count} times instead of ${expected}.`);
    };
    for (const write of this.#done) await judge(write, 1);
    for (const write of this.#refused) await judge(write, 0);
  }
}

/** Whether an error leaves open what has happened. */
function isUndecided(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return status === undefined || status >= 500 || UNDECIDED.has(status);
}

/** One line for an error. */
function textOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.code} (${error.status ?? "no answer"})`;
  return error instanceof Error ? error.message : String(error);
}
