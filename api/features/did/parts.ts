import type { Pool } from "pg";
import type { Address } from "viem";
import { createOwnerCalls } from "../../operations/operations.chain.ts";
import type { Executor } from "../../platform/database/connect.ts";
import type { PermanentStorage } from "../../platform/storage/permanent.ts";
import { currentList } from "../../soul/current-reads.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { ProfileReads } from "../../soul/index-reads.ts";
import { createDomainVerification } from "../domains/domains.ts";
import type { RegistrationFiles } from "../passports/files.ts";
import { createAgentList } from "../profile/agents.store.ts";
import { createAgentListService } from "../profile/agents.ts";
import type { RegistrationContext } from "../registration/content.ts";
import type { EventSink } from "../webhooks/events.ts";
import { createDidDocuments, type DidReads } from "./documents.ts";
import { keySetUpdateKind } from "./key-set-update.ts";
import { createKeySetCall } from "./key-sets.chain.ts";
import { createKeySetReads } from "./key-sets.store.ts";
import { createKeySets } from "./key-sets.ts";
import { createDidRecords } from "./records.ts";
import { didUpdateKind } from "./update.ts";

/** How many archived DID records are remembered; one is a few kilobytes at most. */
const RECORDS_REMEMBERED = 5_000;

/** How old the list of all registered agents may be. */
const SERVICE_PROOF_KEPT_MS = 60_000;

export interface IdentityPartsOptions {
  readonly context: RegistrationContext;
  /** The contract that names agents' key sets. */
  readonly agentKeys: Address;
  readonly pool: Pool;
  /** Ownership never older than the maximum age of the index. */
  readonly current: ProfileReads & DidReads;
  readonly age: IndexAge;
  readonly archive: PermanentStorage;
  /** What passports point at. */
  readonly files: RegistrationFiles;
  readonly events: EventSink<Executor>;
  readonly clock: () => Date;
}

export type IdentityParts = ReturnType<typeof buildIdentity>;

/** What the world reads of an agent's identity, and the kinds of operations that change its DID document. */
export function buildIdentity(options: IdentityPartsOptions) {
  const { context, current, age, archive, files, events, clock } = options;
  const { chainId, soulRegistry, links } = context;
  const agents = createAgentList(options.pool);
  const place = { chainId, soulRegistry };
  const didRecords = createDidRecords({
    ...place,
    stored: archive.read,
    remembered: RECORDS_REMEMBERED,
  });
  const keySets = createKeySets({
    reads: current,
    keys: createKeySetReads(options.pool),
    age,
    stored: archive.read,
  });
  return {
    didRecords,
    keySets,
    agentList: createAgentListService({ reads: currentList(agents, age), chainId, links }),
    domains: createDomainVerification({
      context,
      reads: current,
      registered: agents,
      clock,
      keepMs: SERVICE_PROOF_KEPT_MS,
    }),
    dids: createDidDocuments({ chainId, reads: current, records: didRecords, keySets, files }),
    keySetUpdate: keySetUpdateKind<Executor>({
      ids: archive,
      clock,
      setKeys: createKeySetCall(options.agentKeys),
    }),
    didUpdate: didUpdateKind<Executor>({
      ...place,
      records: didRecords,
      ids: archive,
      events,
      clock,
      setDidArchive: createOwnerCalls(soulRegistry).setDidArchive,
    }),
  };
}
