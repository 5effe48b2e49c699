import { z } from "@hono/zod-openapi";
import { AGENT_TYPES } from "../../../protocol/agent-type.ts";
import { NAME_PATTERN } from "../../../protocol/names.ts";
import { badRequest } from "../../kernel/errors.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { publicList } from "../../platform/http/operations.ts";
import {
  AddressSchema,
  AgentIdParam,
  IdAnswer,
  idNumber,
  TimestampSchema,
  TokenIdParam,
} from "../../platform/http/schemas.ts";
import { CATEGORIES } from "../registration/index.ts";
import { AGENT_ORDERS, type AgentList, type ListedAgent } from "./agents.ts";

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 25;

/** The token id or name after which a page begins, by order. */
const CURSORS: Readonly<Record<(typeof AGENT_ORDERS)[number], RegExp>> = {
  registered: /^[1-9][0-9]{0,15}$/,
  newest: /^[1-9][0-9]{0,15}$/,
  name: NAME_PATTERN,
};

const Query = {
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
  q: z.string().trim().min(1).max(128).optional().openapi({
    description:
      "The beginning of a name, a DID, an account that owns or operates, or digits: a token id and a passport's id, both are found. No wildcards.",
  }),
  type: z.enum(AGENT_TYPES).optional(),
  validity: z
    .enum(["valid", "suspended", "not_linked"])
    .optional()
    .openapi({ description: "Of the seal, as `soulValidity`." }),
  category: z
    .enum(CATEGORIES)
    .optional()
    .openapi({ description: "What the agent's public identity says." }),
  sort: z
    .enum(AGENT_ORDERS)
    .default("registered")
    .openapi({ description: "`registered`: oldest first; `newest`: youngest first; `name`." }),
  cursor: z
    .string()
    .max(64)
    .optional()
    .openapi({ description: "`nextCursor` of the page before, in the same order." }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .openapi({ type: "integer", minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }),
};

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

export const listAgents = endpoint({
  operationId: "listAgents",
  rules: { ...publicList, madeFrom: "database" },
  method: "get",
  path: "/agents",
  tag: "Profile",
  summary: "Agents, listed or found",
  description: "Every filter that is given must hold. Pages stay true while agents are added.",
  query: Query,
  waitsForBlock: true,
  done: "One page, as last indexed.",
  answer: Page,
  errors: [],
  async run(
    { cursor, limit, sort, ...filter },
    { agentList }: { readonly agentList: AgentList },
    c,
  ) {
    const page = { order: sort, after: cursorIn(sort, cursor) };
    const { at, value } = await agentList.list(filter, page, limit);
    reflectsBlock(c, at, "same");
    return { agents: value.agents.map(listedBody), nextCursor: value.next };
  },
});

/** @throws ApiError INVALID_REQUEST */
function cursorIn(order: keyof typeof CURSORS, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const fits = order === "name" || Number.isSafeInteger(Number(cursor));
  if (CURSORS[order].test(cursor) && fits) return cursor;
  throw badRequest("cursor", "Not a cursor");
}

/** Without the soul's hash, which pages draw. */
function listedBody({ soulHash: _drawn, ...agent }: ListedAgent) {
  return {
    ...agent,
    tokenId: idNumber(agent.tokenId),
    erc8004AgentId: idNumber(agent.erc8004AgentId),
    organizationId: idNumber(agent.organizationId),
    mintTimestamp: agent.mintTimestamp.toISOString(),
  };
}
