import { randomUUID } from "node:crypto";
import type { Address, Hex } from "viem";
import { encodePacked, hexToBigInt, keccak256, slice, stringToBytes } from "viem";
import type { OffChainMessage } from "../../../protocol/index.ts";
import { authoriseOn } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { OperationEngine, PreparedMessage } from "../../operations/engine.ts";
import type {
  ChainOperation,
  GivenSignature,
  PostgresOperation,
} from "../../operations/operation.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { ChainSouls, OwnedSoul } from "../../soul/chain-soul.ts";
import { assertSoul, requireSoul } from "../../soul/require-soul.ts";
import type {
  AllowanceSnapshot,
  EndAllowance,
  EndAllowanceMessage,
  EndAllowanceRequest,
  EndedAllowance,
} from "../allowances/index.ts";

/** What an owner proves itself with. */
type StopAuthority = "session" | "signature";

/** An agent whose credentials end. */
export interface StoppedAgent {
  readonly stopId: string;
  readonly tokenId: bigint;
  readonly name: string;
  readonly epoch: number;
  readonly passportId: bigint;
  readonly owner: Address;
}

/** How much a stop ended. */
interface StopRecord {
  readonly stoppedAt: Date;
  readonly apiKeys: number;
  readonly sessions: number;
  readonly webhooks: number;
}

export interface StopStore {
  /** Ends keys, sessions and webhooks of the agent, and records how many; once for a `stopId`. */
  stop(
    transaction: Transaction,
    agent: StoppedAgent,
    authority: StopAuthority,
  ): Promise<StopRecord>;
  /** @throws Error when there is no such stop. */
  find(stopId: string): Promise<StopRecord>;
}

/** What became of the agent's allowance. */
export type StoppedAllowance =
  | { readonly status: "none" }
  | { readonly status: "ended"; readonly endedAt: bigint; readonly txHash: Hex }
  /** Only the owner's signature ends it. `prepared` is null while the chain does not answer. */
  | { readonly status: "signature_required"; readonly prepared: PreparedMessage | null };

interface Stopped extends StopRecord {
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly agentName: string;
  readonly allowance: StoppedAllowance;
}

/** What the owner signs for this service alone, where the agent has no allowance. */
export type StopMessage = OffChainMessage<"EmergencyStop">;

export interface StopEvidence {
  readonly message: StopMessage | EndAllowanceMessage;
  readonly signature: Hex;
  readonly signer: Address;
}

interface Stopping {
  readonly engine: Pick<OperationEngine, "prepare" | "perform" | "settle">;
  readonly souls: ChainSouls;
  /** Ends an allowance. */
  readonly endAllowance: EndAllowance;
  readonly isAllowanceActive: (tokenId: bigint) => Promise<boolean>;
  readonly store: StopStore;
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
}

/** Stored with a signed stop until the allowance has ended. */
interface StopPayload {
  readonly name: string;
  readonly passportId: bigint;
  readonly stopped: StoppedAgent;
}

interface AllowanceStopped extends EndedAllowance {
  readonly stopId: string;
}

/**
 * The first 16 bytes of the nonce of a stop that the vault verifies. A signature that was given
 * only to end an allowance has another nonce, so it cannot end keys, sessions and webhooks.
 */
const STOP_MARK = hexToBigInt(slice(keccak256(stringToBytes("EmergencyStop")), 0, 16));
const HALF = 128n;

export type EmergencyStops = ReturnType<typeof createEmergencyStops>;

/** Ends everything at once that acts for an agent. */
export function createEmergencyStops(stopping: Stopping) {
  const { engine, souls, store, endAllowance } = stopping;
  const withAllowance = stopWithAllowance(endAllowance, store);
  const withoutAllowance = stopWithoutAllowance(souls, store);

  return {
    /** Operations that may be left behind by a stopped process. */
    definitions: [withAllowance],

    /**
     * The one message to sign: the end of the allowance where there is one, else for this service
     * alone.
     *
     * @throws ApiError NOT_FOUND, BURNED, SUSPENDED, CHAIN_UNAVAILABLE.
     */
    async prepare(tokenId: bigint): Promise<PreparedMessage> {
      const soul = await requireSoul(souls, tokenId, "owned");
      if (!(await hasAllowance(stopping, soul))) {
        const [prepared] = await engine.prepare(withoutAllowance, { tokenId });
        return prepared;
      }
      const [prepared] = await engine.prepare(withAllowance, { tokenId });
      const nonce = stopNonce(prepared.message.nonce);
      return { ...prepared, message: { ...prepared.message, nonce } };
    },

    /** @throws ApiError as `OperationEngine.perform` and `settle`. */
    async stopBySignature(
      tokenId: bigint,
      evidence: StopEvidence,
      requester: Requester,
    ): Promise<Stopped> {
      const signatures: GivenSignature[] = [{ ...evidence, role: "owner" }];
      if (!isOfVault(evidence.message)) {
        const stopped = await engine.settle(withoutAllowance, { tokenId }, signatures, requester);
        return answer(store, stopped.stopId, stopped, await allowanceLeft(stopping, tokenId));
      }
      if (evidence.message.nonce >> HALF !== STOP_MARK) {
        throw badRequest(
          "message.nonce",
          "Sign what POST /v1/typed-data/emergency-stop returns, unchanged",
        );
      }
      try {
        const { result } = await engine.perform(withAllowance, { tokenId }, signatures, requester);
        const { stopId, agentName: name, passportId, endedAt, txHash } = result;
        const allowance = { status: "ended", endedAt, txHash } as const;
        return await answer(store, stopId, { tokenId, name, passportId }, allowance);
      } catch (error) {
        if (!isOutOfGasBudget(error)) throw error;
        // What needs no transaction ends now. The budget of gas is looked at after the signature was
        // verified, so that only its owner gets here; the same message stops once.
        const soul = await requireSoul(souls, tokenId, "owned");
        const stopId = stopIdOf(soul.owner, evidence.message);
        return stopNow(stopping, soul, stopId, "signature");
      }
    },

    /** @throws ApiError of `authoriseOn`, for every caller but a session of the agent's owner. */
    async stopBySession(tokenId: bigint, caller: Caller): Promise<Stopped> {
      const soul = await requireSoul(souls, tokenId, "registered");
      authoriseOn(soul, caller, "writes");
      if (caller.kind !== "session") throw new ApiError("FORBIDDEN");
      return stopNow(stopping, assertSoul(soul, "owned"), randomUUID(), "session");
    },
  };
}

