import { type Hex, isAddress, sha256, zeroHash } from "viem";
// Not from protocol/index.ts: the page that verifies a proof loads only what it runs.
import { chronicleLeaf, chronicleRootOf } from "../../protocol/chronicle.ts";
import { isPlainObject } from "../../protocol/json.ts";
import { storageIdOf } from "../../protocol/storage-id.ts";
import type { Report, ReportStep } from "../report.ts";

/** The chain reads that a verifier needs. */
export interface ProofChain {
  chainId(): Promise<number>;
  /** The root that the anchor contract holds for a batch; null when there is no such contract. */
  rootOf(anchor: Hex, batchId: bigint): Promise<Hex | null>;
  /**
   * The `dataHash` of each soul revision that a transaction made at `registry`; null for an unknown
   * transaction.
   */
  revisions(registry: Hex, txHash: Hex, tokenId: bigint): Promise<readonly Hex[] | null>;
  /** What a transaction said of a batch; null when the node does not know it. */
  batch(anchor: Hex, txHash: Hex, batchId: bigint): Promise<AnchoredBatch | null>;
}

/** A batch as its event `BatchAnchored` has it. */
export interface AnchoredBatch {
  readonly previousRoot: Hex;
  readonly leavesArchiveId: Hex;
}

/** Values from a source that the verifier trusts, which take precedence over the proof. */
export interface ProofTrust {
  /** The anchor contract and the soul registry, when the verifier knows them. */
  readonly anchor?: Hex | undefined;
  readonly registry?: Hex | undefined;
  /** The archived record; its hash must equal the recorded one. */
  readonly record?: Uint8Array | undefined;
}

export type Verdict =
  | { readonly verdict: "valid"; readonly why: string }
  | { readonly verdict: "invalid"; readonly why: string };

const HASH = /^0x[0-9a-f]{64}$/i;

/** The parts of `GET /v1/chronicle/:queueId/proof` that are checked. */
interface ChronicleProof {
  readonly tokenId: bigint;
  readonly chronicleId: bigint;
  readonly category: string;
  readonly changeType: string;
  readonly contentHash: Hex;
  readonly chronicleHash: Hex;
  readonly timestamp: bigint;
  readonly chainId: number;
  readonly anchor: Hex;
  readonly registry: Hex;
  readonly batchId: bigint | null;
  readonly merkleProof: readonly unknown[];
  readonly merkleRoot: unknown;
  readonly txHash: Hex;
  /** Id of the archived list of leaves; null for a proof that does not name it. */
  readonly leavesArchiveId: string | null;
}

/**
 * Checks a proof against the chain alone. It computes the leaf from the proof's fields and the root
 * from the leaf, and compares the root with the contract's.
 *
 * @param input the parsed JSON: untrusted.
 * @throws the errors of `chain`: the result is then unknown.
 */
export async function verifyChronicleProof(
  input: unknown,
  chain: ProofChain,
  trust: ProofTrust = {},
): Promise<Verdict> {
  const { isValid, why } = await checkChronicleProof(input, chain, trust);
  return { verdict: isValid ? "valid" : "invalid", why };
}

/** What a check of a proof has found so far. */
interface Course {
  /** Adds a step. @returns whether it was right. */
  made(step: string, value: string, source: string, problem?: string | null): boolean;
  /** Names a step that could not be made, and why. */
  skipped(step: string, why: string): void;
}

/**
 * As {@link verifyChronicleProof}, with every step and what it compared.
 *
 * @throws the errors of `chain`: the result is then unknown.
 */
export async function checkChronicleProof(
  input: unknown,
  chain: ProofChain,
  trust: ProofTrust = {},
): Promise<Report> {
  const steps: ReportStep[] = [];
  const reasons = new Map([
    ["record", "The archived record was not given. The proof names its hash."],
  ]);
  const course: Course = {
    made(step, value, source, problem = null) {
      steps.push({ step, value, source, problem });
      return problem === null;
    },
    skipped: (step, why) => reasons.set(step, why),
  };
  const why = await followProof(input, chain, trust, course);
  const failed = steps.find(({ problem }) => problem !== null)?.problem ?? null;
  const names = steps.some(({ step }) => step === REVISION) ? REVISION_STEPS : INCLUSION_STEPS;
  const skipped = names
    .filter((name) => steps.every(({ step }) => step !== name))
    .map((step) => ({ step, why: reasons.get(step) ?? "An earlier step failed." }));
  return { isValid: failed === null, why: failed ?? why, steps, skipped };
}

