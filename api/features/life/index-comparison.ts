import type { Address } from "viem";

/** A passport and its soul, both as they were in one block. */
export interface SeenPassport {
  readonly passportId: bigint;
  /** Null when there is no such passport. */
  readonly owner: Address | null;
  /** Null when no living soul is bound to it. */
  readonly soul: {
    readonly tokenId: bigint;
    readonly epoch: number;
    /** Decisions that its owners have signed. */
    readonly version: number;
    readonly name: string;
    readonly sealer: Address;
    /** Whether a suspension stands, also with the passport back at its sealer. */
    readonly suspended: boolean;
  } | null;
}

/** A living soul and its passport as the index has them. */
export interface ComparedSoul {
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly epoch: number;
  /** Decisions that its owners have signed. */
  readonly version: number;
  readonly suspended: boolean;
  readonly mintBlock: bigint;
  /** Null when the index has never seen the passport's owner. */
  readonly owner: Address | null;
  readonly ownerSinceBlock: bigint | null;
}

/** Rows of one statement, and the block up to which the index was then. */
export interface ComparedPage {
  readonly at: bigint;
  readonly souls: readonly ComparedSoul[];
}

/** How many there have ever been. */
export interface Counters {
  readonly souls: bigint;
  readonly organizations: bigint;
}

const COUNTERS = ["souls", "organizations"] as const satisfies readonly (keyof Counters)[];

export interface ComparedIndex {
  /** The first `limit` souls from token `from` on, in order of token. */
  comparedSouls(from: bigint, limit: number): Promise<ComparedPage>;
  comparedPassports(passportIds: readonly bigint[]): Promise<ComparedPage>;
  counters(): Promise<Counters>;
}

export interface ComparedChain {
  /** What `block` says of these passports, in one call. */
  passportsAt(passportIds: readonly bigint[], block: bigint): Promise<readonly SeenPassport[]>;
  countersAt(block: bigint): Promise<Counters>;
  /** The block of the last transfer of a passport to an account, between two blocks; null where the nodes name none. */
  transferTo(
    owner: Address,
    passportId: bigint,
    range: { readonly fromBlock: bigint; readonly toBlock: bigint },
  ): Promise<bigint | null>;
}

/** A range of blocks of which the index lacks something. */
export interface FaultyRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** What was compared: one fault lasts for each. */
  readonly detail: string;
}

interface Difference {
  readonly passportId: bigint;
  readonly tokenId: bigint;
  /** On chain. */
  readonly owner: Address | null;
  /** Null when an index that is built again would lack the same: the passport is older than what is indexed. */
  readonly range: FaultyRange | null;
}

/** What a comparison with the state of the block `seenBlock` says. */
export interface Judgement {
  readonly seenBlock: bigint;
  readonly agreeing: readonly bigint[];
  readonly differences: readonly Difference[];
}

export interface DifferenceStore<Transaction> {
  /** Passports that differ, first those that have been so for longest. */
  differing(limit: number): Promise<readonly bigint[]>;
  /**
   * Passports that were answered from the index, which are then forgotten: what fails to be compared is compared by the sweep,
   * or when it is asked for again.
   */
  takeAsked(limit: number): Promise<readonly bigint[]>;
  inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Marks what differs, and opens a fault for what was marked before; ends both for what agrees. */
  judge(tx: Transaction, judgement: Judgement, at: Date): Promise<void>;
  openFault(range: FaultyRange, at: Date): Promise<void>;
  endFault(detail: string, at: Date): Promise<void>;
}

/** Souls of one call to the chain: far below 16,777,216 gas, which every node allows a call. */
export const COMPARED_PAGE = 100;
/** Pages of one comparison, which comes once a minute. Beyond a million souls there are more, so that all are compared within a day. */
const LEAST_PAGES = 12;
const MINUTES_OF_ROUND = 1_200;
/** Most passports of one comparison that come first because they were asked for. */
const MOST_ASKED = 5 * COMPARED_PAGE;
/** As deep as the indexer follows reorganizations. */
const FINAL_DEPTH = 30n;

export interface IndexComparisonOptions<Transaction> {
  readonly index: ComparedIndex;
  readonly chain: ComparedChain;
  readonly differences: DifferenceStore<Transaction>;
  readonly clock: () => Date;
}

