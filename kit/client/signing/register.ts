import { bytesToHex, type Hex } from "viem";
import { type Ccsf, normaliseCcsf } from "../../../protocol/ccsf.ts";
import { didOf } from "../../../protocol/did.ts";
import { ProtocolError } from "../../../protocol/errors.ts";
import { buildFieldTree } from "../../../protocol/field-tree.ts";
import { parseSource, sourceHash } from "../../../protocol/formats/index.ts";
import { InvalidNameError, nameProblem } from "../../../protocol/names.ts";
import { contentHash, withoutIds } from "../../../protocol/registration-file.ts";
import { soulHash } from "../../../protocol/soul-hash.ts";
import { ApiError } from "../api-error.ts";
import type { CallOptions, Schema } from "../operation-types.ts";
import type { Fields } from "./check.ts";
import { registrationFields } from "./content.ts";
import { type SigningContext, type SigningOptions, signedBody } from "./sign.ts";
import { addressOf } from "./signer.ts";

type Registration = Schema<"Registration">;

/** A self-description as text, in a format of docs/soul-format.md. */
export interface SoulSource {
  readonly format: NonNullable<Registration["sourceFormat"]>;
  readonly text: string;
}

/** The parts of a registration that the client does not compute. */
type Given = Partial<
  Pick<
    Registration,
    | "erc8004AgentId"
    | "organizationId"
    | "operatorAddress"
    | "parentTokenId"
    | "publicFields"
    | "publicIdentity"
    | "soulDocuments"
    | "worldIdProof"
  >
> &
  Partial<Pick<Schema<"OwnerRegistration">, "adminSignature">>;

export interface RegisterInput extends Given, SigningOptions, CallOptions {
  /** The self-description: a text of some format, or a CCSF object. It stays on this machine. */
  readonly soul: SoulSource | Readonly<Record<string, unknown>>;
  /** The agent's name, where the self-description states none or spells it in another way. */
  readonly name?: string | undefined;
  /** The agent's type, where the self-description states none. */
  readonly type?: string | undefined;
  /** 32 random bytes, made here if absent. Without the salt no field can ever be proved. */
  readonly salt?: Hex | undefined;
  /**
   * Whether the service may generate the agent's picture, where `publicIdentity.image` is absent.
   * The client checks the rest of the public content before it signs, and the published file
   * afterwards.
   */
  readonly generatedPicture?: boolean | undefined;
  /**
   * Called with the signed registration before it is sent. Store it: after a crash,
   * `register({resume})` gets the same answer, API key included, for 24 hours. It holds the salt.
   */
  readonly onSubmission?: ((submission: Submission) => void | Promise<void>) | undefined;
}

/** A signed registration: plain JSON. */
export interface Submission {
  readonly idempotencyKey: string;
  readonly body: Fields;
}

export interface ResumeInput extends Pick<CallOptions, "signal" | "timeoutMs"> {
  readonly resume: Submission;
}

/** A registered agent. The client has compared everything but the API key with its own hashes. */
export interface RegisteredAgent {
  /** The id of its ERC-8004 passport. */
  readonly passportId: number;
  /** The id of its soulbound certificate. */
  readonly tokenId: number;
  readonly agentName: string;
  readonly did: string;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  /** Keep it with the self-description, and secret. */
  readonly soulSalt: Hex;
  /** Shown once. */
  readonly apiKey: string;
  /** The transaction that registered it. */
  readonly transactionHash: string;
  /** The whole answer, with what the owner may still have to send. */
  readonly answer: Schema<"RegisteredAgent">;
}

/** Hashes a self-description, has its owner sign the registration, and registers the agent. */
export async function register(
  input: RegisterInput | ResumeInput,
  context: SigningContext,
): Promise<RegisteredAgent> {
  const submission = "resume" in input ? input.resume : await prepared(input, context);
  const { signal, timeoutMs } = input;
  const { body, idempotencyKey } = submission;
  const answer = await context.client.call("registerAgent", {
    body: body as unknown as Schema<"OwnerRegistration">,
    idempotencyKey,
    signal,
    timeoutMs,
  });
  const registered = checkedAnswer(answer, body, context);
  await assertPublished(body, registered, context);
  return registered;
}

async function prepared(input: RegisterInput, context: SigningContext): Promise<Submission> {
  const { signer, signal, timeoutMs, idempotencyKey = crypto.randomUUID() } = input;
  const registration = readable(() => registrationOf(input));
  const { image } = input.publicIdentity ?? {};
  const isGenerated = !image && input.generatedPicture === true;
  const review: SigningOptions["review"] = (request) => {
    const names = Object.keys(request.fields);
    if (isGenerated && names.length === 1 && names[0] === "image") return true;
    return input.review?.(request) ?? false;
  };
  const options = { body: registration, signer, review, signal, timeoutMs };
  const body = await signedBody("registerAgent", options, context);
  const submission = { idempotencyKey, body };
  await input.onSubmission?.(submission);
  return submission;
}

