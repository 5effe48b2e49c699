import { zeroHash } from "viem";
import type { KeyStanding, KeyStandings } from "../kernel/access.ts";
import type { ChainPassport, ChainPassports, ChainPoint } from "./chain-soul.ts";
import type { AskedPassports } from "./comparison/asked.ts";
import type { IndexAge } from "./index-age.ts";
import type {
  AgentHolding,
  HoldingReads,
  IndexedAgent,
  IndexedAgents,
  IndexedPassport,
  IndexedPoint,
  PassportReads,
  Reading,
} from "./index-reads.ts";

export interface CurrentReadsOptions {
  readonly reads: IndexedAgents & HoldingReads & PassportReads;
  readonly age: IndexAge;
  readonly passports: Pick<ChainPassports, "passport">;
  readonly asked: Pick<AskedPassports, "note">;
}

/**
 * Reads of the index whose statements about ownership and control are never older than the maximum
 * age: with an index further behind, they come from the chain. What else an agent's record holds
 * stays as indexed.
 *
 * Every read rejects with INDEX_BEHIND when neither the index nor the chain can answer, or when the
 * soul was sealed or revised after the indexed block.
 */
export function createCurrentReads(
  options: CurrentReadsOptions,
): IndexedAgents & HoldingReads & PassportReads {
  const { reads, age, passports, asked } = options;

  async function live(passportId: bigint, at: IndexedPoint): Promise<ChainPassport & ChainPoint> {
    try {
      return await passports.passport(passportId);
    } catch (cause) {
      throw age.behind(at, cause);
    }
  }

  async function current<Agent extends AgentHolding>(
    reading: Reading<Agent | null>,
  ): Promise<Reading<Agent | null>> {
    const { at, value: agent } = reading;
    if (agent === null) return reading;
    asked.note(agent.soul.passportId);
    if (age.isFresh(at)) return reading;
    const found = await live(agent.soul.passportId, at);
    const soul = currentSoul(agent, found);
    if (soul === null) throw age.behind(at);
    const passport = agent.passport && { ...agent.passport, owner: found.owner };
    return { at, value: { ...agent, soul, passport }, checkedAt: found.blockTime };
  }

  return {
    holding: async (tokenId) => current(await reads.holding(tokenId)),

    async agent(ref): Promise<Reading<IndexedAgent | null>> {
      const indexed = await reads.agent(ref);
      const reading = await current(indexed);
      const { value, checkedAt } = reading;
      if (value === null || checkedAt === undefined) return reading;
      const isSold =
        value.passport === null || value.passport.owner !== indexed.value?.passport?.owner;
      // A sale clears the wallet on chain, so the seller's must not be shown.
      return isSold ? { ...reading, value: { ...value, agentWallet: null } } : reading;
    },

    async passport(id): Promise<Reading<IndexedPassport | null>> {
      const reading = await reads.passport(id);
      const { at, value } = reading;
      if (value === null) return reading;
      asked.note(id);
      if (age.isFresh(at)) return reading;
      const { owner, blockTime } = await live(id, at);
      return { at, value: { ...value, owner }, checkedAt: blockTime };
    },
  };
}

/**
 * The indexed soul with what the chain says of its control now; null when it is not the same seal
 * any more.
 */
function currentSoul(agent: AgentHolding, { owner, soul: live }: ChainPassport) {
  const { soul } = agent;
  // A passport without an owner makes its soul not linked.
  if (owner === null) return soul;
  if (live === null || live.tokenId !== soul.tokenId) {
    // Only burning unbinds a soul from its passport.
    return { ...soul, status: "BURNED" as const };
  }
  const isSameSeal =
    live.status === soul.status &&
    live.epoch === soul.epoch &&
    live.soulHash === (soul.soulHash ?? zeroHash);
  if (!isSameSeal) return null;
  const { sealer, suspended, operator } = live;
  return { ...soul, sealer, suspended, operator };
}

/**
 * API keys. A full key is refused with INDEX_BEHIND while the index cannot tell whether a
 * reseal ended it. A provisional key is not: it only reads, so one that a reseal ended may read
 * until the index follows. Its exchange asks the chain.
 */
export function currentKeys(
  keys: Pick<KeyStandings, "organizationOf"> & {
    keyStanding(hash: Buffer): Promise<(KeyStanding & { readonly at: IndexedPoint }) | null>;
  },
  age: IndexAge,
): KeyStandings {
  return {
    organizationOf: keys.organizationOf,
    async keyStanding(hash) {
      const key = await keys.keyStanding(hash);
      if (key === null || key.kind === "provisional" || age.isFresh(key.at)) return key;
      throw age.behind(key.at);
    },
  };
}
