import { type Address, getAddress, zeroAddress, zeroHash } from "viem";
import { type AgentTypeIndex, parseAgentType } from "../../../protocol/agent-type.ts";
import {
  type ChronicleCategory,
  chronicleContentHash,
  chronicleRecordBytes,
  MANDATORY_CHANGE_TYPES,
  operatorChangeHash,
} from "../../../protocol/chronicle.ts";
import { didOf } from "../../../protocol/did.ts";
import { isPlainObject } from "../../../protocol/json.ts";
import {
  contentHash,
  type PublicContentInput,
  publicContent,
  type RegistrationFile,
} from "../../../protocol/registration-file.ts";
import type { Fields } from "./check.ts";
import { contractOf, type SigningDeployment } from "./deployment.ts";

/** Where the service's content links to, and the chain. */
export interface ContentContext {
  /** Origin under which the service publishes what it makes. */
  readonly publicUrl: string;
  readonly deployment: SigningDeployment;
  /** The registration file that the service shows beside the message; not trusted. */
  readonly file?: unknown;
}

/** What an owner signs for a registration: everything but nonce and deadline. */
export function registrationFields(body: Fields, context: ContentContext): Fields {
  const isNew = body.erc8004AgentId === undefined;
  const noProof = body.worldIdProof === undefined;
  return {
    ...entryFields(body, context),
    owner: body.ownerAddress,
    bindPassport: !isNew,
    passportId: body.erc8004AgentId ?? 0,
    agentURI: isNew ? "" : undefined,
    parentTokenId: body.parentTokenId ?? 0,
    organizationId: body.organizationId ?? body.fleetId ?? 0,
    seal: true,
    humanVerifier: noProof ? zeroAddress : context.deployment.contracts.worldIdVerifier,
    humanProofHash: noProof ? zeroHash : undefined,
  };
}

/** The part of a registration that an entry of a batch has too. */
export function entryFields(body: Fields, context: ContentContext): Fields {
  return {
    name: body.agentName,
    agentType: body.agentType === undefined ? undefined : typeOf(body),
    operator: body.operatorAddress ?? zeroAddress,
    soulHash: body.soulHash,
    soulMerkleRoot: body.soulMerkleRoot,
    contentHash: publicContentHash(body, context),
  };
}

function typeOf(body: Fields): AgentTypeIndex {
  return parseAgentType(body.agentType as string | number);
}

/**
 * What the client cannot know of a registration's public content: the picture that the service
 * makes, and the file of an existing passport, which it continues.
 */
export function unknownContent(body: Fields, { file }: ContentContext): Fields {
  if (!isPlainObject(file)) return {};
  if (body.erc8004AgentId !== undefined) return { registrationFile: file };
  return imageOf(body) ? {} : { image: file.image };
}

function imageOf({ publicIdentity }: Fields): unknown {
  return (publicIdentity as Fields | undefined)?.image;
}

/**
 * The hash of the registration file without ids. Picture and continued file are the ones that the
 * service shows, see {@link unknownContent}; unknown where it shows none.
 */
function publicContentHash(body: Fields, { publicUrl, deployment, file }: ContentContext) {
  const identity = (body.publicIdentity ?? {}) as Partial<PublicContentInput>;
  const shown = isPlainObject(file) ? file : null;
  if (body.erc8004AgentId !== undefined) {
    return shown === null ? undefined : contentHash(shown as unknown as RegistrationFile);
  }
  const image = imageOf(body) || shown?.image;
  if (typeof image !== "string" || body.agentType === undefined) return undefined;
  const name = String(body.agentName);
  const content = publicContent({
    name,
    displayName: identity.displayName,
    tagline: identity.tagline,
    description: identity.description,
    image,
    website: identity.website,
    x402Support: identity.x402Support,
    serviceEndpoints: identity.serviceEndpoints,
    profileUrl: `${publicUrl}/agents/${name}`,
    verifyUrl: `${publicUrl}/v1/verify/${name}`,
    did: didOf(deployment.chainId, name),
    active: true,
    humanVerified: body.worldIdProof !== undefined,
    chainId: deployment.chainId,
    soulHash: body.soulHash as Address,
    agentType: typeOf(body),
  });
  return contentHash(content);
}

/** What an owner signs for a chronicle. Its record names the epoch, which the message has. */
export function chronicleFields(body: Fields, message: Fields, context: ContentContext): Fields {
  const { deployment } = context;
  const data = (body.data ?? {}) as Fields;
  const { newSoulSalt: _secret, ...shown } = data;
  const mandatory = (MANDATORY_CHANGE_TYPES as readonly unknown[]).includes(body.category);
  const category = (mandatory ? "technical" : body.category) as ChronicleCategory;
  const changeType = String(data.changeType ?? data.subtype ?? body.category);
  const isRevision = changeType === "soul_revision";
  const record = {
    chainId: deployment.chainId,
    soulRegistry: getAddress(contractOf(deployment, "soulRegistry")),
    tokenId: BigInt(body.tokenId as number),
    epoch: Number(message.epoch),
    category,
    changeType,
    data: shown,
  };
  const fields = {
    tokenId: body.tokenId,
    category,
    changeType,
    newSoulHash: isRevision ? data.newSoulHash : zeroHash,
    newSoulMerkleRoot: isRevision ? data.newSoulMerkleRoot : zeroHash,
    dataHash:
      changeType === "operator_change"
        ? operatorChangeHash(data.operator as Address)
        : chronicleContentHash(chronicleRecordBytes(record)),
  };
  // The registration file of a revised soul is for the caller to review.
  return isRevision ? fields : { ...fields, agentURI: "" };
}
