import type { Address, ContractFunctionReturnType, PublicClient } from "viem";
import { zeroAddress } from "viem";
import { soulViewAbi } from "../../protocol/generated/abi.ts";
import type { AgentTypeIndex } from "../../protocol/index.ts";
import { readInBatches } from "../kernel/batches.ts";
import { chainAnswer } from "../platform/chain/bounded.ts";
import { isUnavailable } from "../platform/chain/reverts.ts";
import type {
  ChainPassports,
  ChainPoint,
  ChainSoul,
  ChainSouls,
  HolderState,
} from "./chain-soul.ts";

export interface ChainSoulOptions {
  readonly client: PublicClient;
  readonly soulView: Address;
  /** Milliseconds that one read may take in all. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * The view also counts the passports of an account. A registry refuses to count those of the zero
 * address.
 */
const ANY_ACCOUNT: Address = "0x0000000000000000000000000000000000000001";

/** In the order of ISoulRegistry.Status after NONE. */
const STATUSES = ["PROVISIONAL", "SEALED", "BURNED"] as const;

/** In the order of ISoulRegistry.Validity. */
const VALIDITIES = ["not_linked", "suspended", "valid"] as const;

/** Souls and passports as the chain has them: each read is one call of the view contract. */
export function createChainSouls(options: ChainSoulOptions): ChainSouls & ChainPassports {
  const { client, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const contract = { address: options.soulView, abi: soulViewAbi } as const;

  async function statesOf(
    holder: Address,
    passportIds: readonly bigint[],
    blockNumber?: bigint,
  ): Promise<HolderState> {
    const args = [holder, passportIds] as const;
    const state = await client.readContract({
      ...contract,
      functionName: "passportStates",
      args,
      blockNumber,
    });
    const at = { block: state.blockNumber, blockTime: state.blockTime };
    return {
      ...at,
      passportCount: state.passportCount,
      passports: state.passports.map((passport) => ({
        id: passport.passportId,
        owner: orNull(passport.owner),
        soul: soulIn(passport, at),
      })),
    };
  }

  const passport = readInBatches(
    async (ids: readonly bigint[]) => {
      const { block, blockTime, passports } = await statesOf(ANY_ACCOUNT, ids);
      return ids.map((id, index) => {
        const found = passports[index];
        if (found?.id !== id) throw new Error(`The view answered for another passport than ${id}.`);
        return { ...found, block, blockTime };
      });
    },
    // The view never reverts, but a node limits the gas of one call.
    (error) => !isUnavailable(error),
  );

  return {
    async soul(tokenId) {
      const [block, blockTime, state] = await chainAnswer(timeoutMs, () =>
        client.readContract({ ...contract, functionName: "soulState", args: [tokenId] }),
      );
      return soulIn(state, { block, blockTime });
    },

    passport: (id) => chainAnswer(timeoutMs, () => passport(id)),

    passportStates: (holder, passportIds, block) =>
      chainAnswer(timeoutMs, () => statesOf(holder, passportIds, block)),
  };
}

type PassportState = ContractFunctionReturnType<
  typeof soulViewAbi,
  "view",
  "passportStates"
>["passports"][number];

/** The soul in an answer of the view; null for no soul. */
export function soulIn(state: PassportState, at: ChainPoint): ChainSoul | null {
  const { tokenId, soul } = state;
  if (tokenId === 0n) return null;
  const status = STATUSES[soul.status - 1];
  const validity = VALIDITIES[state.validity];
  if (status === undefined || validity === undefined) {
    throw new Error(`The view answered a soul with the unknown status ${soul.status}.`);
  }
  return {
    ...at,
    tokenId,
    status,
    validity,
    name: soul.name,
    // The contract's enum has these five values and no others.
    agentType: soul.agentType as AgentTypeIndex,
    passportId: state.passportId,
    passportOwner: orNull(state.owner),
    sealer: soul.sealer,
    operator: orNull(soul.operator),
    suspended: state.suspended,
    humanVerified: state.humanVerified,
    epoch: soul.epoch,
    version: state.version,
    passportVersion: state.passportVersion,
    soulHash: soul.soulHash,
    soulMerkleRoot: soul.soulMerkleRoot,
    archiveId: state.archiveId,
    didArchiveId: state.didArchiveId,
  };
}

function orNull(address: Address): Address | null {
  return address === zeroAddress ? null : address;
}
