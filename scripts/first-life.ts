import { createPublicClient, http, stringToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Client, RegisteredAgent } from "../kit/client/index.ts";
import { createClient } from "../kit/client/index.ts";
import { soulViewAbi } from "../protocol/generated/abi.ts";
import { canonicalJson, FIELDS, fieldIndex, normaliseCcsf, proveField } from "../protocol/index.ts";
import type { Stack } from "./local-stack/stack.ts";

/** The demonstration agent. All of it is private: only hashes leave this process. */
const SOUL = {
  identity: {
    name: "aurora",
    agent_type: "assistant" as const,
    description: "Keeps a small library's catalogue in order.",
  },
  soul: {
    purpose: "Help readers find the book they did not know they wanted.",
    personality: "Patient, curious, a little dry.",
    constraints: ["Never tell one reader what another has borrowed."],
    guidelines: ["Ask once before guessing."],
  },
  capabilities: {
    skills: ["cataloguing", "recommendation"],
    tools: ["catalogue-search"],
    languages: ["en", "de"],
    models: ["any"],
  },
};

const SCOPE = ["identity", "soul", "certs", "did"] as const;

export interface FirstLife {
  readonly stack: Pick<Stack, "accounts" | "deployment" | "urls">;
  readonly print: (line: string) => void;
}

/** The demonstration agent as its owner uses it afterwards. */
export interface DemoAgent extends RegisteredAgent {
  readonly soul: typeof SOUL;
}

/** The stack, its first user as the owner, and where the steps are printed. */
interface Life extends FirstLife {
  readonly client: Client;
  readonly owner: PrivateKeyAccount;
}

/**
 * Registers an agent with the typed client as an integrator would, with keys that never leave this
 * process, signs in by both flows and reads the public results back. Fails at the first unexpected
 * answer.
 */
export async function firstLife({ stack, print }: FirstLife): Promise<DemoAgent> {
  const [user] = stack.accounts.users;
  if (!user) throw new Error("The stack has no account for an owner.");
  const owner = privateKeyToAccount(user.privateKey);
  const client = createClient({ service: stack.urls.api, deployment: stack.deployment });
  const life: Life = { stack, print, client, owner };

  print("\nThe first day of an agent");
  await checkName(life);
  const registered = await register(life);
  await signInByWallet(life);
  await signInAsAgent(life, registered);
  await showProfile(life, registered);
  await proveOneField(life, registered);
  return { ...registered, soul: SOUL };
}

async function checkName({ client, print }: Life): Promise<void> {
  const { name } = SOUL.identity;
  const availability = await client.call("checkName", { path: { name } });
  expect(availability.available === true, "the name is free", availability);
  step(print, `The name "${name}" is free`, `${client.service}/v1/register/check-name/${name}`);
}

/** The client hashes the soul, and signs only what names these hashes. */
async function register({ print, client, owner }: Life): Promise<RegisteredAgent> {
  const registered = await client.register({
    soul: SOUL,
    signer: owner,
    publicFields: { "identity.description": SOUL.identity.description },
    publicIdentity: { tagline: "A librarian that never sleeps.", category: "knowledge" },
    generatedPicture: true,
  });
  step(print, `Hashed here, sent nowhere: ${FIELDS.length} fields, soul ${registered.soulHash}`);
  step(print, `Signed by its owner ${owner.address}`);
  step(
    print,
    `Registered: passport ${registered.passportId}, certificate ${registered.tokenId}, ${registered.did}`,
    `transaction ${registered.transactionHash}`,
    `API key ${registered.apiKey.slice(0, 12)}… (shown once)`,
  );
  return registered;
}

async function signInByWallet({ print, client, owner }: Life): Promise<void> {
  const session = await client.signIn({ signer: owner, scope: SCOPE });
  expect(session.tier === 2, "the owner signs in at tier 2", session);
  step(
    print,
    `The owner signed in by wallet: tier ${session.tier}, scopes ${session.scopes.join(", ")}`,
  );
}

async function signInAsAgent({ print, client, owner }: Life, registered: RegisteredAgent) {
  const session = await client.signIn({
    signer: owner,
    agentId: registered.passportId,
    scope: SCOPE,
  });
  expect(session.tier === 2, "the agent signs in at tier 2", session);
  step(print, `The agent signed in with its passport: tier ${session.tier}`);

  const introspection = await client.call("introspectToken", {
    body: { token: session.accessToken },
  });
  expect(introspection.active === true, "the token is active", introspection);
  step(
    print,
    `Its token introspects as active: ${introspection.agentName}, tier ${introspection.tier}`,
  );
}

async function showProfile({ print, client }: Life, registered: RegisteredAgent): Promise<void> {
  const { name } = SOUL.identity;
  const profile = await client.call("getProfile", { path: { name } });
  expect(profile.genesisStatus === "SEALED", "the profile says SEALED", profile);
  step(
    print,
    `Its profile is public: ${profile.genesisStatus}, soul ${profile.soulValidity.status}`,
    `${client.service}/v1/profile/${name}`,
  );

  const stored = await fetch(String(profile.erc8004Url));
  const file = (await stored.json()) as { readonly registrations: readonly { agentId: number }[] };
  const [named] = file.registrations;
  expect(named?.agentId === registered.passportId, "the file names the agent", file);
  step(
    print,
    `Its registration file names agent ${named?.agentId}, on permanent storage`,
    String(profile.erc8004Url),
  );
}

async function proveOneField({ stack, print }: Life, registered: RegisteredAgent) {
  const { soulSalt: salt, soulHash, tokenId } = registered;
  const { field, value, merkleProof } = proveField(
    { ccsf: normaliseCcsf(SOUL), salt, soulHash },
    "soul.purpose",
  );
  const [proven, valid] = await createPublicClient({
    transport: http(stack.urls.rpc),
  }).readContract({
    address: stack.deployment.contracts.soulView,
    abi: soulViewAbi,
    functionName: "verifyField",
    args: [
      BigInt(tokenId),
      BigInt(fieldIndex(field)),
      stringToHex(canonicalJson(value)),
      merkleProof,
    ],
  });
  expect(proven, "the contract accepts the proof", { field });
  expect(valid, "the contract says that the soul is valid", { field });
  step(print, `One private field, ${field}, proven to the contract without showing the others`);
}

function step(print: FirstLife["print"], what: string, ...more: string[]): void {
  print(`  ✓ ${what}`);
  for (const line of more) print(`      ${line}`);
}

function expect(held: boolean, what: string, answer: unknown): asserts held {
  if (!held) throw new Error(`Expected that ${what}. The answer was ${JSON.stringify(answer)}`);
}
