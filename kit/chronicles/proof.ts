import { type Hex, isAddress, sha256 } from "viem";
import { chronicleLeaf, chronicleRootOf, isPlainObject } from "../../protocol/index.ts";

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
  const proof = readProof(input);
  if (typeof proof === "string") return invalid(proof);

  if (trust.record !== undefined && sha256(trust.record) !== proof.contentHash) {
    return invalid(
      `The archived record hashes to ${sha256(trust.record)}, the proof is about ${proof.contentHash}.`,
    );
  }
  const leaf = chronicleLeaf(proof);
  if (leaf !== proof.chronicleHash) {
    return invalid(`The proof's fields hash to the leaf ${leaf}, not to ${proof.chronicleHash}.`);
  }
  const chainId = await chain.chainId();
  if (chainId !== proof.chainId) {
    return invalid(`The proof is for chain ${proof.chainId}, the node is on chain ${chainId}.`);
  }
  return proof.batchId === null
    ? verifyRevision(proof, chain, trust)
    : verifyInclusion(proof, proof.batchId, leaf, chain, trust);
}

async function verifyInclusion(
  proof: ChronicleProof,
  batchId: bigint,
  leaf: Hex,
  chain: ProofChain,
  trust: ProofTrust,
): Promise<Verdict> {
  const anchor = trust.anchor ?? proof.anchor;
  const root = chronicleRootOf(leaf, proof.merkleProof);
  if (root === null) return invalid("merkleProof is not a list of 32-byte hashes.");
  if (proof.merkleRoot !== undefined && proof.merkleRoot !== root) {
    return invalid(`The proof leads to the root ${root}, and says ${String(proof.merkleRoot)}.`);
  }
  const onChain = await chain.rootOf(anchor, batchId);
  if (onChain === null) return invalid(`There is no anchor contract at ${anchor}.`);
  if (BigInt(onChain) === 0n) return invalid(`The contract ${anchor} has no batch ${batchId}.`);
  if (onChain !== root) {
    return invalid(`Batch ${batchId} has the root ${onChain}; the proof leads to ${root}.`);
  }
  return {
    verdict: "valid",
    why: `Chronicle ${proof.chronicleId} of agent ${proof.tokenId} is in batch ${batchId} of ${anchor} on chain ${proof.chainId}.`,
  };
}

/** A revision is recorded by its own transaction, not in a batch. */
async function verifyRevision(
  proof: ChronicleProof,
  chain: ProofChain,
  trust: ProofTrust,
): Promise<Verdict> {
  const registry = trust.registry ?? proof.registry;
  if (proof.changeType !== "soul_revision") {
    return invalid("Only a soul_revision is recorded outside of a batch.");
  }
  const revisions = await chain.revisions(registry, proof.txHash, proof.tokenId);
  if (revisions === null) return invalid(`The chain has no transaction ${proof.txHash}.`);
  if (!revisions.includes(proof.contentHash)) {
    return invalid(
      `Transaction ${proof.txHash} made no such revision of agent ${proof.tokenId} at ${registry}.`,
    );
  }
  return {
    verdict: "valid",
    why: `Chronicle ${proof.chronicleId} of agent ${proof.tokenId} is the revision of transaction ${proof.txHash} at ${registry} on chain ${proof.chainId}. The chain does not prove its number and time.`,
  };
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
  };
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && HASH.test(value);
}

function invalid(why: string): Verdict {
  return { verdict: "invalid", why };
}
