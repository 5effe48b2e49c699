import { type Hex, type PublicClient, sha256, zeroHash } from "viem";
import { parseAgentKeySet } from "../../../protocol/agent-keys.ts";
import { SERVICE_SEGMENT } from "../../../protocol/constants.ts";
import { didOf } from "../../../protocol/did.ts";
import { ProtocolError } from "../../../protocol/errors.ts";
import { type FieldLeaf, rootOfLeaves } from "../../../protocol/field-tree.ts";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { isPlainObject, parseJsonStrict } from "../../../protocol/json.ts";
import { storageIdOf } from "../../../protocol/storage-id.ts";
import type { ReportQuestion, SoulOnChain } from "../../agent/soul.ts";
import { logReader, topicOf } from "../../alignment/logs.ts";
import { readSignedItem } from "../../did/gateways.ts";
import { getResolver } from "../../did/index.ts";
import { findKeysArchive } from "../../did/keys-archive.ts";
import type { ReportStep } from "../../report.ts";
import { CommandError } from "../command.ts";

/** Where archived items are read, and what is needed to find them. */
export interface ArchiveQuestion extends ReportQuestion {
  readonly client: PublicClient;
  /** The first block that can hold an event of the deployment. */
  readonly startBlock: bigint;
  readonly gateways: readonly string[];
  readonly rpcUrl: string;
  readonly note: (line: string) => void;
}

const ITEM = { timeoutMs: 15_000, maxBytes: 2 * 1024 * 1024 } as const;
const LIMITS = { maxDepth: 32, maxBytes: ITEM.maxBytes } as const;

/** The method of these DIDs needs no other method's. */
const NO_OTHER_METHODS = { resolve: () => Promise.reject(new Error("unused")) };

/**
 * What permanent storage adds: the soul's archive, the key set and the DID document, each compared
 * with the chain. Empty without a gateway.
 *
 * @throws StorageUnavailableError when no gateway serves an item that the chain names.
 */
export async function archivedSteps(
  question: ArchiveQuestion,
  soul: SoulOnChain,
): Promise<readonly ReportStep[]> {
  const { gateways, note } = question;
  if (gateways.length === 0) return [];
  note("Reading archived items from the gateways ...");
  const steps = [await soulArchive(question, soul)];
  if (soul.keysHash !== zeroHash) steps.push(await keySet(question, soul));
  if (soul.didArchiveId !== null) steps.push(await didDocument(question, soul));
  return steps;
}

async function soulArchive(
  { client, contracts, startBlock, agent, gateways }: ArchiveQuestion,
  { record }: SoulOnChain,
): Promise<ReportStep> {
  const events = await logReader(client, agent.blockNumber).read({
    address: contracts.soulRegistry,
    abi: soulRegistryAbi,
    events: ["SoulProvisioned", "SoulSealed", "SoulRevised", "SoulResealed"],
    topics: [topicOf(agent.tokenId)],
    fromBlock: startBlock,
  });
  const last = events.at(-1);
  if (last === undefined) throw new Error("The node has no event of the soul's archive.");
  const id = storageIdOf(last.args.archiveId);
  const { data } = await readSignedItem(id, gateways, ITEM);
  const revision = last.eventName === "SoulRevised" ? last.args.dataHash : null;
  const problem = archiveProblem(data, revision, record);
  return {
    step: "soul archive",
    value: `ar://${id}`,
    source: `a gateway, under the id of the event ${last.eventName} of SoulRegistry`,
    problem: problem === null ? null : `The archived soul ${problem}.`,
  };
}

/** What is wrong with an archived soul; null when it is the one on chain. */
function archiveProblem(
  data: Uint8Array,
  revision: Hex | null,
  { soulHash, soulMerkleRoot }: SoulOnChain["record"],
): string | null {
  if (revision !== null && sha256(data) !== revision) return "is not the record that was signed";
  const json = jsonIn(data);
  const content = revision === null || !isPlainObject(json) ? json : json.data;
  if (!isPlainObject(content)) return "cannot be read";
  const [hash, root] =
    revision === null
      ? [content.soulHash, content.soulMerkleRoot]
      : [content.newSoulHash, content.newSoulMerkleRoot];
  if (hash !== soulHash) return `has another soul hash than the chain`;
  if (root !== soulMerkleRoot) return "has another Merkle root than the chain";
  return rootIn(content.merkleLeaves) === root ? null : "has leaves that do not give its root";
}

async function keySet(
  { client, chainId, startBlock, agent, gateways, contracts: { soulRegistry } }: ArchiveQuestion,
  { keysHash, record, contracts }: SoulOnChain,
): Promise<ReportStep> {
  const archiveId = await findKeysArchive({
    client,
    keysHash,
    address: contracts.agentKeys,
    startBlock,
    blockNumber: agent.blockNumber,
    tokenId: agent.tokenId,
    epoch: record.epoch,
  });
  const id = storageIdOf(archiveId);
  const { data } = await readSignedItem(id, gateways, ITEM);
  const step = {
    step: "key set",
    source: `a gateway, ar://${id}, named by the event AgentKeysSet of AgentKeys`,
  };
  const wrong = (problem: string) => ({ ...step, value: `ar://${id}`, problem });
  if (sha256(data) !== keysHash) {
    return wrong("The archived key set is not the one that the chain names.");
  }
  try {
    const subject = { chainId, soulRegistry, tokenId: agent.tokenId };
    const { keys } = parseAgentKeySet(new TextDecoder().decode(data), subject);
    return { ...step, value: keys.map(({ kid }) => kid).join(", "), problem: null };
  } catch (error) {
    // An owner can name any bytes.
    if (error instanceof ProtocolError) {
      return wrong(`The archived key set is not valid: ${error.message}`);
    }
    throw error;
  }
}

async function didDocument(
  { chainId, startBlock, gateways, rpcUrl, contracts: { soulRegistry } }: ArchiveQuestion,
  { record, contracts }: SoulOnChain,
): Promise<ReportStep> {
  const did = didOf(chainId, record.name);
  const network = {
    rpcUrls: [rpcUrl] as const,
    soulRegistry,
    agentKeys: { address: contracts.agentKeys, startBlock },
  };
  const methods = getResolver({
    networks: { [chainId]: network },
    gateways: gateways.map((url) => ({ url, serves: "item" as const })),
  });
  const resolve = methods[SERVICE_SEGMENT];
  const answer = await resolve?.(did, { query: undefined }, NO_OTHER_METHODS, {});
  const { didDocument: document = null, didResolutionMetadata: metadata = {} } = answer ?? {};
  if (document === null) {
    throw new CommandError(
      `The DID document cannot be read: ${metadata.message ?? metadata.error}`,
    );
  }
  const keys = (document.verificationMethod ?? []).map(({ id }) => id.slice(did.length));
  const { refused } = (metadata.archive ?? {}) as { readonly refused?: string };
  return {
    step: "DID document",
    value: `keys ${keys.join(", ") || "none"}`,
    source: "the chain and a gateway, as docs/did-method.md describes",
    problem: refused === undefined ? null : `The DID's archive is no record of it: ${refused}`,
  };
}

function rootIn(leaves: unknown): Hex | null {
  try {
    return rootOfLeaves(leaves as FieldLeaf[]);
  } catch {
    return null;
  }
}

function jsonIn(data: Uint8Array): unknown {
  try {
    return parseJsonStrict(new TextDecoder("utf-8", { fatal: true }).decode(data), LIMITS);
  } catch {
    return null;
  }
}
