import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem";
import {
  allowanceVaultAbi,
  identityRegistryAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { paymentRedemption } from "../../protocol/payment.ts";
import { ALLOWANCE_VAULT_TYPES, allowanceVaultDomain } from "../../protocol/typed-data.ts";
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

const REDEMPTION = 95_000;
const IS_VALID_ABOVE_OWNER_OF = 6_500;
const CAN_SPEND_ABOVE_OWNER_OF = 13_000;

const IS_VALID_BOUND =
  "one more contract (2,600) and one more word (2,100) touched for the first time; the rest is finding the function among those of the soul registry.";
const REDEMPTION_BOUND =
  "the payment itself, some 7,000 for the calldata of payment, signature and execution, 3,000 for the signature, and 5,000 for the nonce.";
const FIRST_NONCE_BOUND =
  "the first nonce of each 256 writes a storage word for the first time (17,100 more).";
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
  await gasOf(
    owner.writeContract({ ...coin, functionName: "approve", args: [at.vault, 10n ** 11n] }),
  );
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
          dailyLimit: 25_000_000n,
          validUntil: Number(DEADLINE),
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

  const redeem = async (nonce: bigint) => {
    const message = {
      tokenId,
      epoch: 1,
      recipient: recipient.account.address,
      amount: 1_000_000n,
      paymentRef: PAYMENT_REF,
      nonce,
      deadline: DEADLINE,
    };
    const signature = await operator.signTypedData({
      domain: allowanceVaultDomain({ chainId: world.chainId, verifyingContract: at.vault }),
      types: { Payment: ALLOWANCE_VAULT_TYPES.Payment },
      primaryType: "Payment",
      message,
    });
    return gasOf(
      service.writeContract({
        ...vault,
        functionName: "redeemDelegations",
        args: paymentRedemption(at.stablecoin, message, signature),
      }),
    );
  };
  const firstNonce = 1n << 128n;
  const redeemedFirst = await redeem(firstNonce);
  const redeemedNext = await redeem(firstNonce + 1n);

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
    bound:
      "the stablecoin's transfer, the live owner asked of two registries, and the recipient's balance read before and after it.",
  });
  const redeeming = (what: string, gas: number, bound: string): Comparison => ({
    what: `signed payment redeemed, ${what}`,
    ours: gas,
    peer: { name: "the second spend, which the operator sends itself", value: second },
    aim: { text: "at most 95,000", atMost: REDEMPTION },
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
    redeeming("a later nonce of a storage word", redeemedNext, REDEMPTION_BOUND),
    redeeming("the first of 256 nonces", redeemedFirst, FIRST_NONCE_BOUND),
    reading("isValid", isValid, IS_VALID_ABOVE_OWNER_OF, IS_VALID_BOUND),
    reading("canSpend", canSpend, CAN_SPEND_ABOVE_OWNER_OF, CAN_SPEND_BOUND),
  ];
}
