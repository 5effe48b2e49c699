import type { Address, PublicClient } from "viem";
import {
  BaseError,
  ContractFunctionZeroDataError,
  encodeFunctionData,
  stringToHex,
  zeroAddress,
} from "viem";
import {
  allowanceVaultAbi,
  identityRegistryAbi,
  organizationRegistryAbi,
  passportMintAbi,
  passportWriterAbi,
  soulRegistryAbi,
  soulViewAbi,
} from "../../../protocol/generated/abi.ts";
import { ONE_CALL } from "../../platform/chain/multicall.ts";
import {
  decodeRevert,
  revertData,
  toChainError,
  withChainErrors,
} from "../../platform/chain/reverts.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { EndedSoulsRegistry } from "./clear-ended-status.ts";
import type { ComparedChain } from "./index-comparison.ts";
import type { SuspensionRegistry } from "./suspension.ts";

export interface PassportsOptions {
  readonly client: PublicClient;
  readonly soulView: Address;
  readonly soulRegistry: Address;
  readonly passportWriter: Address;
  readonly passportMint: Address;
  readonly identityRegistry: Address;
  readonly organizationRegistry: Address;
  readonly allowanceVault: Address;
  /** The account that submits. */
  readonly relayer: Address;
}

/**
 * What `suspend` refuses when there is nothing to record: it is recorded, the passport never left,
 * the soul is burned.
 */
const NOTHING_TO_RECORD: ReadonlySet<string> = new Set([
  "AlreadySuspended",
  "NotSuspended",
  "WrongStatus",
]);

const SECONDS_OF_A_DAY = 86_400n;

/** Such a call answers as the code of a contract, of which nodes accept 24,576 bytes: 47 allowances of 512. */
const ALLOWANCES_OF_CALL = 45;

/** `svcStatus` of a suspended soul. */
const SUSPENDED = stringToHex("SUSPENDED");

/**
 * What `sync` refuses of a passport that only its owner writes, that carries another soul by now, or
 * that no longer names an ended one.
 */
const NOTHING_TO_WRITE: ReadonlySet<string> = new Set([
  "NotApproved",
  "NotBound",
  "NotLastSealer",
  "NothingToClear",
  "WrongStatus",
]);

/**
 * Passports and their souls as the passport watch asks the chain, and how it records what it saw.
 */
