import { readFile, rm } from "node:fs/promises";
import { fieldValue } from "../../../protocol/ccsf.ts";
import { isPlainObject, parseJsonStrict } from "../../../protocol/json.ts";
import { ApiError, type Client, type RegisterInput, type Submission } from "../../client/index.ts";
import { type Command, CommandError, type CommandInput, UsageError } from "../command.ts";
import { defined } from "../defined.ts";
import { DEPLOYMENT_OPTION } from "../deployment.ts";
import { readInputJson } from "../input-file.ts";
import { ACCOUNT_OPTIONS, readAccount } from "../keys/account.ts";
import { createSecretFile, readSecretFile } from "../keys/secret-files.ts";
import { listed } from "../listed.ts";
import { fieldsOf, SERVICE_OPTION, signingClient } from "../service.ts";
import { emptyFields, hashedSoul, SOUL_ARGUMENT, SOUL_OPTIONS } from "../soul-file.ts";

const LIMITS = { maxDepth: 32, maxBytes: 4 * 1024 * 1024 } as const;

export const register: Command = {
  name: "register",
  summary: "Register an agent and seal its soul, with the owner's signature",
  argument: SOUL_ARGUMENT,
  options: [
    SERVICE_OPTION,
    DEPLOYMENT_OPTION,
    ...ACCOUNT_OPTIONS,
    ...SOUL_OPTIONS,
    { name: "operator", value: "address", summary: "The agent's own account. Default: the owner" },
    {
      name: "identity",
      value: "file",
      summary: "JSON of what is public: tagline, bio, image, website (publicIdentity)",
    },
    {
      name: "public",
      value: "field",
      summary: "A field to publish with its proof, such as identity.description",
      isRepeated: true,
    },
    {
      name: "api-key-out",
      value: "file",
      summary: "Where the agent's API key is written. Default: the soul's file with .api-key",
    },
  ],
  details: `The soul is hashed here and not sent. The typed data is compared with it before the owner signs; the service pays the gas.
The API key goes to a new file of mode 600 and is not shown. An interrupted registration is continued by the same command:
until it is done, <soul.md>.registration holds what was signed.`,
  examples: [
    "register soul.md --service https://svc.example --deployment deployments/base.json --keystore owner.json",
    "register soul.md --name heron --type specialist --public identity.description --json",
  ],
  async run(input) {
    const stem = input.argument === "-" ? input.option("salt-file") : input.argument;
    if (stem === undefined) throw new UsageError("--salt-file is needed with standard input.");
    const apiKeyFile = input.option("api-key-out") ?? `${stem}.api-key`;
    const pendingFile = `${stem}.registration`;
    await refuseExisting(apiKeyFile);
    const client = await signingClient(input);
    const wish = (await pendingIn(pendingFile, input)) ?? (await wishOf(input, pendingFile));
    const agent = await registered(client, wish, pendingFile);
    await createSecretFile(apiKeyFile, `${agent.apiKey}\n`);
    await rm(pendingFile, { force: true });
    const { agentName, did, passportId, tokenId, soulHash, transactionHash } = agent;
    const { needsAgentUriUpdate } = agent.answer;
    return {
      code: 0,
      json: {
        agentName,
        did,
        passportId,
        tokenId,
        soulHash,
        transactionHash,
        needsAgentUriUpdate,
        apiKeyFile,
      },
      text: listed([
        ["registered", `${agentName}, sealed`],
        ["DID", did],
        ["passport", passportId],
        ["certificate", tokenId],
        ["soul hash", soulHash],
        ["transaction", transactionHash],
        ["API key", `in ${apiKeyFile}`],
      ]),
    };
  },
};

type Wish = RegisterInput | { readonly resume: Submission };

async function wishOf(input: CommandInput, pendingFile: string): Promise<RegisterInput> {
  const fields = fieldsOf(input, "public");
  const identity = await identityOf(input);
  const operator = input.option("operator");
  const { ccsf, text, format, salt } = await hashedSoul(input);
  const empty = emptyFields(ccsf);
  if (empty.length > 0) input.io.note(`Fields without a value: ${empty.join(", ")}.`);
  const signer = await readAccount(input);
  const publicFields = Object.fromEntries(fields.map((field) => [field, fieldValue(ccsf, field)]));
  const wish = {
    signer,
    salt,
    operatorAddress: operator,
    publicIdentity: identity ?? undefined,
    publicFields: fields.length === 0 ? undefined : (publicFields as never),
    soul: { format: format as never, text },
    name: input.option("name"),
    type: input.option("type"),
    generatedPicture: true,
    onSubmission: (submission: Submission) =>
      createSecretFile(pendingFile, JSON.stringify(submission)),
  };
  return defined(wish);
}

async function identityOf(
  input: CommandInput,
): Promise<NonNullable<RegisterInput["publicIdentity"]> | null> {
  const path = input.option("identity");
  if (path === undefined) return null;
  const json = await readInputJson(path, input.io, (text) => parseJsonStrict(text, LIMITS));
  if (isPlainObject(json)) return json;
  throw new UsageError("--identity must hold a JSON object.");
}

/** What an interrupted run has signed; null without one. */
async function pendingIn(path: string, { io }: CommandInput): Promise<Wish | null> {
  const text = await readSecretFile(path, io).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  io.note(`Continuing the registration of ${path}. To start again, remove that file.`);
  try {
    return { resume: JSON.parse(text) as Submission };
  } catch {
    throw new CommandError(`${path} cannot be read.`, "Remove it to start again.");
  }
}

async function registered(client: Client, wish: Wish, pendingFile: string) {
  try {
    return await client.register(wish);
  } catch (error) {
    // What the service refused for good is not to be continued.
    if (error instanceof ApiError && isFinal(error)) await rm(pendingFile, { force: true });
    throw error;
  }
}

function isFinal({ status, code }: ApiError): boolean {
  const isRefused = status !== undefined && status >= 400 && status < 500;
  return isRefused && status !== 429 && code !== "IDEMPOTENCY_CONFLICT";
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await readFile(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
  if (!exists) return;
  throw new CommandError(
    `The file ${path} exists already and is not overwritten.`,
    "Name another file for the API key with --api-key-out.",
  );
}
