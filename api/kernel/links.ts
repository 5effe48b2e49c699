import { storageIdIn } from "../../protocol/index.ts";

/** Where the world finds what this deployment publishes. */
export interface Links {
  /** The agent's page. */
  profile(agentName: string): string;
  /** The agent's verification answer. */
  verify(agentName: string): string;
  /** The page on which an owner signs what an agent asked for. */
  sign(requestId: string): string;
  /** The page on which an owner claims what an agent registered. Any holder of it can read the draft: do not publish it. */
  claim(registrationId: string): string;
  /** Where a soul document is uploaded to, once. */
  documentUpload(documentId: string, token: string): string;
  /** Where the holder of a mail address agrees to notices, once. */
  mailConfirmation(token: string): string;
  /** What permanent storage holds under `id`, in a form that every HTTP client can read. */
  storage(id: string): string;
  /** As `storage`, for a URI that may be `ar://<id>`; any other URI is returned as it is. */
  resolvable(uri: string): string;
}

/** @param publicUrl Origin of this deployment, without a trailing slash. */
export function createLinks(publicUrl: string): Links {
  const storage = (id: string) => `${publicUrl}/ar/${id}`;

  return {
    profile: (agentName) => `${publicUrl}/agents/${agentName}`,
    verify: (agentName) => `${publicUrl}/v1/verify/${agentName}`,
    sign: (requestId) => `${publicUrl}/sign/${requestId}`,
    claim: (registrationId) => `${publicUrl}/claim/${registrationId}`,
    documentUpload: (documentId, token) =>
      `${publicUrl}/v1/soul-documents/upload/${documentId}?token=${token}`,
    mailConfirmation: (token) => `${publicUrl}/confirm-mail/${token}`,
    storage,
    resolvable: (uri) => {
      const id = storageIdIn(uri);
      return id === null ? uri : storage(id);
    },
  };
}

/**
 * The URL of a passport's file for a browser; null for every scheme but these three. The passport's
 * owner chooses the URI, and pages link to it, so `javascript:` and `data:` are refused.
 */
export function publicUriOf(uri: string | null, links: Links): string | null {
  if (uri === null) return null;
  const id = storageIdIn(uri);
  if (id !== null) return links.storage(id);
  if (!URL.canParse(uri)) return null;
  const { protocol, username, password } = new URL(uri);
  const allowed = protocol === "https:" || protocol === "ipfs:";
  return allowed && username === "" && password === "" ? uri : null;
}
