import { type Address, sha256, stringToBytes } from "viem";
import {
  type AgentKey,
  currentKeys,
  InvalidKeySetError,
  parseAgentKeySet,
} from "../../protocol/agent-keys.ts";
import { SERVICE_SEGMENT } from "../../protocol/constants.ts";
import { didOf, InvalidDidError, parseDid } from "../../protocol/did.ts";
import { agentDidDocument, type DidDocument } from "../../protocol/did-document.ts";
import {
  type DidRecord,
  type DidSubject,
  InvalidDidRecordError,
  parseDidRecord,
} from "../../protocol/did-record.ts";
import { parsePassportName } from "../../protocol/names.ts";
import {
  parseRegistrationFile,
  type ReadService,
  textOfDataUri,
} from "../../protocol/read-registration-file.ts";
import { isStorageId, storageIdIn, storageIdOf } from "../../protocol/storage-id.ts";
import {
  type AgentKeysContract,
  createDidChain,
  type DidChain,
  type OnChainAgent,
} from "./chain.ts";
import {
  type GatewayOptions,
  readStoredText,
  type StorageGateway,
  StorageUnavailableError,
  type StoredText,
} from "./gateways.ts";
import type { DidMethodResolver, DidResolutionResult } from "./resolution.ts";

export type { AgentKeysContract } from "./chain.ts";
export type { StorageGateway } from "./gateways.ts";

/** A chain with agents. */
export interface DidNetwork {
  /** Nodes of the chain, tried in this order. Their answers are trusted. */
  readonly rpcUrls: readonly [string, ...string[]];
  readonly soulRegistry: Address;
  /** The contract AgentKeys. Without it, documents do not list the keys that owners set. */
  readonly agentKeys?: AgentKeysContract;
}

export interface DidResolverOptions {
  /** By chain id. */
  readonly networks: Readonly<Record<number, DidNetwork>>;
  /** The chain of a DID without a chain id; without it such a DID is invalid. */
  readonly defaultChainId?: number;
  readonly gateways: readonly StorageGateway[];
  /** Time limit for one node or gateway, in milliseconds. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_ITEM_BYTES = 2 * 1024 * 1024;
/** Most versions that the resolver follows back to an older one. */
const MAX_STEPS = 1_000;

/** Representations of the document; both are the same JSON. */
const CONTENT_TYPES = ["application/did+ld+json", "application/did+json"] as const;

/** Errors of DID Core and of the DID specification registries that this method returns. */
type ResolutionError = "invalidDid" | "notFound" | "representationNotSupported" | "internalError";

/**
 * The entry of this DID method for a `Resolver` of did-resolver. It reads only nodes of the chain
 * and gateways of permanent storage: `new Resolver(getResolver({ networks, gateways }))`.
 *
 * `didResolutionMetadata` extends DID Core by two members. `archive: {id, verified}` is the archive
 * used for the document and whether its signature was checked; `refused` is the reason when the
 * archive is not a record of the agent and adds nothing. `services: "unavailable"` means that the
 * registration file could not be read, so the document lacks its services.
 */
export function getResolver(options: DidResolverOptions): Record<string, DidMethodResolver> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const gateways = { gateways: options.gateways, timeoutMs, maxBytes: MAX_ITEM_BYTES };
  const chains = new Map<number, { chain: DidChain; soulRegistry: Address }>();
  for (const [key, network] of Object.entries(options.networks)) {
    const { rpcUrls, soulRegistry, agentKeys = null } = network;
    const chainId = Number(key);
    const chain = createDidChain({ chainId, rpcUrls, soulRegistry, agentKeys, timeoutMs });
    chains.set(chainId, { chain, soulRegistry });
  }

