import { BlockNotFoundError, type Hex, type PublicClient } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  type AlignmentContracts,
  type AlignmentDocument,
  alignmentDocument,
  alignmentDocumentBytes,
  InvalidAlignmentDocumentError,
  InvalidAlignmentFactsError,
  recomputedDocument,
} from "../../protocol/index.ts";
import { UntrueItemError } from "../did/data-item.ts";
import { readAgentFacts } from "./chain-facts.ts";
import { compareFacts } from "./compare.ts";
import { logReader } from "./logs.ts";
import {
  type OpenedSnapshot,
  openSnapshot,
  type RecordedScore,
  readRecordedScores,
  recordOf,
  type SnapshotSource,
} from "./snapshot.ts";
import { timed } from "./times.ts";

/** Most seconds between the block that is scored and the record. */
const LONGEST_DELAY = 86_400n;

/** The published deployment: `deployments/<network>.json`. */
export interface AlignmentDeployment {
  readonly chainId: number;
  readonly contracts: AlignmentContracts;
  /** The first block that can hold an event of it. */
  readonly startBlock: bigint;
}

export interface VerifyAlignmentOptions {
  /** A node of the chain. It is trusted. */
  readonly client: PublicClient;
  /** From a source that the caller trusts: a snapshot can name contracts of its own. */
  readonly deployment: AlignmentDeployment;
  readonly source: SnapshotSource;
}

export type AlignmentVerdict =
  | { readonly verdict: "valid"; readonly why: string; readonly document: AlignmentDocument }
  | {
      readonly verdict: "invalid";
      readonly why: string;
      /** Each wrong fact or value. */
      readonly differences: readonly string[];
    };

/**
 * Recomputes a recorded score from the chain. It checks the snapshot's signature, id and record,
 * that its score follows from its facts, that the chain has every one of these facts, and that no
 * fact on chain was left out. What is off chain are the snapshot's counts.
 *
 * @param agent Its name or token id.
 * @throws what the node or all gateways answer, and for an unknown name: the result is then unknown.
 */
export async function verifyAlignment(
  agent: string,
  { client, deployment, source }: VerifyAlignmentOptions,
): Promise<AlignmentVerdict> {
  const { contracts, startBlock } = deployment;
  const chainId = await client.getChainId();
  if (chainId !== deployment.chainId) {
    throw new Error(`The node is of chain ${chainId}, the deployment of ${deployment.chainId}.`);
  }
  const tokenId = await tokenIdOf(client, contracts.soulRegistry, agent);
  const place = { alignmentRegistry: contracts.alignmentRegistry, startBlock };
  const recorded = await readRecordedScores(client, place, tokenId);
  const { epoch, isValid } = await readSoul(client, contracts.soulRegistry, tokenId);
  const last = recorded.findLast((score) => score.epoch === epoch) ?? null;
  const snapshot = await opened(source, last);
  if (snapshot === null) {
    const none = `No score of agent ${agent} is recorded on chain in its current epoch.`;
    return invalid(`${none} An agent has none in an epoch's first 30 days.`);
  }
  if (typeof snapshot === "string") return invalid(snapshot);
  const { document } = snapshot;

  const record = recordOf(snapshot, recorded);
  const problem =
    subjectProblem(snapshot, tokenId, deployment) ??
    recordProblem(document, snapshot.id, record) ??
    epochProblem(document, epoch) ??
    (isValid ? null : `The soul of ${agent} is not valid now: it was burned, suspended or sold.`) ??
    (await ageProblem(client, document, record)) ??
    scoreProblem(document) ??
    (await blockProblem(client, document));
  if (problem !== null) return invalid(problem);

  const differences = await factDifferences(client, document, startBlock);
  if (differences.length > 0) {
    return invalid("The snapshot's facts are not those of the chain.", differences);
  }
  const { facts, block, agentName, score } = document;
  const later = record === last ? "" : ` A later score, ${last?.score}, is recorded.`;
  return {
    verdict: "valid",
    why: `${agentName} has the score ${score} at block ${block.number}: the chain has all ${facts.length} facts of snapshot ${snapshot.id}, and no others that count.${later}`,
    document,
  };
}

async function tokenIdOf(client: PublicClient, soulRegistry: Hex, agent: string): Promise<bigint> {
  if (/^[0-9]+$/.test(agent)) return BigInt(agent);
  const tokenId = await client.readContract({
    address: soulRegistry,
    abi: soulRegistryAbi,
    functionName: "tokenOfName",
    args: [agent],
  });
  if (tokenId === 0n) throw new Error(`The registry knows no agent named ${agent}.`);
  return tokenId;
}

/** What the registry says of a soul now: an epoch stays what it is when its soul ends. */
async function readSoul(client: PublicClient, soulRegistry: Hex, tokenId: bigint) {
  const read = (functionName: "epochOf" | "liveEpochOf") =>
    client.readContract({
      address: soulRegistry,
      abi: soulRegistryAbi,
      functionName,
      args: [tokenId],
    });
  const [epoch, liveEpoch] = await Promise.all([read("epochOf"), read("liveEpochOf")]);
  return { epoch, isValid: liveEpoch === epoch };
}

/** The snapshot, or what is wrong with it; null for an agent without a recorded score. */
async function opened(
  source: SnapshotSource,
  last: RecordedScore | null,
): Promise<OpenedSnapshot | string | null> {
  try {
    return await openSnapshot(source, last);
  } catch (error) {
    const isWrong =
      error instanceof UntrueItemError || error instanceof InvalidAlignmentDocumentError;
    if (isWrong) return error.message;
    throw error;
  }
}

