import { base58 } from "@scure/base";
import { type Address, getAddress } from "viem";
import type { AgentKey, KeyUse } from "./agent-keys.ts";
import { concatBytes } from "./bytes.ts";
import { accountId, type ChainAddress, ed25519Key, type KeyType } from "./chain-address.ts";
import { SERVICE_SEGMENT } from "./constants.ts";
import { didOf } from "./did.ts";

interface Method<Type extends string, Kind extends KeyType> {
  id: string;
  type: Type;
  /** The specification's short name of the type. */
  keyType: Kind;
  controller: string;
  /** CAIP-10. */
  blockchainAccountId: string;
  /** Text that the owner chose for a listed address. */
  label?: string;
}

/** An account whose signatures recover to it: `eip155:<chain id>:<EIP-55 address>`. */
export type RecoveryMethod = Method<"EcdsaSecp256k1RecoveryMethod2020", "EcdsaSecp256k1">;

/** An Ed25519 key and the account whose address it is. */
export interface Ed25519Method extends Method<"Ed25519VerificationKey2020", "Ed25519"> {
  /** base58btc (`z`) of the multicodec prefix of Ed25519 keys and the key. */
  publicKeyMultibase: string;
}

/** A public key that the owner set for the agent with the contract AgentKeys. */
export interface JsonWebKeyMethod {
  /** Ends with the key's RFC 7638 thumbprint. */
  id: string;
  type: "JsonWebKey";
  controller: string;
  /** XML Schema dateTime at which the key expires. */
  expires: string;
  publicKeyJwk: Omit<AgentKey, "exp">;
}

/** A key or account that acts for the subject. */
export type VerificationMethod = RecoveryMethod | Ed25519Method | JsonWebKeyMethod;

export interface DidService {
  id: string;
  type: string;
  /** http or https. */
  serviceEndpoint: string;
}

/** A W3C DID document (DID Core 1.0), as JSON-LD. */
export interface DidDocument {
  "@context": (string | Record<string, string>)[];
  id: string;
  alsoKnownAs?: string[];
  /**
   * The owner's account as a did:pkh. Only the owner can change the document. Absent after a burn.
   */
  controller?: string;
  verificationMethod: VerificationMethod[];
  authentication: string[];
  assertionMethod: string[];
  /** Encryption keys; absent without any. */
  keyAgreement?: string[];
  service: DidService[];
}

const DID_CONTEXT = "https://www.w3.org/ns/did/v1";
const RECOVERY_CONTEXT = "https://w3id.org/security/suites/secp256k1recovery-2020/v2";
const JWK_CONTEXT = "https://w3id.org/security/jwk/v1";
const ED25519_CONTEXT = "https://w3id.org/security/suites/ed25519-2020/v1";

/** Terms that the contexts before it do not define. */
const OWN_TERMS = {
  blockchainAccountId: "https://w3id.org/security#blockchainAccountId",
  keyType: `urn:${SERVICE_SEGMENT}:did#keyType`,
  label: "http://www.w3.org/2000/01/rdf-schema#label",
};

/** Multicodec `ed25519-pub` (0xed) as a varint. */
const ED25519_PREFIX = Uint8Array.of(0xed, 0x01);

/** Most services of one document. */
const MAX_SERVICES = 50;

export interface DidDocumentInput {
  chainId: number;
  /** A given name, or `agent-<id>`. */
  name: string;
  /** The passport's owner. */
  owner: Address;
  /** The agent's own account. Null when the owner acts for it, or when the seal is not valid. */
  operator?: Address | null;
  /** Addresses that the owner lists. Empty when the seal is not valid. */
  addresses?: readonly ChainAddress[];
  /** Public keys of the agent that have not expired. Empty when the seal is not valid. */
  keys?: readonly AgentKey[];
  /** As in the registration file. Endpoints that are not web addresses are left out. */
  services: readonly { readonly name: string; readonly endpoint: string }[];
  /** Other DIDs of the subject. */
  alsoKnownAs?: readonly string[];
}

/**
 * The DID document of an agent. The owner, operator and listed accounts authenticate and act for
 * it, and the services are its endpoints.
 *
 * @throws InvalidDidError when the name or the chain id is not valid in a DID.
 */
export function didDocument(input: DidDocumentInput): DidDocument {
  const { chainId, name, alsoKnownAs = [] } = input;
  const id = didOf(chainId, name);
  const accounts = methods(input, id);
  const keys = keyMethods(input.keys ?? [], id);
  const verificationMethod = [...accounts, ...keys];
  const idsOfUse = (use: KeyUse) =>
    keys.filter(({ publicKeyJwk }) => publicKeyJwk.use === use).map((method) => method.id);
  const signing = () => [...accounts.map((method) => method.id), ...idsOfUse("sig")];
  const encrypting = idsOfUse("enc");
  const hasEd25519 = accounts.some(({ keyType }) => keyType === "Ed25519");
  return {
    "@context": [
      DID_CONTEXT,
      RECOVERY_CONTEXT,
      ...(hasEd25519 ? [ED25519_CONTEXT] : []),
      ...(keys.length > 0 ? [JWK_CONTEXT] : []),
      { ...OWN_TERMS },
    ],
    id,
    ...(alsoKnownAs.length > 0 ? { alsoKnownAs: [...alsoKnownAs] } : {}),
    controller: `did:pkh:eip155:${chainId}:${getAddress(input.owner)}`,
    verificationMethod,
    authentication: signing(),
    assertionMethod: signing(),
    ...(encrypting.length > 0 ? { keyAgreement: encrypting } : {}),
    // Numbered, because the owner may give two services one name.
    service: webServices(input.services).map(({ name: type, endpoint }, index) => ({
      id: `${id}#service-${index + 1}`,
      type,
      serviceEndpoint: endpoint,
    })),
  };
}

