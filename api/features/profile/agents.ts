import { type AgentTypeIndex, agentTypeName } from "../../../protocol/agent-type.ts";
import { didOf } from "../../../protocol/did.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import type { Links } from "../../kernel/links.ts";
import { pageOf } from "../../kernel/list-pages.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { Reading } from "../../soul/index-reads.ts";
import { validityOf } from "../../soul/validity.ts";
import type { AgentFilter } from "./agent-filters.store.ts";
import {
  AGENT_ORDERS,
  type AgentCursor,
  type AgentOrder,
  type AgentReads,
  ALL_AGENT_ORDERS,
  type ListedAgentRecord,
} from "./agents.store.ts";

export type { AgentCursor, AgentFilter, AgentOrder };
export { AGENT_ORDERS, ALL_AGENT_ORDERS };

export type ListedAgent = ReturnType<typeof listed>;
export type ExploredAgent = ReturnType<typeof explored>;

export interface AgentPage<Agent = ListedAgent> {
  readonly agents: readonly Agent[];
  /** The cursor of the next page; null for the last page. */
  readonly next: string | null;
}

export type AgentList = ReturnType<typeof createAgentListService>;

/**
 * Lists and finds agents, each with its validity: refused with INDEX_BEHIND when those would be old. A name and a token id never
 * change, so that pages stay true while agents are added.
 */
export function createAgentListService({
  reads,
  age,
  chainId,
  links,
}: {
  readonly reads: Pick<AgentReads, "agents">;
  readonly age: IndexAge;
  readonly chainId: number;
  readonly links: Links;
}) {
  async function page<Agent>(
    filter: AgentFilter,
    cursor: AgentCursor,
    limit: number,
    shown: (record: ListedAgentRecord) => Agent,
  ): Promise<Reading<AgentPage<Agent>>> {
    // One more than is shown says whether there is another page.
    const { at, value } = await reads.agents(filter, cursor, limit + 1);
    if (!age.isFresh(at)) throw age.behind(at);
    const { entries, next } = pageOf(value, limit, (last) => cursorAt(cursor.order, last));
    return { at, value: { agents: entries.map(shown), next } };
  }

  return {
    list: (filter: AgentFilter, cursor: AgentCursor, limit: number) =>
      page(filter, cursor, limit, (record) => listed(record, chainId, links)),
    /** As `list`, with what the pages for people show besides. */
    explore: (filter: AgentFilter, cursor: AgentCursor, limit: number) =>
      page(filter, cursor, limit, (record) => explored(record, chainId, links)),
  };
}

function cursorAt(order: AgentOrder, { soul }: ListedAgentRecord): string {
  if (order === "name") return soul.name;
  const tokenId = soul.tokenId.toString();
  if (order === "active") return `${soul.lastActiveAt}.${tokenId}`;
  return order === "alignment" ? `${soul.alignmentScore ?? ""}.${tokenId}` : tokenId;
}

/** What the pages for people show of an agent. */
function explored(record: ListedAgentRecord, chainId: number, links: Links) {
  const { soul, duplicateOf, resembles, words } = record;
  const agent = listed(record, chainId, links);
  return {
    ...agent,
    /** 0 to 100; null without a score in this epoch. */
    alignmentScore: soul.alignmentScore,
    /** On chain. */
    lastActiveAt: dateOf(soul.lastActiveAt),
    isHumanVerified: soul.humanVerifier !== null && agent.soulValidity === "valid",
    /** Null for none; also when that soul is its parent, which it may repeat. */
    duplicateOf: duplicateOf?.tokenId === soul.parentTokenId ? null : duplicateOf,
    resembles: resembles?.tokenId === soul.parentTokenId ? null : resembles,
    words,
  };
}

/** What a list shows of an agent. */
function listed(record: ListedAgentRecord, chainId: number, links: Links) {
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
    /** Null while nothing was sealed. */
    soulHash: soul.soulHash,
    owner,
    operator: soul.operator ?? owner,
    erc8004AgentId: soul.passportId,
    /** 0: independent. */
    organizationId: isMember ? membership.organizationId : 0n,
    mintTimestamp: dateOf(soul.mintTimestamp),
    profileUrl: links.profile(soul.name),
  };
}
