import type { Hex } from "viem";
import type { HumanProof, RegistrationMessage } from "../../../protocol/index.ts";
import { operationIdOf } from "../../operations/carry-out.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { RegistrationRequest } from "./content.ts";

/** Gas set aside for one registration, and the most that it may use: the largest takes half. See docs/gas.json. */
export const REGISTRATION_GAS = 1_200_000n;

/** Prefix of the names of registrations' operations. */
export const REGISTRATION_PREFIX = "register";

/**
 * The name of a registration's operation. Its transaction, gas and documents are stored under it.
 */
export function registrationOperationId(id: string): string {
  return operationIdOf({ prefix: REGISTRATION_PREFIX }, { id });
}

/** The registrar's half of a registration; see `ISoulRegistry.Publication`. URIs and expected ids are for a new passport only. */
export interface Publication {
  /** The 32 bytes of the archive's id. */
  readonly archiveId: Hex;
  readonly agentURI: string;
  readonly agentURIWithoutIds: string;
  readonly expectedPassportId: bigint;
  readonly expectedTokenId: bigint;
  /** 0 for ids that follow from the order of registrations. */
  readonly reservation: bigint;
}

export interface RegistrationCall {
  readonly message: RegistrationMessage;
  readonly publication: Publication;
  /** Null for none. */
  readonly humanProof: HumanProof | null;
  /** The organization admin's consent as the organization registry takes it; `0x` for none. */
  readonly adminConsent: Hex;
  readonly signature: Hex;
}

/** A registration as the chain reports it. */
export interface RegisteredSoul {
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly epoch: number;
  /** The URI that the registration gave the passport; null when it left the passport's own. */
  readonly agentUri: string | null;
  /** Whether `svc*` metadata was left out of the passport, because the passport writer is not approved on it. */
  readonly metadata: "written" | "pending";
  readonly txHash: Hex;
  readonly blockNumber: bigint;
}

/** Stores content if it is not stored yet; the same content always gets the same id. */
export type ArchivePort = {
  archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
};

/** Who began a registration. Stored with it, as JSON. */
export type RegistrationOrigin =
  | {
      /** Its owner, with a signature. */
      readonly kind: "owner";
    }
  | {
      /** The agent itself; its owner has claimed it. */
      readonly kind: "claim";
      readonly registrationId: string;
      /** The public id, which agent and owner know. */
      readonly publicId: string;
      /** Whether the owner lets the agent exchange its provisional key. */
      readonly agentKeeps: boolean;
    };

/** The public part of a registration, from its acceptance on. */
export interface RegistrationRecord<Origin = RegistrationOrigin> {
  /** The operation's id; each agent of a batch has an id of its own. */
  readonly id: string;
  readonly origin: Origin;
  readonly request: Omit<RegistrationRequest, "soulSalt">;
  /** Encrypted for `id`; null once the answer cannot be repeated. */
  readonly apiKeyEncrypted: Buffer | null;
}

/** How an accepted registration ended. */
export interface CompletedRegistration extends RegisteredSoul {
  readonly operationId: string;
  readonly archiveId: string;
  /**
   * URI of the registration file that the passport should point at. New passport: the file with the
   * soul's real ids. Bound passport: the signed file. The passport's current URI differs if another
   * registration came between, or if the passport writer may not write to it.
   */
  readonly completeUri: string;
}

/**
 * Steps that belong to a registration, by who began it. Each runs in the transaction that accepts,
 * completes or ends the registration: exactly once, or not at all.
 */
export interface FollowUp<Origin = RegistrationOrigin> {
  /** May refuse, by throwing an ApiError: then nothing was accepted. */
  accepted(transaction: Transaction, begun: RegistrationRecord<Origin>): Promise<void>;
  completed(
    transaction: Transaction,
    begun: RegistrationRecord<Origin> & { readonly message: RegistrationMessage },
    completed: CompletedRegistration,
  ): Promise<void>;
  /** The registration was accepted, and not carried out. */
  ended(transaction: Transaction, begun: RegistrationRecord<Origin>): Promise<void>;
}
