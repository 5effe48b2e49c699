import type { Logger } from "pino";
import type { Address, PublicClient } from "viem";
import type { Deployment } from "../../config/deployment.ts";
import { missingRoles } from "./service-roles.ts";

/** `unknown`: the node has not answered yet. */
export const LANE_STATES = ["usable", "no_money", "no_role", "unknown"] as const;
export type LaneState = (typeof LANE_STATES)[number];

/** Whether one of the service's keys can send transactions now. */
interface LaneStanding {
  readonly account: Address;
  readonly state: LaneState;
  /** Why it cannot; null when it can. */
  readonly reason: string | null;
  /** In wei; null when the node has not answered. */
  readonly balance: bigint | null;
}

interface LaneWatchOptions {
  readonly client: PublicClient;
  readonly contracts: Deployment["contracts"];
  readonly accounts: readonly Address[];
  readonly log: Logger;
  /** Milliseconds for which a standing is used before it is read again. */
  readonly keptMs?: number;
}

export interface LaneWatch {
  /** In the order of the accounts. Waits for the node only the first time. */
  standings(): Promise<readonly LaneStanding[]>;
  /** Reads them again now: a transaction was refused. */
  refresh(): Promise<readonly LaneStanding[]>;
}

/** Balances and roles change rarely, and a node may charge for each question. */
const KEPT_MS = 30_000;
/** Gas that an account must be able to pay for. A registration, the largest single one, needs it. */
const LEAST_GAS = 1_200_000n;

/**
 * Watches the money and the roles of the service's keys. What the node does not tell stays as it
 * was, and a key that was never read is `unknown`.
 */
export function createLaneWatch(options: LaneWatchOptions): LaneWatch {
  const { client, contracts, accounts, log, keptMs = KEPT_MS } = options;
  let known: readonly LaneStanding[] = accounts.map((account) => ({
    account,
    state: "unknown",
    reason: "the node has not answered",
    balance: null,
  }));
  let readAt: number | null = null;
  let reading: Promise<readonly LaneStanding[]> | null = null;

  async function read(): Promise<readonly LaneStanding[]> {
    try {
      const price = await client.getGasPrice();
      const present = await Promise.all(accounts.map((account) => standingOf(account, price)));
      for (const [index, standing] of present.entries()) report(known[index], standing);
      known = present;
    } catch (error) {
      log.debug({ err: error }, "the relayer's keys could not be checked");
    }
    readAt = performance.now();
    return known;
  }

  async function standingOf(account: Address, price: bigint): Promise<LaneStanding> {
    const [balance, missing] = await Promise.all([
      client.getBalance({ address: account }),
      missingRoles(client, contracts, account),
    ]);
    if (missing.length > 0) {
      const roles = missing.map(({ role, contract }) => `${role} on ${contract}`).join(", ");
      return { account, balance, state: "no_role", reason: `it does not have ${roles}` };
    }
    if (balance < price * LEAST_GAS) {
      return { account, balance, state: "no_money", reason: `it holds ${balance} wei` };
    }
    return { account, balance, state: "usable", reason: null };
  }

  function report(before: LaneStanding | undefined, { account, state, reason }: LaneStanding) {
    if (before?.state === state) return;
    if (state === "usable") {
      if (before?.state !== "unknown") log.info({ account }, "a relayer's key can be used again");
    } else {
      log.warn({ account, state, reason }, `a relayer's key cannot be used: ${reason}`);
    }
  }

  function refresh(): Promise<readonly LaneStanding[]> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    async standings() {
      if (readAt === null) return refresh();
      if (performance.now() - readAt > keptMs) void refresh();
      return known;
    },
    refresh,
  };
}
