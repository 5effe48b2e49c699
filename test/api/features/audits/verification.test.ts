import fc from "fast-check";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import type {
  AuditedChronicle,
  ChronicleFacts,
} from "../../../../api/features/audits/verification.ts";
import { tallyChronicles, verifyAudit } from "../../../../api/features/audits/verification.ts";
import { soulTasks } from "../../../../api/soul/text/soul-tasks.ts";
import type { Ccsf, Field } from "../../../../protocol/index.ts";
import {
  buildChronicleTree,
  buildFieldTree,
  chronicleLeaf,
  FIELDS,
  fieldValue,
  normaliseCcsf,
  soulHash,
  verifyFieldProof,
  ZERO_HASH,
} from "../../../../protocol/index.ts";
import { ccsf as anyCcsf, salt as anySalt } from "../../../protocol/arbitraries.ts";

const NO_CHRONICLES = { valid: 0, invalid: 0, pending: 0 };

/** What the chain has of a soul. */
function sealed(ccsf: Ccsf, salt: Hex) {
  const hash = soulHash(salt, ccsf);
  const { root } = buildFieldTree({ ccsf, salt, soulHash: hash });
  return { soulHash: hash, soulMerkleRoot: root };
}

/** What an upload of this soul hashes to. */
function uploaded(ccsf: Ccsf, salt: Hex | null, salts = {}) {
  const source = new TextEncoder().encode(JSON.stringify(ccsf));
  return soulTasks.auditFile({ source, part: "file", salt, salts, valuesOf: FIELDS });
}

/** The soul with another text in one field. */
function changed(ccsf: Ccsf, field: Field): Ccsf {
  const [section, key] = field.split(".") as [keyof Ccsf, string];
  const part = ccsf[section] as unknown as Record<string, unknown>;
  return normaliseCcsf({ ...ccsf, [section]: { ...part, [key]: otherValue(field, part[key]) } });
}

function otherValue(field: Field, value: unknown): unknown {
  if (field === "identity.agent_type") return value === "other" ? "assistant" : "other";
  if (field === "soul.documents") {
    const documents = value as readonly object[];
    const contentHash = `0x${"ab".repeat(32)}`;
    return [...documents.slice(0, 255), { id: "another-one", contentHash, immutable: false }];
  }
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ["another"];
  const text = value as string;
  return text === "x" ? "y" : "x";
}

