import { z } from "@hono/zod-openapi";
import {
  type AgentFilter,
  type AgentOrder,
  ALL_AGENT_ORDERS,
} from "../../api/features/profile/index.ts";
import { CATEGORIES } from "../../api/features/registration/index.ts";
import { badRequest } from "../../api/kernel/errors.ts";
import { AddressSchema, TokenIdParam } from "../../api/platform/http/schemas.ts";
import { AGENT_TYPES } from "../../protocol/agent-type.ts";
import { NAME_PATTERN } from "../../protocol/names.ts";

/** The longest that anyone may type: a DID of the longest name on the longest chain id. */
export const MAX_SOUGHT = 128;

/** A form sends every field, also those that nothing was chosen in. */
const chosen = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((value) => (value === "" ? undefined : value), schema.optional())
    .openapi({ type: "string" });

export const VALIDITIES = ["valid", "suspended", "not_linked"] as const;
const VIEWS = ["cards", "table"] as const;

/** Everything that the address of the list holds. */
export const AgentsQuery = z.object({
  /** What a person typed. */
  q: chosen(z.string().trim().max(MAX_SOUGHT)),
  validity: chosen(z.enum(VALIDITIES)),
  type: chosen(z.enum(AGENT_TYPES)),
  category: chosen(z.enum(CATEGORIES)),
  organization: chosen(TokenIdParam),
  owner: chosen(AddressSchema),
  operator: chosen(AddressSchema),
  human: chosen(z.literal("1")),
  answers: chosen(z.literal("1")),
  sort: chosen(z.enum(ALL_AGENT_ORDERS)).transform((order): AgentOrder => order ?? "newest"),
  view: chosen(z.enum(VIEWS)).transform((view) => view ?? "cards"),
  after: chosen(z.string().max(64)),
});

export type AgentsQuery = z.output<typeof AgentsQuery>;

/** Where a page begins, by order. Ids and times fit 64 bits. */
const CURSORS: Readonly<Record<AgentOrder, RegExp>> = {
  registered: /^[1-9][0-9]{0,17}$/,
  newest: /^[1-9][0-9]{0,17}$/,
  name: NAME_PATTERN,
  active: /^[0-9]{1,18}\.[1-9][0-9]{0,17}$/,
  alignment: /^(?:[0-9]{1,3})?\.[1-9][0-9]{0,17}$/,
};

/** @throws ApiError INVALID_REQUEST for a position of another order. */
export function cursorOf({ sort, after }: AgentsQuery): string | null {
  if (after === undefined) return null;
  if (CURSORS[sort].test(after)) return after;
  throw badRequest("after", "Not a position in this order. Open the first page");
}

export function filterOf(query: AgentsQuery): AgentFilter {
  const { q, validity, type, category, organization, owner, operator, human, answers } = query;
  return {
    q: q === "" ? undefined : q,
    isInWords: true,
    validity,
    type,
    category,
    organizationId: organization,
    owner,
    operator,
    isHumanVerified: human === "1" ? true : undefined,
    isAnswering: answers === "1" ? true : undefined,
  };
}

/** Whether anything but the order and the view was chosen. */
export function isFiltered(query: AgentsQuery): boolean {
  const { isInWords: _always, ...filter } = filterOf(query);
  return Object.values(filter).some((value) => value !== undefined);
}

type Named = { readonly [Key in keyof AgentsQuery]?: AgentsQuery[Key] | undefined };

/** The address of a list: what was not chosen is left out, so that equal lists have one address. */
export function agentsUrl(query: Named): string {
  const { sort, view } = query;
  const named = {
    q: query.q,
    validity: query.validity,
    type: query.type,
    category: query.category,
    organization: query.organization?.toString(),
    owner: query.owner,
    operator: query.operator,
    human: query.human,
    answers: query.answers,
    sort: sort === "newest" ? undefined : sort,
    view: view === "cards" ? undefined : view,
    after: query.after,
  };
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined && value !== "") search.set(name, value);
  }
  const text = search.toString();
  return text === "" ? "/agents" : `/agents?${text}`;
}
