import { type Command, CommandError, type CommandInput } from "../command.ts";
import { ACCOUNT_OPTIONS, hasAccount, readAccount } from "../keys/account.ts";
import { listed } from "../listed.ts";
import {
  CREDENTIAL_OPTIONS,
  type Credential,
  readCredential,
  SERVICE_OPTION,
  serviceClient,
} from "../service.ts";

export const whoami: Command = {
  name: "whoami",
  summary: "Which account, agents and credential are configured",
  options: [...ACCOUNT_OPTIONS, SERVICE_OPTION, ...CREDENTIAL_OPTIONS],
  details: `Names the account of the key, and no secret. With a service, also the account's agents, and for whom the API key or the
access token acts. Exits with 1 when the service does not accept that credential.`,
  examples: ["whoami --keystore owner.json", "whoami --service https://svc.example --json"],
  async run(input) {
    const account = hasAccount(input) ? (await readAccount(input)).address : null;
    const credential = await readCredential(input);
    const service = input.option("service") ?? null;
    if (account === null && credential === null) {
      throw new CommandError(
        "Nothing is configured.",
        "Give a key (--keystore or SVC_PRIVATE_KEY), or a credential (SVC_API_KEY or SVC_ACCESS_TOKEN) with --service.",
      );
    }
    const agents = account === null || service === null ? null : await agentsOf(account, input);
    const known = credential === null ? null : await checked(credential, input);
    const names = agents?.map(
      ({ agentName, passportId }) => `${agentName} (passport ${passportId})`,
    );
    return {
      code: known === null || known.valid ? 0 : 1,
      json: { account, service, agents, credential: known },
      text: listed([
        ["account", account],
        ["service", service],
        ["agents", names === undefined ? null : names.join(", ") || "none"],
        [credential?.apiKey === undefined ? "token" : "API key", known && sentence(known)],
      ]),
    };
  },
};

interface KnownCredential {
  readonly kind: "apiKey" | "token";
  readonly valid: boolean;
  readonly agentName: string | null;
  readonly tokenId: number | null;
  readonly passportId: number | null;
  readonly scopes: readonly string[] | null;
  readonly expiresAt: string | null;
}

function sentence({ valid, agentName, passportId, scopes, expiresAt }: KnownCredential): string {
  if (!valid) return "not valid";
  const scope = scopes === null ? "" : `, scopes ${scopes.join(", ")}`;
  const end = expiresAt === null ? "" : `, until ${expiresAt}`;
  return `of ${agentName} (passport ${passportId})${scope}${end}`;
}

async function agentsOf(owner: string, input: CommandInput) {
  const client = serviceClient(input, null);
  const agents: { agentName: string; tokenId: number; passportId: number }[] = [];
  for await (const { agentName, tokenId, erc8004AgentId } of client.pages("listAgents", {
    query: { owner },
  })) {
    agents.push({ agentName, tokenId, passportId: erc8004AgentId });
  }
  return agents;
}

async function checked(credential: Credential, input: CommandInput): Promise<KnownCredential> {
  const client = serviceClient(input, null);
  const { apiKey, token } = credential;
  const nothing = {
    agentName: null,
    tokenId: null,
    passportId: null,
    scopes: null,
    expiresAt: null,
  };
  if (apiKey !== undefined) {
    const key = await client.call("verifyApiKey", { body: { apiKey } });
    if (!key.valid) return { ...nothing, kind: "apiKey", valid: false };
    const { agentName, tokenId, erc8004AgentId: passportId } = key;
    return { ...nothing, kind: "apiKey", valid: true, agentName, tokenId, passportId };
  }
  const found = await client.call("introspectToken", { body: { token: token ?? "" } });
  if (!found.active) return { ...nothing, kind: "token", valid: false };
  const { agentName, erc8004AgentId: passportId, exp } = found;
  return {
    kind: "token",
    valid: true,
    agentName,
    passportId,
    tokenId: null,
    scopes: found.scope.split(" "),
    expiresAt: new Date(exp * 1000).toISOString(),
  };
}