/** Everything that is sent of a self-description: hashes, and what its owner publishes. */
function registrationOf(input: RegisterInput): Fields {
  const ccsf = ccsfOf(input);
  const agentName = input.name ?? ccsf.identity.name;
  const problem = nameProblem(agentName);
  if (problem !== null) {
    const { message: why } = new InvalidNameError(agentName, problem);
    const message = `"${agentName.slice(0, 100)}": ${why} Pass a valid name as name, and this spelling as publicIdentity.displayName.`;
    throw new ApiError("INVALID_INPUT", message, { operation: "registerAgent" });
  }
  const salt = input.salt ?? bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
  const hash = soulHash(salt, ccsf);
  const tree = buildFieldTree({ ccsf, salt, soulHash: hash });
  const source = isSource(input.soul) ? input.soul : null;
  const registration: Readonly<Record<string, unknown>> = {
    agentName,
    agentType: ccsf.identity.agent_type,
    soulHash: hash,
    soulSalt: salt,
    soulMerkleRoot: tree.root,
    merkleLeaves: tree.leaves,
    ownerAddress: addressOf(input.signer),
    sourceFormat: source?.format ?? "ccsf_json",
    sourceHash: source === null ? undefined : sourceHash(source.text),
    erc8004AgentId: input.erc8004AgentId,
    organizationId: input.organizationId,
    operatorAddress: input.operatorAddress,
    parentTokenId: input.parentTokenId,
    publicFields: input.publicFields,
    publicIdentity: input.publicIdentity,
    soulDocuments: input.soulDocuments,
    worldIdProof: input.worldIdProof,
    adminSignature: input.adminSignature,
  };
  return Object.fromEntries(
    Object.entries(registration).filter(([, value]) => value !== undefined),
  );
}

/** The protocol's errors about a self-description are errors of the call. */
function readable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const options = { operation: "registerAgent", cause: error };
    throw new ApiError("INVALID_INPUT", error.message, options);
  }
}

function ccsfOf({ soul, name, type }: RegisterInput): Ccsf {
  if (!isSource(soul)) return normaliseCcsf(soul);
  const defaults: { name?: string; agent_type?: string } = {};
  if (name !== undefined) defaults.name = name;
  if (type !== undefined) defaults.agent_type = type;
  return parseSource(soul.format, soul.text, defaults);
}

function isSource(soul: RegisterInput["soul"]): soul is SoulSource {
  return typeof soul.format === "string" && typeof soul.text === "string";
}

/** @throws ApiError INVALID_ANSWER for an answer about another agent. */
function checkedAnswer(
  answer: unknown,
  body: Fields,
  { deployment }: SigningContext,
): RegisteredAgent {
  const registered = answer as Schema<"RegisteredAgent">;
  const agentName = String(body.agentName);
  const expected: Fields = {
    agentName,
    soulHash: body.soulHash,
    soulMerkleRoot: body.soulMerkleRoot,
    genesisStatus: "SEALED",
    did: didOf(deployment.chainId, agentName),
    erc8004AgentId: body.erc8004AgentId ?? registered.erc8004AgentId,
  };
  for (const [name, value] of Object.entries(expected)) {
    const answered = (answer as Fields)[name];
    if (answered !== value) throw wrongAnswer(`The answer's ${name} is not the registered one.`);
  }
  const { tokenId, erc8004AgentId: passportId, apiKey, mintTxHash } = registered;
  const ids = [tokenId, passportId];
  if (!ids.every(Number.isSafeInteger) || tokenId < 1 || passportId < 0) {
    throw wrongAnswer("The answer's ids are no ids.");
  }
  if (typeof apiKey !== "string" || typeof mintTxHash !== "string") {
    throw wrongAnswer("The answer has no API key or no transaction.");
  }
  return {
    passportId,
    tokenId,
    agentName,
    did: registered.did,
    soulHash: body.soulHash as Hex,
    soulMerkleRoot: body.soulMerkleRoot as Hex,
    soulSalt: body.soulSalt as Hex,
    apiKey,
    transactionHash: mintTxHash,
    answer: registered,
  };
}

/**
 * The published file must be the one whose hash was signed. With a generated picture it must be
 * what the registration says, and that picture. The file of an existing passport continues another
 * one, which only its owner can compare.
 */
async function assertPublished(
  body: Fields,
  registered: RegisteredAgent,
  context: SigningContext,
): Promise<void> {
  if (body.erc8004AgentId !== undefined) return;
  const file = await publishedFile(registered, context);
  const content = withoutIds(file as Parameters<typeof withoutIds>[0]);
  const signed = (body.message as Fields).contentHash;
  const identity = { ...(body.publicIdentity as Fields | undefined), image: content.image };
  const own = registrationFields({ ...body, publicIdentity: identity }, context).contentHash;
  if (contentHash(content) === signed && (own === undefined || own === signed)) return;
  throw wrongAnswer("The agent is registered, and its published file is not the signed one.");
}

/**
 * The file, as soon as the index has the agent: the registration itself is correct without it.
 *
 * @throws ApiError STILL_PENDING
 */
async function publishedFile(
  { agentName: name, passportId: erc8004AgentId }: RegisteredAgent,
  { client }: SigningContext,
): Promise<unknown> {
  const read = () => client.call("getRegistrationFile", { path: { name } });
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "NOT_FOUND")) throw error;
    await client.waitFor("listAgents", {
      query: { erc8004AgentId },
      until: ({ agents }) => agents.some(({ agentName }) => agentName === name),
      intervalMs: 1_000,
      maxRequests: 30,
    });
    return read();
  }
}

function wrongAnswer(message: string): ApiError {
  return new ApiError("INVALID_ANSWER", message, { operation: "registerAgent" });
}
