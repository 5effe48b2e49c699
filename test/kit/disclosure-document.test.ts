import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import {
  checkDisclosureDocument,
  type DisclosureChain,
  DOCUMENT_CHECKS,
  disclosureDocument,
  parseDisclosureDocument,
  type ViewedSoul,
  verifyDisclosureDocument,
} from "../../kit/disclosure/document.ts";
import {
  buildFieldTree,
  leafHash,
  normaliseCcsf,
  proveField,
  soulHash,
} from "../../protocol/index.ts";

// The steps of the verification that the command and the page share. No node is asked.

const SOUL_VIEW = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const OWNER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const STRANGER = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const NOW = new Date("2026-01-31T12:00:00Z");

const salt: Hex = `0x${"5a".repeat(32)}`;
const ccsf = normaliseCcsf({
  identity: { name: "Heron", agent_type: "specialist" },
  soul: { purpose: "Counts herons.", guidelines: ["Says how sure it is."] },
});
const tree = { ccsf, salt, soulHash: soulHash(salt, ccsf) };
const { root } = buildFieldTree(tree);
const proof = proveField(tree, "soul.purpose");

const SOUL: ViewedSoul = {
  block: 7n,
  agentName: "heron",
  merkleRoot: root,
  valid: true,
  sealer: OWNER,
  owner: OWNER,
};

const DOCUMENT = disclosureDocument({
  chainId: 31337,
  soulView: SOUL_VIEW,
  agentName: "heron",
  tokenId: 4,
  disclosures: [{ ...proof, merkleRoot: root }],
  issuedTo: null,
  issuedAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2026-02-01T00:00:00.000Z",
});

const chainOf = (soul: ViewedSoul | null, chainId = 31337): DisclosureChain => ({
  chainId: async () => chainId,
  soul: async () => soul,
});

const check = (
  document: unknown,
  {
    soul = SOUL,
    chainId = 31337,
    now = NOW,
  }: { soul?: ViewedSoul | null; chainId?: number; now?: Date } = {},
) => checkDisclosureDocument(document, chainOf(soul, chainId), { soulView: SOUL_VIEW, now });

/** The steps that failed, and the last one that was made. */
const outcome = async (...args: Parameters<typeof check>) => {
  const { checks } = await check(...args);
  return {
    failed: checks.filter(({ problem }) => problem !== null).map(({ check: name }) => name),
    last: checks.at(-1)?.check,
  };
};

describe("checkDisclosureDocument", () => {
  it("passes every step, and shows the nodes from the leaf to the root on chain", async () => {
    const report = await check(DOCUMENT);
    expect(report.checks).toEqual(DOCUMENT_CHECKS.map((name) => ({ check: name, problem: null })));
    expect(report.document).toEqual(DOCUMENT);
    expect(report.soul).toEqual(SOUL);
    const [value] = report.values;
    const blinding = proof.merkleProof[0] as Hex;
    expect(value?.nodes).toHaveLength(5);
    expect(value?.nodes?.[0]).toBe(
      leafHash({ field: "soul.purpose", value: "Counts herons.", blinding }),
    );
    expect(value?.nodes?.at(-1)).toBe(root);
    expect(value?.matches).toBe(true);
    expect(
      await verifyDisclosureDocument(DOCUMENT, chainOf(SOUL), { soulView: SOUL_VIEW, now: NOW }),
    ).toEqual({ verdict: "valid", why: "soul.purpose of heron has this value on chain." });
  });

  const [disclosed] = DOCUMENT.disclosures;
  const withValue = (change: object) => ({
    ...DOCUMENT,
    disclosures: [{ ...disclosed, ...change }],
  });
  const flipped = (hash: Hex): Hex => `0x${hash.endsWith("0") ? "1" : "0"}${hash.slice(3)}`;

  it.each([
    ["value", withValue({ value: "Counts owls." })],
    ["field", withValue({ field: "soul.personality" })],
    ["blinding", withValue({ merkleProof: proof.merkleProof.with(0, flipped(salt)) })],
    ["sibling", withValue({ merkleProof: proof.merkleProof.with(3, flipped(salt)) })],
    ["short proof", withValue({ merkleProof: proof.merkleProof.slice(1) })],
    ["named root", withValue({ merkleRoot: flipped(root) })],
  ])("fails for another %s", async (_what, document) => {
    expect(await outcome(document)).toEqual({ failed: ["values"], last: "expiry" });
    expect((await check(document)).values[0]?.matches).toBe(false);
  });

  it("names every failed step, and leaves out those that need an earlier one", async () => {
    const at = (date: string) => new Date(date);
    expect(await outcome({ ...DOCUMENT, format: "v0" })).toEqual({
      failed: ["document"],
      last: "document",
    });
    expect(await outcome({ ...DOCUMENT, soulView: STRANGER })).toEqual({
      failed: ["contract"],
      last: "contract",
    });
    expect(await outcome(DOCUMENT, { chainId: 1 })).toEqual({ failed: ["chain"], last: "chain" });
    expect(await outcome(DOCUMENT, { soul: null })).toEqual({ failed: ["agent"], last: "agent" });
    expect(await outcome(DOCUMENT, { soul: { ...SOUL, agentName: "owl" } })).toEqual({
      failed: ["agent"],
      last: "expiry",
    });
    const sold = { ...SOUL, valid: false, owner: STRANGER } as const;
    expect(await outcome(DOCUMENT, { soul: sold })).toEqual({
      failed: ["validity", "issuer"],
      last: "expiry",
    });
    expect(await outcome(DOCUMENT, { now: at("2026-02-01T00:00:00Z") })).toEqual({
      failed: ["expiry"],
      last: "expiry",
    });
    expect(await outcome({ ...DOCUMENT, expiresAt: null }, { now: at("2999-01-01") })).toEqual({
      failed: [],
      last: "expiry",
    });
  });
});

describe("disclosureDocument", () => {
  it("holds only what a verifier needs, and is read back as it was written", () => {
    const verified = { ...proof, merkleRoot: root, verified: true };
    const made = disclosureDocument({ ...DOCUMENT, disclosures: [verified] });
    expect(made).toEqual(DOCUMENT);
    expect(parseDisclosureDocument(JSON.stringify(made))).toEqual(DOCUMENT);
  });
});
