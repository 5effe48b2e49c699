import type { Address, Hex } from "viem";
import { zeroAddress } from "viem";
import type {
  AgentTypeIndex,
  CcsfDocument,
  Field,
  FieldLeaf,
  FieldProof,
  HumanProof,
  InheritedContent,
  PublicContentInput,
  RegistrationFile,
  RegistrationMessage,
} from "../../../protocol/index.ts";
import {
  AGENT_TYPES,
  agentTypeName,
  avatarSvg,
  canonicalJson,
  contentHash,
  didOf,
  FIELDS,
  fieldLeaf,
  isManagedService,
  isSameService,
  LeafMismatchError,
  legalName,
  proveFromLeaves,
  publicContent,
  registrationFile,
  rootOfLeaves,
} from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { BirthBundle } from "../../soul/index-reads.ts";
import type { DeclaredDocument } from "../documents/index.ts";
import { signedProof } from "./human-proof.ts";

/**
 * Public statements of the agent about itself. They are not part of the soul, and may change
 * without a reseal.
 */
export interface PublicIdentity {
  readonly bio?: string | undefined;
  readonly category?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly modelFamily?: string | undefined;
  readonly contacts?: readonly { readonly type: string; readonly value: string }[] | undefined;
  readonly monetization?: string | undefined;
  readonly model?: string | undefined;
  readonly modelProvider?: string | undefined;
  readonly serviceEndpoints?: Readonly<Record<string, string>> | undefined;
  readonly x402Support?: boolean | undefined;
  readonly tagline?: string | undefined;
  readonly description?: string | undefined;
  readonly image?: string | undefined;
  readonly website?: string | undefined;
  /** The display name. The registry's name is separate. */
  readonly displayName?: string | undefined;
}

/**
 * Why the registration file cannot list endpoints, by name: each service has one entry, and the
 * case of its name is ignored. Empty when it can.
 */
export function unlistableServices({
  serviceEndpoints = {},
  website,
}: PublicIdentity): ReadonlyMap<string, string> {
  const names = Object.keys(serviceEndpoints);
  const problem = (name: string, index: number): string | null => {
    if (isManagedService(name)) return "Written by the service";
    if (names.findIndex((other) => isSameService(other, name)) !== index) return "Given twice";
    return website !== undefined && isSameService(name, "web") ? "The website is this entry" : null;
  };
  return new Map(
    names.flatMap((name, index) => {
      const message = problem(name, index);
      return message === null ? [] : [[name, message] as const];
    }),
  );
}

/** An existing passport that the soul will be bound to. */
export interface ExistingPassport {
  /** May be 0, which is a real passport. */
  readonly passportId: bigint;
  /** The passport's URI at the time of the registration. */
  readonly agentUri: string;
  readonly inherited: InheritedContent;
}

/** A registration as its owner requests it. Only `soulSalt` is secret. */
export interface RegistrationInput {
  readonly agentName: string;
  /**
   * A second name that the soul's hash may contain: the parent's name, when a successor keeps the
   * parent's soul.
   */
  readonly formerName?: string | undefined;
  readonly agentType: AgentTypeIndex;
  readonly soulHash: Hex;
  readonly soulSalt: Hex;
  readonly soulMerkleRoot: Hex;
  readonly merkleLeaves: readonly FieldLeaf[];
  readonly publicFields: Readonly<Partial<Record<Field, unknown>>>;
  readonly publicIdentity: PublicIdentity;
  /** The creator's note, name and picture; null without any. */
  readonly birthBundle: BirthBundle | null;
  readonly sourceFormat: string | null;
  readonly ownerAddress: Address;
  readonly operatorAddress: Address | null;
  readonly parentTokenId: bigint;
  readonly organizationId: bigint;
  /** False leaves the soul PROVISIONAL, to be sealed by another signature. */
  readonly seal: boolean;
  /** A proof that the owner is a person, in the adapter's encoding; null for none. */
  readonly humanProof: Hex | null;
  /** Documents that will be uploaded; null when the request declares none. */
  readonly soulDocuments: readonly DeclaredDocument[] | null;
  /** The passport to bind; null for a new one. */
  readonly passportId: bigint | null;
}

