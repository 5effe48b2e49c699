import type { OnChainFact } from "../../protocol/alignment/index.ts";
import type { AlignmentClient } from "./client.ts";
import type { UntimedFact } from "./untimed.ts";

/** Blocks that are asked for at the same time. */
const AT_ONCE = 10;

/** The facts with the times of their blocks, which events do not have. */
export async function timed(
  client: AlignmentClient,
  facts: readonly UntimedFact[],
): Promise<OnChainFact[]> {
  const blocks = [...new Set(facts.map(({ place }) => place.blockNumber))];
  const times = new Map<bigint, bigint>();
  for (let start = 0; start < blocks.length; start += AT_ONCE) {
    const some = blocks.slice(start, start + AT_ONCE);
    const read = some.map((blockNumber) => client.getBlock({ blockNumber }));
    for (const { number, timestamp } of await Promise.all(read)) times.set(number, timestamp);
  }
  return facts.map((fact) => {
    const timestamp = times.get(fact.place.blockNumber);
    if (timestamp === undefined) throw new Error(`Block ${fact.place.blockNumber} was not read.`);
    return { ...fact, timestamp };
  });
}
