import type { Address, Hex } from "viem";
import {
  agentTypeName,
  type DidDocument,
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

export const FLOWS = ["wallet", "agent"] as const;
export type Flow = (typeof FLOWS)[number];

/** One completed sign-in, as it was true in block `checkedBlock`. */
export interface SignInSession extends TokenSubject {
  /** The `jti` of the token that it will get. */
  readonly sessionId: string;
  readonly flow: Flow;
  /** The soul that tier 2 rests on; null below. */
  readonly soul: Pick<
    ChainSoul,
    "tokenId" | "agentType" | "sealer" | "epoch" | "soulHash" | "soulMerkleRoot"
  > | null;
}

/**
 * What was sealed, and where that can be checked. The last four are null until they are indexed.
 */
export interface GenesisRecord {
  readonly tokenId: number;
  readonly genesisStatus: "SEALED";
  readonly agentType: string;
  readonly epoch: number;
  readonly sealer: Address;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  readonly sealedAt: string | null;
  readonly mintTxHash: Hex | null;
  readonly sealTxHash: Hex | null;
  readonly arweaveTxId: string | null;
}

export interface Chronicle {
  readonly changeType: string;
  readonly newSoulHash: Hex | null;
  readonly timestamp: string;
  readonly txHash: Hex;
  readonly status: "confirmed";
}

/** Where an agent can be reached, as its registration file says. */
export interface SignInService {
  readonly name: string;
  /** http or https. */
  readonly endpoint: string;
  readonly version: string | null;
}

/**
 * The caller's own profile in a token response. The first nine fields are always there. `description`, `avatar`, `services`, `bio`,
 * `tags` and `contacts` are the owner's own words: show them with escaping, and decide nothing by them.
 */
export interface SignInProfile {
  readonly agentId: number;
  readonly agentName: string;
  readonly holder: Address;
  readonly erc8004AgentId: number;
  readonly chainId: number;
  readonly did: string;
  readonly humanVerified: boolean;
  /** Image of the registration file: https or ipfs. */
  readonly avatar: string | null;
  readonly description: string | null;
  /** Certificate of the sealed soul, from tier 2. */
  readonly tokenId?: number;
  /** From tier 2, in the wallet flow or with scope soul: 0 to 100. Null: no score yet. */
  readonly soulAlignment?: number | null;
  /** Scope soul. */
  readonly soulHash?: Hex;
  readonly genesisRecord?: GenesisRecord;
  /** Scope certs: the soulbound certificate. */
  readonly certs?: { readonly contract: Address; readonly tokenId: number }[];
  /** Scope chronicles, the newest first, at most 50. */
  readonly chronicles?: Chronicle[];
  /** Scope services. */
  readonly services?: SignInService[];
  /** Scope profile: the public identity. */
  readonly bio?: string | null;
  readonly category?: string | null;
  readonly tags?: string[];
  readonly contacts?: { readonly type: string; readonly value: string }[];
  /** Scope human_verified: when the owner was attested; null until it is indexed. */
  readonly verifiedAt?: string | null;
  /** Scope did. */
  readonly didDocument?: DidDocument;
}

export interface SignInProfiles {
  /**
   * The profile of a sign-in: its fixed members, and those of its granted scopes. Values that are
   * not recorded or not indexed yet are empty or null, never absent.
   */
  of(session: SignInSession): Promise<SignInProfile>;
}

export interface SignInProfilesOptions {
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

export function createSignInProfiles(options: SignInProfilesOptions): SignInProfiles {
  const { index, files, links, soulCertificate } = options;

  return {
    async of(session) {
      const { scopes, flow } = session;
      const has = (scope: (typeof scopes)[number]) => scopes.includes(scope);
      const found = await ifIndexed(NOTHING, () =>
        index.agentDetails(session.agentId, session.soul?.tokenId ?? null),
      );
      const file = found.passportUri === null ? null : await files.read(found.passportUri);
      const services = servicesOf(file);
      const agentId = Number(session.agentId);
      const { agentName: name, chainId, holder: owner } = session;
      const profile: SignInProfile = {
        agentId,
        agentName: session.agentName,
        holder: session.holder,
        erc8004AgentId: agentId,
        chainId,
        did: didOf(chainId, name),
        humanVerified: session.humanVerified,
        avatar: publicUriOf(file?.image ?? null, links),
        description: file?.description ?? null,
        ...(has("services") ? { services } : {}),
        ...(has("did") ? { didDocument: didDocument({ chainId, name, owner, services }) } : {}),
      };
      const { soul } = session;
      if (soul === null) return profile;

      // An index that is behind still has the soul of another epoch.
      const details = found.soul?.epoch === soul.epoch ? found.soul : null;
      const tokenId = Number(soul.tokenId);
      const alignment = { soulAlignment: details?.alignmentScore ?? null };
      return {
        ...profile,
        tokenId,
        ...(flow === "wallet" || has("soul") ? alignment : {}),
        ...(has("soul")
          ? { soulHash: soul.soulHash, genesisRecord: genesisRecord(soul, details) }
          : {}),
        ...(has("certs") ? { certs: [{ contract: soulCertificate, tokenId }] } : {}),
        ...(has("chronicles") ? { chronicles: await chronicles(soul.tokenId) } : {}),
        ...(has("profile") ? publicIdentity(details) : {}),
        ...(has("human_verified") ? { verifiedAt: iso(details?.sealedAt ?? null) } : {}),
      };
    },
  };

  async function chronicles(tokenId: bigint): Promise<Chronicle[]> {
    const records = await ifIndexed([], () => index.chroniclesOf(tokenId, MAX_CHRONICLES));
    return records.map(({ changeType, newSoulHash, timestamp, txHash }) => ({
      changeType,
      newSoulHash,
      txHash,
      timestamp: date(timestamp),
      status: "confirmed",
    }));
  }
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

function servicesOf(file: ReadRegistrationFile | null): SignInService[] {
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

function genesisRecord(
  soul: NonNullable<SignInSession["soul"]>,
  details: SoulDetails | null,
): GenesisRecord {
  return {
    tokenId: Number(soul.tokenId),
    genesisStatus: "SEALED",
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
