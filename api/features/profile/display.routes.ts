import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { authorise } from "../../platform/http/guard.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { agentWrite, publicRead } from "../../platform/http/operations.ts";
import {
  AgentIdsAnswer,
  agentIds,
  NameOrTokenIdParam,
  TimestampSchema,
} from "../../platform/http/schemas.ts";
import { ADDRESS_DISPLAYS } from "../../soul/display-settings.ts";
import { type AgentDisplay, changeDisplay, type Displays, readDisplay } from "./display.ts";

const Display = z.enum(ADDRESS_DISPLAYS);
const MAX_LABEL = 128;

const settings = {
  ownerAddress: Display,
  operatorAddress: Display,
  operatorLabel: z
    .string()
    .max(MAX_LABEL)
    .refine((label) => !/\p{Cc}/u.test(label), "Holds control characters"),
  showWalletBalances: z.boolean(),
  showTransactionCount: z.boolean(),
};

const Body = z
  .strictObject({
    displaySettings: z.strictObject(settings).partial().openapi({
      description: "What is left out stays as it is.",
    }),
  })
  .openapi("DisplayBody");

const Answer = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    displaySettings: z.object({ ...settings, operatorLabel: z.string() }),
    updatedAt: TimestampSchema.nullable().openapi({ description: "Null while never set." }),
  })
  .openapi("DisplaySettings");

interface DisplayParts {
  readonly displays: Displays;
}

const common = {
  path: "/profile/{name}/display",
  tag: "Profile",
  params: { name: NameOrTokenIdParam },
  answer: Answer,
} as const;

export const getDisplaySettings = endpoint({
  ...common,
  operationId: "getDisplaySettings",
  rules: { ...publicRead, cache: "revalidate", madeFrom: "database" },
  method: "get",
  summary: "What an agent's profile shows",
  waitsForBlock: true,
  done: "The settings.",
  errors: ["INVALID_NAME", "NOT_FOUND"],
  async run({ name }, { displays }: DisplayParts, c) {
    const { at, value } = await readDisplay(displays, name);
    reflectsBlock(c, at, "same");
    return displayBody(value);
  },
});

export const putDisplaySettings = endpoint({
  ...common,
  operationId: "putDisplaySettings",
  rules: agentWrite,
  method: "put",
  summary: "Change what an agent's profile shows",
  description:
    "For pages and their readers. It hides nothing: addresses are on chain, and in the DID document and every check of validity.",
  body: Body,
  done: "The settings from now on.",
  errors: ["INVALID_NAME", "NOT_FOUND", "BURNED"],
  async run({ name, body }, { displays }: DisplayParts, c) {
    const tokenId =
      name.kind === "tokenId" ? name.tokenId : (await readDisplay(displays, name)).value.tokenId;
    await authorise(c, tokenId);
    return displayBody(await changeDisplay(displays, tokenId, body.displaySettings));
  },
});

function displayBody(display: AgentDisplay) {
  return {
    ...agentIds(display),
    agentName: display.agentName,
    displaySettings: display.displaySettings,
    updatedAt: display.updatedAt?.toISOString() ?? null,
  };
}
