import type { Address, Hex } from "viem";
import { parseSignature, size } from "viem";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import {
  type ChainOperation,
  requiredAs,
  type Signed,
  type SignedMessage,
  type SignedOperation,
  signedAs,
} from "../../operations/operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { ActiveSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { AllowanceState, AllowanceVault } from "./allowances.ts";

/** What an owner signs to set or replace the limits: see `IAllowanceVault.SetAllowance`. */
export interface SetAllowanceMessage extends SignedMessage {
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly version: number;
  readonly perTransaction: bigint;
  readonly dailyLimit: bigint;
  readonly validUntil: number;
  readonly onlyWithAgentWallet: boolean;
}

/** What an owner signs to end an allowance: see `IAllowanceVault.DeactivateAllowance`. */
export type EndAllowanceMessage = Pick<
  SetAllowanceMessage,
  "tokenId" | "epoch" | "version" | "nonce" | "deadline"
>;

/** ERC-2612: `owner` lets `spender`, the vault, move up to `value`. */
export interface PermitMessage extends SignedMessage {
  readonly owner: Address;
  readonly spender: Address;
  readonly value: bigint;
}

/** A permit as the vault takes it. */
export interface PermitSignature {
  readonly value: bigint;
  readonly deadline: bigint;
  readonly v: number;
  readonly r: Hex;
  readonly s: Hex;
}

/** Amounts are base units of the stablecoin. */
export interface SetAllowanceRequest {
  readonly tokenId: bigint;
  readonly perTransaction: bigint;
  readonly dailyLimit: bigint;
  /** The last second, in Unix seconds, inclusive. */
  readonly validUntil: number;
  /** Whether payments need the passport's agentWallet to be the operator. */
  readonly onlyWithAgentWallet: boolean;
  /** What the vault's approval should be at least; null leaves the approval alone. */
  readonly approval: bigint | null;
}

export interface EndAllowanceRequest {
  readonly tokenId: bigint;
}

/** What was read for a request. */
export interface AllowanceSnapshot {
  readonly soul: ActiveSoul;
  readonly state: AllowanceState;
}

/** Stored with the operation until it ends. */
export interface ChangePayload {
  readonly name: string;
  readonly passportId: bigint;
}

export interface AllowanceSet {
  readonly agentName: string;
  readonly passportId: bigint;
  readonly perTransaction: bigint;
  readonly dailyLimit: bigint;
  readonly validUntil: number;
  readonly onlyWithAgentWallet: boolean;
  /** Null when the vault may move what was asked for, or nothing was. */
  readonly missingApproval: MissingApproval | null;
  readonly txHash: Hex;
}

/** What the vault may move, and what it should. Amounts are base units of the stablecoin. */
export interface MissingApproval {
  readonly approved: bigint;
  readonly wanted: bigint;
}

export interface AllowanceEnded {
  readonly agentName: string;
  readonly passportId: bigint;
  /** Unix seconds of the block. */
  readonly endedAt: bigint;
  readonly txHash: Hex;
}

export interface ChangesOptions {
  readonly souls: ChainSouls;
  readonly vault: AllowanceVault;
  readonly allowanceVault: Address;
  readonly calls: {
    set(message: SetAllowanceMessage, signature: Hex): Call;
    setWithPermit(message: SetAllowanceMessage, signature: Hex, permit: PermitSignature): Call;
    end(message: EndAllowanceMessage, signature: Hex): Call;
  };
  readonly clock: () => Date;
}

/** Twice the gas of a first allowance with a first approval. */
const SET_GAS = 350_000n;
const END_GAS = 150_000n;
/** Bytes of the only signature that ERC-2612 knows. */
const ECDSA_BYTES = 65;

/** The end of an allowance, which its owner signs. */
export type EndAllowance = ChainOperation<
  EndAllowanceRequest,
  AllowanceSnapshot,
  ChangePayload,
  AllowanceEnded
>;

/** An owner's decisions on what its agent may pay from its wallet. */
export interface AllowanceChanges {
  readonly set: ChainOperation<SetAllowanceRequest, AllowanceSnapshot, ChangePayload, AllowanceSet>;
  readonly end: EndAllowance;
}

