import type { Address, Hex } from "viem";
import {
  type AgentTypeIndex,
  type AgentTypeName,
  agentTypeName,
} from "../../../protocol/agent-type.ts";
import { didOf } from "../../../protocol/did.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import type { Links } from "../../kernel/links.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type {
  IndexedPassport,
  IndexedSoul,
  MembershipRecord,
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
  readonly type?: AgentTypeName | undefined;
  readonly validity?: ValidityStatus | undefined;
  /** What the agent says it is for: its public identity's category. */
  readonly category?: string | undefined;
}

/** `registered`: oldest first. `newest`: youngest first. `name`: in the order of names. */
export const AGENT_ORDERS = ["registered", "newest", "name"] as const;
export type AgentOrder = (typeof AGENT_ORDERS)[number];

/** Where a page begins. */
export interface AgentCursor {
  readonly order: AgentOrder;
  /** The last name of the page before in the order of names, else its last token id in decimal; null for the first page. */
  readonly after: string | null;
}

/** What a list tells of an agent. */
export interface ListedAgentRecord {
  readonly soul: IndexedSoul;
  readonly passport: IndexedPassport | null;
  readonly membership: MembershipRecord | null;
}

export interface AgentListReads {
  /** At most `limit` agents behind the cursor, in its order. One query. */
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

export interface AgentPage {
  readonly agents: readonly ListedAgent[];
  /** The cursor of the next page; null for the last page. */
  readonly next: string | null;
}

export interface AgentList {
  list(filter: AgentFilter, cursor: AgentCursor, limit: number): Promise<Reading<AgentPage>>;
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
  return {
    async list(filter, cursor, limit) {
      // One more than is shown says whether there is another page.
      const { at, value } = await reads.agents(filter, cursor, limit + 1);
      const agents = value.slice(0, limit).map((record) => listed(record, chainId, links));
      const last = agents.at(-1);
      if (value.length <= limit || last === undefined) return { at, value: { agents, next: null } };
      const next = cursor.order === "name" ? last.agentName : last.tokenId.toString();
      return { at, value: { agents, next } };
    },
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