  async function resolve(
    did: string,
    parsed: Parameters<DidMethodResolver>[1],
    accept: string | undefined,
  ): Promise<DidResolutionResult> {
    const contentType = accept ?? CONTENT_TYPES[0];
    if (!CONTENT_TYPES.some((type) => type === contentType)) {
      return refused(
        "representationNotSupported",
        `The representation ${contentType} is not supported.`,
      );
    }
    const named = nameIn(did, options.defaultChainId);
    if (named === null) return refused("invalidDid", "The DID does not name an agent.");
    const network = chains.get(named.chainId);
    if (network === undefined) {
      return refused("notFound", `Chain ${named.chainId} is not among the configured networks.`);
    }
    const agent = await network.chain.byName(named.name);
    if (agent === null) return refused("notFound", `There is no agent ${named.name}.`);

    const wanted = new URLSearchParams(parsed.query ?? "").get("versionId");
    const found = await archivedState(agent, { ...network, ...named }, wanted, gateways);
    if (found === null) return refused("notFound", `There is no version ${wanted}.`);
    const services = await servicesOf(agent.agentUri, gateways);
    const keys = await keysOf(agent, { ...network, ...named }, gateways);
    const document = documentOf(agent, named, { record: found.record, services, keys });
    const canonical = didOf(named.chainId, named.name);
    const metadata: DidResolutionResult["didDocumentMetadata"] = {};
    if (isDeactivated(agent, named.name)) metadata.deactivated = true;
    if (found.record !== null && found.current !== null) metadata.versionId = found.current.id;
    if (found.next !== null) metadata.nextVersionId = found.next;
    if (did !== canonical) metadata.canonicalId = canonical;
    return {
      didDocument: renamed(document, canonical, did),
      didResolutionMetadata: resolutionMetadata(contentType, found, services !== null),
      didDocumentMetadata: metadata,
    };
  }

  return {
    [SERVICE_SEGMENT]: async (did, parsed, _resolver, { accept }) => {
      try {
        return await resolve(did, parsed, accept);
      } catch (error) {
        return refused("internalError", messageOf(error));
      }
    },
  };
}

function resolutionMetadata(
  contentType: string,
  { current, verified, refused: reason }: ArchivedState,
  hasServices: boolean,
): DidResolutionResult["didResolutionMetadata"] {
  const metadata: DidResolutionResult["didResolutionMetadata"] = { contentType };
  if (current !== null) {
    const archive = { id: current.id, verified };
    metadata.archive = reason === null ? archive : { ...archive, refused: reason };
  }
  if (!hasServices) metadata.services = "unavailable";
  return metadata;
}

function refused(error: ResolutionError, message: string): DidResolutionResult {
  return { didDocument: null, didResolutionMetadata: { error, message }, didDocumentMetadata: {} };
}

function nameIn(did: string, defaultChainId: number | undefined) {
  try {
    // Without a default the short form is invalid: no chain has the id 0.
    const named = parseDid(did, defaultChainId ?? 0);
    return named.chainId === 0 ? null : named;
  } catch (error) {
    if (error instanceof InvalidDidError) return null;
    throw error;
  }
}

/** A passport's own DID stays valid as long as the passport, even when a soul on it ends. */
function isDeactivated(agent: OnChainAgent, name: string): boolean {
  return agent.soul?.status === "BURNED" && parsePassportName(name) === null;
}

interface ArchivedState {
  readonly record: DidRecord | null;
  readonly current: { readonly id: string } | null;
  /** The version after the requested one. */
  readonly next: string | null;
  readonly verified: boolean;
  /** Why the archive adds nothing; null when it is a record of this agent. */
  readonly refused: string | null;
}

/**
 * What the archive adds to the document: the current record, or the requested older one. Empty
 * while the seal is not valid. Null when the history of this epoch lacks the version.
 */
async function archivedState(
  agent: OnChainAgent,
  did: { chainId: number; soulRegistry: Address; name: string },
  wanted: string | null,
  gateways: GatewayOptions,
): Promise<ArchivedState | null> {
  const { soul } = agent;
  const archived = soul?.isValid && parsePassportName(did.name) === null ? soul : null;
  if (archived?.didArchiveId == null) {
    const none = { record: null, current: null, next: null, verified: true, refused: null };
    return wanted === null ? none : null;
  }
  const { chainId, soulRegistry, name } = did;
  const { tokenId, epoch } = archived;
  const subject: DidSubject = { chainId, soulRegistry, name, tokenId, epoch };

  if (wanted !== null && !isStorageId(wanted)) return null;
  let id = storageIdOf(archived.didArchiveId);
  let next: string | null = null;
  let verified = true;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const stored = await readStoredText(id, gateways);
    verified &&= stored.verified;
    const { record, refused } = recordIn(stored, subject);
    if (wanted === null || (wanted === id && record !== null)) {
      return { record, current: { id }, next, verified, refused };
    }
    if (record === null || record.previous === null) return null;
    next = id;
    id = record.previous;
  }
  return null;
}

