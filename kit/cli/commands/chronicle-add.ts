import { CHRONICLE_CATEGORIES, type ChronicleCategory } from "../../../protocol/chronicle.ts";
import { isPlainObject } from "../../../protocol/json.ts";
import { CERTIFICATE_OPTION } from "../agent/reference.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { readInputJson } from "../input-file.ts";
import {
  AGENT_OPTION,
  CREDENTIAL_OPTIONS,
  requireCredential,
  SERVICE_OPTION,
  servedAgent,
  serviceClient,
} from "../service.ts";

/** Options that fill members of the data. */
const MEMBERS = [
  ["change-type", "changeType"],
  ["title", "title"],
  ["description", "description"],
] as const;

export const chronicleAdd: Command = {
  name: "chronicle add",
  summary: "Record something that an agent did, for ever and in public",
  argument: {
    value: "data.json",
    summary: "The record's data, a JSON object in a file, or - for standard input",
    isOptional: true,
  },
  options: [
    SERVICE_OPTION,
    ...CREDENTIAL_OPTIONS,
    AGENT_OPTION,
    CERTIFICATE_OPTION,
    { name: "category", value: "category", summary: CHRONICLE_CATEGORIES.join(", ") },
    { name: "change-type", value: "type", summary: "The kind of event, such as task_completed" },
    { name: "title", value: "text", summary: "Its title" },
    { name: "description", value: "text", summary: "What happened" },
  ],
  details: `The record is public and archived for ever. An agent has five a day (docs/chronicles.md). It is anchored on chain with
the next batch; then GET /v1/chronicle/<queueId>/proof has the proof for svc verify chronicle.`,
  examples: [
    'chronicle add --category achievement --change-type task_completed --title "Catalogue in order"',
    "chronicle add data.json --agent heron --category certification --service https://svc.example",
  ],
  async run(input) {
    const category = categoryOf(input);
    const data = await dataOf(input);
    const credential = await requireCredential(input);
    const client = serviceClient(input, credential);
    const { agentName, tokenId } = await servedAgent(input, client, credential);
    const recorded = await client.call("recordChronicle", {
      // The API's document gives the data no members: any JSON object is valid.
      body: { tokenId, category, data: data as Record<string, never> },
    });
    const { chronicleId, status, arweaveTxId, queueId } = recorded;
    return {
      code: 0,
      json: { agentName, ...recorded },
      text: `${status}: chronicle ${chronicleId} of ${agentName}, archived as ar://${arweaveTxId}
proof: ${client.service}/v1/chronicle/${queueId}/proof`,
    };
  },
};

function categoryOf({ option }: CommandInput): ChronicleCategory {
  const text = option("category");
  const category = CHRONICLE_CATEGORIES.find((known) => known === text);
  if (category !== undefined) return category;
  throw new UsageError(`--category is one of: ${CHRONICLE_CATEGORIES.join(", ")}.`);
}

async function dataOf({ argument, option, io }: CommandInput): Promise<Record<string, unknown>> {
  const json = argument === "" ? {} : await readInputJson(argument, io, JSON.parse);
  if (!isPlainObject(json)) throw new UsageError("<data.json> must hold a JSON object.");
  const data: Record<string, unknown> = { ...json };
  for (const [name, member] of MEMBERS) {
    const value = option(name);
    if (value !== undefined) data[member] = value;
  }
  if (Object.keys(data).length > 0) return data;
  throw new UsageError("There is nothing to record: give <data.json>, --title or --description.");
}