const REVISION = "revision";
const FIRST_STEPS = ["proof", "record", "leaf", "chain"] as const;
const INCLUSION_STEPS: readonly string[] = [
  ...FIRST_STEPS,
  "Merkle path",
  "root",
  "batches before",
];
const REVISION_STEPS: readonly string[] = [...FIRST_STEPS, REVISION];

/** Makes the steps up to the first wrong one. @returns what is proven when all are right. */
async function followProof(
  input: unknown,
  chain: ProofChain,
  trust: ProofTrust,
  course: Course,
): Promise<string> {
  const proof = readProof(input);
  if (typeof proof === "string") {
    course.made("proof", "none", "the given file", proof);
    return proof;
  }
  const { contentHash, chronicleHash, tokenId, chronicleId } = proof;
  const subject = `chronicle ${chronicleId} of agent ${tokenId}`;
  course.made("proof", subject, "the given file");
  if (trust.record !== undefined) {
    const hash = sha256(trust.record);
    const other = `The archived record hashes to ${hash}, the proof is about ${contentHash}.`;
    const problem = hash === contentHash ? null : other;
    if (!course.made("record", hash, "SHA-256 of the archived record", problem)) return "";
  }
  const leaf = chronicleLeaf(proof);
  const isLeaf = leaf === chronicleHash;
  const otherLeaf = `The proof's fields hash to the leaf ${leaf}, not to ${chronicleHash}.`;
  const fields = "agent, number, category, change type, content hash and time of the proof";
  if (!course.made("leaf", leaf, fields, isLeaf ? null : otherLeaf)) return "";
  const chainId = await chain.chainId();
  const isChain = chainId === proof.chainId;
  const otherChain = `The proof is for chain ${proof.chainId}, the node is on chain ${chainId}.`;
  if (!course.made("chain", `${chainId}`, "the node: eth_chainId", isChain ? null : otherChain)) {
    return "";
  }
  return proof.batchId === null
    ? followRevision(proof, chain, trust, course)
    : followInclusion({ proof, batchId: proof.batchId, leaf }, chain, trust, course);
}

interface Inclusion {
  readonly proof: ChronicleProof;
  readonly batchId: bigint;
  readonly leaf: Hex;
}

async function followInclusion(
  { proof, batchId, leaf }: Inclusion,
  chain: ProofChain,
  trust: ProofTrust,
  course: Course,
): Promise<string> {
  const anchor = trust.anchor ?? proof.anchor;
  const root = chronicleRootOf(leaf, proof.merkleProof);
  const pathProblem =
    root === null
      ? "merkleProof is not a list of 32-byte hashes."
      : proof.merkleRoot !== undefined && proof.merkleRoot !== root
        ? `The proof leads to the root ${root}, and says ${String(proof.merkleRoot)}.`
        : null;
  const siblings = `the leaf, and the siblings in the proof: ${proof.merkleProof.length}`;
  if (!course.made("Merkle path", root ?? "none", siblings, pathProblem)) return "";
  const onChain = await chain.rootOf(anchor, batchId);
  const rootProblem =
    onChain === null
      ? `There is no anchor contract at ${anchor}.`
      : BigInt(onChain) === 0n
        ? `The contract ${anchor} has no batch ${batchId}.`
        : onChain !== root
          ? `Batch ${batchId} has the root ${onChain}; the proof leads to ${root}.`
          : null;
  const source = `ChronicleAnchor.rootOf(${batchId}) at ${anchor}`;
  if (!course.made("root", onChain ?? "none", source, rootProblem)) return "";
  await followBatch({ proof, batchId, leaf }, anchor, chain, course);
  return `Chronicle ${proof.chronicleId} of agent ${proof.tokenId} is in batch ${batchId} of ${anchor} on chain ${proof.chainId}.`;
}

