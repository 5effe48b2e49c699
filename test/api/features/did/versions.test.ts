import { expect, it } from "vitest";
import { type DidDocuments, resolveDid } from "../../../../api/features/did/documents.ts";
import type { DidRecords } from "../../../../api/features/did/records.ts";
import type { IndexedAgent } from "../../../../api/soul/index-reads.ts";

// An owner decides how many records its agent's DID has. Looking for an old version must still end.

const OWNER = `0x${"1".repeat(40)}` as const;
const ID = "A".repeat(43);

/** Resolves `aurora` at a version. */
function resolve(records: DidRecords, walkMs: number, versionId: string) {
  const agent = {
    soul: { name: "aurora", status: "SEALED", sealer: OWNER, operator: null, mintTimestamp: 1n },
    passport: { owner: OWNER, uri: null },
  } as unknown as IndexedAgent;
  const reading = { at: { block: 1n, timestamp: 1n }, value: agent };
  const unused = async () => {
    throw new Error("Not part of this test.");
  };
  const dids: DidDocuments = {
    chainId: 31337,
    reads: {
      agent: async () => reading,
      passport: unused,
    },
    records,
    keySets: { inEpoch: async () => null },
    files: { read: unused },
    walkMs,
  };
  return resolveDid(dids, "aurora", versionId);
}

/** An endless chain of records: each names a previous one. */
function endless() {
  let reads = 0;
  const of: DidRecords["of"] = async () => {
    reads += 1;
    return { id: ID, record: { addresses: [], previous: ID } } as never;
  };
  return { records: { of } as DidRecords, reads: () => reads };
}

it("stops looking for an old DID version at the deadline", async () => {
  const { records, reads } = endless();
  await expect(resolve(records, -1, "E".repeat(43))).rejects.toMatchObject({
    type: "STORAGE_UNAVAILABLE",
  });
  expect(reads()).toBe(1);
});

it("reports a DID version as unknown after a thousand records", async () => {
  const { records, reads } = endless();
  await expect(resolve(records, 60_000, "E".repeat(43))).rejects.toMatchObject({
    type: "NOT_FOUND",
  });
  expect(reads()).toBe(1_001);
});

it("finds the current DID version without walking the records", async () => {
  const { records } = endless();
  const { value } = await resolve(records, -1, ID);
  expect(value.metadata.versionId).toBe(ID);
});

it("reads no record for a DID version that is not a canonical id", async () => {
  const { records, reads } = endless();
  await expect(resolve(records, 60_000, `${ID.slice(0, -1)}B`)).rejects.toMatchObject({
    type: "NOT_FOUND",
  });
  expect(reads()).toBe(0);
});
