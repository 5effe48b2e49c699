import type { Address } from "viem";
import {
  agentTypeName,
  didDocument,
  didOf,
  type ReadRegistrationFile,
  storageIdIn,
} from "../../../protocol/index.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { publicUriOf } from "../../kernel/links.ts";
import type { TokenSubject } from "../../kernel/sessions.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";
import type { RegistrationFiles } from "../passports/index.ts";
import type { AgentDetails, DetailsIndex, SoulDetails } from "../profile/index.ts";

/** One completed sign-in, as it was true in block `checkedBlock`. */
export interface SignInSession extends TokenSubject {
  /** The `jti` of the token that it will get. */
  readonly sessionId: string;
  readonly flow: "wallet" | "agent";
  /** The soul that tier 2 rests on; null below. */
  readonly soul: Pick<
    ChainSoul,
    "tokenId" | "agentType" | "sealer" | "epoch" | "soulHash" | "soulMerkleRoot"
  > | null;
}

/** Where a profile is read. */
export interface ProfileSources {
  readonly index: DetailsIndex;
  readonly files: RegistrationFiles;
  readonly links: Links;
  readonly soulCertificate: Address;
}

/** Most chronicles of one profile. */
const MAX_CHRONICLES = 50;
/** Most services of one profile. */
const MAX_SERVICES = 20;

/**
 * Endpoints that are included: the file of a passport may hold others, such as another agent's DID.
 */
const SERVICES = new Set(["a2a", "mcp", "web"]);

const NOTHING: AgentDetails = { passportUri: null, soul: null };

/**
 * The caller's own profile in a token response: its fixed members, and those of its granted scopes. Values that are not
 * recorded or not indexed yet are empty or null, never absent. `description`, `avatar`, `services`, `bio`, `tags` and
 * `contacts` are the owner's own words: show them with escaping, and decide nothing by them.
 */
export async function signInProfile(
  { index, files, links, soulCertificate }: ProfileSources,
  session: SignInSession,
) {
  const { scopes, flow, agentName, chainId, holder, soul } = session;
  const has = (scope: (typeof scopes)[number]) => scopes.includes(scope);
  const found = await ifIndexed(NOTHING, () =>
    index.agentDetails(session.agentId, soul?.tokenId ?? null),
  );
  const file = found.passportUri === null ? null : await files.read(found.passportUri);
  const services = servicesOf(file);
  const agentId = Number(session.agentId);
  const named = { chainId, name: agentName, owner: holder, services };
  const profile = {
    agentId,
    agentName,
    holder,
    erc8004AgentId: agentId,
    chainId,
    did: didOf(chainId, agentName),
    humanVerified: session.humanVerified,
    avatar: publicUriOf(file?.image ?? null, links),
    description: file?.description ?? null,
    services: has("services") ? services : undefined,
    didDocument: has("did") ? didDocument(named) : undefined,
  };
  if (soul === null) return profile;

  // An index that is behind still has the soul of another epoch.
  const details = found.soul?.epoch === soul.epoch ? found.soul : null;
  const tokenId = Number(soul.tokenId);
  const score = details?.alignmentScore ?? null;
  return {
    ...profile,
    tokenId,
    soulAlignment: flow === "wallet" || has("soul") ? score : undefined,
    soulHash: has("soul") ? soul.soulHash : undefined,
    genesisRecord: has("soul") ? genesisRecord(soul, details) : undefined,
    certs: has("certs") ? [{ contract: soulCertificate, tokenId }] : undefined,
    chronicles: has("chronicles") ? await chroniclesOf(index, soul.tokenId) : undefined,
    ...(has("profile") ? publicIdentity(details) : {}),
    verifiedAt: has("human_verified") ? iso(details?.sealedAt ?? null) : undefined,
  };
}

async function chroniclesOf(index: DetailsIndex, tokenId: bigint) {
  const records = await ifIndexed([], () => index.chroniclesOf(tokenId, MAX_CHRONICLES));
  return records.map(({ timestamp, ...record }) => ({
    ...record,
    timestamp: date(timestamp),
    status: "confirmed" as const,
  }));
}

/** Who the caller is was read from the chain: an index that is not there must not keep it out. */
async function ifIndexed<T>(nothing: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.type === "REGISTRY_PENDING") return nothing;
    throw error;
  }
}

/** Where an agent can be reached, as its registration file says. */
function servicesOf(file: ReadRegistrationFile | null) {
  return (file?.services ?? [])
    .filter(({ name, endpoint }) => SERVICES.has(name.toLowerCase()) && isHttp(endpoint))
    .slice(0, MAX_SERVICES);
}

/**
 * These become links: `javascript:` and the like are excluded, and credentials in a URL would
 * mislead.
 */
function isHttp(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, username, password } = new URL(endpoint);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

/** What was sealed, and where that can be checked. The last four are null until they are indexed. */
function genesisRecord(soul: NonNullable<SignInSession["soul"]>, details: SoulDetails | null) {
  return {
    tokenId: Number(soul.tokenId),
    genesisStatus: "SEALED" as const,
    agentType: agentTypeName(soul.agentType),
    epoch: soul.epoch,
    sealer: soul.sealer,
    soulHash: soul.soulHash,
    soulMerkleRoot: soul.soulMerkleRoot,
    sealedAt: iso(details?.sealedAt ?? null),
    mintTxHash: details?.mintTx ?? null,
    sealTxHash: details?.sealTx ?? null,
    arweaveTxId: storageIdIn(`ar://${details?.archiveId}`),
  };
}

function publicIdentity(details: SoulDetails | null) {
  const identity = details?.publicIdentity;
  return {
    bio: identity?.bio ?? null,
    category: identity?.category ?? null,
    tags: [...(identity?.tags ?? [])],
    contacts: [...(identity?.contacts ?? [])],
  };
}

function iso(seconds: bigint | null): string | null {
  return seconds === null ? null : date(seconds);
}

function date(seconds: bigint): string {
  return dateOf(seconds).toISOString();
}
