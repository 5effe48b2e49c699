import { type Address, formatUnits, type Hex } from "viem";
import {
  AGENT_TYPES,
  type AgentTypeIndex,
  type AgentTypeName,
} from "../../../protocol/agent-type.ts";
import { MONTH_SECONDS } from "../../../protocol/alignment/inputs.ts";
import type { ChainAddress } from "../../../protocol/chain-address.ts";
import { didOf } from "../../../protocol/did.ts";
import { parsePassportName, passportName } from "../../../protocol/names.ts";
import { storageIdIn } from "../../../protocol/storage-id.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { publicUriOf } from "../../kernel/links.ts";
import type { DeclaredIdentity } from "../../soul/declared-identity.ts";
import { DEFAULT_DISPLAY } from "../../soul/display-settings.ts";
import type {
  BirthBundle,
  IndexedAgent,
  IndexedAgents,
  IndexedPassport,
  IndexedPoint,
  IndexedSoul,
  OriginalSoul,
  PassportReads,
  Reading,
  UnclaimedAgent,
  UnclaimedReads,
} from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { byPassport, byTokenId, noSuchSoul } from "../../soul/soul-ref.ts";
import { soulStanding } from "../../soul/standing.ts";
import { type ValidityStatus, validityOf } from "../../soul/validity.ts";
import { SUSPENDED_UNTIL_RESEAL } from "../../soul/with-sealer.ts";
import type { DidRecords } from "../did/index.ts";
import { shownAddresses } from "./display.ts";

/** A field that its owner made public: its value, and of a list how many entries it has as well. */
export type DisclosedField =
  | { readonly value: unknown; readonly verified: boolean }
  | {
      readonly count: number;
      readonly disclosed: boolean;
      readonly value: readonly unknown[];
      readonly verified: boolean;
    };

/**
 * The agent of the specification. A value that is not recorded yet is empty, as named at its field.
 */
export interface AgentProfile {
  readonly agentName: string;
  /** Null before claim, like every other field that exists only on chain. */
  readonly tokenId: bigint | null;
  readonly did: string;
  readonly agentType: AgentTypeName;
  readonly genesisStatus: IndexedSoul["status"];
  readonly soulHash: Hex | null;
  readonly soulMerkleRoot: Hex | null;
  /** The soul that had this hash or Merkle root first; null for none. */
  readonly duplicateOf: OriginalSoul | null;
  /**
   * Who owns the passport now, which after a sale is not who sealed the soul: as the display
   * settings have it shown.
   */
  readonly owner: string | null;
  /** The agent's own account; the owner when it has none. As the display settings have it shown. */
  readonly operator: string | null;
  /** What its owner calls the operator; null for nothing. */
  readonly operatorLabel: string | null;
  readonly parentTokenId: bigint;
  /** The soul in which it was reincarnated; null for none. */
  readonly successorTokenId: bigint | null;
  /** 0: independent. */
  readonly organizationId: bigint;
  readonly mintTimestamp: Date | null;
  readonly sealedAt: Date | null;
  readonly erc8004AgentId: bigint | null;
  /**
   * Where the agent takes payments, by its owner's word on the passport (`agentWallet`); null until
   * the owner sets it.
   */
  readonly agentWallet: Address | null;
  /** Where the passport points: untrusted, of any scheme. Null for nowhere, and before claim. */
  readonly passportUri: string | null;
  /** Null when the passport's URI is neither on permanent storage nor https nor IPFS. */
  readonly erc8004Url: string | null;
  readonly soulValidity: {
    readonly status: ValidityStatus;
    /** Whether the passport's owner is the one who sealed the soul. */
    readonly passportOwnerMatch: boolean;
    /** The block time at which this was true; null before claim. */
    readonly lastChecked: Date | null;
  };
  /** Since when it stands as it does; null where that is not known, and before claim. */
  readonly standingSince: Date | null;
  /** Null until the first snapshot. */
  readonly soulAlignment: { readonly score: number | null; readonly lastSnapshot: Date | null };
  readonly activity: {
    readonly tasksCompleted: number;
    /** Decimal string in `currency`. */
    readonly lifetimeEarned: string;
    readonly currency: string;
    readonly agentBindings: number;
    /** When the agent last did anything on chain, or recorded anything; null before claim. */
    readonly lastActive: Date | null;
  };
  /**
   * What its owner lists in the DID document; empty while the seal is not valid, or storage does
   * not answer.
   */
  readonly chainAddresses: readonly {
    readonly chain: string;
    readonly address: string;
    readonly label: string;
  }[];
  readonly disclosedFields: Readonly<Record<string, DisclosedField>>;
  readonly arweaveTxId: string | null;
  readonly arweaveUrl: string | null;
  readonly avatarUrl: string | null;
  /** Display name that the owner chose; not unique. Null for none. */
  readonly displayName: string | null;
  readonly birthBundle: BirthBundle | null;
  /**
   * The owner's own words: show them with escaping, and decide nothing by them. Null when nothing
   * was ever said here.
   */
  readonly publicIdentity: DeclaredIdentity | null;
  readonly profileUrl: string;
}

