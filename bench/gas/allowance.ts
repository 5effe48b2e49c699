import { type Address, encodeFunctionData, type Hex, maxUint256, parseAbi } from "viem";
import {
  allowanceVaultAbi,
  identityRegistryAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { paymentRedemptions, paymentTypedData } from "../../protocol/payment.ts";
import type { Comparison } from "../lib/report.ts";
import { agentOf, sendRegistration } from "./agents.ts";
import { QUOTED } from "./peers.ts";
import { DEADLINE, hashOf, type Wallet, type World } from "./world.ts";

const stablecoinAbi = parseAbi([
  "function mint(address account, uint256 amount)",
  "function approve(address spender, uint256 amount) returns (bool)",
]);
const probeAbi = parseAbi([
  "function gasOf(address target, bytes data) view returns (uint256 used)",
]);

/** Reference of the payments: 32 bytes without cheap zeros, like real references. */
const PAYMENT_REF = hashOf("invoice");
const TERMS_HASH = hashOf("terms");

const SPEND = 71_000;
const FIRST_REDEMPTION = 110_000;
const LATER_REDEMPTION = 92_000;
const EACH_OF_TEN = 38_000;
const IS_VALID_ABOVE_OWNER_OF = 6_500;
const CAN_SPEND_ABOVE_OWNER_OF = 12_000;

const IS_VALID_BOUND =
  "one more contract (2,600) and one more word (2,100) touched for the first time; the rest is finding the function among those of the soul registry.";
const SPEND_BOUND =
  "the transaction (22,200 with its calldata), the stablecoin's transfer, the live owner asked of two registries, and two events.";
const REDEMPTION_BOUND =
  "the payment itself, some 9,000 for the calldata of payment, signature and execution, 3,000 for the signature, and 5,000 for the nonce; the first nonce of each 256 writes a storage word for the first time (17,100 more).";
const CAN_SPEND_BOUND =
  "two more contracts and two more words touched for the first time (9,400), and a second question to the soul registry, for the epoch (about 1,000, nearly all of it finding the function among 41). One read that answers validity and epoch together would save that; authorityOf, which does, also reads the operator's word (2,100) and costs more.";

/**
 * The cost of an agent's second payment of the day, and of another contract's check whether the
 * agent is valid and may pay. `ids` are those of the next registration.
 */
export async function compareAllowance(
  world: World,
  ids: { readonly passportId: bigint; readonly tokenId: bigint },
): Promise<readonly Comparison[]> {
  const { service, gasOf, at } = world;
  const [owner, operator, recipient] = [4, 5, 6].map(world.wallet) as [Wallet, Wallet, Wallet];
  const { passportId, tokenId } = ids;

  await gasOf(
    sendRegistration(
      world,
      owner,
      { ...agentOf("paying-agent", owner.account.address), operator: operator.account.address },
      ids,
    ),
  );
  const coin = { address: at.stablecoin, abi: stablecoinAbi } as const;
  for (const { account } of [owner, recipient]) {
    await gasOf(
      service.writeContract({ ...coin, functionName: "mint", args: [account.address, 10n ** 12n] }),
    );
  }
  const approve = (amount: bigint) =>
    gasOf(owner.writeContract({ ...coin, functionName: "approve", args: [at.vault, amount] }));
  await approve(10n ** 11n);
  const vault = { address: at.vault, abi: allowanceVaultAbi } as const;
  await gasOf(
    owner.writeContract({
      ...vault,
      functionName: "setAllowance",
      args: [
        {
          tokenId,
          epoch: 1,
          version: 0,
          perTransaction: 10_000_000n,
          dailyLimit: 50_000_000n,
          validUntil: Number(DEADLINE),
          onlyWithAgentWallet: false,
          nonce: 0n,
          deadline: DEADLINE,
        },
        "0x",
      ],
    }),
  );

  const spend = () =>
    gasOf(
      operator.writeContract({
        ...vault,
        functionName: "spend",
        args: [tokenId, recipient.account.address, 1_000_000n, PAYMENT_REF],
      }),
    );
  await spend();
  const second = await spend();

  const signedPayment = async (nonce: bigint) => {
    const message = {
      tokenId,
      epoch: 1,
      allowanceVersion: 1,
      operator: operator.account.address,
      recipient: recipient.account.address,
      amount: 1_000_000n,
      paymentRef: PAYMENT_REF,
      termsHash: TERMS_HASH,
      redeemer: service.account.address,
      nonce,
      deadline: DEADLINE,
    };
    const domain = { chainId: world.chainId, verifyingContract: at.vault };
    return { message, signature: await operator.signTypedData(paymentTypedData(domain, message)) };
  };
  const redeem = async (firstNonce: bigint, count = 1) => {
    const nonces = Array.from({ length: count }, (_, index) => firstNonce + BigInt(index));
    const payments = await Promise.all(nonces.map(signedPayment));
    return gasOf(
      service.writeContract({
        ...vault,
        functionName: "redeemDelegations",
        args: paymentRedemptions(at.stablecoin, payments),
      }),
    );
  };
  const word = 1n << 128n;
  // The first nonce of each word, then later ones.
  await redeem(word);
  const redeemedFinite = await redeem(word + 1n);
  await approve(maxUint256);
  const secondUnlimited = await spend();
  const redeemedFirst = await redeem(2n * word);
  const redeemedNext = await redeem(2n * word + 1n);
  const ten = (await redeem(3n * word, 10)) / 10;

  const readBy = async (target: Address, data: Hex): Promise<number> =>
    Number(
      await world.client.readContract({
        address: at.probe,
        abi: probeAbi,
        functionName: "gasOf",
        args: [target, data],
      }),
    );
  const ownerOf = await readBy(
    at.identity,
    encodeFunctionData({ abi: identityRegistryAbi, functionName: "ownerOf", args: [passportId] }),
  );
  const isValid = await readBy(
    at.souls,
    encodeFunctionData({ abi: soulRegistryAbi, functionName: "isValid", args: [tokenId] }),
  );
  const canSpend = await readBy(
    at.vault,
    encodeFunctionData({ abi: allowanceVaultAbi, functionName: "canSpend", args: [tokenId, 1n] }),
  );

  const spending = (name: string, value: number, text: string, atMost: number): Comparison => ({
    what: "allowance, second spend of the day",
    ours: second,
    peer: { name, value },
    aim: { text, atMost },
    bound: SPEND_BOUND,
  });
  const unlimited = (what: string, gas: number, atMost: number, bound: string): Comparison => ({
    what: `${what}, with an approval without limit`,
    ours: gas,
    peer: { name: "the second spend of a limited approval", value: second },
    aim: { text: `at most ${atMost.toLocaleString("en-US")}`, atMost },
    bound,
  });
  const reading = (what: string, gas: number, above: number, bound: string): Comparison => ({
    what: `${what}, read by another contract`,
    ours: gas,
    peer: { name: "a bare ownerOf", value: ownerOf },
    aim: {
      text: `at most ${above.toLocaleString("en-US")} above (is ${(gas - ownerOf).toLocaleString("en-US")})`,
      atMost: ownerOf + above,
    },
    bound,
  });
  return [
    spending(
      "Coinbase SpendPermission, quoted",
      QUOTED.coinbaseSecondSpend,
      "below it",
      QUOTED.coinbaseSecondSpend - 1,
    ),
    spending(
      "Safe allowance module, quoted, and a bare ownerOf, which it does not ask for",
      QUOTED.safeAllowanceTransfer + ownerOf,
      "at most as much",
      QUOTED.safeAllowanceTransfer + ownerOf,
    ),
    unlimited("spend", secondUnlimited, SPEND, SPEND_BOUND),
    unlimited("redeem, first nonce of 256", redeemedFirst, FIRST_REDEMPTION, REDEMPTION_BOUND),
    unlimited("redeem, later nonce", redeemedNext, LATER_REDEMPTION, REDEMPTION_BOUND),
    unlimited("redeem ten at once, each", ten, EACH_OF_TEN, REDEMPTION_BOUND),
    {
      what: "redeem, later nonce, with a limited approval",
      ours: redeemedFinite,
      peer: { name: "the second spend, which the operator sends itself", value: second },
      aim: { text: "at most 95,000", atMost: 95_000 },
      bound: REDEMPTION_BOUND,
    },
    reading("isValid", isValid, IS_VALID_ABOVE_OWNER_OF, IS_VALID_BOUND),
    reading("canSpend", canSpend, CAN_SPEND_ABOVE_OWNER_OF, CAN_SPEND_BOUND),
  ];
}
