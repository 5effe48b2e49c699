import { createRoute, z } from "@hono/zod-openapi";
import { AGENT_TYPES } from "../../protocol/agent-type.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../http/indexed-block.ts";
import { createRouter, errorResponses } from "../http/router.ts";
import {
  AddressSchema,
  AgentIdParam,
  IdAnswer,
  idNumber,
  TimestampSchema,
  TokenIdParam,
} from "../http/schemas.ts";
import type { AgentList, ListedAgent } from "../services/agent-list.ts";
import type { IndexProgress } from "../services/index-reads.ts";

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 25;

/** The token id after which a page begins. */
const CURSOR = /^[1-9][0-9]{0,15}$/;

const Query = z.object({
  owner: AddressSchema.optional().openapi({ description: "Who owns the passport now." }),
  operator: AddressSchema.optional().openapi({
    description: "Who acts for the agent: its own account, or its owner when it has none.",
  }),
  erc8004AgentId: AgentIdParam.optional().openapi({
    description: "The passport. Souls that were burned on it are found too.",
  }),
  organizationId: TokenIdParam.optional().openapi({
    description: "Members, while their seals are valid.",
  }),
  cursor: z
    .string()
    .refine((text) => CURSOR.test(text) && Number.isSafeInteger(Number(text)), "Not a cursor")
    .optional()
    .openapi({ pattern: CURSOR.source, description: "`nextCursor` of the page before." }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .openapi({ type: "integer", minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }),
  ...MinBlockQuery.shape,
});

const Address = z.string().openapi({ pattern: "^0x[0-9a-fA-F]{40}$" });

const Listed = z
  .object({
    agentName: z.string(),
    tokenId: IdAnswer,
    did: z.string(),
    agentType: z.enum(AGENT_TYPES),
    genesisStatus: z.enum(["SEALED", "PROVISIONAL", "BURNED"]),
    soulValidity: z.enum(["valid", "suspended", "not_linked"]),
    owner: Address,
    operator: Address,
    erc8004AgentId: IdAnswer,
    organizationId: IdAnswer.openapi({ description: "0: independent." }),
    mintTimestamp: TimestampSchema,
    profileUrl: z.string(),
  })
  .openapi("ListedAgent");

const Page = z
  .object({
    agents: z.array(Listed),
    nextCursor: z.string().nullable().openapi({ description: "Null on the last page." }),
  })
  .openapi("AgentPage");

export interface AgentRouteDeps {
  readonly agentList: AgentList;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `/agents`: lists and finds. */
export function agentRoutes({ agentList, index, indexerWaitMs }: AgentRouteDeps) {
  const listAgents = createRoute({
    method: "get",
    path: "/agents",
    operationId: "listAgents",
    tags: ["Profile"],
    summary: "Agents, in the order of their registration",
    description: "Every filter that is given must hold. Pages stay true while agents are added.",
    request: { query: Query },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: {
        description: "One page, as last indexed.",
        content: { "application/json": { schema: Page } },
      },
      ...errorResponses("INVALID_REQUEST", "REGISTRY_PENDING", "INDEX_BEHIND"),
    },
  });

  return createRouter().openapi(listAgents, async (c) => {
    const { cursor, limit, minBlock: _waited, ...filter } = c.req.valid("query");
    const { at, value } = await agentList.list(filter, BigInt(cursor ?? 0), limit);
    reflectsBlock(c, at);
    const nextCursor = value.next === null ? null : value.next.toString();
    return c.json({ agents: value.agents.map(listedBody), nextCursor }, 200);
  });
}

function listedBody(agent: ListedAgent) {
  return {
    ...agent,
    tokenId: idNumber(agent.tokenId),
    erc8004AgentId: idNumber(agent.erc8004AgentId),
    organizationId: idNumber(agent.organizationId),
    mintTimestamp: agent.mintTimestamp.toISOString(),
  };
}
