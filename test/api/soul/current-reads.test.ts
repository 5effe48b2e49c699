import { describe, expect, it } from "vitest";
import type { ChainPassport } from "../../../api/soul/chain-soul.ts";
import { createCurrentReads } from "../../../api/soul/current-reads.ts";
import { createIndexAge } from "../../../api/soul/index-age.ts";
import type { IndexedAgent, Reading } from "../../../api/soul/index-reads.ts";
import { byName } from "../../../api/soul/soul-ref.ts";
import { validityOf } from "../../../api/soul/validity.ts";
import { chainSoul } from "../../fixtures/chain-soul.ts";

const SELLER = "0x1000000000000000000000000000000000000001";
const BUYER = "0x2000000000000000000000000000000000000002";
const WALLET = "0x3000000000000000000000000000000000000003";
const SOUL_HASH = `0x${"5a".repeat(32)}` as const;

/** An agent as indexed in block 10, with the members that these reads use. */
const indexed = {
  soul: {
    tokenId: 1n,
    passportId: 7n,
    status: "SEALED",
    epoch: 1,
    soulHash: SOUL_HASH,
    sealer: SELLER,
    suspended: false,
    operator: null,
  },
  passport: { id: 7n, owner: SELLER },
  agentWallet: WALLET,
} as unknown as IndexedAgent;

/**
 * The agent by its name, from an index whose age is unknown, and a chain on which `owner` holds the
 * passport.
 */
function readWith(
  owner: ChainPassport["owner"],
  suspended = false,
): Promise<Reading<IndexedAgent | null>> {
  return currentReads(owner, suspended).agent(byName("aurora"));
}

function currentReads(
  owner: ChainPassport["owner"],
  suspended = false,
  note: (passportId: bigint) => void = () => undefined,
) {
  const reading = { at: { block: 10n, timestamp: 1_000n }, value: indexed };
  const read = async () => reading;
  return createCurrentReads({
    asked: { note },
    reads: {
      agent: read,
      holding: read,
      passport: async () => ({ at: reading.at, value: indexed.passport }),
    },
    age: createIndexAge({
      chainBlock: async () => 20n,
      progress: async () => ({ block: 10n, isComplete: true }),
      maxAgeMs: 10_000,
      now: () => 0,
    }),
    passports: {
      passport: async (id) => ({
        block: 20n,
        blockTime: 2_000n,
        id,
        owner,
        soul: chainSoul({ sealer: SELLER, suspended, soulHash: SOUL_HASH }),
      }),
    },
  });
}

describe("a passport that is answered from the index", () => {
  it("is noted as asked for by each read of it", async () => {
    const noted: bigint[] = [];
    const reads = currentReads(SELLER, false, (id) => noted.push(id));
    await reads.agent(byName("aurora"));
    await reads.holding(1n);
    await reads.passport(99n);
    expect(noted).toEqual([indexed.soul.passportId, indexed.soul.passportId, 99n]);
  });
});

describe("an agent read while the index is too old", () => {
  it("keeps its wallet while the passport has the indexed owner", async () => {
    expect(await readWith(SELLER)).toEqual({
      at: { block: 10n, timestamp: 1_000n },
      value: indexed,
      checkedAt: 2_000n,
    });
  });

  it("is suspended as on chain, also with the passport at its sealer", async () => {
    const { value } = await readWith(SELLER, true);
    expect(value).toEqual({ ...indexed, soul: { ...indexed.soul, suspended: true } });
    expect(value && validityOf(value)).toBe("suspended");
  });

  it("is held as on chain, where nothing else of it is read", async () => {
    const { holding } = currentReads(BUYER);
    expect((await holding(1n)).value?.passport).toEqual({ id: 7n, owner: BUYER });
  });

  it("has no wallet once the passport has another owner, because every transfer clears it", async () => {
    expect((await readWith(BUYER)).value).toEqual({
      ...indexed,
      passport: { id: 7n, owner: BUYER },
      agentWallet: null,
    });
  });
});