/** Keys, sessions and webhooks end in the transaction that accepts the signature. */
function stopWithAllowance(
  endAllowance: EndAllowance,
  store: StopStore,
): ChainOperation<EndAllowanceRequest, AllowanceSnapshot, StopPayload, AllowanceStopped> {
  return {
    ...endAllowance,
    kind: "emergency_stop_allowance",
    async plan(request, snapshot) {
      const { payload, ...plan } = await endAllowance.plan(request, snapshot);
      const stopped = stoppedAgent(snapshot.soul, randomUUID());
      return { ...plan, payload: { ...payload, stopped } };
    },
    async onAccept(tx, { payload }) {
      await store.stop(tx, payload.stopped, "signature");
    },
    async result(operation, execution) {
      const ended = await endAllowance.result(operation, execution);
      return { ...ended, stopId: operation.payload.stopped.stopId };
    },
  };
}

function stopWithoutAllowance(
  souls: ChainSouls,
  store: StopStore,
): PostgresOperation<EndAllowanceRequest, OwnedSoul, StopPayload, StoppedAgent> {
  return {
    kind: "emergency_stop",
    settlement: "postgres",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "EmergencyStop" } },
    requestJson: ({ tokenId }) => ({ tokenId: tokenId.toString() }),
    read: ({ tokenId }) => requireSoul(souls, tokenId, "owned"),
    signatures: (_request, { owner }) => [{ role: "owner", signer: owner }],
    subjects: (_request, { tokenId, epoch }) => [{ kind: "soul", id: tokenId, epoch }],
    async plan(_request, soul) {
      const { tokenId, epoch, name, passportId } = soul;
      return {
        messages: { owner: { tokenId, epoch } },
        payload: { name, passportId, stopped: stoppedAgent(soul, randomUUID()) },
        secrets: null,
        items: [],
      };
    },
    settle: async (_request, _soul, { payload }) => payload.stopped,
    repeat: async ({ payload }) => payload.stopped,
    async onAccept(tx, { payload }) {
      await store.stop(tx, payload.stopped, "signature");
    },
  };
}

/** Ends all but the allowance. */
async function stopNow(
  stopping: Stopping,
  soul: OwnedSoul,
  stopId: string,
  authority: StopAuthority,
): Promise<Stopped> {
  const { store, transaction } = stopping;
  await transaction((tx) => store.stop(tx, stoppedAgent(soul, stopId), authority));
  return answer(store, stopId, soul, await allowanceAfter(stopping, soul));
}

async function hasAllowance(
  { isAllowanceActive }: Stopping,
  { status, tokenId }: OwnedSoul,
): Promise<boolean> {
  return status === "SEALED" && (await isAllowanceActive(tokenId));
}

/** What the owner signs to end the allowance afterwards; null while the chain does not answer. */
async function allowanceAfter(stopping: Stopping, soul: OwnedSoul): Promise<StoppedAllowance> {
  const { engine, endAllowance } = stopping;
  try {
    if (!(await hasAllowance(stopping, soul))) return { status: "none" };
    const [prepared] = await engine.prepare(endAllowance, { tokenId: soul.tokenId });
    return { status: "signature_required", prepared };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.type === "ALLOWANCE_INACTIVE") return { status: "none" };
    return { status: "signature_required", prepared: null };
  }
}

/** As `allowanceAfter`. The stop is stored by now, so that no error of a read may hide it. */
async function allowanceLeft(stopping: Stopping, tokenId: bigint): Promise<StoppedAllowance> {
  try {
    return await allowanceAfter(stopping, await requireSoul(stopping.souls, tokenId, "owned"));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: "signature_required", prepared: null };
  }
}

async function answer(
  store: StopStore,
  stopId: string,
  { tokenId, name, passportId }: Pick<OwnedSoul, "tokenId" | "name" | "passportId">,
  allowance: StoppedAllowance,
): Promise<Stopped> {
  return { ...(await store.find(stopId)), tokenId, passportId, agentName: name, allowance };
}

function stoppedAgent(soul: OwnedSoul, stopId: string): StoppedAgent {
  const { tokenId, name, epoch, passportId, owner } = soul;
  return { stopId, tokenId, name, epoch, passportId, owner };
}

/** One id for one signed message: 16 bytes in hexadecimal, which PostgreSQL takes for a UUID. */
function stopIdOf(owner: Address, { nonce, deadline }: StopEvidence["message"]): string {
  const packed = encodePacked(["address", "uint256", "uint256"], [owner, nonce, deadline]);
  return keccak256(packed).slice(2, 34);
}

function isOutOfGasBudget(error: unknown): boolean {
  return error instanceof ApiError && error.type === "GAS_BUDGET_EXHAUSTED";
}

function stopNonce(random: bigint): bigint {
  return (STOP_MARK << HALF) | (random & ((1n << HALF) - 1n));
}

function isOfVault(message: StopEvidence["message"]): message is EndAllowanceMessage {
  return "version" in message;
}
