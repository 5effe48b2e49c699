import { encodeFunctionData } from "viem";
import { agentKeysAbi } from "../../../protocol/generated/abi.ts";
import { createOwnerCalls } from "../../operations/operations.chain.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { RegistrationFiles } from "../passports/index.ts";
import type { EventSink } from "../webhooks/index.ts";
import type { DidDocuments } from "./documents.ts";
import { keySetUpdateKind } from "./key-set-update.ts";
import { createKeySetReads } from "./key-sets.store.ts";
import { createKeySets } from "./key-sets.ts";
import { createDidRecords } from "./records.ts";
import { didUpdateKind } from "./update.ts";

/** DID documents and key sets, and the kinds of operations that change them. */
export function buildDid({
  deployment,
  pool,
  archive,
  clock,
  current,
  age,
  files,
  events,
}: Pick<Platform, "deployment" | "pool" | "archive" | "clock"> &
  Pick<SoulReads, "current" | "age"> & {
    /** What passports point at. */
    readonly files: RegistrationFiles;
    readonly events: EventSink;
  }) {
  const { chainId, contracts } = deployment;
  const { soulRegistry, agentKeys } = contracts;
  const place = { chainId, soulRegistry };
  const stored = archive.read;
  const didRecords = createDidRecords({ ...place, stored });
  const keys = createKeySetReads(pool);
  const keySets = createKeySets({ ...place, reads: current, keys, age, stored });
  const dids: DidDocuments = { chainId, reads: current, records: didRecords, keySets, files };
  const { setDidArchive } = createOwnerCalls(soulRegistry);
  return {
    didRecords,
    keySets,
    dids,
    keySetUpdate: keySetUpdateKind({
      ...place,
      ids: archive,
      clock,
      setKeys: ({ message, signature }) => ({
        to: agentKeys,
        data: encodeFunctionData({
          abi: agentKeysAbi,
          functionName: "setKeys",
          args: [message, signature],
        }),
      }),
    }),
    didUpdate: didUpdateKind({
      ...place,
      records: didRecords,
      ids: archive,
      events,
      clock,
      setDidArchive,
    }),
  };
}
