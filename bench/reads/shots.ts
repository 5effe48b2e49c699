import type { Agent } from "../lib/agents.ts";
import { ofJson, type Shot } from "../lib/load.ts";
import type { Side } from "../lib/rounds.ts";
import type { World } from "./world.ts";

/** The request for an agent. */
type ShotOf = (agent: Agent) => Shot;
type Prepare = Side["prepare"];

/** The agents in turn, so that no read finds what the one before it left. */
export function inTurn(agents: readonly Agent[], shotOf: ShotOf): Prepare {
  let next = 0;
  return (count) =>
    Array.from({ length: count }, () => shotOf(agents[next++ % agents.length] as Agent));
}

/** Agents on the explorer's first page. */
const LISTED = 24;

/** Reads of the service, with what every answer must hold. */
export const OURS = {
  nothing: () => ({ path: "/health", accepts: ofJson(({ status }) => status === "ok") }),
  profile: ({ agentName }) => ({
    path: `/v1/profile/${agentName}`,
    accepts: ofJson((answer) => answer.agentName === agentName),
  }),
  did: ({ agentName }) => ({
    path: `/v1/did/${agentName}`,
    accepts: ofJson(({ id }) => String(id).endsWith(agentName)),
  }),
  validity: ({ tokenId }) => ({
    path: `/v1/soul-validity/${tokenId}`,
    accepts: ofJson(({ valid }) => valid === true),
  }),
  page: ({ agentName }) => ({
    path: `/agents/${agentName}`,
    accepts: (body) => body.includes(agentName),
  }),
  list: () => ({ path: "/agents", accepts: (body) => body.split("reader-").length > LISTED }),
} satisfies Record<string, ShotOf>;

/** The same rows by Ponder's GraphQL, as far as they are in the index. */
export const PONDER = {
  profile: ({ agentName, tokenId, erc8004AgentId }) =>
    graphql(
      `query ($name: String!, $token: BigInt!, $passport: BigInt!) {
        souls(where: { name: $name }, limit: 1) { items {
          tokenId name passportId owner sealer operator parentTokenId epoch status agentType
          soulHash soulMerkleRoot archiveId alignmentScore alignmentAt suspendedOwner
          mintTimestamp sealedAt lastActiveAt
        } }
        passport(id: $passport) { owner uri }
        membership(tokenId: $token) { organizationId epoch }
      }`,
      { name: agentName, token: String(tokenId), passport: String(erc8004AgentId) },
      agentName,
    ),
  did: ({ agentName, erc8004AgentId }) =>
    graphql(
      `query ($name: String!, $passport: BigInt!) {
        souls(where: { name: $name }, limit: 1) { items {
          tokenId name passportId sealer operator epoch status suspendedOwner didArchiveId
          mintTimestamp
        } }
        passport(id: $passport) { owner uri }
      }`,
      { name: agentName, passport: String(erc8004AgentId) },
      agentName,
    ),
  validity: ({ tokenId, erc8004AgentId }) =>
    graphql(
      `query ($token: BigInt!, $passport: BigInt!) {
        soul(tokenId: $token) { passportId sealer status suspendedOwner sealedAt }
        passport(id: $passport) { owner }
      }`,
      { token: String(tokenId), passport: String(erc8004AgentId) },
      "SEALED",
    ),
  list: () =>
    graphql(
      `query ($limit: Int!) {
        souls(orderBy: "tokenId", orderDirection: "desc", limit: $limit) { items {
          tokenId name passportId owner sealer operator epoch status agentType soulHash
          alignmentScore suspendedOwner mintTimestamp sealedAt lastActiveAt
        } }
      }`,
      { limit: LISTED },
      "SEALED",
    ),
} satisfies Record<string, ShotOf>;

function graphql(
  query: string,
  variables: Record<string, string | number>,
  expected: string,
): Shot {
  return {
    path: "/graphql",
    body: { query: query.replace(/\s+/g, " "), variables },
    accepts: (body) => body.includes(`"${expected}"`) && !body.includes('"errors"'),
  };
}

/** One prepared read of the same rows. */
export const FLOOR = {
  nothing: () => ({ path: "/nothing", accepts: ofJson(({ status }) => status === "ok") }),
  byName: ({ agentName }) => ({
    path: `/agents/${agentName}`,
    accepts: ofJson(({ name }) => name === agentName),
  }),
  byTokenId: ({ tokenId }) => ({
    path: `/tokens/${tokenId}`,
    accepts: ofJson(({ status }) => status === "SEALED"),
  }),
} satisfies Record<string, ShotOf>;

/** The same reads by callers that hold the present answer. */
export function held({ ours }: World, agents: readonly Agent[], shotOf: ShotOf): Prepare {
  const tags = new Map<Agent, string>();
  const shots = inTurn(agents, (agent) => ({
    ...shotOf(agent),
    headers: { "if-none-match": tags.get(agent) ?? "" },
    status: 304,
    accepts: (body) => body === "",
  }));
  return async (count) => {
    for (const agent of tags.size > 0 ? [] : agents) {
      const { headers } = await ours.load.send(shotOf(agent));
      tags.set(agent, String(headers.etag));
    }
    return shots(count);
  };
}

/** Bytes of the service's answer. */
export async function sizeOf({ ours }: World, shot: Shot): Promise<number> {
  return Buffer.byteLength((await ours.load.send(shot)).body);
}

/** As many bytes as the service's page, of which an agent's rows are a part. */
export function pageOf(bytes: number): ShotOf {
  return ({ agentName }) => ({
    path: `/pages/${bytes}/${agentName}`,
    accepts: (body) => body.length === bytes,
  });
}

/** The newest agents, in as many bytes as the service's list. */
export function listOf(bytes: number): ShotOf {
  return () => ({
    path: `/lists/${bytes}/${LISTED}`,
    accepts: (body) => body.length === bytes,
  });
}
