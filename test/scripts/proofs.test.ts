import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isInstalled } from "../../scripts/lib/run.ts";
import { checkClaims } from "../../scripts/proofs/claims.ts";

/** A fault in a contract, and a claim that is not true with it: one for each file of claims. */
interface Fault {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly claim: string;
  /** It is refuted in a few seconds. */
  readonly isQuick?: true;
}

/** Tries the faults too that take half a minute each. */
const SOAK = process.env.SVC_SOAK === "1";
const VAULT = "contracts/AllowanceVault.sol";
const SOULS = "contracts/SoulRegistry.sol";

const FAULTS: readonly Fault[] = [
  {
    path: VAULT,
    from: "if (known && record.day == Periods.dayOf(block.timestamp)) spent",
    to: "if (known) spent",
    claim: "the day's sum counts on its day and in its epoch, and is zero in all others",
  },
  {
    path: VAULT,
    from: "uint16 version = ++record.version;\n        record.validUntil = 0;",
    to: "uint16 version; unchecked { version = ++record.version; }\n        record.validUntil = 0;",
    claim: "deactivation adds one to the version, ends the allowance and changes nothing else",
  },
  {
    path: "contracts/libraries/Periods.sol",
    from: "startOf(time) + LENGTH",
    to: "startOf(time) + LENGTH - 1",
    claim: "a day has 86,400 seconds and begins at a multiple of them",
    isQuick: true,
  },
  {
    path: "contracts/OwnerAuthorization.sol",
    from: "nonce & 0xff",
    to: "nonce & 0x7f",
    claim: "using a nonce changes no other one: no two share a word and bit",
  },
  {
    path: SOULS,
    from: "(passportId % 6) * 40",
    to: "(passportId % 6) * 39",
    claim: "writing the token of a passport changes that of no other passport",
  },
  {
    path: SOULS,
    from: "passportId > type(uint56).max",
    to: "passportId > type(uint64).max",
    claim: "a passport id that does not fit into 56 bits is refused",
    isQuick: true,
  },
  {
    path: SOULS,
    from: "uint16 epoch = reseal_.epoch + 1;",
    to: "uint16 epoch = reseal_.epoch;",
    claim: "a reseal adds one to the epoch",
  },
  {
    path: "contracts/PassportMint.sol",
    from: "tokenId - reservationId >= reservation.count",
    to: "tokenId - reservationId > reservation.count",
    claim: "a token id outside its reservation is refused, and one inside is not",
    isQuick: true,
  },
];

describe.skipIf(!(await isInstalled("z3", "--version")))("a claim about a contract", () => {
  const tried = FAULTS.filter(({ isQuick }) => SOAK || isQuick);
  it.each(tried)(
    "is refuted by a fault: $claim",
    ({ path, from, to, claim }) => {
      const source = readFileSync(path, "utf8");
      expect(source).toContain(from);
      const changed = { [path]: { content: source.replaceAll(from, to) } };
      expect(checkClaims([claim], changed)).toMatchObject([{ title: claim, outcome: "REFUTED" }]);
    },
    600_000,
  );

  it("needs the function that it names", () => {
    const [path, from] = [SOULS, "_finishRecord"];
    const content = readFileSync(path, "utf8").replaceAll(from, "_complete");
    expect(() => checkClaims(["does not fit into 56 bits"], { [path]: { content } })).toThrow(
      "There are 0 functions with the name _finishRecord.",
    );
  });
});
