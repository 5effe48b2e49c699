import { storageIdIn } from "../../protocol/index.ts";

export type Links = ReturnType<typeof createLinks>;

/**
 * Where the world finds what this deployment publishes.
 *
 * @param publicUrl Origin of this deployment, without a trailing slash.
 */
export function createLinks(publicUrl: string) {
  /** What permanent storage holds under `id`, in a form that every HTTP client can read. */
  const storage = (id: string) => `${publicUrl}/ar/${id}`;

  return {
    /** The agent's page. */
    profile: (agentName: string) => `${publicUrl}/agents/${agentName}`,
    /** The agent's verification answer. */
    verify: (agentName: string) => `${publicUrl}/v1/verify/${agentName}`,
    /** The page on which an owner signs what an agent asked for. */
    sign: (requestId: string) => `${publicUrl}/sign/${requestId}`,
    /** The page on which an owner claims what an agent registered. Any holder of it can read the draft: do not publish it. */
    claim: (registrationId: string) => `${publicUrl}/claim/${registrationId}`,
    /** Where a soul document is uploaded to, once. */
    documentUpload: (documentId: string, token: string) =>
      `${publicUrl}/v1/soul-documents/upload/${documentId}?token=${token}`,
    /** Where the holder of a mail address agrees to notices, once. */
    mailConfirmation: (token: string) => `${publicUrl}/confirm-mail/${token}`,
    storage,
    /** As `storage`, for a URI that may be `ar://<id>`; any other URI is returned as it is. */
    resolvable: (uri: string) => {
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
