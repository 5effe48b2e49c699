import { type Address, getAddress, type Hex, sha256 } from "viem";
import type { AgentTypeIndex } from "./agent-type.ts";
import { utf8 } from "./bytes.ts";
import { SERVICE_LABEL, SERVICE_SEGMENT, SPEC_VERSION } from "./constants.ts";
import { ProtocolError } from "./errors.ts";
import { canonicalJson } from "./json.ts";

/** `type` of every registration file of ERC-8004. */
export const REGISTRATION_FILE_TYPE = "https://eips.ethereum.org/EIPS/eip-8004#registration-v1";

/** Services that only this API writes. An owner can neither change nor shadow them. */
export const MANAGED_SERVICES = [SERVICE_LABEL, `${SERVICE_LABEL}-API`, "DID"] as const;

/** Services that the specification spells so, however their owner does. */
const SPELLED_SERVICES = ["A2A", "MCP"] as const;

const WEBSITE = "web";

const DID_VERSION = "v1";

export interface ServiceEntry {
  name: string;
  endpoint: string;
  version?: string;
}

/**
 * Content of a passport's registration file before it was bound. It wins over the API's values. Its
 * services keep any additional members.
 */
export interface InheritedContent {
  name: string | null;
  description: string | null;
  image: string | null;
  services: readonly ServiceEntry[];
  x402Support: boolean | null;
}

export interface RegistrationEntry {
  agentId: number;
  /** `eip155:<chain id>:<identity registry>`, the address in EIP-55 form. */
  agentRegistry: string;
}

/**
 * The API's own part of the file. `tokenId` is absent from a file signed before the soul had one.
 */
export interface SoulEntry {
  chainId: number;
  tokenId?: number;
  soulHash: Hex;
  did: string;
  agentType: AgentTypeIndex;
}

/**
 * The ERC-8004 registration file as this service writes it. Without ids `registrations` is empty.
 */
export interface RegistrationFile {
  type: typeof REGISTRATION_FILE_TYPE;
  name: string;
  /** The name shown to people, chosen by the owner; absent without one. */
  displayName?: string;
  description: string;
  image?: string;
  services: ServiceEntry[];
  x402Support: boolean;
  active: boolean;
  registrations: RegistrationEntry[];
  supportedTrust: string[];
  [SERVICE_SEGMENT]: SoulEntry;
}

export interface PublicContentInput {
  /** The agent's given name. */
  name: string;
  displayName?: string | undefined;
  tagline?: string | undefined;
  /** Used when there is no tagline. */
  description?: string | undefined;
  /** URL of the profile image. */
  image?: string | undefined;
  profileUrl: string;
  verifyUrl: string;
  did: string;
  /** By the service's name. `a2a` and `mcp` in any spelling are written as `A2A` and `MCP`. */
  serviceEndpoints?: Readonly<Record<string, string>> | undefined;
  website?: string | undefined;
  /** Of an existing passport. It wins over everything here except the API's own services. */
  inherited?: InheritedContent | undefined;
  /** The owner's own services, appended in their order. */
  customServices?: readonly ServiceEntry[] | undefined;
  x402Support?: boolean | undefined;
  /** False once the soul is burned. */
  active: boolean;
  /** Whether the current owner is attested human. */
  humanVerified: boolean;
  chainId: number;
  soulHash: Hex;
  agentType: AgentTypeIndex;
}

export interface RegistrationFileInput extends PublicContentInput {
  passportId: bigint;
  /**
   * Null before registration: the owner of an existing passport signs the whole file before the
   * soul has an id.
   */
  tokenId: bigint | null;
  /** The ERC-8004 identity registry. */
  registry: Address;
}

/** A service of the owner has the name of a managed one. */
export class ManagedServiceError extends ProtocolError {
  override readonly name = "ManagedServiceError";
  readonly code = "managed_service";

  constructor(readonly service: string) {
    super(
      `The API itself writes the services ${MANAGED_SERVICES.join(", ")}. Remove them from your list.`,
    );
  }
}

/** An id is above 2^53-1. As a JSON number it would be rounded to another agent's. */
export class UnsafeIdError extends ProtocolError {
  override readonly name = "UnsafeIdError";
  readonly code = "unsafe_id";

  constructor(readonly id: bigint) {
    super(`The id ${id} is above 2^53-1 and cannot be a JSON integer.`);
  }
}

/**
 * The public content of an agent: its registration file without ids, which exist only after
 * registration. The owner signs its hash.
 * @throws ManagedServiceError
 */
