import type { Hex } from "viem";
import { ZERO_ADDRESS } from "../constants.ts";
import { InvalidAlignmentFactsError } from "./errors.ts";
import type {
  AlignmentFact,
  AlignmentMoment,
  OnChainFact,
  RegisteredFact,
  ResealedFact,
  SealedFact,
} from "./facts.ts";
import { canonicalFacts, comparePlaces, isOnChain } from "./order.ts";

export const DAY_SECONDS = 86_400n;
export const MONTH_SECONDS = 30n * DAY_SECONDS;
export const YEAR_SECONDS = 365n * DAY_SECONDS;

type OfKind<Kind extends AlignmentFact["kind"]> = Extract<AlignmentFact, { kind: Kind }>;

/** The facts of one agent's current epoch up to one moment, in canonical order. */
export interface AlignmentInputs {
  readonly at: AlignmentMoment;
  readonly start: RegisteredFact | ResealedFact;
  /** Null for a soul that is not sealed. */
  readonly seal: SealedFact | ResealedFact | null;
  /** The owner of the epoch and every operator it had: they cannot vouch for their own agent. */
  readonly ownAccounts: ReadonlySet<Hex>;
  of<Kind extends AlignmentFact["kind"]>(kind: Kind): readonly OfKind<Kind>[];
  /** @throws InvalidAlignmentFactsError */
  count<Kind extends Exclude<AlignmentFact["kind"], OnChainFact["kind"]>>(kind: Kind): OfKind<Kind>;
}

/** @throws InvalidAlignmentFactsError when the facts do not say when the epoch started. */
export function inputsOf(facts: readonly AlignmentFact[], at: AlignmentMoment): AlignmentInputs {
  const known = canonicalFacts(facts).filter(
    (fact) => !isOnChain(fact) || fact.timestamp <= at.timestamp,
  );
  const start = startOf(known, at.epoch);
  const current = known.filter((fact) => isOfEpoch(fact, start, at.epoch));
  const byKind = Map.groupBy(current, ({ kind }) => kind);
  const of = <Kind extends AlignmentFact["kind"]>(kind: Kind) =>
    (byKind.get(kind) ?? []) as OfKind<Kind>[];
  const seal = start.kind === "resealed" ? start : (of("sealed")[0] ?? null);
  const owner = start.kind === "registered" ? start.owner : start.sealer;
  const operators = [start, ...of("operator")].map(({ operator }) => operator);
  const ownAccounts = new Set([owner, seal?.sealer ?? owner, ...operators]);
  ownAccounts.delete(ZERO_ADDRESS);
  return {
    at,
    start,
    seal,
    ownAccounts,
    of,
    count(kind) {
      const [count, ...contradictions] = of(kind);
      if (count !== undefined && contradictions.length === 0) return count;
      throw new InvalidAlignmentFactsError(
        `A score needs exactly one count of the kind ${kind}. There are ${of(kind).length}.`,
      );
    },
  };
}

function startOf(facts: readonly AlignmentFact[], epoch: number): RegisteredFact | ResealedFact {
  const starts = facts.filter((fact): fact is RegisteredFact | ResealedFact =>
    epoch === 1 ? fact.kind === "registered" : fact.kind === "resealed" && fact.epoch === epoch,
  );
  const [start] = starts;
  if (start !== undefined && starts.length === 1) return start;
  throw new InvalidAlignmentFactsError(
    `A score needs exactly one event that started epoch ${epoch}. There are ${starts.length}.`,
  );
}

/**
 * A new owner starts without a past: what happened under another owner does not count. Other
 * agents' seals, memberships and organizations are states, and may be older.
 */
function isOfEpoch(fact: AlignmentFact, { place }: OnChainFact, epoch: number): boolean {
  switch (fact.kind) {
    case "sealed":
    case "operator":
    case "revised":
    case "overspending":
    case "binding":
      return fact.epoch === epoch;
    case "feedback":
    case "validation":
    case "payment":
      return comparePlaces(fact.place, place) > 0;
    default:
      return true;
  }
}
