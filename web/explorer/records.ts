import type { Address, Hex } from "viem";
import type { CursorPage, PageOf } from "../../api/kernel/list-pages.ts";
import type { IndexAge } from "../../api/soul/index-age.ts";
import type { IndexedPassport, Reading, SoulStatus } from "../../api/soul/index-reads.ts";
import type { ValidityStatus } from "../../api/soul/validity.ts";

/** A soul as a list names it. */
export interface NamedSoul {
  readonly tokenId: bigint;
  readonly agentName: string;
  readonly genesisStatus: SoulStatus;
  readonly soulValidity: ValidityStatus;
}

/** What a passport holds under a key: untrusted. The value is null when it was too large to index. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: Hex | null;
}

/** What others state about a passport. Any account can raise these numbers. */
export interface PassportTrust {
  readonly feedback: number;
  readonly feedbackRevoked: number;
  readonly feedbackClients: number;
  readonly feedbackResponses: number;
  readonly validationRequests: number;
  readonly validationResponses: number;
}

export interface PassportTransfer {
  /** The zero address for the mint. */
  readonly from: Address;
  readonly to: Address;
  readonly at: Date;
  readonly block: bigint;
  readonly logIndex: number;
  readonly tx: Hex;
}

/** A transfer's place on the chain. */
export type TransferPosition = Pick<PassportTransfer, "block" | "logIndex">;

export interface PassportFacts {
  readonly passport: IndexedPassport;
  /** In the order of their keys; at most {@link MOST_ENTRIES}. */
  readonly metadata: readonly MetadataEntry[];
  /** Every soul that it carried, the newest first; at most {@link MOST_ENTRIES}. */
  readonly souls: readonly NamedSoul[];
  readonly trust: PassportTrust;
  /** The newest first. */
  readonly transfers: PageOf<PassportTransfer, TransferPosition>;
}

/** Most entries of a list that has no pages. */
export const MOST_ENTRIES = 50;

/** A time in which one owner's seal held, or may still hold. */
export interface SoulEpochRecord {
  readonly epoch: number;
  readonly sealer: Address;
  readonly isHumanVerified: boolean;
  readonly startedAt: Date;
  readonly startTx: Hex;
  /** Null for the current epoch of a soul that has not ended. */
  readonly endedAt: Date | null;
}

export interface CertificateFacts {
  readonly soul: NamedSoul & {
    readonly passportId: bigint;
    readonly epoch: number;
    readonly soulHash: Hex | null;
  };
  /** Null once burned. */
  readonly holder: Address | null;
  readonly mintedAt: Date;
  readonly mintTx: Hex;
  readonly burnedAt: Date | null;
  readonly burnTx: Hex | null;
  /** The newest first. */
  readonly epochs: PageOf<SoulEpochRecord, number>;
}

export interface OwnedPassport {
  readonly passportId: bigint;
  /** The soul that it carries; null for none. */
  readonly soul: Pick<NamedSoul, "tokenId" | "agentName"> | null;
}

export interface AccountFacts {
  readonly passports: PageOf<OwnedPassport, bigint>;
  /** Souls whose own account this is, by token id; at most {@link MOST_ENTRIES}. */
  readonly operates: readonly NamedSoul[];
  /** Organizations that it administers, by id; at most {@link MOST_ENTRIES}. */
  readonly organizations: readonly { readonly id: bigint; readonly name: string }[];
}

/** What the index has of passports, certificates and accounts. Each call is one query. */
export interface RecordReads {
  /** Null for a passport that was never seen. */
  passport(id: bigint, page: CursorPage<TransferPosition>): Promise<Reading<PassportFacts | null>>;
  /** Null for a certificate that was never minted. */
  certificate(tokenId: bigint, page: CursorPage<number>): Promise<Reading<CertificateFacts | null>>;
  account(address: Address, page: CursorPage<bigint>): Promise<Reading<AccountFacts>>;
}

/** Records with validity and owners: refused with INDEX_BEHIND when those would be old. */
export function currentRecords(reads: RecordReads, age: IndexAge): RecordReads {
  async function fresh<T>(reading: Promise<Reading<T>>): Promise<Reading<T>> {
    const found = await reading;
    if (age.isFresh(found.at)) return found;
    throw age.behind(found.at);
  }
  return {
    passport: (id, page) => fresh(reads.passport(id, page)),
    certificate: (tokenId, page) => fresh(reads.certificate(tokenId, page)),
    account: (address, page) => fresh(reads.account(address, page)),
  };
}
