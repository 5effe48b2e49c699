import type { ReadRegistrationFile, ReadService } from "../read-registration-file.ts";
import { MANAGED_SERVICES } from "../registration-file.ts";

/** How an endpoint is checked, by what its service is called. */
export const ENDPOINT_KINDS = ["a2a", "mcp", "x402", "oasf", "web"] as const;

export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** Of one agent. */
const MAX_CHECKED_ENDPOINTS = 12;
/** Bounds of a stored result, which is signed anew with every check. */
const MAX_LISTED = 16;
const MAX_SERVICE_LENGTH = 64;
const MAX_ENDPOINT_LENGTH = 2048;

/** A service of a registration file: untrusted. */
export interface DeclaredEndpoint {
  readonly service: string;
  readonly endpoint: string;
  /** Null where there is nothing to send a request to. */
  readonly kind: EndpointKind | null;
}

/**
 * The first services of a file in their order, each with how it is checked. What is no address of
 * the web (a DID, an ENS name, an e-mail address) and what this protocol's service writes itself is
 * not. Entries with longer texts are left out.
 */
export function declaredEndpoints(
  file: Pick<ReadRegistrationFile, "services">,
): readonly DeclaredEndpoint[] {
  let checked = 0;
  const listed = file.services
    .filter(({ name }) => name.length <= MAX_SERVICE_LENGTH)
    .filter(({ endpoint }) => endpoint.length <= MAX_ENDPOINT_LENGTH)
    .slice(0, MAX_LISTED);
  return listed.map((entry) => {
    const kind = checked < MAX_CHECKED_ENDPOINTS ? kindOf(entry) : null;
    if (kind !== null) checked += 1;
    return { service: entry.name, endpoint: entry.endpoint, kind };
  });
}

function kindOf({ name, endpoint }: ReadService): EndpointKind | null {
  const service = name.trim().toLowerCase();
  if (MANAGED_SERVICES.some((managed) => managed.toLowerCase() === service)) return null;
  if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint)) return null;
  return ENDPOINT_KINDS.find((kind) => service.startsWith(kind)) ?? "web";
}