/**
 * A registration with the service's part filled in, which the owner signs too. It does not change
 * any more.
 */
export interface RegistrationRequest extends Omit<RegistrationInput, "passportId"> {
  /** Null for a new one. */
  readonly passport: ExistingPassport | null;
  /** URI of the generated picture, for a registration without one; null with one. */
  readonly avatar: string | null;
  /** URI of the registration file that the bound passport will point at; null for a new passport, whose file names ids. */
  readonly boundUri: string | null;
}

/** Chain and contracts of a deployment. */
export interface RegistrationContext {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly identityRegistry: Address;
  /** The adapter that checks proofs of personhood; null without one. */
  readonly worldIdVerifier: Address | null;
  readonly links: Links;
}

/** Format tag of the archived soul. */
const SOUL_ARCHIVE_FORMAT = "svc-soul-archive/1";

/**
 * Refuses a request whose hashes contradict each other.
 *
 * @throws ApiError INVALID_MERKLE_DATA when the leaves do not give the root; HASH_MISMATCH when a public value is not the
 * one its leaf commits to.
 */
export function assertConsistent(
  request: Pick<
    RegistrationInput,
    "soulSalt" | "soulHash" | "soulMerkleRoot" | "merkleLeaves" | "publicFields" | "soulDocuments"
  >,
): void {
  const root = rootOfLeaves(request.merkleLeaves);
  if (root !== request.soulMerkleRoot) {
    throw new ApiError("INVALID_MERKLE_DATA", {
      message: "soulMerkleRoot is not the root of merkleLeaves.",
      details: { soulMerkleRoot: request.soulMerkleRoot, computedRoot: root },
    });
  }
  provePublicFields(request);
  if (request.soulDocuments === null) return;
  proveField(request, "soul.documents", committedDocuments(request.soulDocuments));
}