function subjectProblem(
  { document, signer }: OpenedSnapshot,
  tokenId: bigint,
  { chainId, contracts }: AlignmentDeployment,
): string | null {
  if (document.issuer !== signer.toLowerCase()) {
    return `The snapshot names the issuer ${document.issuer}, but ${signer} signed it.`;
  }
  if (document.tokenId !== tokenId) {
    return `The snapshot is of agent ${document.tokenId}, not of ${tokenId}.`;
  }
  if (document.chainId !== chainId) {
    return `The snapshot is for chain ${document.chainId}, the node is on chain ${chainId}.`;
  }
  const names = Object.keys(document.contracts) as (keyof AlignmentContracts)[];
  const other = names.find(
    (name) => document.contracts[name] !== (contracts[name]?.toLowerCase() ?? null),
  );
  if (other === undefined) return null;
  return `The snapshot names ${document.contracts[other]} as ${other}, the deployment ${contracts[other]}.`;
}

function recordProblem(
  document: AlignmentDocument,
  id: string,
  record: RecordedScore | null,
): string | null {
  if (record === null) return `No score is recorded on chain with the snapshot ${id}.`;
  const checks = [
    ["score", document.score, record.score],
    ["epoch", document.epoch, record.epoch],
    ["block", document.block.number, record.blockNumber],
  ] as const;
  const wrong = checks.find(([, claimed, actual]) => claimed !== actual);
  if (wrong === undefined) return null;
  const [what, claimed, actual] = wrong;
  return `The snapshot says ${what} ${claimed}, the recorded ${what} is ${actual} (transaction ${record.transactionHash}).`;
}

function epochProblem(document: AlignmentDocument, epoch: number): string | null {
  if (document.epoch === epoch) return null;
  return `The score is of epoch ${document.epoch}; the agent is in epoch ${epoch} now, under another seal.`;
}

/** A score is recorded soon after its block, so that its issuer cannot choose an old state. */
async function ageProblem(
  client: PublicClient,
  { block }: AlignmentDocument,
  record: RecordedScore | null,
): Promise<string | null> {
  if (record === null) return null;
  const { timestamp } = await client.getBlock({ blockNumber: record.recordedIn });
  if (timestamp - block.timestamp <= LONGEST_DELAY) return null;
  const [scored, recorded] = [block.timestamp, timestamp].map(dateOf);
  return `The state of ${scored} was recorded at ${recorded}, more than a day later.`;
}

function dateOf(timestamp: bigint): string {
  return new Date(Number(timestamp) * 1000).toISOString();
}

/** Whether the formula makes the same score of the same facts. */
function scoreProblem(document: AlignmentDocument): string | null {
  let again: AlignmentDocument;
  try {
    again = recomputedDocument(document);
  } catch (error) {
    if (error instanceof InvalidAlignmentFactsError) return error.message;
    throw error;
  }
  if (text(again) === text(document)) return null;
  const names = ["score", "breakdown", "isNewAgent", "isProvisional"] as const;
  const wrong = names.find(
    (name) => JSON.stringify(again[name]) !== JSON.stringify(document[name]),
  );
  if (wrong === undefined) return "The snapshot has facts that do not count.";
  return `The snapshot says ${wrong} ${JSON.stringify(document[wrong])}, its facts give ${JSON.stringify(again[wrong])}.`;
}

async function blockProblem(
  client: PublicClient,
  { block }: AlignmentDocument,
): Promise<string | null> {
  const actual = await client.getBlock({ blockNumber: block.number }).catch((error: unknown) => {
    if (error instanceof BlockNotFoundError) return null;
    throw error;
  });
  if (actual === null) return `The chain has no block ${block.number}.`;
  if (actual.hash === block.hash && actual.timestamp === block.timestamp) return null;
  return `Block ${block.number} has the hash ${actual.hash} and time ${actual.timestamp}; the snapshot says ${block.hash} and ${block.timestamp}.`;
}

async function factDifferences(
  client: PublicClient,
  document: AlignmentDocument,
  startBlock: bigint,
): Promise<string[]> {
  const { contracts, tokenId, block } = document;
  const logs = logReader(client, block.number);
  const agent = await readAgentFacts(logs, { contracts, startBlock, tokenId });
  if (agent === null) return [`The chain has no agent ${tokenId} at block ${block.number}.`];
  const known = await timed(client, agent.facts);
  const differences = identityDifferences(document, agent);
  // Facts of another epoch say nothing about this one.
  if (agent.epoch !== document.epoch) return differences;
  return [...differences, ...factsAgainst(document, known)];
}

function identityDifferences(
  document: AlignmentDocument,
  agent: NonNullable<Awaited<ReturnType<typeof readAgentFacts>>>,
): string[] {
  const file = document.offChain.find((fact) => fact.kind === "registrationFile");
  const checks = [
    ["name", document.agentName, agent.name],
    ["passport", document.passportId, agent.passportId],
    ["epoch", document.epoch, agent.epoch],
    // The service says null when it could not store the URI; the file is then not consistent.
    ["agent URI's hash", file?.uriHash ?? agent.uriHash, agent.uriHash],
    ["consistent file without a URI", file?.uriHash === null && file.consistent, false],
  ] as const;
  return checks
    .filter(([, claimed, actual]) => claimed !== actual)
    .map(([what, claimed, actual]) => `The snapshot says ${what} ${claimed}, the chain ${actual}.`);
}

function factsAgainst(
  document: AlignmentDocument,
  known: Parameters<typeof compareFacts>[1],
): string[] {
  const { facts } = alignmentDocument(document, [...known, ...document.offChain]);
  return compareFacts(document.facts, known, facts, document.contracts);
}

function text(document: AlignmentDocument): string {
  return new TextDecoder().decode(alignmentDocumentBytes(document));
}

function invalid(why: string, differences: readonly string[] = []): AlignmentVerdict {
  return { verdict: "invalid", why, differences };
}
