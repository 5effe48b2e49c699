import type { Address, Hex } from "viem";
import {
  type AgentTypeIndex,
  type AgentTypeName,
  agentTypeName,
} from "../../../protocol/agent-type.ts";
import { didOf } from "../../../protocol/did.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import type { Links } from "../../kernel/links.ts";
import { pageOf } from "../../kernel/list-pages.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type {
  IndexedPassport,
  IndexedSoul,
  MembershipRecord,
  OriginalSoul,
  Reading,
} from "../../soul/index-reads.ts";
import { type ValidityStatus, validityOf } from "../../soul/validity.ts";

/** What the agents of a list have in common; each is left out when undefined. */
export interface AgentFilter {
  /** Who owns the passport now. */
  readonly owner?: Address | undefined;
  /** Who acts for the agent: its own account, or the owner of an agent without one. */
  readonly operator?: Address | undefined;
  /** The certificate. */
  readonly tokenId?: bigint | undefined;
  /** The passport: its past souls are found too. */
  readonly erc8004AgentId?: bigint | undefined;
  /** The organization it is a member of, while its seal is valid. */
  readonly organizationId?: bigint | undefined;
  /**
   * What a person typed: the beginning of a name, a DID, an account (owner or operator), or digits, which are read as a token id
   * and as a passport's id.
   */
  readonly q?: string | undefined;
  /** Whether `q` finds words of public identities as well. */
  readonly isInWords?: boolean | undefined;
  readonly type?: AgentTypeName | undefined;
  readonly validity?: ValidityStatus | undefined;
  /** What the agent says it is for: its public identity's category. */
  readonly category?: string | undefined;
  /** Whether its owner is attested to be a person, while its seal is valid. */
  readonly isHumanVerified?: true | undefined;
  /** Whether one of its endpoints answered when the service checked them last. */
  readonly isAnswering?: true | undefined;
}

/** `registered`: oldest first. `newest`: youngest first. `name`: in the order of names. */
export const AGENT_ORDERS = ["registered", "newest", "name"] as const;

/**
 * Also by what changes: `active`, last active on chain first, and `alignment`, highest score first.
 * An agent that changes its place while pages are read may be left out.
 */
export const ALL_AGENT_ORDERS = [...AGENT_ORDERS, "active", "alignment"] as const;
export type AgentOrder = (typeof ALL_AGENT_ORDERS)[number];

/** Where a page begins. */
export interface AgentCursor {
  readonly order: AgentOrder;
  /**
   * Of the last agent of the page before: its name in the order of names, its time or score and its
   * token id with a point between in the orders of these (`.7` without a score), else its token id.
   * Null for the first page.
   */
  readonly after: string | null;
}

/** An older soul whose name looks like the one of another. */
export interface ResembledSoul {
  readonly tokenId: bigint;
  readonly agentName: string;
}

/** Names that are easily mistaken for each other. */
export interface Resemblances {
  /**
   * The oldest soul whose name looks like this one and is older.
   *
   * @param tokenId Of the agent itself; null before it is registered.
   */
  resembled(name: string, tokenId: bigint | null): Promise<ResembledSoul | null>;
}

/** What a list tells of an agent. */
export interface ListedAgentRecord {
  readonly soul: IndexedSoul;
  readonly passport: IndexedPassport | null;
  readonly membership: MembershipRecord | null;
  /** The soul that had its hash or Merkle root first; null for none. */
  readonly duplicateOf: OriginalSoul | null;
  /** Null when no older soul has a name that looks like this one's. */
  readonly resembles: ResembledSoul | null;
  /** What its owner says of it in a sentence or a few: untrusted. Null for nothing. */
  readonly words: string | null;
}

export interface AgentListReads {
  /** At most `limit` agents behind the cursor, in its order. At most two queries. */
  agents(
    filter: AgentFilter,
    cursor: AgentCursor,
    limit: number,
  ): Promise<Reading<readonly ListedAgentRecord[]>>;
}

export interface ListedAgent {
  readonly agentName: string;
  readonly tokenId: bigint;
  readonly did: string;
  readonly agentType: AgentTypeName;
  readonly genesisStatus: IndexedSoul["status"];
  readonly soulValidity: ValidityStatus;
  /** Null while nothing was sealed. */
  readonly soulHash: Hex | null;
  readonly owner: Address;
  readonly operator: Address;
  readonly erc8004AgentId: bigint;
  /** 0: independent. */
  readonly organizationId: bigint;
  readonly mintTimestamp: Date;
  readonly profileUrl: string;
}

