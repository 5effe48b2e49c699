import { expect, it } from "vitest";
import { createDidDocuments } from "../../../../api/features/did/documents.ts";
import type { DidRecords } from "../../../../api/features/did/records.ts";
import type { AgentRecord } from "../../../../api/soul/index-reads.ts";

// An owner decides how many records its agent's DID has: looking for an old version must end all the same.

const OWNER = `0x${"1".repeat(40)}` as const;
const ID = "A".repeat(43);

function documentsOver(records: DidRecords, walkMs: number) {
  const agent = {
    soul: { name: "aurora", status: "SEALED", sealer: OWNER, operator: null, mintTimestamp: 1n },
    passport: { owner: OWNER, uri: null },
  } as unknown as AgentRecord;
  const reading = { at: { block: 1n, timestamp: 1n }, value: agent };
  const unused = async () => {
    throw new Error("Not part of this test.");
  };
  return createDidDocuments({
    chainId: 31337,
    reads: {
      profileByName: async () => reading,
      profileByTokenId: unused,
      soulByPassport: unused,
      passport: unused,
    },
    records,
    keySets: { inEpoch: async () => null },
    files: { read: unused },
    walkMs,
  });
}

/** A chain of records without an end: each names one before it. */
function endless() {
  let reads = 0;
  const of: DidRecords["of"] = async () => {
    reads += 1;
    return { id: ID, record: { addresses: [], previous: ID } } as never;
  };
  return { records: { of } as DidRecords, reads: () => reads };
}

it("stops looking for an old DID version when the time for it is over", async () => {
  const { records, reads } = endless();
  await expect(documentsOver(records, -1).resolve("aurora", "E".repeat(43))).rejects.toMatchObject({
    type: "STORAGE_UNAVAILABLE",
  });
  expect(reads()).toBe(1);
});

it("says that a DID version is unknown after a thousand records", async () => {
  const { records, reads } = endless();
  await expect(
    documentsOver(records, 60_000).resolve("aurora", "E".repeat(43)),
  ).rejects.toMatchObject({ type: "NOT_FOUND" });
  expect(reads()).toBe(1_001);
});

it("finds a DID version without a walk when it is the present one", async () => {
  const { records } = endless();
  const { value } = await documentsOver(records, -1).resolve("aurora", ID);
  expect(value.metadata.versionId).toBe(ID);
});

it("reads no record for a DID version that is no canonical id", async () => {
  const { records, reads } = endless();
  await expect(
    documentsOver(records, 60_000).resolve("aurora", `${ID.slice(0, -1)}B`),
  ).rejects.toMatchObject({ type: "NOT_FOUND" });
  expect(reads()).toBe(0);
});
