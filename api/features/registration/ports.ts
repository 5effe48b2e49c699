import type { Address, Hex, TransactionReceipt } from "viem";
import type { FieldLeaf, HumanProof, RegistrationMessage } from "../../../protocol/index.ts";
import type { StoredKey } from "../../kernel/api-keys.ts";
import type { Sponsor } from "../../platform/sponsorship/sponsorship.ts";
import type { RegistrationRequest } from "./content.ts";

/** Gas set aside for one registration, and the most that it may use: the largest takes half. See docs/gas.json. */
export const REGISTRATION_GAS = 1_200_000n;

/** The registrar's half of a registration; see `ISoulRegistry.Publication`. URIs and expected ids are for a new passport only. */
export interface Publication {
  /** The 32 bytes of the archive's id. */
  readonly archiveId: Hex;
  readonly agentURI: string;
  readonly agentURIWithoutIds: string;
  readonly expectedPassportId: bigint;
  readonly expectedTokenId: bigint;
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

/** What the chain says was registered. */
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
  /** The soul that was given `name`, 0 for none, as of the latest block. */
  tokenOfName(name: string): Promise<bigint>;
  /** The ids that this registration would get now. Throws the contract's refusal as an ApiError. */
  simulateRegister(call: RegistrationCall): Promise<{ tokenId: bigint; passportId: bigint }>;
  /**
   * Whether the contract would take the registration if its owner, and where needed an organization's admin, signed it. Throws the
   * contract's refusal as an ApiError.
   */
  simulateUnsigned(call: RegistrationCall): Promise<void>;
  registerCall(call: RegistrationCall): { to: Address; data: Hex };
  readRegistered(receipt: TransactionReceipt): RegisteredSoul;
}

export interface RelayerPort {
  /** Runs an operation to its receipt exactly once, however often it is asked to. */
  run(
    operationId: string,
    build: () => Promise<{ to: Address; data: Hex }>,
  ): Promise<TransactionReceipt>;
}

export interface ArchivePort {
  /** Stores `content` if it is not stored yet; the same content always gets the same id. */
  archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
}

/** Who began a registration, and what of theirs belongs to it. Kept with the registration, as JSON. */
export type RegistrationOrigin =
  | {
      /** Its owner, who signed before anything was kept here. */
      readonly kind: "owner";
      /** The operation that registers it with others, and finishes it. Absent for one alone. */
      readonly batch?: string;
    }
  | {
      /** The agent itself; its owner has claimed it. */
      readonly kind: "claim";
      readonly registrationId: string;
      /** The id that agent and owner know it by. */
      readonly publicId: string;
      /** Whether the owner lets the agent exchange its provisional key. Absent from claims signed before owners were asked. */
      readonly agentKeeps?: boolean;
    };

/** A registration that was accepted: from here on it is driven to its end, by whichever process lives. */
export interface PendingRegistration {
  readonly id: string;
  readonly digest: Hex;
  readonly origin: RegistrationOrigin;
  /** Whose retry may read the answer: see `AppEnv.operationKey`. */
  readonly operationKey: string;
  readonly request: Omit<RegistrationRequest, "soulSalt">;
  readonly message: RegistrationMessage;
  readonly adminConsent: Hex;
  readonly signature: Hex;
  /** Bound to the request's soul hash. */
  readonly saltEncrypted: Buffer;
  /** Bound to `id`; null once it may not be requested again. */
  readonly apiKeyEncrypted: Buffer | null;
}

/** How an accepted registration ended. */
export interface CompletedRegistration extends RegisteredSoul {
  readonly archiveId: string;
  /**
   * URI of the registration file that the passport should point at: for a new passport the one that names the soul's real ids, for
   * a bound one the signed one. The passport points at another one when another registration came between, or when the passport
   * writer may not write to it.
   */
  readonly completeUri: string;
}

/**
 * What becomes true together with a registration, by who began it. Each part runs within the transaction that accepts,
 * completes or forgets the registration: it happens exactly once, or not at all.
 *
 * @typeParam Transaction what the database module calls a transaction.
 */
export interface FollowUp<Transaction, Origin = RegistrationOrigin> {
  /** May refuse, by throwing an ApiError: then nothing was accepted. */
  accepted(transaction: Transaction, pending: Begun<Origin>): Promise<void>;
  completed(
    transaction: Transaction,
    pending: Begun<Origin>,
    completed: CompletedRegistration,
  ): Promise<void>;
  /** The chain refused what was accepted. */
  refused(transaction: Transaction, pending: Begun<Origin>): Promise<void>;
}

type Begun<Origin> = PendingRegistration & { readonly origin: Origin };

/** The follow-up of every origin. */
export type FollowUps<Transaction> = {
  readonly [Kind in RegistrationOrigin["kind"]]: FollowUp<
    Transaction,
    Extract<RegistrationOrigin, { readonly kind: Kind }>
  >;
};

export interface RegistrationStore {
  /**
   * Accepts a registration, and sets aside what it costs.
   *
   * @throws ApiError NAME_TAKEN when another registration of the name is pending; IDEMPOTENCY_CONFLICT for the same digest;
   * RATE_LIMIT_EXCEEDED and GAS_BUDGET_EXHAUSTED as `Sponsorship.reserve`; what its origin's follow-up throws.
   */
  insert(pending: PendingRegistration, sponsor: Sponsor): Promise<void>;
  findByDigest(
    digest: Hex,
  ): Promise<{ pending: PendingRegistration; completed: CompletedRegistration | null } | null>;
  /** Every accepted registration without an end. */
  listPending(): Promise<PendingRegistration[]>;
  isNamePending(name: string): Promise<boolean>;
  /**
   * As `insert` refuses it, without keeping the name.
   *
   * @param holder The agent's own registration that keeps the name; null for none.
   * @throws ApiError NAME_TAKEN
   */
  assertNameFree(name: string, holder: string | null): Promise<void>;
  /**
   * Writes the end, the API key, the soul's secrets and the follow-up in one transaction; does nothing the second time.
   */
  complete(
    pending: PendingRegistration,
    completed: CompletedRegistration,
    grants: {
      apiKey: StoredKey;
      soulHash: Hex;
      saltEncrypted: Buffer;
      leaves: readonly FieldLeaf[];
    },
  ): Promise<void>;
  /** Forgets a registration that the chain refused, and gives back what was set aside for it unless that was spent. */
  remove(pending: PendingRegistration, gas: "spent" | "unspent"): Promise<void>;
}