describe("the comparison of a file with the chain", () => {
  it("matches the sealed soul and no change of any field", () => {
    fc.assert(
      fc.property(anyCcsf, anySalt, fc.constantFrom(...FIELDS), (ccsf, salt, field) => {
        const onChain = sealed(ccsf, salt);
        const same = uploaded(ccsf, salt).soul;
        const other = uploaded(changed(ccsf, field), salt).soul;
        expect(same).not.toBeNull();
        expect(other).not.toBeNull();
        if (same === null || other === null) return;
        expect(verifyAudit(same, onChain, onChain, NO_CHRONICLES)).toEqual({
          soulHashMatch: true,
          merkleRootMatch: true,
          arweaveArchiveMatch: true,
          allChronicleRecordsValid: true,
        });
        expect(verifyAudit(other, onChain, onChain, NO_CHRONICLES)).toMatchObject({
          soulHashMatch: false,
          merkleRootMatch: false,
        });
        for (const proof of same.fields) {
          expect(proof.value).toEqual(fieldValue(ccsf, proof.field));
          expect(verifyFieldProof({ ...proof, root: onChain.soulMerkleRoot })).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("matches no other salt", () => {
    fc.assert(
      fc.property(anyCcsf, anySalt, anySalt, (ccsf, salt, other) => {
        fc.pre(salt !== other);
        const file = uploaded(ccsf, other).soul;
        if (file === null) throw new Error("A file with a salt is hashed.");
        expect(verifyAudit(file, sealed(ccsf, salt), null, NO_CHRONICLES)).toEqual({
          soulHashMatch: false,
          merkleRootMatch: false,
          arweaveArchiveMatch: false,
          allChronicleRecordsValid: true,
        });
      }),
      { numRuns: 30 },
    );
  });

  it("takes the salt of the agent that the file names, and hashes nothing without one", () => {
    const ccsf = normaliseCcsf({ identity: { name: "Grey Heron", agent_type: "other" } });
    const salt: Hex = `0x${"07".repeat(32)}`;
    expect(uploaded(ccsf, null, { "grey-heron": salt })).toMatchObject({
      agentName: "grey-heron",
      soul: sealed(ccsf, salt),
    });
    expect(uploaded(ccsf, null, { constructor: salt })).toEqual({
      agentName: "grey-heron",
      soul: null,
    });
    const input = { source: new Uint8Array(), part: "file", salt, salts: {}, valuesOf: [] };
    const bare = soulTasks.auditFile({
      ...input,
      source: new TextEncoder().encode(JSON.stringify(ccsf)),
    });
    expect(bare.soul?.fields.map(({ value }) => value)).toEqual(FIELDS.map(() => null));
  });

  it("says that another archive or none is no match", () => {
    const ccsf = normaliseCcsf({ identity: { name: "heron", agent_type: "other" } });
    const salt: Hex = `0x${"07".repeat(32)}`;
    const onChain = sealed(ccsf, salt);
    const archives = [null, { ...onChain, soulHash: ZERO_HASH }, { ...onChain, soulMerkleRoot: 1 }];
    for (const archived of archives) {
      const { arweaveArchiveMatch } = verifyAudit(onChain, onChain, archived, NO_CHRONICLES);
      expect(arweaveArchiveMatch).toBe(false);
    }
  });
});

describe("the chronicles of an audited agent", () => {
  const recordedAt = new Date("2026-02-03T04:05:06.789Z");
  const contentHash: Hex = `0x${"cd".repeat(32)}`;
  const content = (chronicleId: bigint) => ({
    tokenId: 7n,
    chronicleId,
    category: "achievement",
    changeType: "task_completed",
    contentHash,
  });
  const leafOf = (chronicleId: bigint) =>
    chronicleLeaf({ ...content(chronicleId), timestamp: 1_770_091_506n });
  const leaves = [1n, 2n, 3n].map((id) => leafOf(id));
  const tree = buildChronicleTree(
    Buffer.concat(leaves.map((leaf) => Buffer.from(leaf.slice(2), "hex"))),
  );
  const anchored = (chronicleId: bigint): AuditedChronicle => {
    const leaf = leafOf(chronicleId);
    const position = [0, 1, 2].find((at) => tree.leaf(at) === leaf);
    return {
      ...content(chronicleId),
      recordedAt,
      leaf,
      batchId: 4n,
      proof: tree.proof(position ?? 0),
      txHash: null,
    };
  };
  const facts: ChronicleFacts = { roots: new Map([[4n, tree.root]]), revisions: new Map() };
  const tally = (chronicle: AuditedChronicle, given: ChronicleFacts = facts) =>
    Object.entries(tallyChronicles([chronicle], given)).find(([, count]) => count > 0)?.[0];

  it("are valid when each is proved against its batch's root on chain", () => {
    const all = [1n, 2n, 3n].map(anchored);
    expect(tallyChronicles(all, facts)).toEqual({ valid: 3, invalid: 0, pending: 0 });
  });

  it("are invalid when anything about one was changed", () => {
    const right = anchored(2n);
    const changes: Partial<AuditedChronicle>[] = [
      { contentHash: ZERO_HASH },
      { category: "other" },
      { changeType: "another" },
      { chronicleId: 9n },
      { tokenId: 8n },
      { recordedAt: new Date(0) },
      { leaf: leafOf(1n) },
      { proof: right.proof.slice(1) },
      { batchId: 5n },
    ];
    for (const change of changes) {
      expect([change, tally({ ...right, ...change })]).toEqual([change, "invalid"]);
    }
    const otherRoot = { ...facts, roots: new Map<bigint, Hex>([[4n, ZERO_HASH]]) };
    expect(tally(right, otherRoot)).toBe("invalid");
  });

  it("are pending until their batch is anchored", () => {
    expect(tally({ ...anchored(1n), batchId: null, proof: [] })).toBe("pending");
  });

  it("are proved by their own transaction when they were recorded at once", () => {
    const txHash: Hex = `0x${"ef".repeat(32)}`;
    const revision = { ...anchored(1n), batchId: null, proof: [], txHash };
    const given = (revisions: ReadonlyMap<Hex, readonly Hex[] | null>) =>
      tally(revision, { ...facts, revisions });
    expect(given(new Map([[txHash, [contentHash]]]))).toBe("valid");
    expect(given(new Map([[txHash, [ZERO_HASH]]]))).toBe("invalid");
    expect(given(new Map())).toBe("invalid");
    expect(given(new Map([[txHash, null]]))).toBe("pending");
  });
});
