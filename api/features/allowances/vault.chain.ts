import type { Address, PublicClient } from "viem";
import { encodeFunctionData, getAddress, zeroAddress } from "viem";
import { allowanceReason } from "../../../protocol/allowance-reasons.ts";
import { allowanceVaultAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { chainAnswer } from "../../platform/chain/bounded.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { AllowanceState, AllowanceVault, Reason, Spendability } from "./allowances.ts";
import type { EndAllowanceMessage, PermitSignature, SetAllowanceMessage } from "./changes.ts";

const NO_SOUL = 0;

export interface VaultOptions {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
  readonly allowanceVault: Address;
  readonly timeoutMs: number;
}

/** Allowances as the chain has them now. Each read is of one block. */
export function createAllowanceVault(options: VaultOptions): AllowanceVault {
  const { client, timeoutMs } = options;
  const registry = { address: options.soulRegistry, abi: soulRegistryAbi } as const;
  const vault = { address: options.allowanceVault, abi: allowanceVaultAbi } as const;

  async function read(tokenId: bigint, amount: bigint): Promise<AllowanceState & Spendability> {
    const block = await client.getBlock();
    const at = { args: [tokenId], blockNumber: block.number } as const;
    const [soul, [owner], allowance, [balance, approved], [allowed, reason]] = await Promise.all([
      client.readContract({ ...registry, ...at, functionName: "soulOf" }),
      client.readContract({ ...registry, ...at, functionName: "authorityOf" }),
      client.readContract({ ...vault, ...at, functionName: "allowanceOf" }),
      client.readContract({ ...vault, ...at, functionName: "fundingOf" }),
      client.readContract({ ...vault, ...at, functionName: "canSpend", args: [tokenId, amount] }),
    ]);
    const { version, active, validUntil, onlyWithAgentWallet, periodStart, periodEnd } = allowance;
    const { perTransaction, dailyLimit, spentToday, remainingToday } = allowance;
    return {
      block: block.number,
      blockTime: block.timestamp,
      agentName: soul.status === NO_SOUL ? null : soul.name,
      passportId: soul.passportId,
      owner: owner === zeroAddress ? null : getAddress(owner),
      epoch: allowance.epoch,
      version,
      perTransaction,
      dailyLimit,
      active,
      reason: reasonOf(allowance.reason),
      validUntil: validUntil === 0 ? null : validUntil,
      onlyWithAgentWallet,
      usage: { spentToday, remainingToday, periodStart, periodEnd },
      funding: { balance, approved },
      spendable: { allowed, reason: reasonOf(reason) },
    };
  }

  return {
    stateOf: (tokenId) => chainAnswer(timeoutMs, () => read(tokenId, 0n)),
    canSpend: (tokenId, amount) => chainAnswer(timeoutMs, () => read(tokenId, amount)),
    async timeOf(block) {
      const { timestamp } = await chainAnswer(timeoutMs, () =>
        client.getBlock({ blockNumber: block }),
      );
      return timestamp;
    },
  };
}

function reasonOf(value: number): Reason | null {
  const reason = allowanceReason(value);
  // No read tries a transfer.
  if (reason === "TRANSFER_FAILED")
    throw new Error(`The vault answered the unknown reason ${value}.`);
  return reason;
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
