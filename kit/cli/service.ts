import { FIELDS, type Field, isField } from "../../protocol/fields.ts";
import { ApiError, type Client, createClient } from "../client/index.ts";
import { certificateOf, noteCertificate, parseAgentReference } from "./agent/reference.ts";
import { CommandError, type CommandInput, type CommandOption, UsageError } from "./command.ts";
import { requireDeployment } from "./deployment.ts";
import { readSecretLine } from "./keys/secret-files.ts";
import { nearest } from "./suggest.ts";

/** The option that names the service. */
export const SERVICE_OPTION: CommandOption = {
  name: "service",
  value: "origin",
  summary: "The service: https, or http on this machine",
  variable: "SVC_SERVICE",
};

/** Where an API key or an access token comes from. */
export const CREDENTIAL_OPTIONS: readonly CommandOption[] = [
  {
    name: "api-key-file",
    value: "file",
    summary: "File with the agent's API key in its first line; or set SVC_API_KEY",
    variable: "SVC_API_KEY_FILE",
  },
  {
    name: "token-file",
    value: "file",
    summary: "File with an access token of the scope manage; or set SVC_ACCESS_TOKEN",
    variable: "SVC_TOKEN_FILE",
  },
];

/** The option that names an agent where a subcommand has another argument. */
export const AGENT_OPTION: CommandOption = {
  name: "agent",
  value: "agent",
  summary: "The agent's name, passport id or DID. Default: the agent of the API key",
};

export interface Credential {
  readonly apiKey?: string;
  readonly token?: string;
}

/** An agent as the service knows it. */
export interface ServedAgent {
  readonly agentName: string;
  readonly tokenId: number;
  readonly passportId: number;
}

/** The configured API key or access token; null without one. @throws CommandError for two. */
export async function readCredential({ option, io }: CommandInput): Promise<Credential | null> {
  const apiKeyFile = option("api-key-file");
  const tokenFile = option("token-file");
  const { SVC_API_KEY, SVC_ACCESS_TOKEN } = io.env;
  const sources = [apiKeyFile, SVC_API_KEY, tokenFile, SVC_ACCESS_TOKEN].filter(Boolean);
  if (sources.length > 1) {
    throw new CommandError(
      "There is more than one credential.",
      "Give one of --api-key-file, --token-file, SVC_API_KEY and SVC_ACCESS_TOKEN.",
    );
  }
  if (apiKeyFile !== undefined) return { apiKey: await readSecretLine(apiKeyFile, io) };
  if (tokenFile !== undefined) return { token: await readSecretLine(tokenFile, io) };
  if (SVC_API_KEY) return { apiKey: SVC_API_KEY };
  return SVC_ACCESS_TOKEN ? { token: SVC_ACCESS_TOKEN } : null;
}

/** @throws CommandError without a credential. */
export async function requireCredential(input: CommandInput): Promise<Credential> {
  const credential = await readCredential(input);
  if (credential !== null) return credential;
  throw new CommandError(
    "This needs the agent's API key, or a session of its owner.",
    "Give --api-key-file or set SVC_API_KEY. For a session: svc sign-in --scope manage.",
  );
}

/** The service's origin. @throws UsageError */
function serviceOf({ option }: CommandInput): string {
  const service = option("service");
  if (service !== undefined) return service;
  throw new UsageError("--service is missing: the service's origin, such as https://svc.example.");
}

/** A client of the service. */
export function serviceClient(input: CommandInput, credential: Credential | null): Client {
  return createClient({ service: serviceOf(input), ...credential });
}

/** A client that signs for the contracts of the trusted deployment. */
export async function signingClient(input: CommandInput): Promise<Client> {
  const { chainId, contracts } = await requireDeployment(input);
  return createClient({ service: serviceOf(input), deployment: { chainId, contracts } });
}

/** The agent of `--agent`, else the one that the API key acts for. */
export async function servedAgent(
  input: CommandInput,
  client: Client,
  credential: Credential,
): Promise<ServedAgent> {
  const text = input.option("agent");
  if (text !== undefined) return agentNamed(input, text, client);
  const { apiKey } = credential;
  if (apiKey === undefined) {
    throw new UsageError("--agent is missing. An access token needs it.");
  }
  const key = await client.call("verifyApiKey", { body: { apiKey } });
  if (key.valid) {
    const { agentName, tokenId, erc8004AgentId: passportId } = key;
    return { agentName, tokenId, passportId };
  }
  throw new CommandError(
    "The API key is no full key of an agent in its present epoch.",
    "Check it with svc whoami, or name the agent with --agent.",
  );
}

/** The agent that a person names. @throws CommandError for a passport without a soul. */
export async function agentNamed(
  input: CommandInput,
  text: string,
  client: Client,
): Promise<ServedAgent> {
  const certificate = certificateOf(input, text);
  const { name, passportId } = parseAgentReference(text);
  const known =
    certificate?.toString() ?? name ?? (await nameOfPassport(Number(passportId), client));
  const profile = await client.call("getProfile", { path: { name: known } });
  const { agentName, tokenId, erc8004AgentId } = profile;
  if (tokenId === null || erc8004AgentId === null) {
    throw new CommandError(`${agentName} is not claimed yet.`, "Its owner claims it first.");
  }
  if (certificate === null && text === String(passportId) && text !== String(tokenId)) {
    await noteOther(input, text, client);
  }
  return { agentName, tokenId, passportId: erc8004AgentId };
}

/** Says which other agent has the number as its certificate, if there is one. */
async function noteOther(input: CommandInput, number: string, client: Client): Promise<void> {
  try {
    const { agentName, erc8004AgentId } = await client.call("getProfile", {
      path: { name: number },
    });
    if (erc8004AgentId === null) return;
    noteCertificate(input, BigInt(number), { name: agentName, passportId: erc8004AgentId });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "NOT_FOUND")) throw error;
  }
}

async function nameOfPassport(passportId: number, client: Client): Promise<string> {
  const { agents } = await client.call("listAgents", { query: { erc8004AgentId: passportId } });
  const [agent] = agents;
  if (agent !== undefined) return agent.agentName;
  throw new CommandError(
    `The service knows no agent with passport ${passportId}.`,
    "Check the id.",
    1,
  );
}

/** The fields that `--field` and `--public` name. @throws UsageError */
export function fieldsOf({ options }: CommandInput, name: string): readonly Field[] {
  return options(name).map((text) => {
    if (isField(text)) return text;
    const near = nearest(text, FIELDS);
    const meant = near === null ? `It is one of: ${FIELDS.join(", ")}.` : `Did you mean ${near}?`;
    throw new UsageError(
      `--${name}: there is no field ${JSON.stringify(text.slice(0, 40))}. ${meant}`,
    );
  });
}
