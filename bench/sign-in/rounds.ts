import { processorTime } from "./cpu.ts";
import type { Shot } from "./load.ts";
import type { Server, World } from "./world.ts";

/** One side of a comparison. */
export interface Side {
  readonly server: Server;
  prepare(count: number): Promise<readonly Shot[]>;
}

/** The result of one side: medians over the rounds. */
export interface Measured {
  readonly perSecond: number;
  /** Processor time per request in milliseconds. */
  readonly cost: { readonly server: number; readonly chain: number; readonly postgres: number };
}

const ROUNDS = 7;

/**
 * Runs both sides in turn, round after round, so that other load on the machine affects both. The
 * first round is a warm-up and does not count. `counts` are requests per round.
 */
export async function compare(
  { pids }: World,
  sides: readonly [Side, Side],
  counts: readonly [number, number],
): Promise<[Measured, Measured]> {
  const rounds: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const index of [0, 1] as const) {
      const { server, prepare } = sides[index];
      const shots = await prepare(counts[index]);
      const all = { server: server.pid, ...pids };
      const before = costs(all);
      const seconds = await server.load.fire(shots);
      const after = costs(all);
      if (round === 0) continue;
      const per = (key: keyof Measured["cost"]) => (after[key] - before[key]) / shots.length;
      rounds[index].push({
        perSecond: shots.length / seconds,
        cost: { server: per("server"), chain: per("chain"), postgres: per("postgres") },
      });
    }
  }
  return [medians(rounds[0]), medians(rounds[1])];
}

function costs(pids: Record<keyof Measured["cost"], number>): Measured["cost"] {
  return {
    server: processorTime(pids.server),
    chain: processorTime(pids.chain),
    postgres: processorTime(pids.postgres),
  };
}

function medians(rounds: readonly Measured[]): Measured {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cost: {
      server: median(rounds.map(({ cost }) => cost.server)),
      chain: median(rounds.map(({ cost }) => cost.chain)),
      postgres: median(rounds.map(({ cost }) => cost.postgres)),
    },
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