interface ProfileStatus {
  readonly agentName: string;
  readonly tokenId: bigint | null;
  readonly erc8004AgentId: bigint | null;
  readonly genesisStatus: IndexedSoul["status"];
  readonly soulAlignment: number | null;
  readonly lastSnapshot: Date | null;
  /** Not burned. */
  readonly alive: boolean;
  readonly trustworthy: boolean;
  /** Whether the soul's seal is valid. */
  readonly isValid: boolean;
}

/** What profiles are made of. */
interface Sources {
  readonly reads: IndexedAgents & PassportReads;
  /** Agents that are not on chain yet. */
  readonly unclaimed: UnclaimedReads["unclaimed"];
  readonly chainId: number;
  readonly links: Links;
  readonly didRecords: DidRecords;
}

/** A passport that no soul is bound to. */
interface SoullessPassport {
  readonly passport: IndexedPassport;
  readonly owner: Address;
}

type Found = IndexedAgent | UnclaimedAgent | SoullessPassport;

/** What a passport without a soul is shown as: no type was ever sealed. */
const OTHER: AgentTypeIndex = 4;

/** Lowest alignment score of a trustworthy agent. */
const TRUSTWORTHY_SCORE = 70;

/** The vault accepts no other stablecoin. */
const STABLECOIN_DECIMALS = 6;

export type ProfileService = ReturnType<typeof createProfileService>;

/** Reads what is publicly known of an agent. Each rejects with NOT_FOUND for an agent that is unknown here. */
export function createProfileService(sources: Sources) {
  return {
    async profile(agent: SoulRef): Promise<Reading<AgentProfile>> {
      const { at, value, checkedAt = at.timestamp } = await findAny(sources, agent);
      if ("soul" in value) {
        const addresses = await listedAddresses(sources, value);
        return { at, value: agentProfile(value, checkedAt, sources, addresses) };
      }
      const profile =
        "passport" in value ? passportProfile(value, sources) : unclaimedProfile(value, sources);
      return { at, value: profile };
    },

    async status(agent: SoulRef): Promise<Reading<ProfileStatus>> {
      const { at, value } = await findAny(sources, agent);
      if ("passport" in value && !("soul" in value)) {
        const { id } = value.passport;
        const status = unclaimedStatus({ name: passportName(id) });
        return { at, value: { ...status, erc8004AgentId: id } };
      }
      if (!("soul" in value)) return { at, value: unclaimedStatus(value) };
      const { name, tokenId, passportId, status } = value.soul;
      return {
        at,
        value: {
          agentName: name,
          tokenId,
          erc8004AgentId: passportId,
          genesisStatus: status,
          soulAlignment: value.soul.alignmentScore,
          lastSnapshot: optionalDate(value.soul.alignmentAt),
          alive: status !== "BURNED",
          trustworthy: isTrustworthy(value, at),
          isValid: validityOf(value) === "valid",
        },
      };
    },

    /** Whether the sealer of a soul still owns its passport. */
    async sealCheck(tokenId: bigint) {
      const { at, value } = await requireAgent(sources.reads, byTokenId(tokenId));
      return { at, value: sealCheck(value) };
    },
  };
}