/** Compares the index with the contracts in the state of a settled block. */
export function createIndexComparison<Transaction>(options: IndexComparisonOptions<Transaction>) {
  const { index, chain, differences, clock } = options;

  /** What the chain says of these passports, and what the index says otherwise. */
  async function judged(page: ComparedPage, settled: bigint) {
    const ids = page.souls.map(({ passportId }) => passportId);
    const seen = ids.length === 0 ? [] : await chain.passportsAt(ids, settled);
    return { seen, judgement: await compared(page, seen, settled, chain) };
  }

  /** Those of these passports that carry no soul on chain either. */
  async function withoutSoul(ids: readonly bigint[], settled: bigint): Promise<readonly bigint[]> {
    if (ids.length === 0) return [];
    const seen = await chain.passportsAt(ids, settled);
    return seen.flatMap(({ passportId, soul }) => (soul === null ? [passportId] : []));
  }

  async function comparePassports(ids: readonly bigint[], settled: bigint): Promise<void> {
    if (ids.length === 0) return;
    const page = await index.comparedPassports(ids);
    const { judgement } = await judged(page, settled);
    const living = new Set(page.souls.map(({ passportId }) => passportId));
    const ended = await withoutSoul(
      ids.filter((id) => !living.has(id)),
      settled,
    );
    const agreeing = [...judgement.agreeing, ...ended];
    await differences.inTransaction((tx) =>
      differences.judge(tx, { ...judgement, agreeing }, clock()),
    );
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
      return Math.max(LEAST_PAGES, Math.ceil(Number(souls) / COMPARED_PAGE / MINUTES_OF_ROUND));
    },

    async counters(settled: bigint): Promise<void> {
      const final = settled - FINAL_DEPTH;
      if (final < 0n) return;
      const lack = lacking(await index.counters(), await chain.countersAt(final));
      for (const detail of COUNTERS) {
        if (!lack.includes(detail)) await differences.endFault(detail, clock());
        else await differences.openFault({ fromBlock: 0n, toBlock: final, detail }, clock());
      }
    },
  };
}

/**
 * What the index has otherwise than the contracts in the state of a settled block, which it claims to have. What can only have
 * happened after that block is no difference: epochs and versions only grow, and the index knows since when an owner holds.
 */
async function compared(
  { at, souls }: ComparedPage,
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
  for (const soul of souls) {
    const { passportId, tokenId } = soul;
    const passport = onChain.get(passportId);
    if (passport === undefined || soul.mintBlock > settled) continue;
    if (hasOwner(soul, passport, settled) && hasSoul(soul, passport)) {
      judgement.agreeing.push(passportId);
    } else {
      const range = await rangeOf(soul, passport, settled, chain);
      judgement.differences.push({ passportId, tokenId, owner: passport.owner, range });
    }
  }
  return judgement;
}

/** The counters of the contracts that the index does not reach. */
function lacking(index: Counters, chain: Counters): readonly (keyof Counters)[] {
  return COUNTERS.filter((name) => index[name] < chain[name]);
}

function hasOwner(soul: ComparedSoul, { owner }: SeenPassport, settled: bigint): boolean {
  return soul.owner === owner || (soul.ownerSinceBlock ?? 0n) > settled;
}

function hasSoul(indexed: ComparedSoul, { owner, soul }: SeenPassport): boolean {
  // Without an owner the view does not say which soul is bound.
  if (owner === null) return true;
  if (soul === null || soul.tokenId !== indexed.tokenId) return false;
  if (indexed.epoch !== soul.epoch) return indexed.epoch > soul.epoch;
  return indexed.version >= soul.version && (indexed.suspended || !soul.suspended);
}

async function rangeOf(
  soul: ComparedSoul,
  passport: SeenPassport,
  settled: bigint,
  chain: ComparedChain,
): Promise<FaultyRange | null> {
  const { passportId } = soul;
  const detail = `passport ${passportId}`;
  const isOwnerWrong = !hasOwner(soul, passport, settled);
  if (!isOwnerWrong || passport.owner === null) {
    return { fromBlock: soul.mintBlock, toBlock: settled, detail };
  }
  if (soul.owner === null && soul.ownerSinceBlock === null) return null;
  const range = { fromBlock: soul.ownerSinceBlock ?? soul.mintBlock, toBlock: settled };
  const block = await chain.transferTo(passport.owner, passportId, range);
  return block === null ? { ...range, detail } : { fromBlock: block, toBlock: block, detail };
}