/** What the pages for people show besides. */
export interface ExploredAgent extends ListedAgent {
  /** 0 to 100; null without a score in this epoch. */
  readonly alignmentScore: number | null;
  /** On chain. */
  readonly lastActiveAt: Date;
  readonly isHumanVerified: boolean;
  /** Null for none; also when that soul is its parent, which it may repeat. */
  readonly duplicateOf: OriginalSoul | null;
  readonly resembles: ResembledSoul | null;
  readonly words: string | null;
}

export interface AgentPage<Agent = ListedAgent> {
  readonly agents: readonly Agent[];
  /** The cursor of the next page; null for the last page. */
  readonly next: string | null;
}

export interface AgentList {
  list(filter: AgentFilter, cursor: AgentCursor, limit: number): Promise<Reading<AgentPage>>;
  explore(
    filter: AgentFilter,
    cursor: AgentCursor,
    limit: number,
  ): Promise<Reading<AgentPage<ExploredAgent>>>;
}

/** Lists and finds agents. A name and a token id never change, so that pages stay true while agents are added. */
export function createAgentListService({
  reads,
  chainId,
  links,
}: {
  readonly reads: AgentListReads;
  readonly chainId: number;
  readonly links: Links;
}): AgentList {
  async function page<Agent>(
    filter: AgentFilter,
    cursor: AgentCursor,
    limit: number,
    shown: (record: ListedAgentRecord) => Agent,
  ): Promise<Reading<AgentPage<Agent>>> {
    // One more than is shown says whether there is another page.
    const { at, value } = await reads.agents(filter, cursor, limit + 1);
    const { entries, next } = pageOf(value, limit, (last) => cursorAt(cursor.order, last));
    return { at, value: { agents: entries.map(shown), next } };
  }

  return {
    list: (filter, cursor, limit) =>
      page(filter, cursor, limit, (record) => listed(record, chainId, links)),
    explore: (filter, cursor, limit) =>
      page(filter, cursor, limit, (record) => explored(record, chainId, links)),
  };
}

function cursorAt(order: AgentOrder, { soul }: ListedAgentRecord): string {
  if (order === "name") return soul.name;
  const tokenId = soul.tokenId.toString();
  if (order === "active") return `${soul.lastActiveAt}.${tokenId}`;
  return order === "alignment" ? `${soul.alignmentScore ?? ""}.${tokenId}` : tokenId;
}

function explored(record: ListedAgentRecord, chainId: number, links: Links): ExploredAgent {
  const { soul, duplicateOf, resembles, words } = record;
  const agent = listed(record, chainId, links);
  return {
    ...agent,
    alignmentScore: soul.alignmentScore,
    lastActiveAt: dateOf(soul.lastActiveAt),
    isHumanVerified: soul.humanVerifier !== null && agent.soulValidity === "valid",
    duplicateOf: duplicateOf?.tokenId === soul.parentTokenId ? null : duplicateOf,
    resembles: resembles?.tokenId === soul.parentTokenId ? null : resembles,
    words,
  };
}

function listed(record: ListedAgentRecord, chainId: number, links: Links): ListedAgent {
  const { soul, passport, membership } = record;
  const soulValidity = validityOf(record);
  const owner = passport?.owner ?? soul.owner;
  const isMember = membership?.epoch === soul.epoch && soulValidity === "valid";
  return {
    agentName: soul.name,
    tokenId: soul.tokenId,
    did: didOf(chainId, soul.name),
    // The contract's enum has these five values and no others.
    agentType: agentTypeName(soul.agentType as AgentTypeIndex),
    genesisStatus: soul.status,
    soulValidity,
    soulHash: soul.soulHash,
    owner,
    operator: soul.operator ?? owner,
    erc8004AgentId: soul.passportId,
    organizationId: isMember ? membership.organizationId : 0n,
    mintTimestamp: dateOf(soul.mintTimestamp),
    profileUrl: links.profile(soul.name),
  };
}

/** Lists of agents, each with its validity: refused with INDEX_BEHIND when those would be old. */
export function currentList(list: AgentListReads, age: IndexAge): AgentListReads {
  return {
    async agents(filter, after, limit) {
      const reading = await list.agents(filter, after, limit);
      if (age.isFresh(reading.at)) return reading;
      throw age.behind(reading.at);
    },
  };
}