/**
 * As `requireAgent`; also finds by name an agent that is not on chain yet, and a passport by its own name
 * `agent-<id>`.
 */
async function findAny({ reads, unclaimed }: Sources, agent: SoulRef): Promise<Reading<Found>> {
  if (agent.kind !== "name") return requireAgent(reads, agent);
  const passportId = parsePassportName(agent.name);
  if (passportId !== null) return findPassport(reads, passportId);
  const { at, value, checkedAt } = await reads.agent(agent);
  const found = value ?? (await unclaimed(agent.name));
  if (found === null) throw noSuchSoul(agent);
  return { at, value: found, checkedAt };
}

/** The soul that is bound to a passport, or the passport alone. */
async function findPassport(reads: Sources["reads"], passportId: bigint): Promise<Reading<Found>> {
  const bound = await reads.agent(byPassport(passportId));
  if (bound.value !== null) return { ...bound, value: bound.value };
  const { at, value, checkedAt } = await reads.passport(passportId);
  if (value?.owner == null) throw noSuchSoul(byPassport(passportId));
  return { at, value: { passport: value, owner: value.owner }, checkedAt };
}

/** What is stored outside this database may be out of reach: the profile is shown without it. */
async function listedAddresses(
  { didRecords }: Sources,
  agent: IndexedAgent,
): Promise<readonly ChainAddress[]> {
  // Asked only of those who have any: most profiles are one query.
  if (agent.soul.didArchiveId === null || validityOf(agent) !== "valid") return [];
  try {
    return (await didRecords.of(agent.soul))?.record.addresses ?? [];
  } catch (error) {
    if (error instanceof ApiError && error.type === "STORAGE_UNAVAILABLE") return [];
    throw error;
  }
}

/**
 * Sealed and valid, with a score of at least 70 that is less than 30 days old. An agent under 30 days
 * old has no score and needs none. Its age counts from its registration: a sale must not give one
 * with a bad score a fresh start.
 */
function isTrustworthy(agent: IndexedAgent, at: IndexedPoint): boolean {
  if (validityOf(agent) !== "valid") return false;
  const { mintTimestamp, alignmentScore, alignmentAt } = agent.soul;
  const isYoung = (since: bigint) => at.timestamp - since < MONTH_SECONDS;
  if (isYoung(mintTimestamp)) return true;
  if (alignmentScore === null || alignmentAt === null) return false;
  return alignmentScore >= TRUSTWORTHY_SCORE && isYoung(alignmentAt);
}

