import type { Hex } from "viem";
import type { DisclosedField } from "../../protocol/index.ts";
import {
  DISCLOSURE_SIGNATURE_HEADER,
  disclosureDigest,
  disclosurePayloadBytes,
  disclosureSignatureHeader,
} from "../../protocol/index.ts";
import {
  isLoopbackAddress,
  isPrivateName,
  isPublicAddress,
  literalAddress,
} from "../../protocol/public-addresses.ts";
import { type DisclosureRecipient, encryptDisclosure } from "./encryption.ts";

/** What an owner answers to a request, from peer to peer. */
export interface PeerDisclosure {
  readonly requestId: string;
  readonly fromAgent: string;
  readonly fromTokenId: number;
  /** As `POST /v1/disclose` answers them, or proved offline with `proveField`. */
  readonly disclosures: readonly DisclosedField[];
  /** Null for never. */
  readonly expiresAt: Date | null;
  /**
   * The owner's wallet: signs 32 bytes as a personal message. With viem:
   * `(raw) => account.signMessage({ message: { raw } })`.
   */
  readonly sign: (digest: Hex) => Promise<Hex>;
  /** Absent: not encrypted beyond the connection. */
  readonly encryptTo?: DisclosureRecipient | undefined;
}

/** A request that is ready to be sent. */
export interface SignedDisclosure {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Builds, encrypts and signs a disclosure for the endpoint of its requester. */
export async function disclose(wish: PeerDisclosure): Promise<SignedDisclosure> {
  const { requestId, fromAgent, fromTokenId, disclosures, expiresAt, encryptTo } = wish;
  const payload = disclosurePayloadBytes({
    requestId,
    fromAgent,
    fromTokenId,
    disclosures,
    expiresAt: expiresAt?.toISOString() ?? null,
  });
  const body =
    encryptTo === undefined
      ? payload
      : new TextEncoder().encode(
          JSON.stringify(await encryptDisclosure(requestId, payload, encryptTo)),
        );
  const signature = await wish.sign(disclosureDigest(body));
  return {
    body: new TextDecoder().decode(body),
    headers: {
      "content-type": "application/json",
      [DISCLOSURE_SIGNATURE_HEADER]: disclosureSignatureHeader(signature),
    },
  };
}

/** How a delivery ended. `reason` says why values did not arrive. */
export type DeliveryOutcome =
  | { readonly delivered: true }
  | {
      readonly delivered: false;
      readonly reason: "timeout" | "unreachable" | "redirect" | "refused";
      /** Null without an answer. */
      readonly status: number | null;
    };

export interface SendingOptions {
  /** Time limit for the whole delivery, in milliseconds. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** For local development only: also http, then only to this machine. */
  readonly loopbackHttp?: boolean;
}

/** The endpoint is not an https URL of a public host. Nothing was sent. */
export class ForbiddenEndpointError extends Error {
  override readonly name = "ForbiddenEndpointError";

  constructor() {
    super("Values are sent over https to public hosts only. The requester named another endpoint.");
  }
}

/** Sends one POST request, without following redirects. @throws ForbiddenEndpointError */
export type SendPost = (
  url: URL,
  request: SignedDisclosure & { readonly signal: AbortSignal },
) => Promise<"redirect" | number>;

/**
 * Sends a disclosure once from a browser, which resolves names itself. In Node, use the function of
 * this name in send-disclosure.ts: it also checks the addresses that a name resolves to.
 *
 * @throws ForbiddenEndpointError
 */
export function sendDisclosure(
  endpoint: string,
  signed: SignedDisclosure,
  options: SendingOptions = {},
): Promise<DeliveryOutcome> {
  return sendWith(fetchPost, endpoint, signed, options);
}

/** Redirects are not followed: values go to the requester's URL alone. */
export async function sendWith(
  post: SendPost,
  endpoint: string,
  { body, headers }: SignedDisclosure,
  { timeoutMs = 10_000, loopbackHttp = false }: SendingOptions,
): Promise<DeliveryOutcome> {
  const url = allowedUrl(endpoint, loopbackHttp);
  if (url === null) throw new ForbiddenEndpointError();
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const status = await post(url, { body, headers, signal });
    if (status === "redirect") return { delivered: false, reason: "redirect", status: null };
    if (status >= 200 && status < 300) return { delivered: true };
    const isRedirect = status >= 300 && status < 400;
    return { delivered: false, reason: isRedirect ? "redirect" : "refused", status };
  } catch (error) {
    if (error instanceof ForbiddenEndpointError) throw error;
    return { delivered: false, reason: signal.aborted ? "timeout" : "unreachable", status: null };
  }
}

const fetchPost: SendPost = async (url, { body, headers, signal }) => {
  const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
  // What the requester answers is not read.
  await answer.body?.cancel();
  // Browsers hide the status of a redirect.
  return answer.type === "opaqueredirect" ? "redirect" : answer.status;
};

/** Whether an address may be connected to over this protocol: over http only this machine's own. */
export function isAllowedAddress(protocol: string, address: string): boolean {
  return protocol === "https:" ? isPublicAddress(address) : isLoopbackAddress(address);
}

/** The URL when its form and a literal address in it may be used; null when not. */
export function allowedUrl(text: string, loopbackHttp: boolean): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol, hostname, username, password } = url;
  if (protocol !== "https:" && !(loopbackHttp && protocol === "http:")) return null;
  if (username !== "" || password !== "" || hostname.endsWith(".")) return null;
  const literal = literalAddress(hostname);
  if (literal !== null) return isAllowedAddress(protocol, literal) ? url : null;
  const isName = protocol === "http:" ? hostname === "localhost" : !isPrivateName(hostname);
  return isName ? url : null;
}
