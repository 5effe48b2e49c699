import type { BindingFact } from "./facts.ts";
import { type AlignmentInputs, YEAR_SECONDS } from "./inputs.ts";
import { comparePlaces } from "./order.ts";

/** What a revoked binding costs. */
const REVOCATION_COST = 5;

/** What it costs to raise a binding directly after lowering or revoking it. */
const FLAP_COST = 15;

const REVOKED = 1;

interface Cost {
  readonly points: number;
  /** Its last change, and those before it that make it one. */
  readonly fact: BindingFact;
  readonly pair: readonly BindingFact[];
  readonly first: number;
  readonly last: number;
}

/**
 * 100 without revoked or flapping bindings in the last year. Only the agent's own decisions count:
 * what others set or revoke changes nothing, and more bindings repair nothing.
 */
export function bindingConsistency({ at, of }: AlignmentInputs) {
  const pairs = Map.groupBy(of("binding"), ({ toTokenId }) => toTokenId);
  const costs = [...pairs.values()]
    .flatMap((facts) => costsOf(levelChanges(facts)))
    .filter(({ fact }) => fact.timestamp > at.timestamp - YEAR_SECONDS)
    .sort((one, other) => comparePlaces(other.fact.place, one.fact.place));

  // Newest first, and no further than it matters: an agent cannot grow its document without end.
  let value = 100;
  const ranges = new Map<readonly BindingFact[], { first: number; last: number }>();
  for (const { points, pair, first, last } of costs) {
    if (value === 0) break;
    value = Math.max(0, value - points);
    ranges.set(pair, { first, last: ranges.get(pair)?.last ?? last });
  }
  // A range has no gaps: the changes that cost nothing say that the others follow each other.
  const used = [...ranges].flatMap(([pair, { first, last }]) => pair.slice(first, last + 1));
  return { value, used };
}

/** One pair's changes of level, without those that repeat the level. */
function levelChanges(facts: readonly BindingFact[]): BindingFact[] {
  return facts.filter((fact, index) => fact.trustLevel !== facts[index - 1]?.trustLevel);
}

function costsOf(pair: readonly BindingFact[]): Cost[] {
  return pair.flatMap((fact, last): Cost[] => {
    const level = fact.trustLevel;
    const previous = pair[last - 1]?.trustLevel;
    const before = pair[last - 2]?.trustLevel;
    if (previous === undefined) return [];
    if (level === REVOKED) {
      return [{ points: REVOCATION_COST, fact, pair, first: last - 1, last }];
    }
    if (before !== undefined && before > previous && level > previous) {
      return [{ points: FLAP_COST, fact, pair, first: last - 2, last }];
    }
    return [];
  });
}
