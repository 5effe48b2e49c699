import type { Address, Hex } from "viem";
import { bytesToHex } from "viem";
import type {
  ChronicleCategory,
  FieldLeaf,
  RecordEvolutionMessage,
} from "../../../protocol/index.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";

/**
 * `restored`: the row was rebuilt from permanent storage. The record there has no author, and the
 * signature of its item is the service's own.
 */
export const CHRONICLE_AUTHORITIES = [
  "owner",
  "session",
  "api_key",
  "service",
  "restored",
] as const;

export type ChronicleAuthority = (typeof CHRONICLE_AUTHORITIES)[number];

/** What an owner signed, and with what. */
export interface OwnerEvidence {
  readonly message: RecordEvolutionMessage;
  readonly signature: Hex;
  readonly signer: Address;
}

/** The public content of a chronicle: JSON of the caller. */
export type ChronicleData = Readonly<Record<string, unknown>>;

/** The part of a chronicle that never changes. */
export interface ChronicleEntry {
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly category: ChronicleCategory;
  readonly changeType: string;
  readonly data: ChronicleData;
  readonly recordedAt: Date;
  readonly contentHash: Hex;
  readonly archiveId: string;
  readonly newSoulHash: Hex | null;
  readonly authority: ChronicleAuthority;
  readonly evidence: OwnerEvidence | null;
  /** Names the request that made it. */
  readonly operationKey: string;
}

/** The soul's new secrets after a revision. */
export interface RevisedSecrets {
  readonly soulHash: Hex;
  readonly saltEncrypted: Buffer;
  readonly leaves: readonly FieldLeaf[];
}

/** The salt of a request that an agent made, as it is sealed. */
export function openSalt(secrets: Secrets, sealed: Buffer, boundTo: string): Hex {
  return bytesToHex(secrets.decrypt(SALT_PURPOSE, sealed, boundTo));
}
