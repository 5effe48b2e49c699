import { randomBytes } from "node:crypto";
import fc from "fast-check";
import {
  type Address,
  concat,
  type Hex,
  hashMessage,
  hexToBigInt,
  keccak256,
  numberToHex,
  parseSignature,
  slice,
  toHex,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  chooseRecovery,
  messageDigest,
  pureRecovery,
  recovery,
} from "../../../../api/platform/chain/signer-recovery.ts";

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** The field's prime. From N up to P, x coordinates are points but cannot be written as r. */
const P = 2n ** 256n - 2n ** 32n - 977n;

const DIGEST = keccak256("0x01");
const account = privateKeyToAccount(generatePrivateKey());
const word = (value: bigint) => numberToHex(value, { size: 32 });
const byte = (value: number) => toHex(value, { size: 1 });

/** Both answers, which must be equal. */
async function bothSay(digest: Hex, signature: Hex): Promise<Address | null> {
  const [native, pure] = await Promise.all([
    recovery.recover(digest, signature),
    pureRecovery.recover(digest, signature),
  ]);
  expect(native).toBe(pure);
  return native;
}

let r: Hex;
let s: Hex;
let yParity: number;
beforeAll(async () => {
  ({ r, s, yParity } = parseSignature(await account.sign({ hash: DIGEST })));
});

describe("recovery", () => {
  it("runs natively on the platforms that the package was built for", (test) => {
    const built = ["linux-x64", "darwin-arm64", "win32-x64"];
    if (!built.includes(`${process.platform}-${process.arch}`)) return test.skip();
    expect(recovery.path).toBe("native");
  });

  it("falls back to the pure path without the package, and logs that", async () => {
    const fallback = chooseRecovery(() => {
      throw new Error("No native build was found");
    });
    expect(fallback.path).toBe("pure");
    const signature = await account.sign({ hash: DIGEST });
    expect(await fallback.recover(DIGEST, signature)).toBe(account.address);
  });

  it("accepts exactly v = 0, 1, 27 and 28 on both paths", async () => {
    for (let v = 0; v < 256; v += 1) {
      const recovered = await bothSay(DIGEST, concat([r, s, byte(v)]));
      if ([0, 1, 27, 28].includes(v)) {
        const isOurs = v % 27 === yParity;
        expect(recovered === account.address).toBe(isOurs);
        expect(recovered).not.toBeNull();
      } else {
        expect(recovered).toBeNull();
      }
    }
  });

  it("accepts the higher s with the flipped v on both paths", async () => {
    const high = word(N - hexToBigInt(s));
    expect(await bothSay(DIGEST, concat([r, high, byte(28 - yParity)]))).toBe(account.address);
    expect(await bothSay(DIGEST, concat([r, high, byte(27 + yParity)]))).not.toBe(account.address);
  });

  it("refuses the compact form on both paths", async () => {
    const yParityAndS = word(hexToBigInt(s) | (BigInt(yParity) << 255n));
    expect(await bothSay(DIGEST, concat([r, yParityAndS]))).toBeNull();
  });

  it.each<[string, () => Hex]>([
    ["nothing", () => "0x"],
    ["64 bytes", () => concat([r, s])],
    ["66 bytes", () => concat([r, s, "0x1b00"])],
    ["zero r", () => concat([word(0n), s, "0x1b"])],
    ["zero s", () => concat([r, word(0n), "0x1b"])],
    ["zeroes", () => concat([word(0n), word(0n), "0x1b"])],
    ["r = n", () => concat([word(N), s, "0x1b"])],
    ["s = n", () => concat([r, word(N), "0x1b"])],
    ["r = n + 1", () => concat([word(N + 1n), s, "0x1b"])],
    ["r = p - 1", () => concat([word(P - 1n), s, "0x1b"])],
    ["r = p", () => concat([word(P), s, "0x1b"])],
    ["r = 2^256 - 1", () => concat([word(2n ** 256n - 1n), s, "0x1c"])],
    ["s = 2^256 - 1", () => concat([r, word(2n ** 256n - 1n), "0x1c"])],
    // 5 is not the x of a point.
    ["an r that is no point", () => concat([word(5n), s, "0x1b"])],
  ])("refuses %s on both paths", async (_what, signature) => {
    expect(await bothSay(DIGEST, signature())).toBeNull();
  });

  it("does not give the point at infinity on either path", async () => {
    // r is the x of G and s equals the digest, so s R - z G is the point at infinity.
    const gx = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;
    expect(await bothSay(word(7n), concat([word(gx), word(7n), "0x1b"]))).toBeNull();
    expect(await bothSay(word(7n), concat([word(gx), word(7n), "0x1c"]))).not.toBeNull();
  });

  it.each([0n, 1n, N - 1n, N, N + 1n, 2n ** 256n - 1n])(
    "agrees on a digest of %i, reduced by the curve's order",
    async (digest) => {
      expect(await bothSay(word(digest), concat([r, s, byte(27 + yParity)]))).not.toBeNull();
    },
  );

  it("agrees on signatures of many keys, and on each with one bit flipped", async () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    await fc.assert(
      fc.asyncProperty(bytes, fc.nat(519), async (message, bit) => {
        const signer = privateKeyToAccount(generatePrivateKey());
        const digest = keccak256(message);
        const signature = await signer.sign({ hash: digest });
        expect(await bothSay(digest, signature)).toBe(signer.address);
        const flipped = hexToBigInt(signature) ^ (1n << BigInt(bit));
        const changed = numberToHex(flipped, { size: 65 });
        expect(await bothSay(digest, changed)).not.toBe(signer.address);
      }),
      { numRuns: 100 },
    );
  });

  it("agrees on bytes that are not a signature", async () => {
    for (let i = 0; i < 100; i += 1) {
      const signature = concat([toHex(randomBytes(64)), byte(27 + (i % 2))]);
      const recovered = await bothSay(toHex(randomBytes(32)), signature);
      expect(recovered === null || recovered.length === 42).toBe(true);
      expect(slice(signature, 64)).toBe(i % 2 === 0 ? "0x1b" : "0x1c");
    }
  });
});

describe("the digest of a message", () => {
  it("is the one that wallets sign, for any text", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 1_200 }),
      fc.string({ unit: "binary", maxLength: 200 }),
      // Half of a pair of UTF-16 code units.
      fc.constantFrom("", "\ud800", "a\udc00b"),
    );
    fc.assert(
      fc.property(text, (message) => {
        expect(messageDigest(message)).toBe(hashMessage(message));
      }),
    );
  });
});
