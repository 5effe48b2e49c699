import type { Address, Hex } from "viem";
import type { FieldLeaf, HumanProof, RegistrationMessage } from "../../../protocol/index.ts";
import type { StoredKey } from "../../kernel/api-keys.ts";
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

export interface SoulRegistryPort {
  /** The soul with this name in the latest block; 0 for none. */
  tokenOfName(name: string): Promise<bigint>;
  /** The ids that this registration would get now. Throws the contract's refusal as an ApiError. */
  simulateRegister(call: RegistrationCall): Promise<{ tokenId: bigint; passportId: bigint }>;
  /**
   * Whether the contract would take the registration if its owner, and where needed an organization's admin, signed it. Throws the
   * contract's refusal as an ApiError.
   */
  simulateUnsigned(call: RegistrationCall): Promise<void>;
  registerCall(call: RegistrationCall): { to: Address; data: Hex };
  /** What a transaction registered. */
  registeredIn(txHash: Hex): Promise<RegisteredSoul>;
}

export interface ArchivePort {
  /** Stores `content` if it is not stored yet; the same content always gets the same id. */
  archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
}

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
 *
 * @typeParam Transaction the transaction type of the database module.
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

/** What a completed registration stores for the soul and its owner. */
export interface RegistrationGrants {
  readonly tokenId: bigint;
  readonly epoch: number;
  /** Of the soul's record on permanent storage. */
  readonly archiveId: string;
  readonly apiKey: StoredKey;
  readonly soulHash: Hex;
  readonly saltEncrypted: Buffer;
  readonly leaves: readonly FieldLeaf[];
}

/** Accepted registrations: their public part, and the names that they reserve. */
export interface RegistrationStore {
  /** @throws ApiError NAME_TAKEN when the name is reserved for another registration. */
  begin(transaction: Transaction, record: RegistrationRecord): Promise<void>;
  /** @throws Error when there is none. */
  read(id: string, transaction?: Transaction): Promise<RegistrationRecord>;
  /** In the order of `ids`. @throws Error when one is missing. */
  readAll(ids: readonly string[], transaction?: Transaction): Promise<RegistrationRecord[]>;
  /** Marks it as complete and stores its rows. */
  complete(transaction: Transaction, id: string, grants: RegistrationGrants): Promise<void>;
  /** Deletes a registration that was not carried out: its name is free again. */
  remove(transaction: Transaction, id: string): Promise<void>;
  isNamePending(name: string): Promise<boolean>;
  /**
   * Checks as `begin` does, without reserving the name.
   *
   * @param holder The agent's own registration that reserves the name; null for none.
   * @throws ApiError NAME_TAKEN
   */
  assertNameFree(name: string, holder: string | null): Promise<void>;
  /** Deletes the encrypted API keys of registrations accepted before `instant`: they may not be requested again. */
  forgetApiKeys(instant: Date): Promise<void>;
}