/**
 * The agent's state that its document is built from, read from the index or directly from the
 * chain.
 */
export interface AgentDidState {
  chainId: number;
  /** A given name, or `agent-<id>`. */
  name: string;
  /** Null when the passport has no owner or cannot be read. */
  passportOwner: Address | null;
  /** Of the soul with this name; null for a passport's own DID. */
  soul: {
    status: "PROVISIONAL" | "SEALED" | "BURNED";
    /** Whether the seal is valid now. Without it, nothing that the owner granted may act. */
    isValid: boolean;
    /** Null when the owner acts for the agent. */
    operator: Address | null;
  } | null;
  /** As archived in the current epoch. */
  addresses: readonly ChainAddress[];
  /** Public keys of the current epoch that have not expired; empty when they were not read. */
  keys?: readonly AgentKey[];
  services: readonly { readonly name: string; readonly endpoint: string }[];
  alsoKnownAs: readonly string[];
}

/**
 * An agent's document. It is empty after a burn. After a transfer it names only the new owner.
 *
 * @throws InvalidDidError when the name or the chain id is not valid in a DID.
 */
export function agentDidDocument(state: AgentDidState): DidDocument {
  const { chainId, name, passportOwner, soul, services, alsoKnownAs } = state;
  if (soul?.status === "BURNED" || passportOwner === null) return emptyDidDocument(chainId, name);
  const granted = soul?.isValid ?? false;
  return didDocument({
    chainId,
    name,
    services,
    alsoKnownAs,
    owner: passportOwner,
    operator: granted ? (soul?.operator ?? null) : null,
    addresses: granted ? state.addresses : [],
    keys: granted ? (state.keys ?? []) : [],
  });
}

/**
 * The document of a burned agent: no account authenticates as it any more.
 *
 * @throws InvalidDidError when the name or the chain id is not valid in a DID.
 */
export function emptyDidDocument(chainId: number, name: string): DidDocument {
  return {
    "@context": [DID_CONTEXT],
    id: didOf(chainId, name),
    verificationMethod: [],
    authentication: [],
    assertionMethod: [],
    service: [],
  };
}

function keyMethods(keys: readonly AgentKey[], did: string): JsonWebKeyMethod[] {
  return keys.map(({ exp, ...publicKeyJwk }) => ({
    id: `${did}#${publicKeyJwk.kid}`,
    type: "JsonWebKey",
    controller: did,
    expires: new Date(exp * 1000).toISOString(),
    publicKeyJwk,
  }));
}

function methods(input: DidDocumentInput, did: string): (RecoveryMethod | Ed25519Method)[] {
  const { chainId, owner, operator = null, addresses = [] } = input;
  const chain = `eip155:${chainId}`;
  const recovery = (fragment: string, account: string): RecoveryMethod => ({
    id: `${did}#${fragment}`,
    type: "EcdsaSecp256k1RecoveryMethod2020",
    keyType: "EcdsaSecp256k1",
    controller: did,
    blockchainAccountId: account,
  });

  const own = [recovery("owner", accountId({ chain, address: getAddress(owner) }))];
  if (operator !== null && getAddress(operator) !== getAddress(owner)) {
    own.push(recovery("operator", accountId({ chain, address: getAddress(operator) })));
  }
  // A listed account that is also owner or operator is written as one method, not two.
  const known = new Set(own.map(({ blockchainAccountId }) => blockchainAccountId));
  const listed = addresses
    .filter((entry) => !known.has(accountId(entry)))
    .map((entry): RecoveryMethod | Ed25519Method => {
      const account = accountId(entry);
      // Named by the account, so that removing one leaves all other names unchanged.
      const fragment = account.replaceAll(":", "-");
      const { label } = entry;
      if (entry.keyType === "EcdsaSecp256k1") return { ...recovery(fragment, account), label };
      return {
        id: `${did}#${fragment}`,
        type: "Ed25519VerificationKey2020",
        keyType: "Ed25519",
        controller: did,
        publicKeyMultibase: `z${base58.encode(concatBytes(ED25519_PREFIX, ed25519Key(entry)))}`,
        blockchainAccountId: account,
        label,
      };
    });
  return [...own, ...listed];
}

/**
 * Services that a document can hold. The owner writes the registration file: an endpoint that is
 * not a URL would make the document invalid. A scheme other than http or https could run code when
 * it is shown as a link.
 */
function webServices<Service extends { readonly name: string; readonly endpoint: string }>(
  services: readonly Service[],
): Service[] {
  return services
    .filter(({ name, endpoint }) => name.trim() !== "" && isWebUri(endpoint))
    .slice(0, MAX_SERVICES);
}

/** Characters of RFC 3986. The URL parser also accepts, and repairs, texts that are not URIs. */
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

function isWebUri(endpoint: string): boolean {
  if (!URI_CHARACTERS.test(endpoint) || !/^https?:\/\//i.test(endpoint)) return false;
  if (!URL.canParse(endpoint)) return false;
  const { username, password } = new URL(endpoint);
  return username === "" && password === "";
}
