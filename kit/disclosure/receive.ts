import { type Address, createPublicClient, type Hex, http, zeroAddress } from "viem";
import { soulViewAbi } from "../../protocol/generated/abi.ts";
import type { DisclosurePayload, Field } from "../../protocol/index.ts";
import {
  DISCLOSURE_BYTES,
  DISCLOSURE_SIGNATURE_HEADER,
  disclosureDigest,
  disclosurePayloadIn,
  jsonObjectIn,
  signatureOfHeader,
  verifyFieldProof,
} from "../../protocol/index.ts";
import {
  type DisclosureSecrets,
  decryptDisclosure,
  encryptedDisclosureIn,
  UndecryptableDisclosureError,
} from "./encryption.ts";

/** A request that the receiver made. */
export interface KnownRequest {
  readonly targetAgentName: string;
  readonly requestedFields: readonly Field[];
  /** `expiresAt` of the service's answer to the request. */
  readonly expiresAt: Date;
}

/** A request that arrived at the receiver's `disclosureEndpoint`. */
export interface ReceivedDisclosure {
  /** The body before any parsing. */
  readonly rawBody: Uint8Array | string;
  /** The value of the header `X-Svc-Disclosure-Signature`; null without one. */
  readonly signature: string | null;
  /** A node of the chain that the receiver trusts. */
  readonly rpcUrl: string;
  /** The contract SoulView, from the deployment that the receiver trusts. */
  readonly soulView: Address;
  /** The receiver's request with this id; null for none. */
  readonly request: (requestId: string) => KnownRequest | null | Promise<KnownRequest | null>;
  /**
   * Stores that the request was answered and returns whether it had been before, in one atomic
   * step. It is called after every other check, so that no other sender can use up a request.
   */
  readonly seen: (requestId: string) => boolean | Promise<boolean>;
  /** The receiver's own clock. */
  readonly now: Date;
  /** Private keys of the receiver; absent: only what is not encrypted is accepted. */
  readonly secrets?: DisclosureSecrets | undefined;
  /** Time limit for the node, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Why a disclosure was rejected. */
export type DisclosureRefusal =
  /** Too large, or not a disclosure. */
  | "malformed_body"
  /** The header is absent or malformed. */
  | "malformed_signature"
  /** Changed, or encrypted to another key. */
  | "undecryptable"
  /** Answers no request of the receiver, or comes from another agent than was asked. */
  | "unknown_request"
  /** Holds a field that was not requested. */
  | "unrequested_field"
  /** Answers a request after its end. */
  | "request_expired"
  /** The disclosure itself has expired. */
  | "expired"
  /** The agent is not sealed, or was sold, suspended or burned. */
  | "soul_not_valid"
  /** The signer is not the agent's owner in this block. */
  | "signer_not_owner"
  /** A value or proof does not fit the root on chain. */
  | "wrong_proof"
  /** The request was answered before. */
  | "seen_before";

export type DisclosureVerdict =
  | { readonly ok: true; readonly disclosure: DisclosurePayload }
  | { readonly ok: false; readonly reason: DisclosureRefusal };

export { DISCLOSURE_SIGNATURE_HEADER };

/**
 * Checks a disclosure from peer to peer: it answers a request of the receiver, in time and for the
 * first time; the agent's owner of this very block signed it; and every value is proved against the
 * root on chain. Nothing but the node is asked.
 *
 * @throws viem's errors when the node cannot be read: the result is then unknown.
 */
export async function receiveDisclosure(received: ReceivedDisclosure): Promise<DisclosureVerdict> {
  const { rawBody } = received;
  const body = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody;
  if (body.length > DISCLOSURE_BYTES) return refused("malformed_body");
  const signature = received.signature === null ? null : signatureOfHeader(received.signature);
  if (signature === null) return refused("malformed_signature");
  const payload = await payloadOf(body, received.secrets ?? {});
  if (typeof payload === "string") return refused(payload);

  const { requestId, fromAgent, fromTokenId, disclosures, expiresAt } = payload;
  const request = await received.request(requestId);
  if (request === null || request.targetAgentName !== fromAgent) return refused("unknown_request");
  if (disclosures.some(({ field }) => !request.requestedFields.includes(field))) {
    return refused("unrequested_field");
  }
  // The service takes no answer from that moment on either.
  if (!(request.expiresAt > received.now)) return refused("request_expired");
  if (expiresAt !== null && !(Date.parse(expiresAt) > received.now.getTime())) {
    return refused("expired");
  }
  const reason = await onChain(received, payload, {
    digest: disclosureDigest(body),
    signature,
    tokenId: BigInt(fromTokenId),
  });
  if (reason !== null) return refused(reason);
  if (await received.seen(requestId)) return refused("seen_before");
  return { ok: true, disclosure: payload };
}

async function payloadOf(
  body: Uint8Array,
  secrets: DisclosureSecrets,
): Promise<DisclosurePayload | DisclosureRefusal> {
  const object = jsonObjectIn(body);
  if (object === null) return "malformed_body";
  const encrypted = encryptedDisclosureIn(object);
  if (encrypted === null) return disclosurePayloadIn(object) ?? "malformed_body";
  let plaintext: Uint8Array;
  try {
    plaintext = await decryptDisclosure(encrypted, secrets);
  } catch (error) {
    if (error instanceof UndecryptableDisclosureError) return "undecryptable";
    throw error;
  }
  const inner = jsonObjectIn(plaintext);
  const payload = inner && disclosurePayloadIn(inner);
  // The id outside is what the receiver could have looked at first.
  return payload?.requestId === encrypted.requestId ? payload : "malformed_body";
}

/** In the order of ISoulRegistry.Validity. */
const VALID = 2;

async function onChain(
  { rpcUrl, soulView, timeoutMs = 10_000 }: ReceivedDisclosure,
  { fromAgent, disclosures }: DisclosurePayload,
  signed: { readonly digest: Hex; readonly signature: Hex; readonly tokenId: bigint },
): Promise<DisclosureRefusal | null> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: timeoutMs }) });
  const [blockNumber, , state] = await client.readContract({
    address: soulView,
    abi: soulViewAbi,
    functionName: "soulState",
    args: [signed.tokenId],
  });
  const { soul, owner } = state;
  if (state.validity !== VALID || owner === zeroAddress) return "soul_not_valid";
  if (soul.name !== fromAgent) return "unknown_request";
  const isSigned = await client.verifyMessage({
    address: owner,
    message: { raw: signed.digest },
    signature: signed.signature,
    blockNumber,
  });
  if (!isSigned) return "signer_not_owner";
  const root = soul.soulMerkleRoot.toLowerCase();
  const isProven = disclosures.every(
    ({ field, value, merkleProof, merkleRoot }) =>
      merkleRoot.toLowerCase() === root &&
      verifyFieldProof({ root: merkleRoot, field, value, merkleProof }),
  );
  return isProven ? null : "wrong_proof";
}

function refused(reason: DisclosureRefusal): DisclosureVerdict {
  return { ok: false, reason };
}