/** An owner can name any content as its archive. An invalid one adds nothing to the document. */
function recordIn(
  { text, verified }: StoredText,
  subject: DidSubject,
): { record: DidRecord | null; refused: string | null } {
  try {
    return { record: parseDidRecord(text, subject), refused: null };
  } catch (error) {
    // Unverified content may differ from the archive, so it proves nothing about the owner.
    if (!(error instanceof InvalidDidRecordError) || !verified) throw error;
    return { record: null, refused: error.reason };
  }
}

function documentOf(
  agent: OnChainAgent,
  { chainId, name }: { chainId: number; name: string },
  content: {
    readonly record: DidRecord | null;
    readonly services: readonly ReadService[] | null;
    readonly keys: readonly AgentKey[];
  },
): DidDocument {
  const { record, services, keys } = content;
  const { passportOwner, soul } = agent;
  const isPassport = parsePassportName(name) !== null;
  return agentDidDocument({
    chainId,
    name,
    passportOwner,
    keys,
    services: services ?? [],
    soul: isPassport ? null : soul,
    addresses: record?.addresses ?? [],
    alsoKnownAs: isPassport && soul !== null ? [didOf(chainId, soul.name)] : [],
  });
}

/**
 * The keys that the owner set and that have not ended. Empty when the owner named an archive that
 * is not a key set, or the set of another agent.
 *
 * @throws StorageUnavailableError
 */
async function keysOf(
  { soul }: OnChainAgent,
  { chainId, soulRegistry, name }: { chainId: number; soulRegistry: Address; name: string },
  gateways: GatewayOptions,
): Promise<readonly AgentKey[]> {
  const keySet = parsePassportName(name) === null ? (soul?.keySet ?? null) : null;
  if (soul === null || keySet === null) return [];
  const id = storageIdOf(keySet.archiveId);
  const { text, verified } = await readStoredText(id, gateways);
  if (sha256(stringToBytes(text)) !== keySet.keysHash) {
    // A verified item is what the owner named. Unverified content may differ from the archive.
    if (verified) return [];
    throw new StorageUnavailableError(id, ["the served content is not the agent's key set"]);
  }
  try {
    const set = parseAgentKeySet(text, { chainId, soulRegistry, tokenId: soul.tokenId });
    return currentKeys(set, Math.floor(Date.now() / 1000));
  } catch (error) {
    if (error instanceof InvalidKeySetError) return [];
    throw error;
  }
}

/** The services in the passport's file; null when a file on permanent storage cannot be read. */
async function servicesOf(
  agentUri: string,
  gateways: GatewayOptions,
): Promise<readonly ReadService[] | null> {
  // The passport's controller sets the URI: it is never fetched directly, only through the
  // gateways.
  if (!agentUri.startsWith("ar://")) return servicesIn(agentUri);
  const id = storageIdIn(agentUri);
  if (id === null) return null;
  try {
    return parseRegistrationFile((await readStoredText(id, gateways)).text).services;
  } catch {
    return null;
  }
}

/** The services of a file in a data URI; empty for any other URI. */
function servicesIn(agentUri: string): readonly ReadService[] {
  const text = textOfDataUri(agentUri);
  try {
    return text === null ? [] : parseRegistrationFile(text).services;
  } catch {
    return [];
  }
}

/**
 * The document's id must be the DID that was resolved, also for the short form without a chain id.
 */
function renamed(document: DidDocument, from: string, to: string): DidDocument {
  if (from === to) return document;
  const isOwn = (value: unknown) =>
    typeof value === "string" && (value === from || value.startsWith(`${from}#`));
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    isOwn(value) ? `${to}${(value as string).slice(from.length)}` : value,
  ) as DidDocument;
}

function messageOf(error: unknown): string {
  if (error instanceof InvalidDidRecordError || error instanceof StorageUnavailableError) {
    return error.message;
  }
  return error instanceof Error ? `The chain cannot be read: ${firstLine(error)}` : String(error);
}

function firstLine(error: Error): string {
  return error.message.split("\n", 1)[0] ?? "";
}