export function allowanceChanges(options: ChangesOptions): AllowanceChanges {
  const { souls, vault, allowanceVault, calls, clock } = options;

  async function read({ tokenId }: EndAllowanceRequest): Promise<AllowanceSnapshot> {
    const [soul, state] = await Promise.all([
      requireSoul(souls, tokenId, "active"),
      vault.stateOf(tokenId),
    ]);
    return { soul, state };
  }

  /** The stablecoin may have refused the permit, which undoes no limits. */
  async function missingApproval(
    { signatures }: Pick<SignedOperation, "signatures">,
    tokenId: bigint,
  ): Promise<MissingApproval | null> {
    const permit = signedAs<PermitMessage>(signatures, "permit");
    if (permit === null) return null;
    const { value: wanted } = permit.message;
    const { approved } = (await vault.stateOf(tokenId)).funding;
    return approved < wanted ? { approved, wanted } : null;
  }

  const common = {
    settlement: "chain",
    subjects: ({ tokenId }: EndAllowanceRequest, { soul }: AllowanceSnapshot) => [
      { kind: "soul" as const, id: tokenId, epoch: soul.epoch },
    ],
    read,
  } as const;

  return {
    set: {
      ...common,
      kind: "allowance_set",
      messageTypes: {
        owner: { contract: "AllowanceVault", primaryType: "SetAllowance" },
        permit: { contract: "Stablecoin", primaryType: "Permit" },
      },
      requestJson: ({ tokenId, perTransaction, dailyLimit, approval, ...rest }) => ({
        tokenId: tokenId.toString(),
        perTransaction: perTransaction.toString(),
        dailyLimit: dailyLimit.toString(),
        validUntil: rest.validUntil,
        onlyWithAgentWallet: rest.onlyWithAgentWallet,
        approval: approval?.toString() ?? null,
      }),
      signatures({ approval }, { soul, state }) {
        const owner = { role: "owner", signer: soul.owner } as const;
        // The vault leaves an approval of at least this much alone.
        if (approval === null || state.funding.approved >= approval) return [owner];
        return [owner, { role: "permit", signer: soul.owner }];
      },
      async plan(request, { soul, state }) {
        const { approval, ...limits } = request;
        if (limits.validUntil * 1000 < clock().getTime()) {
          throw badRequest("validUntil", "This moment has passed: choose a later one");
        }
        const { epoch, version } = state;
        return {
          messages: {
            owner: { ...limits, epoch, version },
            permit: { owner: soul.owner, spender: allowanceVault, value: approval ?? 0n },
          },
          payload: { name: soul.name, passportId: soul.passportId },
          secrets: null,
          items: [],
        };
      },
      gas: () => SET_GAS,
      call({ signatures }) {
        const { message, signature } = setBy(signatures);
        const permit = signedAs<PermitMessage>(signatures, "permit");
        return permit === null
          ? calls.set(message, signature)
          : calls.setWithPermit(message, signature, permitSignature(permit));
      },
      async result(operation, { txHash }) {
        const { message } = setBy(operation.signatures);
        const { name: agentName, passportId } = operation.payload;
        return {
          agentName,
          passportId,
          perTransaction: message.perTransaction,
          dailyLimit: message.dailyLimit,
          validUntil: message.validUntil,
          onlyWithAgentWallet: message.onlyWithAgentWallet,
          missingApproval: await missingApproval(operation, message.tokenId),
          txHash,
        };
      },
      async isSuperseded({ signatures }) {
        const { message } = setBy(signatures);
        const state = await vault.stateOf(message.tokenId);
        return (
          state.epoch === message.epoch &&
          state.perTransaction === message.perTransaction &&
          state.dailyLimit === message.dailyLimit &&
          state.validUntil === message.validUntil &&
          state.onlyWithAgentWallet === message.onlyWithAgentWallet
        );
      },
    },

    end: {
      ...common,
      kind: "allowance_end",
      messageTypes: {
        owner: { contract: "AllowanceVault", primaryType: "DeactivateAllowance" },
      },
      requestJson: ({ tokenId }) => ({ tokenId: tokenId.toString() }),
      signatures: (_request, { soul }) => [{ role: "owner", signer: soul.owner }],
      async plan({ tokenId }, { soul, state }) {
        if (!state.active) throw new ApiError("ALLOWANCE_INACTIVE");
        const { epoch, version } = state;
        return {
          messages: { owner: { tokenId, epoch, version } },
          payload: { name: soul.name, passportId: soul.passportId },
          secrets: null,
          items: [],
        };
      },
      gas: () => END_GAS,
      call({ signatures }) {
        const { message, signature } = requiredAs<EndAllowanceMessage>(signatures, "owner");
        return calls.end(message, signature);
      },
      async result(operation, { txHash, blockNumber }) {
        const { name: agentName, passportId } = operation.payload;
        return { agentName, passportId, endedAt: await vault.timeOf(blockNumber), txHash };
      },
      async isSuperseded({ signatures }) {
        const { tokenId, epoch } = requiredAs<EndAllowanceMessage>(signatures, "owner").message;
        const state = await vault.stateOf(tokenId);
        return state.epoch === epoch && !state.active;
      },
    },
  };
}

const setBy = (signatures: SignedOperation["signatures"]) =>
  requiredAs<SetAllowanceMessage>(signatures, "owner");

/** @throws ApiError INVALID_SIGNATURE for a signature that the stablecoin cannot check. */
function permitSignature({ message, signature }: Signed<PermitMessage>): PermitSignature {
  const { value, deadline } = message;
  if (size(signature) !== ECDSA_BYTES) {
    throw new ApiError("INVALID_SIGNATURE", {
      message:
        "The stablecoin takes no permit of a contract wallet. Leave approval out, and approve the vault with a transaction of the wallet.",
    });
  }
  const { r, s, yParity } = parseSignature(signature);
  return { value, deadline, r, s, v: 27 + yParity };
}
