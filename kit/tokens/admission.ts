import { canManage, type SignedInAgent, type TokenCheck } from "./agent.ts";

/** The requirements of an integrating service for its callers. */
export interface Demand {
  /** `introspection(…)`, or `localVerification(…)`. */
  readonly check: TokenCheck;
  /**
   * Lowest tier that is admitted. A token is issued for every tier that its challenge allowed, so
   * this limit is the one that decides.
   */
  readonly minTier: 1 | 2 | 3;
}

export type Admission =
  | { readonly admitted: true; readonly agent: SignedInAgent }
  | { readonly admitted: false; readonly refusal: Refusal };

/** The response to a caller that is not admitted. */
export interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly body: { readonly error: string; readonly tier?: number; readonly minTier?: number };
  readonly headers: Readonly<Record<string, string>>;
}

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** @throws Error for an unknown tier: comparing with it would admit all callers or none. */
export function assertDemand({ minTier }: Demand): void {
  if (![1, 2, 3].includes(minTier)) throw new Error(`Unknown tier ${minTier}: use 1, 2 or 3.`);
}

/**
 * Decides on one request by its Authorization header. It admits only a checked token of a
 * sufficient tier. Everything else, including a fault of the check, is a refusal. Never rejects.
 */
export async function admission(header: unknown, demand: Demand): Promise<Admission> {
  const token = typeof header === "string" ? BEARER.exec(header)?.[1] : undefined;
  if (token === undefined) return refused(401, { error: "Unauthorized" }, "Bearer");
  let agent: SignedInAgent | null;
  try {
    const checked = await demand.check(token);
    // A check written by the integrator may ignore the scopes.
    agent = checked !== null && canManage(checked) ? null : checked;
  } catch {
    return refused(503, { error: "Sign-in unavailable" });
  }
  if (!agent) {
    return refused(401, { error: "Invalid token" }, 'Bearer error="invalid_token"');
  }
  const { tier } = agent;
  const { minTier } = demand;
  // Written as "is sufficient", so that a tier that is not a number is refused.
  if (!(tier >= minTier)) {
    return refused(
      403,
      { error: "Tier too low", tier, minTier },
      'Bearer error="insufficient_scope"',
    );
  }
  return { admitted: true, agent };
}

function refused(
  status: Refusal["status"],
  body: Refusal["body"],
  challenge?: string,
): { admitted: false; refusal: Refusal } {
  const headers: Record<string, string> = { "Cache-Control": "no-store" };
  if (challenge !== undefined) headers["WWW-Authenticate"] = challenge;
  if (status === 503) headers["Retry-After"] = "1";
  return { admitted: false, refusal: { status, body, headers } };
}
