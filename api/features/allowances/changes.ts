import type { Address, Hex } from "viem";
import { parseSignature, size } from "viem";
import {
  type AllowanceLimits,
  type EndAllowanceMessage,
  eachAmount,
  type SetAllowanceMessage,
} from "../../../protocol/allowance.ts";
import type { PERMIT_TYPES } from "../../../protocol/index.ts";
import type { MessageOf } from "../../../protocol/message-of.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import {
  type ChainOperation,
  requiredAs,
  type Signed,
  type SignedOperation,
  signedAs,
} from "../../operations/operation.ts";
import type { ActiveSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type {
  AllowanceState,
  AllowanceVault,
  createAllowanceCalls,
  PermitSignature,
} from "./vault.chain.ts";

/** ERC-2612: `owner` lets `spender`, the vault, move up to `value`. */
export type PermitMessage = MessageOf<typeof PERMIT_TYPES.Permit>;

export interface EndAllowanceRequest {
  readonly tokenId: bigint;
}

export interface SetAllowanceRequest extends EndAllowanceRequest, AllowanceLimits {
  /** What the vault's approval should be at least; null leaves the approval alone. */
  readonly approval: bigint | null;
}

/** What was read for a request. */
export interface AllowanceSnapshot {
  readonly soul: ActiveSoul;
  readonly state: AllowanceState;
}

/** Stored with the operation until it ends. */
interface ChangePayload {
  readonly name: string;
  readonly passportId: bigint;
}

export interface AllowanceSet extends AllowanceLimits {
  readonly agentName: string;
  readonly passportId: bigint;
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

type SetAllowance = ChainOperation<
  SetAllowanceRequest,
  AllowanceSnapshot,
  ChangePayload,
  AllowanceSet
>;

interface Changes {
  readonly souls: ChainSouls;
  readonly vault: AllowanceVault;
  readonly allowanceVault: Address;
  readonly calls: ReturnType<typeof createAllowanceCalls>;
  readonly clock: () => Date;
}

export type AllowanceChanges = ReturnType<typeof allowanceChanges>;

/** An owner's decisions on what its agent may pay from its wallet. */
export function allowanceChanges(changes: Changes) {
  return { set: settingOperation(changes), end: endingOperation(changes) };
}

/** What both have in common. */
function commonOf({ souls, vault }: Changes) {
  async function read({ tokenId }: EndAllowanceRequest): Promise<AllowanceSnapshot> {
    const [soul, state] = await Promise.all([
      requireSoul(souls, tokenId, "active"),
      vault.stateOf(tokenId),
    ]);
    return { soul, state };
  }

  return {
    settlement: "chain",
    subjects: ({ tokenId }: EndAllowanceRequest, { soul }: AllowanceSnapshot) => [
      { kind: "soul" as const, id: tokenId, epoch: soul.epoch },
    ],
    read,
  } as const;
}

function settingOperation(changes: Changes): SetAllowance {
  const { vault, allowanceVault, calls, clock } = changes;

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

  return {
    ...commonOf(changes),
    kind: "allowance_set",
    messageTypes: {
      owner: { contract: "AllowanceVault", primaryType: "SetAllowance" },
      permit: { contract: "Stablecoin", primaryType: "Permit" },
    },
    requestJson: ({ tokenId, approval, ...limits }) => ({
      ...limits,
      ...eachAmount((name) => limits[name].toString()),
      tokenId: tokenId.toString(),
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
        ...limitsOf(message),
        missingApproval: await missingApproval(operation, message.tokenId),
        txHash,
      };
    },
    async isSuperseded({ signatures }) {
      const { message } = setBy(signatures);
      const { epoch, ...state } = await vault.stateOf(message.tokenId);
      const limits = Object.entries(limitsOf(message));
      const present: Readonly<Record<string, unknown>> = state;
      return epoch === message.epoch && limits.every(([name, limit]) => present[name] === limit);
    },
  };
}

function endingOperation(changes: Changes): EndAllowance {
  const { vault, calls } = changes;
  return {
    ...commonOf(changes),
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
  };
}

const setBy = (signatures: SignedOperation["signatures"]) =>
  requiredAs<SetAllowanceMessage>(signatures, "owner");

/** What a message decides, without what makes its signature count once. */
function limitsOf(message: SetAllowanceMessage): AllowanceLimits {
  const { tokenId: _soul, epoch, version, nonce, deadline, ...limits } = message;
  return limits;
}

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
