import fc from "fast-check";
import { decodeFunctionData, erc20Abi, type Hex, sliceHex, zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import {
  type PaymentMessage,
  paymentContext,
  paymentDigest,
  paymentRedemptions,
  readPaymentContext,
} from "../../protocol/payment.ts";

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value): Hex => {
    return `0x${Buffer.from(value).toString("hex")}`;
  });
const account = hexOf(20);
const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const uint16 = fc.integer({ min: 0, max: 65_535 });

const payment: fc.Arbitrary<PaymentMessage> = fc.record({
  tokenId: word,
  epoch: uint16,
  allowanceVersion: uint16,
  operator: account,
  recipient: account,
  amount: word,
  paymentRef: hexOf(32),
  termsHash: hexOf(32),
  redeemer: account,
  nonce: word,
  deadline: word,
});
const lower = (message: PaymentMessage | null) =>
  message && {
    ...message,
    operator: message.operator.toLowerCase(),
    recipient: message.recipient.toLowerCase(),
    redeemer: message.redeemer.toLowerCase(),
  };
const DOMAIN = {
  chainId: 8453,
  verifyingContract: "0x1111111111111111111111111111111111111111",
} as const;
const STABLECOIN = "0x2222222222222222222222222222222222222222";

describe("the permission context of a payment", () => {
  it("is read as it was written, for a signature of any length", () => {
    fc.assert(
      fc.property(payment, fc.integer({ min: 0, max: 200 }), (message, length) => {
        const context = paymentContext(message, `0x${"ab".repeat(length)}`);
        expect(lower(readPaymentContext(context))).toEqual(message);
      }),
    );
  });

  it("is null for fewer bytes than a payment, and for a value out of its type's range", () => {
    fc.assert(
      fc.property(payment, (message) => {
        const context = paymentContext(message, "0x");
        expect(readPaymentContext(sliceHex(context, 0, 351))).toBeNull();
        // The epoch is the second word, and has 16 bits.
        const epoch = `0x${context.slice(2, 2 + 64)}${"f".repeat(64)}${context.slice(2 + 128)}`;
        expect(readPaymentContext(epoch as Hex)).toBeNull();
      }),
    );
  });
});

describe("the digest of a payment", () => {
  it("differs for another value of any field, another chain and another vault", () => {
    fc.assert(
      fc.property(payment, payment, (one, other) => {
        const digest = paymentDigest(DOMAIN, one);
        for (const field of Object.keys(one) as (keyof PaymentMessage)[]) {
          if (one[field] === other[field]) continue;
          expect(paymentDigest(DOMAIN, { ...one, [field]: other[field] })).not.toBe(digest);
        }
        expect(paymentDigest({ ...DOMAIN, chainId: 1 }, one)).not.toBe(digest);
        expect(paymentDigest({ ...DOMAIN, verifyingContract: STABLECOIN }, one)).not.toBe(digest);
      }),
    );
  });
});

describe("the redemption of several payments", () => {
  it("has one context, mode and transfer for each, in their order", () => {
    fc.assert(
      fc.property(fc.array(payment, { minLength: 1, maxLength: 5 }), (messages) => {
        const signed = messages.map((message) => ({ message, signature: "0xab" as Hex }));
        const [contexts, modes, executions] = paymentRedemptions(STABLECOIN, signed);
        expect(contexts.map((context) => lower(readPaymentContext(context)))).toEqual(messages);
        expect(modes).toEqual(messages.map(() => zeroHash));
        const transfers = executions.map((execution) => {
          expect(sliceHex(execution, 0, 52)).toBe(`${STABLECOIN}${zeroHash.slice(2)}`);
          const [to, value] = decodeFunctionData({ abi: erc20Abi, data: sliceHex(execution, 52) })
            .args as [string, bigint];
          return [to.toLowerCase(), value];
        });
        expect(transfers).toEqual(messages.map(({ recipient, amount }) => [recipient, amount]));
      }),
    );
  });
});