/** The batch's event: the root before it, and the archived list of all leaves. */
async function followBatch(
  { proof, batchId }: Inclusion,
  anchor: Hex,
  chain: ProofChain,
  course: Course,
): Promise<void> {
  const step = "batches before";
  const event = await chain.batch(anchor, proof.txHash, batchId);
  if (event === null) {
    // The root on chain proves the chronicle. A node may have dropped old receipts.
    course.skipped(step, `The node does not know such a batch of the transaction ${proof.txHash}.`);
    return;
  }
  const before = batchId === 1n ? zeroHash : await chain.rootOf(anchor, batchId - 1n);
  const leaves = storageIdOf(event.leavesArchiveId);
  const named = proof.leavesArchiveId;
  const problem =
    event.previousRoot !== before
      ? `Batch ${batchId} follows the root ${event.previousRoot}, batch ${batchId - 1n} has ${before}.`
      : named !== null && named !== leaves
        ? `The list of leaves of batch ${batchId} is ar://${leaves}, the proof says ar://${named}.`
        : null;
  const value =
    batchId === 1n
      ? `the first batch; its leaves are ar://${leaves}`
      : `follows batch ${batchId - 1n} with the root ${before}; its leaves are ar://${leaves}`;
  course.made(step, value, `BatchAnchored of transaction ${proof.txHash}, and rootOf`, problem);
}

/** A revision is recorded by its own transaction, not in a batch. */
async function followRevision(
  proof: ChronicleProof,
  chain: ProofChain,
  trust: ProofTrust,
  course: Course,
): Promise<string> {
  const registry = trust.registry ?? proof.registry;
  const { txHash, tokenId, contentHash, chronicleId } = proof;
  const source = `SoulRevised of SoulRegistry at ${registry}`;
  if (proof.changeType !== "soul_revision") {
    const why = "Only a soul_revision is recorded outside of a batch.";
    course.made(REVISION, "none", source, why);
    return "";
  }
  const revisions = await chain.revisions(registry, txHash, tokenId);
  const problem =
    revisions === null
      ? `The chain has no transaction ${txHash}.`
      : revisions.includes(contentHash)
        ? null
        : `Transaction ${txHash} made no such revision of agent ${tokenId} at ${registry}.`;
  course.made(REVISION, txHash, source, problem);
  return `Chronicle ${chronicleId} of agent ${tokenId} is the revision of transaction ${txHash} at ${registry} on chain ${proof.chainId}. The chain does not prove its number and time.`;
}

/** The proof, or what is wrong with it. */
function readProof(input: unknown): ChronicleProof | string {
  if (!isPlainObject(input)) return "This is not a proof: a JSON object is expected.";
  if (input.status === "queued")
    return "The chronicle is queued and not on chain yet. Try again later.";
  const { tokenId, chronicleId, batchId, chainId, category, changeType, timestamp } = input;
  const { txHash, contentHash, chronicleHash, chronicleAnchor, soulRegistry, merkleProof } = input;
  const milliseconds = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  const checks: readonly (readonly [string, boolean])[] = [
    ["tokenId", isId(tokenId)],
    ["chronicleId", isId(chronicleId)],
    ["batchId", batchId === null || isId(batchId)],
    ["chainId", isId(chainId)],
    ["category", typeof category === "string"],
    ["changeType", typeof changeType === "string"],
    ["timestamp", Number.isFinite(milliseconds) && milliseconds >= 0],
    ["contentHash", isHash(contentHash)],
    ["chronicleHash", isHash(chronicleHash)],
    ["txHash", isHash(txHash)],
    ["chronicleAnchor", typeof chronicleAnchor === "string" && isAddress(chronicleAnchor)],
    ["soulRegistry", typeof soulRegistry === "string" && isAddress(soulRegistry)],
    ["merkleProof", Array.isArray(merkleProof)],
  ];
  const wrong = checks.filter(([, right]) => !right).map(([field]) => field);
  if (wrong.length > 0) return `This is not a proof: missing or malformed ${wrong.join(", ")}.`;
  return {
    tokenId: BigInt(tokenId as number),
    chronicleId: BigInt(chronicleId as number),
    category: category as string,
    changeType: changeType as string,
    contentHash: (contentHash as string).toLowerCase() as Hex,
    chronicleHash: (chronicleHash as string).toLowerCase() as Hex,
    timestamp: BigInt(Math.floor(milliseconds / 1000)),
    chainId: chainId as number,
    anchor: chronicleAnchor as Hex,
    registry: soulRegistry as Hex,
    batchId: batchId === null ? null : BigInt(batchId as number),
    merkleProof: merkleProof as unknown[],
    merkleRoot: input.merkleRoot ?? undefined,
    txHash: txHash as Hex,
    leavesArchiveId: typeof input.leavesArweaveTxId === "string" ? input.leavesArweaveTxId : null,
  };
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && HASH.test(value);
}
