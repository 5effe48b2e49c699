import { createOwnerCalls } from "../../operations/operations.chain.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { RegistrationFiles } from "../passports/index.ts";
import type { EventSink } from "../webhooks/index.ts";
import { createDidDocuments } from "./documents.ts";
import { keySetUpdateKind } from "./key-set-update.ts";
import { createKeySetCall } from "./key-sets.chain.ts";
import { createKeySetReads } from "./key-sets.store.ts";
import { createKeySets } from "./key-sets.ts";
import { createDidRecords } from "./records.ts";
import { didUpdateKind } from "./update.ts";

/** How many archived DID records are remembered; one is a few kilobytes at most. */
const RECORDS_REMEMBERED = 5_000;

type Options = Pick<Platform, "deployment" | "pool" | "archive" | "clock"> &
  Pick<SoulReads, "current" | "age"> & {
    /** What passports point at. */
    readonly files: RegistrationFiles;
    readonly events: EventSink;
  };

/** DID documents and key sets, and the kinds of operations that change them. */
export function buildDid(options: Options) {
  const { pool, archive, clock, current, age, files, events } = options;
  const { chainId, contracts } = options.deployment;
  const { soulRegistry, agentKeys } = contracts;
  const place = { chainId, soulRegistry };
  const didRecords = createDidRecords({
    ...place,
    stored: archive.read,
    remembered: RECORDS_REMEMBERED,
  });
  const keySets = createKeySets({
    ...place,
    reads: current,
    keys: createKeySetReads(pool),
    age,
    stored: archive.read,
  });
  return {
    didRecords,
    keySets,
    dids: createDidDocuments({ chainId, reads: current, records: didRecords, keySets, files }),
    keySetUpdate: keySetUpdateKind({
      ...place,
      ids: archive,
      clock,
      setKeys: createKeySetCall(agentKeys),
    }),
    didUpdate: didUpdateKind({
      ...place,
      records: didRecords,
      ids: archive,
      events,
      clock,
      setDidArchive: createOwnerCalls(soulRegistry).setDidArchive,
    }),
  };
}
