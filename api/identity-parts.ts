import type { Address } from "viem";
import { createOwnerCalls } from "./chain/owner-operations.ts";
import type { ChainReads } from "./db/chain.ts";
import type { Executor } from "./db/connect.ts";
import { createDidDocuments } from "./services/did-documents.ts";
import { createDidRecords } from "./services/did-records.ts";
import { didUpdateKind } from "./services/did-update.ts";
import type { EventSink } from "./services/events.ts";
import type { RegistrationFiles } from "./services/registration-files.ts";
import type { PermanentStorage } from "./storage/permanent.ts";

/** How many archived DID records are remembered; one is a few kilobytes at most. */
const RECORDS_REMEMBERED = 5_000;

export interface IdentityPartsOptions {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly index: ChainReads;
  readonly archive: PermanentStorage;
  /** What passports point at. */
  readonly files: RegistrationFiles;
  readonly events: EventSink<Executor>;
  readonly clock: () => Date;
}

export type IdentityParts = ReturnType<typeof buildIdentity>;

/** What the world reads of an agent's identity, and the kind of operation that changes its DID document. */
export function buildIdentity(options: IdentityPartsOptions) {
  const { chainId, soulRegistry, index, archive, files, events, clock } = options;
  const place = { chainId, soulRegistry };
  const didRecords = createDidRecords({
    ...place,
    stored: archive.read,
    remembered: RECORDS_REMEMBERED,
  });
  return {
    didRecords,
    dids: createDidDocuments({ chainId, reads: index, records: didRecords, files }),
    didUpdate: didUpdateKind<Executor>({
      ...{ ...place, records: didRecords, ids: archive, events, clock },
      setDidArchive: createOwnerCalls(soulRegistry).setDidArchive,
    }),
  };
}