/** The documents as the soul commits to them, sorted by id. */
function committedDocuments(documents: readonly DeclaredDocument[]): CcsfDocument[] {
  return documents
    .map(({ id, contentHash, immutable }) => ({ id, contentHash, immutable }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The twelve leaves. With eleven, the leaf of the documents is computed from the declared ones. */
export function allLeaves(request: {
  readonly soulSalt: Hex;
  readonly soulHash: Hex;
  readonly merkleLeaves: readonly FieldLeaf[];
  readonly soulDocuments?: readonly DeclaredDocument[] | undefined;
}): readonly FieldLeaf[] {
  const { soulSalt: salt, soulHash, merkleLeaves } = request;
  if (merkleLeaves.length === FIELDS.length) return merkleLeaves;
  const value = committedDocuments(request.soulDocuments ?? []);
  return [...merkleLeaves, fieldLeaf({ salt, soulHash, field: "soul.documents", value })];
}

/** The agent type that its leaf commits to; null when it commits to no type. */
export function committedType(request: Leaves): AgentTypeIndex | null {
  const index = AGENT_TYPES.findIndex((type) => commitsTo(request, "identity.agent_type", type));
  return index < 0 ? null : (index as AgentTypeIndex);
}

/**
 * Refuses a name or type that differs from the leaves. The soul may spell the agent's name in
 * another way (`Ada Lovelace` for `ada-lovelace`) if the request contains that spelling: a leaf can
 * only be compared with a given value.
 *
 * @throws ApiError HASH_MISMATCH naming the field.
 */
export function assertNamed(
  request: Leaves &
    Pick<
      RegistrationInput,
      "agentName" | "formerName" | "agentType" | "publicFields" | "publicIdentity"
    >,
): void {
  const { agentName, formerName, publicFields, publicIdentity } = request;
  const accepted = formerName === undefined ? [agentName] : [agentName, formerName];
  const names = [publicFields["identity.name"], publicIdentity.displayName].filter(
    (name) => typeof name === "string" && accepted.includes(legalName(name) ?? ""),
  );
  if (![...accepted, ...names].some((name) => commitsTo(request, "identity.name", name))) {
    throw contradiction(request, "agentName", "identity.name", agentName);
  }
  const type = agentTypeName(request.agentType);
  if (!commitsTo(request, "identity.agent_type", type)) {
    throw contradiction(request, "agentType", "identity.agent_type", type);
  }
}

function contradiction(request: Leaves, part: string, field: Field, value: string): ApiError {
  const { index, hash } = leafOf(request, field, value);
  return new ApiError("HASH_MISMATCH", {
    message: `${part} is not what the leaf of ${field} commits to. Hash the soul with it, or send the value that was hashed.`,
    details: {
      field,
      expectedLeafHash: request.merkleLeaves[index]?.hash,
      computedLeafHash: hash,
    },
  });
}

function commitsTo(request: Leaves, field: Field, value: unknown): boolean {
  const { index, hash } = leafOf(request, field, value);
  return request.merkleLeaves[index]?.hash === hash;
}

function leafOf({ soulSalt: salt, soulHash }: Leaves, field: Field, value: unknown): FieldLeaf {
  return fieldLeaf({ salt, soulHash, field, value });
}

type Leaves = Pick<RegistrationInput, "soulSalt" | "soulHash" | "merkleLeaves">;

/** The published values with their proofs, in field order. */
function provePublicFields(
  request: Leaves & Pick<RegistrationInput, "publicFields">,
): FieldProof<unknown>[] {
  const { merkleLeaves, publicFields } = request;
  return merkleLeaves
    .filter(({ field }) => publicFields[field] !== undefined)
    .map(({ field }) => proveField(request, field, publicFields[field]));
}

function proveField(request: Leaves, field: Field, value: unknown): FieldProof<unknown> {
  const { soulSalt: salt, soulHash, merkleLeaves: leaves } = request;
  try {
    return proveFromLeaves({ salt, soulHash, leaves }, field, value);
  } catch (error) {
    if (!(error instanceof LeafMismatchError)) throw error;
    const { expectedLeafHash, computedLeafHash } = error;
    throw new ApiError("HASH_MISMATCH", {
      message: `The public value of ${field} is not the one its leaf commits to.`,
      details: { field, expectedLeafHash, computedLeafHash },
    });
  }
}

/** What an owner signs for `request`, besides nonce and deadline. */
export function registrationFields(
  request: RegistrationRequest,
  context: RegistrationContext,
): Omit<RegistrationMessage, "nonce" | "deadline"> {
  return {
    name: request.agentName,
    agentType: request.agentType,
    owner: request.ownerAddress,
    operator: request.operatorAddress ?? zeroAddress,
    soulHash: request.soulHash,
    soulMerkleRoot: request.soulMerkleRoot,
    contentHash: contentHash(fileWithoutIds(request, context)),
    bindPassport: request.passport !== null,
    passportId: request.passport?.passportId ?? 0n,
    agentURI: request.boundUri ?? "",
    parentTokenId: request.parentTokenId,
    organizationId: request.organizationId,
    seal: request.seal,
    ...signedProof(humanProofOf(request, context)),
  };
}

/** The public content whose hash an owner signs. */
export function fileWithoutIds(
  request: RegistrationRequest,
  context: RegistrationContext,
): RegistrationFile {
  return publicContent(describePublicly(request, context));
}

/**
 * The proof of personhood as the soul registry takes it; null for none.
 *
 * @throws ApiError INVALID_REQUEST where the deployment has no verifier, and for a registration without a seal.
 */
export function humanProofOf(
  { humanProof, seal }: Pick<RegistrationRequest, "humanProof" | "seal">,
  { worldIdVerifier }: RegistrationContext,
): HumanProof | null {
  if (humanProof === null) return null;
  const refuse = (message: string, why: string) =>
    new ApiError("INVALID_REQUEST", {
      message,
      details: { issues: [{ path: "worldIdProof", message: why }] },
    });
  if (!seal) {
    throw refuse(
      "A soul that is not sealed attests nothing.",
      "Leave it out, and send it with POST /v1/seal.",
    );
  }
  if (worldIdVerifier !== null) return { verifier: worldIdVerifier, data: humanProof };
  throw refuse(
    "This deployment verifies no proofs of personhood.",
    "There is no verifier to check it.",
  );
}

/**
 * The registration file. Without `ids`: the file whose hash the owner signs. With the passport's id
 * alone: the file that an existing passport will point at.
 */
export function registrationFileJson(
  request: RegistrationRequest,
  context: RegistrationContext,
  ids: { readonly passportId: bigint; readonly tokenId: bigint | null } | null,
): string {
  const content = describePublicly(request, context);
  return canonicalJson(
    ids === null
      ? fileWithoutIds(request, context)
      : registrationFile({ ...content, ...ids, registry: context.identityRegistry }),
  );
}

/** The registration file that a bound passport will point at: its owner signs the URI, before the soul has a token id. */
export function boundFileJson(
  request: RegistrationRequest,
  { passportId }: ExistingPassport,
  context: RegistrationContext,
): string {
  return registrationFileJson(request, context, { passportId, tokenId: null });
}

/** JSON as it is stored. */
export function jsonContent(json: string): {
  readonly data: Uint8Array;
  readonly contentType: string;
} {
  return { data: new TextEncoder().encode(json), contentType: "application/json" };
}

/** The generated picture of an agent without one. The same agent always gets the same picture. */
export function avatarContent(agent: { readonly name: string; readonly soulHash: Hex }): {
  readonly data: Uint8Array;
  readonly contentType: string;
} {
  return { data: new TextEncoder().encode(avatarSvg(agent)), contentType: "image/svg+xml" };
}

/**
 * The permanent record of the soul: hashes, and what the owner published. The same request always gives the same bytes, so
 * that an interrupted registration archives nothing twice. The source's own hash is left out: it is not salted, and would
 * let any reader confirm a guess at the private text.
 */
export function soulArchiveJson(
  request: Omit<
    RegistrationRequest,
    "passport" | "avatar" | "boundUri" | "seal" | "humanProof" | "soulSalt"
  > &
    Leaves,
  context: Pick<RegistrationContext, "chainId" | "soulRegistry">,
): string {
  return canonicalJson({
    format: SOUL_ARCHIVE_FORMAT,
    did: didOf(context.chainId, request.agentName),
    agentName: request.agentName,
    agentType: agentTypeName(request.agentType),
    owner: request.ownerAddress,
    operator: request.operatorAddress,
    soulRegistry: context.soulRegistry,
    soulHash: request.soulHash,
    soulMerkleRoot: request.soulMerkleRoot,
    merkleLeaves: request.merkleLeaves,
    publicFields: provePublicFields(request),
    publicIdentity: request.publicIdentity,
    ...(request.birthBundle === null ? {} : { birthBundle: request.birthBundle }),
    soulDocuments: request.soulDocuments ?? [],
    parentTokenId: request.parentTokenId.toString(),
    organizationId: request.organizationId.toString(),
    sourceFormat: request.sourceFormat,
  });
}

function describePublicly(
  request: RegistrationRequest,
  { chainId, links }: RegistrationContext,
): PublicContentInput {
  const { agentName, agentType, soulHash, publicIdentity, humanProof, passport, avatar } = request;
  const { displayName, tagline, description, image, website, serviceEndpoints, x402Support } =
    publicIdentity;
  return {
    name: agentName,
    displayName,
    tagline,
    description,
    image: image ?? avatar ?? undefined,
    website,
    x402Support,
    inherited: passport?.inherited,
    serviceEndpoints,
    profileUrl: links.profile(agentName),
    verifyUrl: links.verify(agentName),
    did: didOf(chainId, agentName),
    active: true,
    // Known before the transaction: without the proof's success there is no registration.
    humanVerified: humanProof !== null,
    chainId,
    soulHash,
    agentType,
  };
}
