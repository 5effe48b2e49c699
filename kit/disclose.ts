import type { Hex } from "viem";
import type { DisclosedField } from "../protocol/index.ts";
import {
  DISCLOSURE_SIGNATURE_HEADER,
  disclosureDigest,
  disclosurePayloadBytes,
  disclosureSignatureHeader,
} from "../protocol/index.ts";
import { type DisclosureRecipient, encryptDisclosure } from "./disclosure-encryption.ts";

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

/** Sends a disclosure once. Redirects are not followed: values go to the requester's URL alone. */
export async function sendDisclosure(
  endpoint: string,
  { body, headers }: SignedDisclosure,
  { timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {},
): Promise<DeliveryOutcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(endpoint, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal,
    });
    // What the requester answers is not read.
    await answer.body?.cancel();
    const { status } = answer;
    if (answer.ok) return { delivered: true };
    // Browsers hide the status of a redirect.
    const isRedirect = answer.type === "opaqueredirect" || (status >= 300 && status < 400);
    return { delivered: false, reason: isRedirect ? "redirect" : "refused", status };
  } catch {
    return { delivered: false, reason: signal.aborted ? "timeout" : "unreachable", status: null };
  }
}
