import type { Hex } from "viem";
import type { CheckedEndpoint, EndpointState } from "../../../protocol/endpoints/index.ts";
import type { Transaction } from "../../platform/database/transaction.ts";

/** A check that came to an end, as it is stored. */
export interface StoredCheck {
  readonly startedAt: Date;
  readonly statement: string;
  readonly signature: Hex;
}

/** How often each state was seen on one day (UTC). */
export interface CheckedDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly states: Readonly<Record<EndpointState, number>>;
}

/** What is known of an agent's checks. */
export interface AgentChecks {
  /** Null before the first one came to an end. */
  readonly last: StoredCheck | null;
  /** Null: no check is due. */
  readonly dueAt: Date | null;
}

/** When agents are checked. Times are the service's clock. */
export interface CheckSchedule {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Puts the next souls of the index on the list, due at once. @returns how many. */
  enrol(limit: number, now: Date): Promise<number>;
  /** Takes agents whose check is due, and makes them due again at `again` if nothing comes of it. */
  takeDue(tx: Transaction, limit: number, now: Date, again: Date): Promise<readonly bigint[]>;
  /** Makes an agent due, at the earliest `pauseMs` after its last check began. @returns when. */
  request(tx: Transaction, tokenId: bigint, now: Date, pauseMs: number): Promise<Date>;
  /** Whether a check may begin now: of any number of processes one may. */
  begin(tokenId: bigint, now: Date, pauseMs: number): Promise<boolean>;
  /** Without a result. Null: never again. */
  postpone(tokenId: bigint, dueAt: Date | null): Promise<void>;
}

export interface FinishedCheck extends StoredCheck {
  readonly tokenId: bigint;
  readonly endpoints: readonly CheckedEndpoint[];
  /** When the next one is due. */
  readonly dueAt: Date;
}

export interface CheckResults {
  /** Stores a result and the agent's next check, both or neither. */
  finish(check: FinishedCheck): Promise<void>;
  /** The newest check that began before a time; the newest of all for null. */
  checks(tokenId: bigint, before: Date | null): Promise<AgentChecks>;
  /** Days with a check, the oldest first. */
  days(tokenId: bigint, since: Date): Promise<readonly CheckedDay[]>;
}

/** The metadata that an owner set on a passport. */
export interface PassportMetadata {
  /** Values by key, of those of the keys that are set. */
  of(passportId: bigint, keys: readonly string[]): Promise<ReadonlyMap<string, Hex>>;
}