export function publicContent(input: PublicContentInput): RegistrationFile {
  const { inherited } = input;
  const image = inherited?.image || input.image;
  return {
    type: REGISTRATION_FILE_TYPE,
    name: inherited?.name || input.name,
    ...(input.displayName ? { displayName: input.displayName } : {}),
    description: inherited?.description || input.tagline || input.description || "",
    ...(image ? { image } : {}),
    services: services(input),
    x402Support: input.x402Support ?? inherited?.x402Support ?? false,
    active: input.active,
    registrations: [],
    supportedTrust: ["sbt-bound", ...(input.humanVerified ? ["human-verified"] : [])],
    [SERVICE_SEGMENT]: {
      chainId: input.chainId,
      soulHash: input.soulHash,
      did: input.did,
      agentType: input.agentType,
    },
  };
}

/**
 * The complete registration file.
 * @throws ManagedServiceError; UnsafeIdError for ids above 2^53-1
 */
export function registrationFile(input: RegistrationFileInput): RegistrationFile {
  const content = publicContent(input);
  return {
    ...content,
    registrations: [
      {
        agentId: jsonId(input.passportId),
        agentRegistry: agentRegistry(input.chainId, input.registry),
      },
    ],
    [SERVICE_SEGMENT]: {
      ...content[SERVICE_SEGMENT],
      ...(input.tokenId === null ? {} : { tokenId: jsonId(input.tokenId) }),
    },
  };
}

/** The file without its ids: the signed content, recovered from the published file. */
export function withoutIds(file: RegistrationFile): RegistrationFile {
  const { tokenId: _, ...soul } = file[SERVICE_SEGMENT];
  return { ...file, registrations: [], [SERVICE_SEGMENT]: soul };
}

/** SHA-256 of the file's canonical JSON (RFC 8785). */
export function contentHash(file: RegistrationFile): Hex {
  return sha256(utf8(canonicalJson(file)));
}

/**
 * An identity registry as the registration file and SIWA name it: `eip155:<chain id>:<EIP-55
 * address>`.
 */
export function agentRegistry(chainId: number, registry: Address): string {
  return `eip155:${chainId}:${getAddress(registry)}`;
}

/** Whether two names are one service's: readers ignore case. */
export function isSameService(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Whether only this API writes the service. */
export function isManagedService(name: string): boolean {
  return MANAGED_SERVICES.some((managed) => isSameService(managed, name));
}

function services(input: PublicContentInput): ServiceEntry[] {
  const [profile, verify, did] = MANAGED_SERVICES;
  const inherited = (input.inherited?.services ?? []).filter((entry) => !isOurs(entry));
  return [
    { name: profile, endpoint: input.profileUrl, version: SPEC_VERSION },
    { name: verify, endpoint: input.verifyUrl, version: SPEC_VERSION },
    { name: did, endpoint: input.did, version: DID_VERSION },
    ...inherited,
    ...declaredServices(input).filter(
      ({ name }) => !inherited.some((entry) => isSameService(entry.name, name)),
    ),
    ...(input.customServices ?? []).map(customService),
  ];
}

/** A2A, MCP and the website first, others by name: JSON objects have no order to sign. */
function declaredServices({ serviceEndpoints, website }: PublicContentInput): ServiceEntry[] {
  const entries = Object.entries(serviceEndpoints ?? {}).map(([name, endpoint]) =>
    customService({
      name: SPELLED_SERVICES.find((spelled) => isSameService(spelled, name)) ?? name,
      endpoint,
    }),
  );
  if (website) entries.push({ name: WEBSITE, endpoint: website });
  const first: readonly string[] = [...SPELLED_SERVICES, WEBSITE];
  const place = ({ name }: ServiceEntry) =>
    first.includes(name) ? first.indexOf(name) : first.length;
  return entries.sort(
    (one, other) => place(one) - place(other) || (one.name < other.name ? -1 : 1),
  );
}

/**
 * Whether this API wrote the service into an earlier file. A DID of another method was not, and
 * stays.
 */
function isOurs({ name, endpoint }: ServiceEntry): boolean {
  if (isSameService(name, MANAGED_SERVICES[2]))
    return endpoint.startsWith(`did:${SERVICE_SEGMENT}:`);
  return isManagedService(name);
}

function customService({ name, endpoint, version }: ServiceEntry): ServiceEntry {
  // Case is ignored: `did` beside `DID` would mislead readers.
  if (isManagedService(name)) throw new ManagedServiceError(name);
  return { name, endpoint, ...(version === undefined ? {} : { version }) };
}

function jsonId(id: bigint): number {
  if (id < 0n || id > BigInt(Number.MAX_SAFE_INTEGER)) throw new UnsafeIdError(id);
  return Number(id);
}