function agentProfile(
  agent: IndexedAgent,
  checkedAt: bigint,
  { chainId, links }: Sources,
  addresses: readonly ChainAddress[],
): AgentProfile {
  const { soul, passport, published } = agent;
  const status = validityOf(agent);
  // The owner of a passport that is not indexed yet is the account that registered the soul.
  const owner = ownerOf(passport) ?? soul.owner;
  const archiveId = storageIdIn(`ar://${soul.archiveId}`);
  const display = agent.display?.settings ?? DEFAULT_DISPLAY;
  return {
    agentName: soul.name,
    tokenId: soul.tokenId,
    did: didOf(chainId, soul.name),
    agentType: agentType(soul.agentType),
    genesisStatus: soul.status,
    soulHash: soul.soulHash,
    soulMerkleRoot: soul.soulMerkleRoot,
    duplicateOf: agent.duplicateOf,
    ...shownAddresses({ owner, operator: soul.operator ?? owner }, display),
    operatorLabel: display.operatorLabel || null,
    parentTokenId: soul.parentTokenId,
    successorTokenId: agent.successorTokenId,
    organizationId: organizationOf(agent),
    mintTimestamp: dateOf(soul.mintTimestamp),
    sealedAt: optionalDate(soul.sealedAt),
    erc8004AgentId: soul.passportId,
    agentWallet: agent.agentWallet,
    passportUri: passport?.uri ?? null,
    erc8004Url: publicUriOf(passport?.uri ?? null, links),
    soulValidity: {
      status,
      passportOwnerMatch: passport?.owner === soul.sealer,
      lastChecked: dateOf(checkedAt),
    },
    standingSince: optionalDate(standingSince(agent)),
    soulAlignment: { score: soul.alignmentScore, lastSnapshot: optionalDate(soul.alignmentAt) },
    activity: {
      tasksCompleted: agent.tasksCompleted,
      lifetimeEarned: dollars(agent.earned),
      currency: "USDC",
      agentBindings: status === "valid" ? agent.bindings : 0,
      lastActive: later(dateOf(soul.lastActiveAt), agent.lastChronicleAt),
    },
    chainAddresses: addresses.map(({ chain, sentChain, address, label }) => ({
      chain: sentChain ?? chain,
      address,
      label,
    })),
    disclosedFields: disclosedFields(published),
    arweaveTxId: archiveId,
    arweaveUrl: archiveId === null ? null : links.storage(archiveId),
    avatarUrl: publicUriOf(agent.image, links),
    displayName: agent.displayName,
    birthBundle: published?.birthBundle ?? null,
    publicIdentity: agent.identity,
    profileUrl: links.profile(soul.name),
  };
}

/** Since when a soul is valid, suspended, not sealed or burned. */
function standingSince(agent: IndexedAgent): bigint | null {
  const { soul, passport } = agent;
  const held = passport?.ownerSince ?? null;
  switch (soulStanding({ genesisStatus: soul.status, soulValidity: validityOf(agent) })) {
    case "valid":
      // A passport that was away without a recorded suspension counts from its return.
      return held !== null && soul.sealedAt !== null && held > soul.sealedAt ? held : soul.sealedAt;
    case "suspended":
      return suspendedSince(agent);
    case "not_sealed":
      return soul.mintTimestamp;
    case "burned":
      return soul.burnedAt;
    case "not_linked":
      return null;
  }
}

/** When the passport left the sealer; when that was recorded, for a passport that moved on or came back. */
function suspendedSince({ soul, passport }: IndexedAgent): bigint | null {
  const { suspendedAt, sealer } = soul;
  const left = passport?.owner === sealer ? null : (passport?.ownerSince ?? null);
  if (left !== null && (suspendedAt === null || left < suspendedAt)) return left;
  return suspendedAt;
}

/** None of it is on chain, and no owner has confirmed it. */
function unclaimedProfile(
  { name, agentType: type }: UnclaimedAgent,
  { chainId, links }: Sources,
): AgentProfile {
  return {
    agentName: name,
    did: didOf(chainId, name),
    agentType: agentType(type),
    tokenId: null,
    genesisStatus: "PROVISIONAL",
    soulHash: null,
    soulMerkleRoot: null,
    owner: null,
    operator: null,
    operatorLabel: null,
    parentTokenId: 0n,
    successorTokenId: null,
    organizationId: 0n,
    mintTimestamp: null,
    sealedAt: null,
    erc8004AgentId: null,
    passportUri: null,
    erc8004Url: null,
    agentWallet: null,
    duplicateOf: null,
    soulValidity: { status: "not_linked", passportOwnerMatch: false, lastChecked: null },
    standingSince: null,
    soulAlignment: { score: null, lastSnapshot: null },
    activity: {
      tasksCompleted: 0,
      lifetimeEarned: dollars(0n),
      currency: "USDC",
      agentBindings: 0,
      lastActive: null,
    },
    chainAddresses: [],
    disclosedFields: {},
    arweaveTxId: null,
    arweaveUrl: null,
    avatarUrl: null,
    displayName: null,
    birthBundle: null,
    publicIdentity: null,
    profileUrl: links.profile(name),
  };
}

