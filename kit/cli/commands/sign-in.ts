import { CERTIFICATE_OPTION } from "../agent/reference.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { defined } from "../defined.ts";
import { DEPLOYMENT_OPTION } from "../deployment.ts";
import { ACCOUNT_OPTIONS, readAccount } from "../keys/account.ts";
import { createSecretFile } from "../keys/secret-files.ts";
import { listed } from "../listed.ts";
import { AGENT_OPTION, agentNamed, SERVICE_OPTION, signingClient } from "../service.ts";

const SCOPES = [
  "identity",
  "services",
  "did",
  "profile",
  "soul",
  "chronicles",
  "certs",
  "human_verified",
  "manage",
] as const;

export const signIn: Command = {
  name: "sign-in",
  summary: "Sign in with a passport, and get an access token for an hour",
  options: [
    SERVICE_OPTION,
    DEPLOYMENT_OPTION,
    ...ACCOUNT_OPTIONS,
    {
      ...AGENT_OPTION,
      summary: "Sign in as this agent: its name, passport id or DID. Default: as the account",
    },
    CERTIFICATE_OPTION,
    {
      name: "audience",
      value: "origin",
      summary: "The only party that may accept the token. Default: the service itself",
    },
    { name: "scope", value: "scope", summary: SCOPES.join(", "), isRepeated: true },
    { name: "min-tier", value: "tier", summary: "Refuse a lower tier: 1, 2 or 3" },
    {
      name: "out",
      value: "file",
      summary: "Write the token to a new file of mode 600, and do not show it",
    },
  ],
  details: `The answer is the token alone, for TOKEN=$(svc sign-in ...). The message is read before it is signed: one that says
anything else than what was asked for is not signed. A token of the scope manage manages the agent: give it to no service.`,
  examples: [
    "sign-in --agent heron --audience https://shop.example --keystore owner.json",
    "sign-in --scope identity --scope manage --out session.token",
  ],
  async run(input) {
    const scope = scopesOf(input);
    const minTier = minTierOf(input);
    const path = input.option("out");
    const audience = input.option("audience");
    const client = await signingClient(input);
    const agent = input.option("agent");
    const agentId =
      agent === undefined ? undefined : (await agentNamed(input, agent, client)).passportId;
    const signer = await readAccount(input);
    const asked = {
      signer,
      agentId,
      audience,
      minTier,
      scope: scope.length > 0 ? scope : undefined,
    };
    const token = await client.signIn(defined(asked));
    const { accessToken, expiresIn, tier, scopes, profile } = token;
    const about = `${profile.agentName}, tier ${tier}, scopes ${scopes.join(", ")}, for ${expiresIn} seconds`;
    if (path === undefined) {
      input.io.note(`Signed in as ${about}.`);
      return { code: 0, json: { ...token }, text: accessToken };
    }
    await createSecretFile(path, `${accessToken}\n`);
    return {
      code: 0,
      json: { tokenFile: path, expiresIn, tier, scopes, profile },
      text: listed([
        ["signed in as", about],
        ["token", `in ${path}`],
      ]),
    };
  },
};

function scopesOf({ options }: CommandInput): (typeof SCOPES)[number][] {
  return options("scope").map((text) => {
    const scope = SCOPES.find((known) => known === text);
    if (scope !== undefined) return scope;
    throw new UsageError(`--scope is one of: ${SCOPES.join(", ")}.`);
  });
}

function minTierOf({ option }: CommandInput): 1 | 2 | 3 | undefined {
  const text = option("min-tier");
  if (text === undefined) return undefined;
  const tier = ([1, 2, 3] as const).find((known) => String(known) === text);
  if (tier !== undefined) return tier;
  throw new UsageError("--min-tier is 1, 2 or 3.");
}
