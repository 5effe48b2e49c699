import type { Address, Hex, PublicClient } from "viem";
import { encodeFunctionData, getAddress, zeroAddress } from "viem";
import type { EndAllowanceMessage, SetAllowanceMessage } from "../../../protocol/allowance.ts";
import { allowanceReason } from "../../../protocol/allowance-reasons.ts";
import { allowanceVaultAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import type { OverspendingReason } from "../../../protocol/index.ts";
import { chainAnswer } from "../../platform/chain/bounded.ts";
import type { Call } from "../../platform/chain/transactions.ts";

const NO_SOUL = 0;

interface Vault {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
  readonly allowanceVault: Address;
}

/** An agent's allowance, its owner's money, and whether an amount can be paid, in one block. */
export type SpendableState = Awaited<ReturnType<typeof stateIn>>;
/** An agent's allowance and its owner's money in one block. Amounts are base units of the stablecoin. */
export type AllowanceState = Omit<SpendableState, "spendable">;

export type AllowanceVault = ReturnType<typeof createAllowanceVault>;

/** Allowances as the chain has them now. Each read is of one block, and ends after `timeoutMs` with CHAIN_UNAVAILABLE. */
export function createAllowanceVault({
  timeoutMs,
  ...vault
}: Vault & { readonly timeoutMs: number }) {
  return {
    stateOf: (tokenId: bigint): Promise<AllowanceState> =>
      chainAnswer(timeoutMs, () => stateIn(vault, tokenId, 0n)),

    /** The state, and whether this amount can be paid in that block. */
    canSpend: (tokenId: bigint, amount: bigint) =>
      chainAnswer(timeoutMs, () => stateIn(vault, tokenId, amount)),

    /** Unix seconds of a block. */
    async timeOf(block: bigint) {
      const { timestamp } = await chainAnswer(timeoutMs, () =>
        vault.client.getBlock({ blockNumber: block }),
      );
      return timestamp;
    },
  };
}

async function stateIn(
  { client, soulRegistry, allowanceVault }: Vault,
  tokenId: bigint,
  amount: bigint,
) {
  const registry = { address: soulRegistry, abi: soulRegistryAbi } as const;
  const vault = { address: allowanceVault, abi: allowanceVaultAbi } as const;
  const block = await client.getBlock();
  const at = { args: [tokenId], blockNumber: block.number } as const;
  const [soul, [owner], allowance, [balance, approved], [allowed, reason]] = await Promise.all([
    client.readContract({ ...registry, ...at, functionName: "soulOf" }),
    client.readContract({ ...registry, ...at, functionName: "authorityOf" }),
    client.readContract({ ...vault, ...at, functionName: "allowanceOf" }),
    client.readContract({ ...vault, ...at, functionName: "fundingOf" }),
    client.readContract({ ...vault, ...at, functionName: "canSpend", args: [tokenId, amount] }),
  ]);
  const { spentToday, remainingToday, periodStart, periodEnd, ...decision } = allowance;
  return {
    /** Among it `active`, what the owner last decided: a payment needs more, see `reason`. The next decision is signed over `version`. */
    ...decision,
    block: block.number,
    /** Unix seconds of the block, as every time here. */
    blockTime: block.timestamp,
    /** Null when there is no such soul. */
    agentName: soul.status === NO_SOUL ? null : soul.name,
    /** Zero when there is no such soul. */
    passportId: soul.passportId,
    /** The live owner; null while the soul is not valid. */
    owner: owner === zeroAddress ? null : getAddress(owner),
    /** What forbids every payment; null for nothing. */
    reason: reasonOf(decision.reason),
    /** The last second, inclusive; null when the owner ended it or set none. */
    validUntil: decision.validUntil === 0 ? null : decision.validUntil,
    /** `periodEnd` is exclusive. */
    usage: { spentToday, remainingToday, periodStart, periodEnd },
    /** What the owner has, and how much of it the vault may move. All agents of the owner share both. */
    funding: { balance, approved },
    spendable: { allowed, reason: reasonOf(reason) },
  };
}

function reasonOf(value: number): OverspendingReason | null {
  const reason = allowanceReason(value);
  // No read tries a transfer.
  if (reason === "TRANSFER_FAILED")
    throw new Error(`The vault answered the unknown reason ${value}.`);
  return reason;
}

/** A permit as the vault takes it. */
export interface PermitSignature {
  readonly value: bigint;
  readonly deadline: bigint;
  readonly v: number;
  readonly r: Hex;
  readonly s: Hex;
}

/** Calls of the vault that carry out what an owner signed. */
export function createAllowanceCalls(allowanceVault: Address) {
  const call = (data: Call["data"]): Call => ({ to: allowanceVault, data });
  const abi = allowanceVaultAbi;
  return {
    set: (message: SetAllowanceMessage, signature: Call["data"]) =>
      call(encodeFunctionData({ abi, functionName: "setAllowance", args: [message, signature] })),

    setWithPermit: (
      message: SetAllowanceMessage,
      signature: Call["data"],
      permit: PermitSignature,
    ) =>
      call(
        encodeFunctionData({
          abi,
          functionName: "setAllowanceWithPermit",
          args: [message, signature, permit],
        }),
      ),

    end: (message: EndAllowanceMessage, signature: Call["data"]) =>
      call(encodeFunctionData({ abi, functionName: "deactivate", args: [message, signature] })),
  };
}
