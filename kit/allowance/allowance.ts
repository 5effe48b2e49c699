import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  getAddress,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  parseEventLogs,
  stringToBytes,
  zeroAddress,
  zeroHash,
} from "viem";
import { type AllowanceReason, allowanceReason } from "../../protocol/allowance-reasons.ts";
import { allowanceVaultAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  type PaymentMessage,
  paymentContext,
  paymentDigest,
  paymentTypedData,
} from "../../protocol/payment.ts";
import { AllowanceError, type SignedPayment } from "./error.ts";
import {
  type PaymentRequired,
  paymentSignature,
  readPaymentRequired,
  readSettlement,
  refusalOf,
  termsHashOf,
} from "./x402.ts";

export { AllowanceError, type AllowanceErrorReason } from "./error.ts";
export type { AllowanceReason, SignedPayment };

/** The latest that a signed payment ends, in seconds from now. A server may ask for less. */
const LONGEST_DEADLINE = 300;
/** Nonces that share a storage word: all but the first cost less gas. */
const WORD = 256n;

export interface AllowanceOptions {
  /** The agent's operator. It needs ether for `pay` and `report`, and none for `payX402`. */
  readonly signer: LocalAccount;
  /** URL of a node of the chain. The caller trusts it. */
  readonly rpc: string;
  /** The contract AllowanceVault, from a deployment that the caller trusts. */
  readonly vault: Address;
  /** The agent's certificate. */
  readonly tokenId: bigint;
  /** Time limit of each request to the node in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** Whether an amount can be paid now, as of one block. Amounts are base units of the stablecoin. */
export interface Spendability {
  /** Whether the allowance permits it. The money is another matter: see `isFunded`. */
  readonly allowed: boolean;
  /** Null when it is allowed. */
  readonly reason: AllowanceReason | null;
  /** What the daily limit leaves, before this payment. */
  readonly remainingToday: bigint;
  /** Whether the owner has the amount and the vault may move it. */
  readonly isFunded: boolean;
  /** The owner's balance, and its approval of the vault. All agents of this owner share both. */
  readonly funding: { readonly balance: bigint; readonly approved: bigint };
}

export interface Payment {
  readonly recipient: Address;
  /** Base units of the stablecoin, above zero. */
  readonly amount: bigint;
  /** 32 bytes that tell the recipient what is paid; zero by default. */
  readonly paymentRef?: Hex;
}

export interface PaymentReport {
  /** The account that was paid; the zero address by default: not an account of this chain. */
  readonly recipient?: Address;
  readonly amount: bigint;
  /** Where the payment can be found, such as the hash of its transaction. */
  readonly paymentRef: Hex;
}

export interface Receipt {
  readonly transaction: Hex;
  readonly block: bigint;
}

export interface ReportReceipt extends Receipt {
  /** Null when the payment was within the limits, else what it violated. */
  readonly reason: AllowanceReason | null;
}

export interface X402Options {
  /** The most that the caller pays for this request, in base units of the stablecoin. */
  readonly maxAmount: bigint;
  /** Method, headers, body and signal of the request, as for `fetch`. */
  readonly init?: RequestInit;
  /** keccak256 of the resource's URL by default. */
  readonly paymentRef?: Hex;
}

export interface X402Answer {
  readonly response: Response;
  /** What was signed; null when the server asked for no payment. */
  readonly payment: SignedPayment | null;
  /** The settlement's transaction as the server names it; null when it names none. */
  readonly transaction: Hex | null;
}

/** An agent's payments from its owner's wallet, within the limits that the owner signed. */
export interface Allowance {
  /** @throws viem's errors when the node cannot be read: the result is then unknown. */
  canSpend(amount: bigint): Promise<Spendability>;
  /**
   * Pays by a transaction of the operator, and waits until it is mined.
   *
   * @throws AllowanceError when the payment is not possible now; REVERTED when it was mined and
   * refused.
   */
  pay(payment: Payment): Promise<Receipt>;
  /**
   * Counts a payment that was made elsewhere toward the day, by a transaction of the operator.
   *
   * @throws AllowanceError NOT_OPERATOR; INVALID_PAYMENT for an amount of zero; REVERTED.
   */
  report(report: PaymentReport): Promise<ReportReceipt>;
  /**
   * Requests a resource. When the server answers 402, it signs one payment of at most `maxAmount`
   * and requests the resource again with it. The server settles the payment and pays the gas.
   * Nothing is signed twice: after an error, the caller decides whether to try again.
   *
   * @throws AllowanceError before anything is signed, when the server's terms or the allowance do
   * not permit it; PAYMENT_REFUSED and PAYMENT_UNKNOWN afterwards, with the signed payment.
   */
  payX402(resource: string | URL | Request, options: X402Options): Promise<X402Answer>;
  /** Whether a signed payment was settled, or withdrawn by its operator. */
  isSettled(payment: Pick<SignedPayment, "nonce">): Promise<boolean>;
}

/** The allowance of one agent, for its operator. */
export function allowance(options: AllowanceOptions): Allowance {
  const { signer, rpc, tokenId, timeoutMs = 10_000 } = options;
  const transport = http(rpc, { timeout: timeoutMs, batch: true });
  const client = createPublicClient({ transport, cacheTime: 0, pollingInterval: 500 });
  const wallet = createWalletClient({ transport, account: signer });
  const vault = { address: options.vault, abi: allowanceVaultAbi } as const;
  const nextNonce = nonceSequence();
  let known: ReturnType<typeof readDeployment> | undefined;

  async function readDeployment() {
    const [chainId, soulRegistry, stablecoin] = await Promise.all([
      client.getChainId(),
      client.readContract({ ...vault, functionName: "SOUL_REGISTRY" }),
      client.readContract({ ...vault, functionName: "STABLECOIN" }),
    ]);
    return { chainId, soulRegistry, stablecoin };
  }

  /** Read once, because none of it changes. A failure is not cached. */
  function deployment(): ReturnType<typeof readDeployment> {
    known ??= readDeployment().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  async function spendability(amount: bigint, blockNumber: bigint): Promise<Spendability> {
    const at = { ...vault, blockNumber } as const;
    const [[allowed, reason, remainingToday], [balance, approved]] = await Promise.all([
      client.readContract({ ...at, functionName: "canSpend", args: [tokenId, amount] }),
      client.readContract({ ...at, functionName: "fundingOf", args: [tokenId] }),
    ]);
    return {
      allowed,
      reason: allowanceReason(reason),
      remainingToday,
      isFunded: balance >= amount && approved >= amount,
      funding: { balance, approved },
    };
  }

  /** The owner of the agent that the signer acts for. @throws AllowanceError NOT_OPERATOR */
  async function ownerOf(blockNumber?: bigint): Promise<Address> {
    const { soulRegistry } = await deployment();
    const [owner, operator] = await client.readContract({
      address: soulRegistry,
      abi: soulRegistryAbi,
      functionName: "authorityOf",
      args: [tokenId],
      blockNumber,
    });
    if (!isAddressEqual(operator, signer.address)) throw new AllowanceError("NOT_OPERATOR");
    return getAddress(owner);
  }

  /** @throws AllowanceError when this payment is not possible in the newest block. */
  async function assertPayable({ recipient, amount }: Payment) {
    const isPayee =
      !isAddressEqual(recipient, zeroAddress) && !isAddressEqual(recipient, vault.address);
    if (amount <= 0n || !isPayee) throw new AllowanceError("INVALID_PAYMENT");
    const { number: blockNumber, timestamp } = await client.getBlock();
    const { reason, isFunded } = await spendability(amount, blockNumber);
    if (reason !== null) throw new AllowanceError(reason);
    const owner = await ownerOf(blockNumber);
    if (!isFunded) throw new AllowanceError("NOT_FUNDED");
    return { owner, blockNumber, timestamp };
  }

  async function send(functionName: "spend" | "report", payment: Required<Payment>) {
    const { recipient, amount, paymentRef } = payment;
    const args = [tokenId, recipient, amount, paymentRef] as const;
    const call = { ...vault, account: signer, args } as const;
    let transaction: Hex;
    try {
      // Estimated first: a refusal afterwards would leave a gap in the nonces of parallel calls.
      const gas = await client.estimateContractGas({ ...call, functionName });
      const ample = (gas * 5n) / 4n;
      transaction = await wallet.writeContract({ ...call, functionName, gas: ample, chain: null });
    } catch (error) {
      throw refusalReason(error) ?? error;
    }
    const receipt = await client.waitForTransactionReceipt({ hash: transaction });
    if (receipt.status !== "success") throw new AllowanceError("REVERTED");
    return { transaction, block: receipt.blockNumber, logs: receipt.logs };
  }

  async function sign({ terms, resourceUrl }: PaymentRequired, paymentRef: Hex | undefined) {
    const { recipient, amount, maxTimeoutSeconds, redeemer } = terms;
    const { owner, blockNumber, timestamp } = await assertPayable({ recipient, amount });
    const { chainId } = await deployment();
    const { epoch, version } = await client.readContract({
      ...vault,
      functionName: "allowanceOf",
      args: [tokenId],
      blockNumber,
    });
    const now = BigInt(Math.floor(Date.now() / 1000));
    // The contract compares with the block's time, and an idle chain's newest block is old.
    const latest = timestamp > now ? timestamp : now;
    const message: PaymentMessage = {
      tokenId,
      epoch,
      allowanceVersion: version,
      operator: signer.address,
      recipient,
      amount,
      paymentRef: paymentRef ?? keccak256(stringToBytes(resourceUrl)),
      termsHash: termsHashOf(resourceUrl, terms.accepted),
      redeemer,
      nonce: nextNonce(),
      deadline: latest + BigInt(Math.min(maxTimeoutSeconds, LONGEST_DEADLINE)),
    };
    const domain = { chainId, verifyingContract: vault.address };
    const signature = await signer.signTypedData(paymentTypedData(domain, message));
    const payment: SignedPayment = {
      amount,
      recipient,
      paymentRef: message.paymentRef,
      termsHash: message.termsHash,
      redeemer,
      digest: paymentDigest(domain, message),
      nonce: message.nonce,
      deadline: message.deadline,
    };
    return { payment, permissionContext: paymentContext(message, signature), owner };
  }

  return {
    async canSpend(amount) {
      if (amount < 0n) throw new AllowanceError("INVALID_PAYMENT");
      return spendability(amount, await client.getBlockNumber());
    },

    async pay({ recipient, amount, paymentRef = zeroHash }) {
      await assertPayable({ recipient, amount });
      const { transaction, block } = await send("spend", { recipient, amount, paymentRef });
      return { transaction, block };
    },

    async report({ recipient = zeroAddress, amount, paymentRef }) {
      if (amount <= 0n) throw new AllowanceError("INVALID_PAYMENT");
      await ownerOf();
      const sent = await send("report", { recipient, amount, paymentRef });
      const { transaction, block, logs } = sent;
      const [reported] = parseEventLogs({ ...vault, eventName: "SpendReported", logs });
      if (!reported) throw new Error("The vault emitted no SpendReported.");
      return { transaction, block, reason: allowanceReason(reported.args.reason) };
    },

    async payX402(resource, { maxAmount, init, paymentRef }) {
      const request = new Request(resource, init);
      // A request's body can be read once.
      const paid = request.clone();
      const unpaid = await fetch(request);
      if (unpaid.status !== 402) return { response: unpaid, payment: null, transaction: null };
      await unpaid.body?.cancel();

      const { chainId, stablecoin } = await deployment();
      const required = readPaymentRequired(unpaid, { chainId, stablecoin });
      if (required.terms.amount > maxAmount) throw new AllowanceError("PRICE_TOO_HIGH");
      const { payment, permissionContext, owner } = await sign(required, paymentRef);
      const payload = { delegationManager: vault.address, permissionContext, delegator: owner };
      paid.headers.set("PAYMENT-SIGNATURE", paymentSignature(required, payload));
      const response = await fetch(paid).catch((cause: unknown) => {
        throw new AllowanceError("PAYMENT_UNKNOWN", { payment, cause });
      });
      if (response.status === 402) {
        const serverReason = refusalOf(response);
        await response.body?.cancel();
        throw new AllowanceError("PAYMENT_REFUSED", { payment, serverReason });
      }
      return { response, payment, transaction: readSettlement(response)?.transaction ?? null };
    },

    isSettled: ({ nonce }) =>
      client.readContract({
        ...vault,
        functionName: "isNonceUsed",
        args: [signer.address, nonce],
      }),
  };
}

/** Nonces that nothing else of this operator uses, in runs that share a storage word. */
function nonceSequence(): () => bigint {
  let next = 0n;
  return () => {
    if (next % WORD === 0n) {
      const random = crypto.getRandomValues(new BigUint64Array(3));
      next = random.reduce((value, part) => (value << 64n) | part, 0n) * WORD;
    }
    return next++;
  };
}

/** The vault's refusal as an error of the kit; null for any other error. */
function refusalReason(error: unknown): AllowanceError | null {
  const cause =
    error instanceof BaseError
      ? error.walk((one) => one instanceof ContractFunctionRevertedError)
      : null;
  if (!(cause instanceof ContractFunctionRevertedError)) return null;
  if (cause.data?.errorName === "NotOperator") return new AllowanceError("NOT_OPERATOR", { cause });
  if (cause.data?.errorName !== "SpendNotAllowed") return null;
  const reason = allowanceReason(Number(cause.data.args?.[2]));
  return reason === null ? null : new AllowanceError(reason, { cause });
}
