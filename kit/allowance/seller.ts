import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  isAddress,
  isAddressEqual,
  isHex,
  zeroHash,
} from "viem";
import { allowanceVaultAbi } from "../../protocol/generated/abi.ts";
import { type PaymentMessage, paymentDigest, readPaymentContext } from "../../protocol/payment.ts";
import { termsHashOf } from "./x402.ts";

// x402 version 2 for sellers: payments of a vault, each for one request.

const OTHER_TERMS = "payment_of_other_terms";
const USED = "payment_used_before";

/** The part of an x402 payment that is read here. */
interface PaymentPayload {
  readonly resource?: { readonly url: string } | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The seller's own terms. */
interface PaymentRequirements {
  readonly amount: string;
  readonly payTo: string;
}

interface VerifyAnswer {
  isValid: boolean;
  invalidReason?: string | undefined;
}

interface SettleAnswer {
  success: boolean;
  transaction: string;
  errorReason?: string | undefined;
}

/** A facilitator's client, such as `HTTPFacilitatorClient` of `@x402/core`. */
export interface Facilitator<Payload, Requirements, Verified, Settled, Supported> {
  verify(payload: Payload, requirements: Requirements): Promise<Verified>;
  settle(payload: Payload, requirements: Requirements): Promise<Settled>;
  getSupported(): Promise<Supported>;
}

export interface SellerOptions {
  /** URL of a node of the chain. The seller trusts it. */
  readonly rpc: string;
  /** The contract AllowanceVault whose payments are looked up. */
  readonly vault: Address;
  /**
   * Records that a payment was used for a request. Answers true the first time and false for ever
   * after, for all processes of the seller: for example an insert into a table with a unique key.
   */
  readonly claim: (digest: Hex) => Promise<boolean>;
  /** Whether a payment was used for a request. */
  readonly isClaimed: (digest: Hex) => Promise<boolean>;
  /** How many of the newest blocks are searched for a settlement; 5,000 by default. */
  readonly maxBlocks?: bigint;
  /** Time limit of each request to the node in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * The same facilitator, for a seller that takes payments of a vault. A payment that the facilitator
 * refuses still counts when it was settled: by another account, or by this seller before it
 * crashed. Each payment counts for one request. A payment that names other terms than the seller's
 * is refused. Payments of other delegation managers pass unchanged.
 */
export function withSettledPayments<
  Payload extends PaymentPayload,
  Requirements extends PaymentRequirements,
  Verified extends VerifyAnswer,
  Settled extends SettleAnswer,
  Supported,
>(
  facilitator: Facilitator<Payload, Requirements, Verified, Settled, Supported>,
  options: SellerOptions,
): Facilitator<Payload, Requirements, Verified, Settled, Supported> {
  const { rpc, vault, claim, isClaimed, maxBlocks = 5_000n, timeoutMs = 10_000 } = options;
  const client = createPublicClient({ transport: http(rpc, { timeout: timeoutMs }), cacheTime: 0 });

  /** The payment, if the vault could make it for these terms. */
  async function paymentOf({ payload, resource }: Payload, requirements: Requirements) {
    const { delegationManager, permissionContext } = payload;
    if (typeof delegationManager !== "string" || !isAddress(delegationManager)) return null;
    if (!isAddressEqual(delegationManager, vault) || !isHex(permissionContext)) return null;
    const message = readPaymentContext(permissionContext);
    if (message === null) return null;
    const chainId = await client.getChainId();
    const digest = paymentDigest({ chainId, verifyingContract: vault }, message);
    return { digest, isOfTerms: isOfTerms(message, requirements, resource?.url ?? "") };
  }

  /** The transaction that settled a payment; null without one. */
  async function settlementOf(digest: Hex): Promise<Hex | null> {
    const newest = await client.getBlockNumber();
    const [spent] = await client.getContractEvents({
      address: vault,
      abi: allowanceVaultAbi,
      eventName: "Spent",
      args: { digest },
      fromBlock: newest > maxBlocks ? newest - maxBlocks : 0n,
      toBlock: newest,
    });
    return spent?.transactionHash ?? null;
  }

  return {
    getSupported: () => facilitator.getSupported(),

    async verify(payload, requirements) {
      const payment = await paymentOf(payload, requirements);
      const answer = await facilitator.verify(payload, requirements);
      if (payment === null) return answer;
      if (!payment.isOfTerms) return { ...answer, isValid: false, invalidReason: OTHER_TERMS };
      if (answer.isValid || (await isClaimed(payment.digest))) return answer;
      const transaction = await settlementOf(payment.digest);
      return transaction === null ? answer : { ...answer, isValid: true, invalidReason: undefined };
    },

    async settle(payload, requirements) {
      const payment = await paymentOf(payload, requirements);
      const answer = await facilitator.settle(payload, requirements);
      if (payment === null) return answer;
      const transaction = answer.success
        ? answer.transaction
        : payment.isOfTerms && (await settlementOf(payment.digest));
      if (!transaction) return answer;
      // Last: until here, the same payment can be sent again after a crash.
      if (!(await claim(payment.digest))) {
        return { ...answer, success: false, errorReason: USED };
      }
      return { ...answer, success: true, errorReason: undefined, transaction };
    },
  };
}

function isOfTerms(
  message: PaymentMessage,
  requirements: PaymentRequirements,
  resource: string,
): boolean {
  const { recipient, amount, termsHash } = message;
  const { payTo } = requirements;
  if (!isAddress(payTo) || !isAddressEqual(payTo, recipient)) return false;
  if (requirements.amount !== amount.toString()) return false;
  return termsHash === zeroHash || termsHash === termsHashOf(resource, requirements);
}
