import type { Address } from "viem";
import {
  archiveIdOf,
  type DidChange,
  DidChangeError,
  type DidRecord,
  didOf,
  didRecordJson,
  nextDidRecord,
} from "../../../protocol/index.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { ContentIds } from "../../operations/operation.ts";
import type { OperationKind, OwnerEvidence } from "../../operations/soul-operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { EventSink } from "../webhooks/index.ts";
import type { DidRecords } from "./records.ts";

/** A change of the addresses in an agent's DID document. */
export interface DidUpdateRequest {
  readonly tokenId: bigint;
  /** The agent's name where the request says it; null where it is only prepared. */
  readonly name: string | null;
  readonly change: DidChange;
}

/** Kept with the operation until its end. */
export interface DidUpdatePayload {
  readonly name: string;
  /** Operations of earlier releases lack it. */
  readonly passportId?: string;
  readonly operator: Address | null;
  readonly archiveId: string;
  readonly totalAddresses: number;
}

export interface DidUpdateResult {
  readonly did: string;
  readonly tokenId: bigint;
  /** Null for an operation that an earlier release accepted. */
  readonly passportId: bigint | null;
  readonly updated: true;
  readonly arweaveTxId: string;
  /** How many addresses the owner lists now. */
  readonly totalAddresses: number;
  readonly txHash: string;
}

export type DidUpdateKind = OperationKind<
  DidUpdateRequest,
  "SetDidArchive",
  DidUpdatePayload,
  DidUpdateResult
>;

/** More than the largest update takes. */
const GAS = 400_000n;

/** An owner's change of its agent's DID document: a new record is archived, and the registry names it. */
export function didUpdateKind(context: {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly records: DidRecords;
  readonly ids: ContentIds;
  readonly setDidArchive: (evidence: OwnerEvidence<"SetDidArchive">) => Call;
  readonly events: EventSink;
  readonly clock: () => Date;
}): DidUpdateKind {
  const { chainId, soulRegistry, records, ids, setDidArchive, events, clock } = context;
  return {
    kind: "did_update",
    messageName: "SetDidArchive",
    gas: GAS,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId, name, change }) => ({
      tokenId: tokenId.toString(),
      name,
      change: change.kind === "add" ? { ...change, address: { ...change.address } } : { ...change },
    }),

    async plan({ name, change }, soul) {
      if (name !== null && name !== soul.name) {
        throw badRequest("tokenId", `This is the token id of ${soul.name}`);
      }
      if (soul.status !== "SEALED") {
        throw new ApiError("FORBIDDEN", { message: "This soul is not sealed yet." });
      }
      const record = changed({ ...soul, chainId, soulRegistry }, await records.of(soul), change);
      const data = new TextEncoder().encode(didRecordJson(record));
      const item = { data, contentType: "application/json" };
      const archiveId = await ids.idOf(item);
      return {
        fields: { previousArchiveId: soul.didArchiveId, archiveId: archiveIdOf(archiveId) },
        payload: {
          name: soul.name,
          passportId: soul.passportId.toString(),
          operator: soul.operator,
          archiveId,
          totalAddresses: record.addresses.length,
        },
        items: [item],
      };
    },

    isSuperseded: async ({ evidence }, { didArchiveId }) =>
      didArchiveId === evidence.message.archiveId,

    call: ({ evidence }) => setDidArchive(evidence),

    result: async ({ payload, tokenId }, { txHash }) => ({
      did: didOf(chainId, payload.name),
      tokenId,
      passportId: payload.passportId === undefined ? null : BigInt(payload.passportId),
      updated: true,
      arweaveTxId: payload.archiveId,
      totalAddresses: payload.totalAddresses,
      txHash,
    }),

    follow: (transaction, { id, tokenId, payload }, { txHash }) =>
      events.emit(transaction, {
        event: "embodiment.updated",
        tokenId,
        registrationId: null,
        key: `did-update:${id}`,
        data: {
          tokenId: Number(tokenId),
          agentName: payload.name,
          change: "did_address",
          operator: payload.operator,
          did: didOf(chainId, payload.name),
          txHash,
          updatedAt: clock().toISOString(),
        },
      }),
  };
}

function changed(
  subject: Parameters<typeof nextDidRecord>[0],
  current: Parameters<typeof nextDidRecord>[1],
  change: DidChange,
): DidRecord {
  try {
    return nextDidRecord(subject, current, change);
  } catch (error) {
    if (!(error instanceof DidChangeError)) throw error;
    const path = change.kind === "add" ? "addAddress" : "removeAddress";
    throw badRequest(error.reason === "full" ? path : `${path}.address`, error.message);
  }
}
