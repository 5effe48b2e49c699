import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  bytesToHex,
  createPublicClient,
  type Hex,
  http,
  stringToHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { soulViewAbi } from "../protocol/generated/abi.ts";
import {
  buildFieldTree,
  canonicalJson,
  EIP712_DOMAIN_TYPE,
  FIELDS,
  fieldIndex,
  normaliseCcsf,
  proveField,
  REGISTRATION_TYPES,
  soulHash,
  soulRegistryDomain,
} from "../protocol/index.ts";
import type { Stack } from "./local-stack/stack.ts";

/** The demonstration agent. All of it is private: only hashes leave this process. */
const SOUL = {
  identity: {
    name: "aurora",
    agent_type: "assistant",
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

const SCOPE = ["identity", "soul", "certs", "did"];

export interface FirstLife {
  readonly stack: Pick<Stack, "accounts" | "deployment" | "urls">;
  readonly print: (line: string) => void;
}

/** The demonstration agent as its owner uses it afterwards. */
export interface DemoAgent {
  readonly agentName: string;
  readonly tokenId: number;
  readonly apiKey: string;
}

/** The stack, its first user as the owner, and where the steps are printed. */
interface Life extends FirstLife {
  readonly api: string;
  readonly owner: PrivateKeyAccount;
}

/** The soul as its owner keeps it, and what of it is sent. */
type Soul = ReturnType<typeof hashedSoul>;

/**
 * Registers an agent over HTTP as an integrator would, with keys that never leave this process,
 * signs in by both flows and reads the public results back. Fails at the first unexpected answer.
 */
export async function firstLife({ stack, print }: FirstLife): Promise<DemoAgent> {
  const [user] = stack.accounts.users;
  if (!user) throw new Error("The stack has no account for an owner.");
  const owner = privateKeyToAccount(user.privateKey);
  const life: Life = { stack, print, api: stack.urls.api, owner };

  print("\nThe first day of an agent");
  await checkName(life);
  const soul = hashedSoul();
  step(print, `Hashed here, sent nowhere: ${FIELDS.length} fields, soul ${soul.hash}`);
  const registered = await register(life, soul);
  await signInByWallet(life);
  await signInAsAgent(life, registered);
  await showProfile(life, registered);
  await proveOneField(life, soul, registered);
  const { tokenId, apiKey } = registered;
  return { agentName: SOUL.identity.name, tokenId: Number(tokenId), apiKey: String(apiKey) };
}

async function checkName({ api, print }: Life): Promise<void> {
  const { name } = SOUL.identity;
  const availability = await get(`${api}/v1/register/check-name/${name}`);
  expect(availability.available === true, "the name is free", availability);
  step(print, `The name "${name}" is free`, `${api}/v1/register/check-name/${name}`);
}

function hashedSoul() {
  const ccsf = normaliseCcsf(SOUL);
  const salt = bytesToHex(randomBytes(32));
  const hash = soulHash(salt, ccsf);
  return { ccsf, salt, hash, tree: buildFieldTree({ ccsf, salt, soulHash: hash }) };
}

async function register({ stack, print, api, owner }: Life, soul: Soul): Promise<Answer> {
  const { ccsf, salt, hash, tree } = soul;
  const registration = {
    agentName: SOUL.identity.name,
    agentType: SOUL.identity.agent_type,
    soulHash: hash,
    soulSalt: salt,
    soulMerkleRoot: tree.root,
    merkleLeaves: tree.leaves,
    publicFields: { "identity.description": ccsf.identity.description },
    publicIdentity: { tagline: "A librarian that never sleeps.", category: "knowledge" },
    sourceFormat: "ccsf_json",
    ownerAddress: owner.address,
  };
  const typedData = await post(`${api}/v1/typed-data/register`, registration);
  // A wallet would show this to its owner. Here the program checks it.
  expect(
    saysOnlyTheSoul(typedData, stack.deployment, owner.address, soul),
    "the typed data says what was asked for",
    typedData,
  );
  const signature = await owner.signTypedData(
    typedData as Parameters<typeof owner.signTypedData>[0],
  );
  step(print, `Signed by its owner ${owner.address}`);

  const registered = await post(
    `${api}/v1/register`,
    { ...registration, message: typedData.message, signature, signer: owner.address },
    { "Idempotency-Key": bytesToHex(randomBytes(16)).slice(2) },
  );
  expect(registered.genesisStatus === "SEALED", "the soul is sealed", registered);
  step(
    print,
    `Registered: passport ${registered.erc8004AgentId}, certificate ${registered.tokenId}, ${registered.did}`,
    `transaction ${registered.mintTxHash}`,
    `API key ${String(registered.apiKey).slice(0, 12)}… (shown once)`,
  );
  return registered;
}

/** Whether the owner would sign for this soul alone: no URI for an existing passport, and no human proof. */
function saysOnlyTheSoul(
  typedData: Answer,
  { chainId, contracts }: Stack["deployment"],
  owner: Hex,
  { hash, tree }: Soul,
): boolean {
  const message = typedData.message as RegistrationMessage;
  const domain = soulRegistryDomain({ chainId, verifyingContract: contracts.soulRegistry });
  return (
    isDeepStrictEqual(typedData.domain, domain) &&
    isDeepStrictEqual(typedData.types, {
      EIP712Domain: EIP712_DOMAIN_TYPE,
      ...REGISTRATION_TYPES,
    }) &&
    message.name === SOUL.identity.name &&
    message.owner === owner &&
    message.soulHash === hash &&
    message.soulMerkleRoot === tree.root &&
    message.agentURI === "" &&
    message.humanVerifier === zeroAddress &&
    message.humanProofHash === zeroHash
  );
}

async function signInByWallet({ print, api, owner }: Life): Promise<void> {
  const challenge = await post(`${api}/api/v1/auth/challenge`, {
    address: owner.address,
    scope: SCOPE,
  });
  const verified = await post(`${api}/api/v1/auth/verify`, await answerTo(challenge, owner));
  const session = await post(`${api}/api/v1/auth/token`, { code: verified.code });
  expect(session.tier === 2, "the owner signs in at tier 2", session);
  step(
    print,
    `The owner signed in by wallet: tier ${session.tier}, scopes ${list(session.scopes)}`,
  );
}

async function signInAsAgent({ print, api, owner }: Life, registered: Answer): Promise<void> {
  const challenge = await post(`${api}/api/v1/auth/agent/challenge`, {
    agentId: registered.erc8004AgentId,
    address: owner.address,
    scope: SCOPE,
  });
  const session = await post(`${api}/api/v1/auth/agent/verify`, await answerTo(challenge, owner));
  expect(session.tier === 2, "the agent signs in at tier 2", session);
  step(print, `The agent signed in with its passport: tier ${session.tier}`);

  const token = { token: session.accessToken };
  const introspection = await post(`${api}/api/v1/auth/token/introspect`, token);
  expect(introspection.active === true, "the token is active", introspection);
  step(
    print,
    `Its token introspects as active: ${introspection.agentName}, tier ${introspection.tier}`,
  );
}

async function answerTo({ nonce, message }: Answer, owner: PrivateKeyAccount) {
  return { nonce, message, signature: await owner.signMessage({ message: String(message) }) };
}

async function showProfile({ print, api }: Life, registered: Answer): Promise<void> {
  const { name } = SOUL.identity;
  const profile = await get(`${api}/v1/profile/${name}`);
  expect(profile.genesisStatus === "SEALED", "the profile says SEALED", profile);
  step(
    print,
    `Its profile is public: ${profile.genesisStatus}, soul ${(profile.soulValidity as { status: string }).status}`,
    `${api}/v1/profile/${name}`,
  );

  const file = await get(String(profile.erc8004Url));
  const [named] = file.registrations as { agentId: number }[];
  expect(named?.agentId === registered.erc8004AgentId, "the file names the agent", file);
  step(
    print,
    `Its registration file names agent ${named?.agentId}, on permanent storage`,
    String(profile.erc8004Url),
  );
}

async function proveOneField({ stack, print }: Life, soul: Soul, registered: Answer) {
  const { ccsf, salt, hash } = soul;
  const { field, value, merkleProof } = proveField({ ccsf, salt, soulHash: hash }, "soul.purpose");
  const [proven, valid] = await createPublicClient({
    transport: http(stack.urls.rpc),
  }).readContract({
    address: stack.deployment.contracts.soulView,
    abi: soulViewAbi,
    functionName: "verifyField",
    args: [
      BigInt(registered.tokenId as number),
      BigInt(fieldIndex(field)),
      stringToHex(canonicalJson(value)),
      merkleProof,
    ],
  });
  expect(proven, "the contract accepts the proof", { field });
  expect(valid, "the contract says that the soul is valid", { field });
  step(print, `One private field, ${field}, proven to the contract without showing the others`);
}

/** The parts of the signed message that are checked here. */
interface RegistrationMessage {
  readonly name: string;
  readonly owner: Hex;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  readonly agentURI: string;
  readonly humanVerifier: Hex;
  readonly humanProofHash: Hex;
}

type Answer = Readonly<Record<string, unknown>>;

function step(print: FirstLife["print"], what: string, ...more: string[]): void {
  print(`  ✓ ${what}`);
  for (const line of more) print(`      ${line}`);
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.join(", ") : String(values);
}

function expect(held: boolean, what: string, answer: unknown): asserts held {
  if (!held) throw new Error(`Expected that ${what}. The answer was ${JSON.stringify(answer)}`);
}

async function get(url: string): Promise<Answer> {
  return read(await fetch(url));
}

async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const init = { method: "POST", headers: { "Content-Type": "application/json", ...headers } };
  return read(await fetch(url, { ...init, body: JSON.stringify(body) }));
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}
