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
const OTHER_MANAGER = "delegation_manager_not_accepted";
const USED = "payment_used_before";

/** The part of an x402 payment that is read here. */
interface PaymentPayload {
  readonly resource?: { readonly url: string } | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The seller's own terms. */
interface PaymentRequirements {
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
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

interface Asset {
  readonly chainId: number;
  readonly stablecoin: Address;
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
 * crashed. Each payment counts for one request. A payment for other terms than the seller's is
 * refused; of a payment's `termsHash`, the resource is what the payload says it is. Other delegation
 * managers are refused: one could pass a payment of the vault on, which would then count again.
 * Payments of other methods than ERC-7710 pass unchanged.
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

  let asset: Promise<Asset> | undefined;

  /** Chain and token of the vault, which never change. */
  async function assetOf(): Promise<Asset> {
    asset ??= Promise.all([
      client.getChainId(),
      client.readContract({ address: vault, abi: allowanceVaultAbi, functionName: "STABLECOIN" }),
    ]).then(([chainId, stablecoin]) => ({ chainId, stablecoin }));
    return asset.catch((error: unknown) => {
      asset = undefined;
      throw error;
    });
  }

  /** The digest of a payment, or why it is refused; null for another method than ERC-7710. */
  async function paymentOf(
    { payload, resource }: Payload,
    requirements: Requirements,
  ): Promise<{ digest: Hex } | { refusal: string } | null> {
    const { delegationManager, permissionContext } = payload;
    if (delegationManager === undefined) return null;
    const isVault =
      typeof delegationManager === "string" &&
      delegationManager.toLowerCase() === vault.toLowerCase();
    const message =
      isVault && isHex(permissionContext) ? readPaymentContext(permissionContext) : null;
    if (message === null) return { refusal: OTHER_MANAGER };
    const { chainId, stablecoin } = await assetOf();
    const isMeant =
      requirements.scheme === "exact" &&
      requirements.network === `eip155:${chainId}` &&
      requirements.asset.toLowerCase() === stablecoin.toLowerCase() &&
      isOfTerms(message, requirements, resource?.url ?? "");
    if (!isMeant) return { refusal: OTHER_TERMS };
    return { digest: paymentDigest({ chainId, verifyingContract: vault }, message) };
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
      if ("refusal" in payment)
        return { ...answer, isValid: false, invalidReason: payment.refusal };
      if (answer.isValid || (await isClaimed(payment.digest))) return answer;
      const transaction = await settlementOf(payment.digest);
      return transaction === null ? answer : { ...answer, isValid: true, invalidReason: undefined };
    },

    async settle(payload, requirements) {
      const payment = await paymentOf(payload, requirements);
      if (payment !== null && "refusal" in payment) {
        const { network } = requirements;
        const refused = { success: false, transaction: "", network, errorReason: payment.refusal };
        return refused as SettleAnswer as Settled;
      }
      const answer = await facilitator.settle(payload, requirements);
      if (payment === null) return answer;
      const transaction = answer.success ? answer.transaction : await settlementOf(payment.digest);
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