export function createPassports(
  options: PassportsOptions,
): ComparedChain & SuspensionRegistry & EndedSoulsRegistry {
  const { client, soulView, soulRegistry, passportWriter, identityRegistry, relayer } = options;
  const souls = { address: soulRegistry, abi: soulRegistryAbi } as const;

  /** The call, or null when the contract refuses it for one of these reasons. */
  async function unless(refusals: ReadonlySet<string>, call: Call): Promise<Call | null> {
    try {
      await client.call({ ...call, account: relayer });
      return call;
    } catch (error) {
      const data = revertData(error);
      const refusal =
        data === null ? null : decodeRevert(data, [soulRegistryAbi, passportWriterAbi]);
      if (refusal && refusals.has(refusal.name)) return null;
      throw toChainError(error);
    }
  }

  /** Has the passport writer write the soul's state, where it may. */
  const writeCall = (tokenId: bigint) =>
    unless(NOTHING_TO_WRITE, {
      to: passportWriter,
      data: encodeFunctionData({ abi: passportWriterAbi, functionName: "sync", args: [[tokenId]] }),
    });

  async function allowancesOf(tokenIds: readonly bigint[], blockNumber: bigint) {
    const allowances = await withChainErrors(() =>
      client.multicall({
        ...ONE_CALL,
        blockNumber,
        contracts: tokenIds.map((tokenId) => ({
          address: options.allowanceVault,
          abi: allowanceVaultAbi,
          functionName: "allowanceOf" as const,
          args: [tokenId] as const,
        })),
      }),
    );
    return allowances.map(({ epoch, version, spentToday, periodStart }) => ({
      epoch,
      version,
      spentToday,
      day: Number(periodStart / SECONDS_OF_A_DAY),
    }));
  }

  return {
    async passportsAt(passportIds, blockNumber) {
      const { passports } = await withChainErrors(() =>
        client.readContract({
          address: soulView,
          abi: soulViewAbi,
          functionName: "passportStates",
          // The owner counted here does not matter; the registry rejects only the zero address.
          args: [soulRegistry, passportIds],
          blockNumber,
        }),
      );
      return passports.map(({ passportId, owner, tokenId, soul, suspended, ...versions }) => ({
        passportId,
        owner: owner === zeroAddress ? null : owner,
        soul:
          tokenId === 0n
            ? null
            : {
                tokenId,
                epoch: soul.epoch,
                version: versions.version,
                passportVersion: versions.passportVersion,
                name: soul.name,
                sealer: soul.sealer,
                suspended,
              },
      }));
    },

    async allowancesAt(tokenIds, blockNumber) {
      const calls = Array.from(
        { length: Math.ceil(tokenIds.length / ALLOWANCES_OF_CALL) },
        (_, place) => tokenIds.slice(place * ALLOWANCES_OF_CALL, (place + 1) * ALLOWANCES_OF_CALL),
      );
      return (await Promise.all(calls.map((ids) => allowancesOf(ids, blockNumber)))).flat();
    },

    countersAt: (blockNumber) =>
      withChainErrors(async () => {
        const [next, unused, organizations] = await Promise.all([
          beforeDeployment(
            client.readContract({ ...souls, functionName: "nextTokenId", blockNumber }),
            1n,
          ),
          beforeDeployment(
            client.readContract({
              address: options.passportMint,
              abi: passportMintAbi,
              functionName: "unusedReservations",
              blockNumber,
            }),
            0n,
          ),
          beforeDeployment(
            client.readContract({
              address: options.organizationRegistry,
              abi: organizationRegistryAbi,
              functionName: "organizationCount",
              blockNumber,
            }),
            0n,
          ),
        ]);
        return { souls: next - 1n - unused, organizations };
      }),

    async transferTo(owner, tokenId, range) {
      try {
        const logs = await client.getContractEvents({
          address: identityRegistry,
          abi: identityRegistryAbi,
          eventName: "Transfer",
          args: { to: owner, tokenId },
          ...range,
        });
        return logs.at(-1)?.blockNumber ?? null;
      } catch {
        // Nodes limit the range or the time of such a search.
        return null;
      }
    },

    suspendCall: (tokenId) =>
      unless(NOTHING_TO_RECORD, {
        to: soulRegistry,
        data: encodeFunctionData({
          abi: soulRegistryAbi,
          functionName: "suspend",
          args: [tokenId],
        }),
      }),

    async syncCall(tokenId) {
      const isWritten = await withChainErrors(async () => {
        const args = [tokenId] as const;
        const [isSuspended, { passportId }] = await Promise.all([
          client.readContract({ ...souls, functionName: "isSuspended", args }),
          client.readContract({ ...souls, functionName: "soulOf", args }),
        ]);
        if (!isSuspended) return true;
        const status = await client.readContract({
          address: identityRegistry,
          abi: identityRegistryAbi,
          functionName: "getMetadata",
          args: [passportId, "svcStatus"],
        });
        return status === SUSPENDED;
      });
      return isWritten ? null : writeCall(tokenId);
    },

    clearCall: writeCall,
  };
}

/** A counter, or `first` in the state of a block in which the contract did not exist yet. */
async function beforeDeployment(counter: Promise<bigint>, first: bigint): Promise<bigint> {
  try {
    return await counter;
  } catch (error) {
    const isAbsent =
      error instanceof BaseError &&
      error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null;
    if (isAbsent) return first;
    throw error;
  }
}
