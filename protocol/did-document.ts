import { type Address, getAddress } from "viem";
import { didOf } from "./did.ts";

/** A key or account that acts for the subject. */
export interface VerificationMethod {
  id: string;
  type: "EcdsaSecp256k1RecoveryMethod2020";
  controller: string;
  /** CAIP-10: `eip155:<chain id>:<EIP-55 address>`. */
  blockchainAccountId: string;
}

export interface DidService {
  id: string;
  type: string;
  serviceEndpoint: string;
}

/** A W3C DID document, as JSON-LD. */
export interface DidDocument {
  "@context": string[];
  id: string;
  verificationMethod: VerificationMethod[];
  authentication: string[];
  assertionMethod: string[];
  service: DidService[];
}

const CONTEXT = [
  "https://www.w3.org/ns/did/v1",
  "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
];

export interface DidDocumentInput {
  chainId: number;
  /** A given name, or `agent-<id>`. */
  name: string;
  /** The passport's owner. */
  owner: Address;
  services: readonly { readonly name: string; readonly endpoint: string }[];
}

/**
 * The DID document of an agent whose passport `owner` owns: that account authenticates, and the services are where the agent is.
 * @throws InvalidDidError when the name or the chain id makes no DID.
 */
export function didDocument({ chainId, name, owner, services }: DidDocumentInput): DidDocument {
  const id = didOf(chainId, name);
  const ownerKey = `${id}#owner`;
  return {
    "@context": [...CONTEXT],
    id,
    verificationMethod: [
      {
        id: ownerKey,
        type: "EcdsaSecp256k1RecoveryMethod2020",
        controller: id,
        blockchainAccountId: `eip155:${chainId}:${getAddress(owner)}`,
      },
    ],
    authentication: [ownerKey],
    assertionMethod: [ownerKey],
    // Numbered: names are the owner's, and two may be one.
    service: services.map(({ name: type, endpoint }, index) => ({
      id: `${id}#service-${index + 1}`,
      type,
      serviceEndpoint: endpoint,
    })),
  };
}
