import type {
  Difference,
  DifferenceStore,
  FaultyRange,
  Judgement,
} from "./index-comparison.store.ts";
import type {
  ComparedAllowance,
  ComparedChain,
  Counters,
  SeenPassport,
} from "./passports.chain.ts";
import type {
  ComparedIndex,
  ComparedPage,
  ComparedPassport,
} from "./suspension-candidates.store.ts";

const COUNTERS = ["souls", "organizations"] as const satisfies readonly (keyof Counters)[];

/** Souls of one call to the chain, which uses 4.5 million gas for them. Every node allows a call 16,777,216. */
export const COMPARED_PAGE = 100;
/** Pages of one comparison, which comes once a minute. There are more of them beyond 1.4 million souls and passports, so that all are compared within a day. */
const LEAST_PAGES = 12;
const MINUTES_OF_ROUND = 1_200;
/** Most passports of one comparison that come first because they were asked for. */
const MOST_ASKED = 5 * COMPARED_PAGE;
/** As deep as the indexer follows reorganizations. */
const FINAL_DEPTH = 30n;

/** Compares the index with the contracts in the state of a settled block. */
export function createIndexComparison({
  index,
  chain,
  differences,
  clock,
}: {
  readonly index: ComparedIndex;
  readonly chain: ComparedChain;
  readonly differences: DifferenceStore;
  readonly clock: () => Date;
}) {
  /** What the chain says of these passports, and what the index says otherwise. */
  async function judged(page: ComparedPage, settled: bigint) {
    const ids = page.passports.map(({ passportId }) => passportId);
    const seen = ids.length === 0 ? [] : await chain.passportsAt(ids, settled);
    return { seen, judgement: await compared(page, seen, settled, chain) };
  }

  async function comparePassports(ids: readonly bigint[], settled: bigint): Promise<void> {
    if (ids.length === 0) return;
    const { judgement } = await judged(await index.comparedPassports(ids), settled);
    await differences.inTransaction((tx) => differences.judge(tx, judgement, clock()));
  }

  return {
    judged,

    /**
     * What does not wait for its turn. What differed is answered from the chain until it agrees: an index that was built again has
     * it right. What was asked for is what a wrong answer would harm.
     */
    async first(settled: bigint): Promise<void> {
      const differing = await differences.differing(COMPARED_PAGE);
      await comparePassports(differing, settled);
      const known = new Set(differing);
      const asked = (await differences.takeAsked(MOST_ASKED)).filter((id) => !known.has(id));
      for (let start = 0; start < asked.length; start += COMPARED_PAGE) {
        await comparePassports(asked.slice(start, start + COMPARED_PAGE), settled);
      }
    },

    /** As {@link judged}, of passports that the chain was asked about already. */
    async judgementOf(seen: readonly SeenPassport[], settled: bigint): Promise<Judgement> {
      const page = await index.comparedPassports(seen.map(({ passportId }) => passportId));
      return compared(page, seen, settled, chain);
    },

    /** How many pages make a round that ends within a day. */
    async pagesOfRound(settled: bigint): Promise<number> {
      const { souls } = await chain.countersAt(settled);
      // Passports are numbered one by one: this is more than there are without a soul.
      const most = Number(souls + (await index.highestPassport()));
      return Math.max(LEAST_PAGES, Math.ceil(most / COMPARED_PAGE / MINUTES_OF_ROUND));
    },

    async counters(settled: bigint): Promise<void> {
      const final = settled - FINAL_DEPTH;
      if (final < 0n) return;
      const indexed = await index.counters();
      // An indexer that starts again goes back behind the block.
      if (indexed.at < settled) return;
      const counted = await chain.countersAt(final);
      for (const detail of COUNTERS) {
        if (indexed[detail] >= counted[detail]) await differences.endFault(detail, clock());
        else await differences.openFault({ fromBlock: 0n, toBlock: final, detail }, clock());
      }
    },
  };
}

