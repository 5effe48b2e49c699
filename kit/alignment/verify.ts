import { BlockNotFoundError, type Hex } from "viem";
import {
  type AlignmentContracts,
  type AlignmentDocument,
  alignmentDocument,
  alignmentDocumentBytes,
  InvalidAlignmentDocumentError,
  InvalidAlignmentFactsError,
  recomputedDocument,
} from "../../protocol/alignment/index.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { UntrueItemError } from "../did/data-item.ts";
import type { Report, ReportStep } from "../report.ts";
import { readAgentFacts } from "./chain-facts.ts";
import type { AlignmentClient } from "./client.ts";
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
  readonly client: AlignmentClient;
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
  options: VerifyAlignmentOptions,
): Promise<AlignmentVerdict> {
  const { isValid, why, document, differences } = await checkAlignment(agent, options);
  return isValid && document !== null
    ? { verdict: "valid", why, document }
    : { verdict: "invalid", why, differences };
}

/** Every step of a verification of a score. */
export interface AlignmentReport extends Report {
  /** Null when there is no snapshot that can be read. */
  readonly document: AlignmentDocument | null;
  /** Each wrong fact. */
  readonly differences: readonly string[];
}

/** The steps of a verification, in their order. */
const STEPS = [
  "chain",
  "snapshot",
  "agent and contracts",
  "record",
  "epoch",
  "validity",
  "age",
  "score",
  "block",
  "facts",
] as const;
type StepName = (typeof STEPS)[number];

/**
 * As {@link verifyAlignment}, with every step and what it compared.
 *
 * @throws as {@link verifyAlignment}.
 */
export async function checkAlignment(
  agent: string,
  options: VerifyAlignmentOptions,
): Promise<AlignmentReport> {
  const steps: ReportStep[] = [];
  const made = (step: StepName, value: string, source: string, problem: string | null): boolean => {
    steps.push({ step, value, source, problem });
    return problem === null;
  };
  const { document, differences, why } = await followSnapshot(agent, options, made);
  const failed = steps.find(({ problem }) => problem !== null)?.problem ?? null;
  const skipped = STEPS.filter((name) => steps.every(({ step }) => step !== name)).map((step) => ({
    step,
    why: "An earlier step failed.",
  }));
  return { isValid: failed === null, why: failed ?? why, steps, skipped, document, differences };
}

type Course = (step: StepName, value: string, source: string, problem: string | null) => boolean;

/** Makes the steps up to the first wrong one. */
async function followSnapshot(
  agent: string,
  { client, deployment, source }: VerifyAlignmentOptions,
  made: Course,
): Promise<Pick<AlignmentReport, "document" | "differences" | "why">> {
  const { contracts, startBlock } = deployment;
  const stopped = { document: null, differences: [], why: "" };
  const chainId = await client.getChainId();
  if (chainId !== deployment.chainId) {
    throw new Error(`The node is of chain ${chainId}, the deployment of ${deployment.chainId}.`);
  }
  made("chain", `${chainId}`, "the node: eth_chainId", null);
  const tokenId = await tokenIdOf(client, contracts.soulRegistry, agent);
  const place = { alignmentRegistry: contracts.alignmentRegistry, startBlock };
  const recorded = await readRecordedScores(client, place, tokenId);
  const { epoch, isValid } = await readSoul(client, contracts.soulRegistry, tokenId);
  const last = recorded.findLast((score) => score.epoch === epoch) ?? null;
  const snapshot = await opened(source, last);
  const signature = "the signature of the archived item";
  if (snapshot === null) {
    const none = `No score of agent ${agent} is recorded on chain in its current epoch.`;
    made("snapshot", "none", signature, `${none} An agent has none in an epoch's first 30 days.`);
    return stopped;
  }
  if (typeof snapshot === "string") {
    made("snapshot", "none", signature, snapshot);
    return stopped;
  }
  const { document, signer, id } = snapshot;
  made("snapshot", `ar://${id}, signed by ${signer}`, signature, null);

  const record = recordOf(snapshot, recorded);
  const { block, facts, score, agentName } = document;
  const registry = `AlignmentRecorded of AlignmentRegistry at ${contracts.alignmentRegistry}`;
  const souls = `SoulRegistry at ${contracts.soulRegistry}`;
  const ended = `The soul of ${agent} is not valid now: it was burned, suspended or sold.`;
  const scored = `${score}, of ${facts.length} facts`;
  const isRight =
    made(
      "agent and contracts",
      `${agentName}, token ${tokenId}`,
      "the snapshot, and the contracts that you trust",
      subjectProblem(snapshot, tokenId, deployment),
    ) &&
    made(
      "record",
      record === null ? "none" : `score ${record.score}, transaction ${record.transactionHash}`,
      registry,
      recordProblem(document, id, record),
    ) &&
    made("epoch", `${epoch}`, `${souls}: epochOf`, epochProblem(document, epoch)) &&
    made(
      "validity",
      isValid ? "valid" : "not valid",
      `${souls}: liveEpochOf`,
      isValid ? null : ended,
    ) &&
    made(
      "age",
      `scored at ${dateOf(block.timestamp)}`,
      registry,
      await ageProblem(client, document, record),
    ) &&
    made(
      "score",
      scored,
      "the formula, computed again from the snapshot",
      scoreProblem(document),
    ) &&
    made(
      "block",
      `${block.number}, ${block.hash}`,
      "the node",
      await blockProblem(client, document),
    );
  if (!isRight) return { ...stopped, document };

  const differences = await factDifferences(client, document, startBlock);
  const other = differences.length > 0 ? "The snapshot's facts are not those of the chain." : null;
  made("facts", `${facts.length} facts`, "all events of the agent and its reviewers", other);
  const later = record === last ? "" : ` A later score, ${last?.score}, is recorded.`;
  return {
    document,
    differences,
    why: `${agentName} has the score ${score} at block ${block.number}: the chain has all ${facts.length} facts of snapshot ${id}, and no others that count.${later}`,
  };
}

async function tokenIdOf(
  client: AlignmentClient,
  soulRegistry: Hex,
  agent: string,
): Promise<bigint> {
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
async function readSoul(client: AlignmentClient, soulRegistry: Hex, tokenId: bigint) {
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
  client: AlignmentClient,
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
  client: AlignmentClient,
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
  client: AlignmentClient,
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
