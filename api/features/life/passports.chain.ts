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

/** A passport and its soul, both as they were in one block. */
export interface SeenPassport {
  readonly passportId: bigint;
  /** Null when there is no such passport. */
  readonly owner: Address | null;
  /** Null when no living soul is bound to it. */
  readonly soul: {
    readonly tokenId: bigint;
    readonly epoch: number;
    /** Decisions that its owners have signed. */
    readonly version: number;
    /** The same counter of the passport writer. */
    readonly passportVersion: number;
    readonly name: string;
    readonly sealer: Address;
    /** Whether a suspension stands, also with the passport back at its sealer. */
    readonly suspended: boolean;
  } | null;
}

/** What an agent may spend, in one epoch. */
export interface ComparedAllowance {
  readonly epoch: number;
  /** Decisions of the owner in this epoch. */
  readonly version: number;
  /** The UTC day of `spentToday`, in days since 1970. */
  readonly day: number;
  readonly spentToday: bigint;
}

/** How many there have ever been. */
export interface Counters {
  readonly souls: bigint;
  readonly organizations: bigint;
}

interface LifeContracts {
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

export type LifeChain = ReturnType<typeof createPassports>;
export type ComparedChain = ReturnType<typeof comparedReads>;

/**
 * Passports and their souls as the passport watch asks the chain, and how it records what it saw.
 */
export function createPassports(options: LifeContracts) {
  const { client, soulRegistry, passportWriter, identityRegistry } = options;
  const souls = { address: soulRegistry, abi: soulRegistryAbi } as const;

  /** Has the passport writer write the soul's state, where it may. */
  const writeCall = (tokenId: bigint) =>
    unless(options, NOTHING_TO_WRITE, {
      to: passportWriter,
      data: encodeFunctionData({ abi: passportWriterAbi, functionName: "sync", args: [[tokenId]] }),
    });

  return {
    ...comparedReads(options),

    /**
     * The call that records on chain who owns a soul's passport now; null when nothing is left to
     * record: it is recorded, the passport is with its sealer and no suspension stands, or the soul
     * has ended.
     */
    suspendCall: (tokenId: bigint) =>
      unless(options, NOTHING_TO_RECORD, {
        to: soulRegistry,
        data: encodeFunctionData({
          abi: soulRegistryAbi,
          functionName: "suspend",
          args: [tokenId],
        }),
      }),

    /**
     * The call that writes a suspended soul's status to its passport; null when no suspension stands,
     * when the passport says it already, and when its owner did not approve the passport writer.
     */
    async syncCall(tokenId: bigint): Promise<Call | null> {
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

    /** The call that clears an ended soul's status; null when the passport's owner did not approve the passport writer. */
    clearCall: writeCall,
  };
}

/** The call, or null when the contract refuses it for one of these reasons. */
async function unless(
  { client, relayer }: LifeContracts,
  refusals: ReadonlySet<string>,
  call: Call,
): Promise<Call | null> {
  try {
    await client.call({ ...call, account: relayer });
    return call;
  } catch (error) {
    const data = revertData(error);
    const refusal = data === null ? null : decodeRevert(data, [soulRegistryAbi, passportWriterAbi]);
    if (refusal && refusals.has(refusal.name)) return null;
    throw toChainError(error);
  }
}

function comparedReads(contracts: LifeContracts) {
  const { client, soulView, soulRegistry, identityRegistry } = contracts;
  const souls = { address: soulRegistry, abi: soulRegistryAbi } as const;
  return {
    /** What a block says of these passports, in one call. */
    async passportsAt(
      passportIds: readonly bigint[],
      blockNumber: bigint,
    ): Promise<readonly SeenPassport[]> {
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

    /** What each of these souls may spend in a block, in as few calls as nodes allow. */
    async allowancesAt(
      tokenIds: readonly bigint[],
      blockNumber: bigint,
    ): Promise<readonly ComparedAllowance[]> {
      const calls = Array.from(
        { length: Math.ceil(tokenIds.length / ALLOWANCES_OF_CALL) },
        (_, place) => tokenIds.slice(place * ALLOWANCES_OF_CALL, (place + 1) * ALLOWANCES_OF_CALL),
      );
      return (
        await Promise.all(calls.map((ids) => allowancesOf(contracts, ids, blockNumber)))
      ).flat();
    },

    countersAt: (blockNumber: bigint): Promise<Counters> =>
      withChainErrors(async () => {
        const [next, unused, organizations] = await Promise.all([
          beforeDeployment(
            client.readContract({ ...souls, functionName: "nextTokenId", blockNumber }),
            1n,
          ),
          beforeDeployment(
            client.readContract({
              address: contracts.passportMint,
              abi: passportMintAbi,
              functionName: "unusedReservations",
              blockNumber,
            }),
            0n,
          ),
          beforeDeployment(
            client.readContract({
              address: contracts.organizationRegistry,
              abi: organizationRegistryAbi,
              functionName: "organizationCount",
              blockNumber,
            }),
            0n,
          ),
        ]);
        return { souls: next - 1n - unused, organizations };
      }),

    /** The block of the last transfer of a passport to an account, between two blocks; null where the nodes name none. */
    async transferTo(
      owner: Address,
      tokenId: bigint,
      range: { readonly fromBlock: bigint; readonly toBlock: bigint },
    ): Promise<bigint | null> {
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
  };
}

async function allowancesOf(
  { client, allowanceVault }: LifeContracts,
  tokenIds: readonly bigint[],
  blockNumber: bigint,
): Promise<readonly ComparedAllowance[]> {
  const allowances = await withChainErrors(() =>
    client.multicall({
      ...ONE_CALL,
      blockNumber,
      contracts: tokenIds.map((tokenId) => ({
        address: allowanceVault,
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
