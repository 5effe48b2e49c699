import type { Comparison } from "./report.ts";
import type { Measured, Range } from "./rounds.ts";

/** What a rate is taken from. */
export type Rate =
  /** Requests a second: depends on what else the machine does. */
  | "throughput"
  /** Requests in a second of the server's own processor time. */
  | "processor";

interface Judgement {
  readonly what: string;
  readonly rate: Rate;
  readonly ours: Measured;
  readonly peer: Measured;
  /** Of the peer's rate. */
  readonly aim: number;
  readonly bound: string;
  /** What is counted, in the plural. */
  readonly unit?: string;
}

export function judged(judgement: Judgement): Comparison {
  const { what, rate, ours, peer, aim, bound, unit: counted = "requests" } = judgement;
  const rateOf = ({ perSecond, cost }: Measured) =>
    rate === "throughput" ? perSecond : 1_000 / cost.server;
  const unit = rate === "throughput" ? `${counted}/s` : `${counted} per processor second`;
  return {
    what: `${what}, ${unit}`,
    ours: rateOf(ours),
    peer: { name: peer.name, value: rateOf(peer) },
    aim: {
      text: aim < 1 ? `at least ${aim * 100} %` : `at least ${aim} times`,
      atLeast: rateOf(peer) * aim,
    },
    bound,
  };
}

/** The sides that were measured by turns. */
export interface MeasuredRow {
  readonly what: string;
  readonly sides: readonly Measured[];
}

/**
 * Medians over the rounds. In brackets are the lowest and the highest round. Other load on the
 * machine changes the first column, and hardly the others.
 */
export function costTable(rows: readonly MeasuredRow[], { unit = "request", digits = 2 } = {}) {
  const ms = (value: number) => value.toFixed(digits);
  const whole = (value: number) => Math.round(value).toLocaleString("en-US");
  const within = (median: number, [low, high]: Range, text: (value: number) => string) =>
    `${text(median)} (${text(low)} to ${text(high)})`;
  const cells = rows.flatMap(({ what, sides }) =>
    sides.map(({ name, perSecond, cost, spread }) => [
      `${what}: ${name}`,
      within(perSecond, spread.perSecond, whole),
      within(cost.server, spread.server, ms),
      ms(cost.chain),
      ms(cost.postgres),
    ]),
  );
  const processes = ["its process, ms", "the node, ms", "PostgreSQL, ms"];
  const header = [`processor time per ${unit}`, `${unit}s/s`, ...processes];
  return [header, header.map(() => "---"), ...cells]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}
