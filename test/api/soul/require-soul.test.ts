import { describe, expect, it } from "vitest";
import { ApiError } from "../../../api/kernel/errors.ts";
import type { ChainSoul } from "../../../api/soul/chain-soul.ts";
import type { SoulCondition } from "../../../api/soul/require-soul.ts";
import { assertSoul, requireSoul } from "../../../api/soul/require-soul.ts";
import { chainSoul, chainSouls } from "../../fixtures/chain-soul.ts";

const BUYER = "0x2222222222222222222222222222222222222222";

const NOT_SEALED = "FORBIDDEN: This soul is not sealed yet.";
const UNKNOWN = "NOT_FOUND: There is no agent with token id 1.";
const BURNED = `BURNED: ${new ApiError("BURNED").message}`;
const SUSPENDED = `SUSPENDED: ${new ApiError("SUSPENDED").message}`;

const STATES = {
  unknown: null,
  sealed: chainSoul(),
  provisional: chainSoul({ status: "PROVISIONAL" }),
  sold: chainSoul({ passportOwner: BUYER }),
  "sold before its seal": chainSoul({ status: "PROVISIONAL", passportOwner: BUYER }),
  "back at its sealer under a suspension": chainSoul({ suspended: true }),
  "without a readable passport": chainSoul({ passportOwner: null }),
  burned: chainSoul({ status: "BURNED" }),
  "burned after a sale": chainSoul({ status: "BURNED", passportOwner: BUYER }),
} satisfies Record<string, ChainSoul | null>;

const answers: Record<keyof typeof STATES, Record<SoulCondition, string>> = {
  unknown: all(UNKNOWN),
  sealed: all("meets"),
  provisional: { ...all("meets"), sealed: NOT_SEALED, active: NOT_SEALED },
  sold: { ...all("meets"), owned: SUSPENDED, active: SUSPENDED },
  "sold before its seal": {
    ...all("meets"),
    sealed: NOT_SEALED,
    owned: SUSPENDED,
    active: NOT_SEALED,
  },
  "back at its sealer under a suspension": {
    ...all("meets"),
    owned: SUSPENDED,
    active: SUSPENDED,
  },
  "without a readable passport": { ...all("meets"), owned: SUSPENDED, active: SUSPENDED },
  burned: { ...all(BURNED), registered: "meets" },
  "burned after a sale": { ...all(BURNED), registered: "meets" },
};

function all(answer: string): Record<SoulCondition, string> {
  return { registered: answer, live: answer, sealed: answer, owned: answer, active: answer };
}

async function answerOf(soul: ChainSoul | null, condition: SoulCondition): Promise<string> {
  try {
    await requireSoul(chainSouls(soul), 1n, condition);
    return "meets";
  } catch (error) {
    return error instanceof ApiError ? `${error.type}: ${error.message}` : String(error);
  }
}

describe("the condition of a soul", () => {
  it.each(Object.keys(STATES) as (keyof typeof STATES)[])(
    "gives the same answer to every operation for a soul that is %s",
    async (state) => {
      const conditions = Object.keys(answers[state]) as SoulCondition[];
      const given = await Promise.all(
        conditions.map(async (condition) => [condition, await answerOf(STATES[state], condition)]),
      );
      expect(Object.fromEntries(given)).toEqual(answers[state]);
    },
  );

  it("names the account that decides for an owned soul", () => {
    expect(assertSoul(STATES.sealed, "active").owner).toBe(STATES.sealed.sealer);
  });
});
