import {
  type AlignmentContracts,
  CONTRACT_OF,
  factKey,
  lowerCaseHex,
  type OnChainFact,
} from "../../protocol/alignment/index.ts";

/**
 * What is wrong with a snapshot's facts, one sentence each: changed, invented or left out.
 *
 * @param claimed The snapshot's facts.
 * @param known Every fact that the chain has, also those that do not count.
 * @param counting Those that count.
 */
export function compareFacts(
  claimed: readonly OnChainFact[],
  known: readonly OnChainFact[],
  counting: readonly OnChainFact[],
  contracts: AlignmentContracts,
): string[] {
  const claimedKeys = new Set(claimed.map(factKey));
  const claimedPlaces = new Set(claimed.map(placeKey));
  const knownByPlace = new Map(known.map((fact) => [placeKey(fact), lowerCaseHex(fact)]));
  const countingKeys = new Set(counting.map(factKey));
  const nameOf = (fact: OnChainFact) => describe(fact, contracts);

  const wrong = claimed
    .filter((fact) => !countingKeys.has(factKey(fact)))
    .map((fact) => {
      const actual = knownByPlace.get(placeKey(fact));
      if (actual === undefined) {
        return `Invented: the chain has no event for the snapshot's ${nameOf(fact)}.`;
      }
      const fields = differingFields(fact, actual);
      return fields === ""
        ? `Not to be counted: the ${nameOf(fact)} is outweighed by facts that were left out.`
        : `Changed: the ${nameOf(fact)} has another ${fields} on chain.`;
    });
  const missing = counting
    .filter((fact) => !claimedKeys.has(factKey(fact)) && !claimedPlaces.has(placeKey(fact)))
    .map((fact) => `Left out: the snapshot does not have the ${nameOf(fact)}.`);
  return [...wrong, ...missing];
}

function describe({ kind, place }: OnChainFact, contracts: AlignmentContracts): string {
  const { blockNumber, logIndex, transactionHash } = place;
  const contract = contracts[CONTRACT_OF[kind]];
  return `${kind} fact of block ${blockNumber}, log ${logIndex}, transaction ${transactionHash}, contract ${contract}`;
}

/** One event can be several memberships: a batch of members joins at once. */
function placeKey(fact: OnChainFact): string {
  const { kind, place } = fact;
  const part = kind === "membership" ? fact.tokenId : "";
  return `${kind} ${place.blockNumber} ${place.logIndex} ${part}`;
}

function differingFields(one: OnChainFact, other: OnChainFact): string {
  const flat = ({ place, ...rest }: OnChainFact): Readonly<Record<string, unknown>> => ({
    ...rest,
    transactionHash: place.transactionHash,
  });
  const [first, second] = [flat(one), flat(other)];
  return Object.keys(first)
    .filter((field) => first[field] !== second[field])
    .join(", ");
}