/** A passport without a soul: its owner is all that is known of it. */
function passportProfile({ passport, owner }: SoullessPassport, sources: Sources): AgentProfile {
  const unclaimed = unclaimedProfile(
    { name: passportName(passport.id), agentType: OTHER },
    sources,
  );
  const { registeredAt } = passport;
  return {
    ...unclaimed,
    owner,
    operator: owner,
    erc8004AgentId: passport.id,
    passportUri: passport.uri,
    erc8004Url: publicUriOf(passport.uri, sources.links),
    activity: { ...unclaimed.activity, lastActive: optionalDate(registeredAt) },
  };
}

function unclaimedStatus({ name }: Pick<UnclaimedAgent, "name">): ProfileStatus {
  return {
    agentName: name,
    tokenId: null,
    erc8004AgentId: null,
    genesisStatus: "PROVISIONAL",
    soulAlignment: null,
    lastSnapshot: null,
    alive: true,
    trustworthy: false,
    isValid: false,
  };
}

/**
 * Published values were checked against their leaves, and the leaves against the sealed root,
 * before they were kept.
 */
function disclosedFields(published: IndexedAgent["published"]): AgentProfile["disclosedFields"] {
  return Object.fromEntries(
    Object.entries(published?.publicFields ?? {}).map(([field, value]) => [
      field,
      Array.isArray(value)
        ? { count: value.length, disclosed: true, value, verified: true }
        : { value, verified: true },
    ]),
  );
}

/**
 * The organization as the registry's own `organizationOf` answers it: of the current epoch, and
 * only while the seal is valid.
 */
function organizationOf(agent: IndexedAgent): bigint {
  const { soul, membership } = agent;
  const live = membership?.epoch === soul.epoch && validityOf(agent) === "valid";
  return live ? membership.organizationId : 0n;
}

/**
 * Base units of a stablecoin with 6 decimals as a decimal string with at least two: 1,500,000 is
 * "1.50".
 */
function dollars(amount: bigint): string {
  const [whole, fraction = ""] = formatUnits(amount, STABLECOIN_DECIMALS).split(".");
  return `${whole}.${fraction.padEnd(2, "0")}`;
}

/** Why a soul is not valid, in words for the caller. */
const INVALID_BECAUSE: Readonly<Record<Exclude<ValidityStatus, "valid">, string>> = {
  suspended: SUSPENDED_UNTIL_RESEAL,
  not_linked: "This soul is not sealed to a passport.",
};

function sealCheck(agent: IndexedAgent) {
  const { soul, passport } = agent;
  const status = validityOf(agent);
  return {
    tokenId: soul.tokenId,
    erc8004AgentId: soul.passportId,
    valid: status === "valid",
    /** Null before the seal. */
    sealedBy: soul.sealedAt === null ? null : soul.sealer,
    /** Null when the index does not know the passport. */
    currentPassportOwner: ownerOf(passport),
    sealTimestamp: optionalDate(soul.sealedAt),
    ...(status === "valid" ? {} : { message: INVALID_BECAUSE[status] }),
  };
}

function ownerOf(passport: IndexedPassport | null): Address | null {
  return passport?.owner ?? null;
}

function agentType(index: number): AgentTypeName {
  const name = AGENT_TYPES[index];
  if (name === undefined) throw new Error(`The index holds the unknown agent type ${index}.`);
  return name;
}

function later(one: Date, other: Date | null): Date {
  return other !== null && other > one ? other : one;
}

function optionalDate(seconds: bigint | null): Date | null {
  return seconds === null ? null : dateOf(seconds);
}