/**
 * What the index has otherwise than the contracts in the state of a settled block, which it claims to have. What can only have
 * happened after that block is no difference: epochs, versions and a day's spending only grow, and the index knows since when an
 * owner holds.
 */
async function compared(
  { at, passports }: ComparedPage,
  seen: readonly SeenPassport[],
  settled: bigint,
  chain: ComparedChain,
): Promise<Judgement> {
  const judgement = {
    seenBlock: settled,
    agreeing: [] as bigint[],
    differences: [] as Difference[],
  };
  // An indexer that starts again goes back behind the block.
  if (at < settled) return judgement;
  const onChain = new Map(seen.map((passport) => [passport.passportId, passport]));
  const tokenIds = passports.flatMap(({ soul }) => soul?.tokenId ?? []);
  const amounts = tokenIds.length === 0 ? [] : await chain.allowancesAt(tokenIds, settled);
  const allowances = new Map(tokenIds.map((tokenId, place) => [tokenId, amounts[place]]));
  for (const indexed of passports) {
    const { passportId, soul } = indexed;
    const passport = onChain.get(passportId);
    if (passport === undefined || (soul !== null && soul.mintBlock > settled)) continue;
    const isEqual =
      hasOwner(indexed, passport, settled) &&
      (soul === null ||
        (hasSoul(soul, passport) && hasAllowance(soul, allowances.get(soul.tokenId))));
    if (isEqual) {
      judgement.agreeing.push(passportId);
    } else {
      const range = await rangeOf(indexed, passport, settled, chain);
      const tokenId = soul?.tokenId ?? 0n;
      judgement.differences.push({ passportId, tokenId, owner: passport.owner, range });
    }
  }
  return judgement;
}

function hasOwner(
  indexed: ComparedPassport,
  { owner, soul }: SeenPassport,
  settled: bigint,
): boolean {
  // Without a soul nothing is said of a passport that the index did not see minted.
  if (indexed.soul === null && indexed.owner === null) return soul === null;
  return indexed.owner === owner || (indexed.ownerSinceBlock ?? 0n) > settled;
}

type IndexedSoul = NonNullable<ComparedPassport["soul"]>;

function hasSoul(indexed: IndexedSoul, { owner, soul }: SeenPassport): boolean {
  // Without an owner the view does not say which soul is bound.
  if (owner === null) return true;
  if (soul === null || soul.tokenId !== indexed.tokenId) return false;
  if (indexed.passportVersion < soul.passportVersion) return false;
  if (indexed.epoch !== soul.epoch) return indexed.epoch > soul.epoch;
  return indexed.version >= soul.version && (indexed.suspended || !soul.suspended);
}

function hasAllowance(
  { epoch, allowance }: IndexedSoul,
  chain: ComparedAllowance | undefined,
): boolean {
  if (chain === undefined || chain.epoch !== epoch) return true;
  if ((allowance?.version ?? 0) < chain.version) return false;
  if (chain.spentToday === 0n || (allowance?.day ?? 0) > chain.day) return true;
  return allowance?.day === chain.day && allowance.spentToday >= chain.spentToday;
}

async function rangeOf(
  indexed: ComparedPassport,
  passport: SeenPassport,
  settled: bigint,
  chain: ComparedChain,
): Promise<FaultyRange | null> {
  const { passportId, ownerSinceBlock, soul } = indexed;
  const detail = `passport ${passportId}`;
  const isOwnerWrong = !hasOwner(indexed, passport, settled);
  const firstBlock = soul?.mintBlock ?? 0n;
  if (!isOwnerWrong || passport.owner === null) {
    return { fromBlock: firstBlock, toBlock: settled, detail };
  }
  if (indexed.owner === null && ownerSinceBlock === null) return null;
  const range = { fromBlock: ownerSinceBlock ?? firstBlock, toBlock: settled };
  const block = await chain.transferTo(passport.owner, passportId, range);
  return block === null ? { ...range, detail } : { fromBlock: block, toBlock: block, detail };
}
