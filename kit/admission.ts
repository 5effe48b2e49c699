import { canManage, type SignedInAgent, type TokenCheck } from "./agent.ts";

/** What an integrating service demands of whoever calls it. */
export interface Demand {
  /** `introspection(…)`, or `localVerification(…)`. */
  readonly check: TokenCheck;
  /** Lowest tier that is let in. A token is issued to every tier that its challenge allowed: this is the place that decides. */
  readonly minTier: 1 | 2 | 3;
}

export type Admission =
  | { readonly admitted: true; readonly agent: SignedInAgent }
  | { readonly admitted: false; readonly refusal: Refusal };

/** What is answered to whoever is not let in. */
export interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly body: { readonly error: string; readonly tier?: number; readonly minTier?: number };
  readonly headers: Readonly<Record<string, string>>;
}

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** @throws Error for a tier that there is none of: compared with it, nobody, or everybody, would pass. */
export function assertDemand({ minTier }: Demand): void {
  if (![1, 2, 3].includes(minTier)) throw new Error(`There is no tier ${minTier}.`);
}

/**
 * Decides about one request by its Authorization header. Only a token that was checked, of a tier that is high enough, is let in;
 * whatever else happens, a fault of the check included, is a refusal. Never rejects.
 */
export async function admission(header: unknown, demand: Demand): Promise<Admission> {
  const token = typeof header === "string" ? BEARER.exec(header)?.[1] : undefined;
  if (token === undefined) return refused(401, { error: "Unauthorized" }, "Bearer");
  let agent: SignedInAgent | null;
  try {
    const checked = await demand.check(token);
    // A check of the caller's own may not have looked at the scopes.
    agent = checked !== null && canManage(checked) ? null : checked;
  } catch {
    return refused(503, { error: "Sign-in unavailable" });
  }
  if (!agent) {
    return refused(401, { error: "Invalid token" }, 'Bearer error="invalid_token"');
  }
  const { tier } = agent;
  const { minTier } = demand;
  // Written as "is enough", so that a tier that is no number is not.
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
  const headers = {
    "Cache-Control": "no-store",
    ...(challenge === undefined ? {} : { "WWW-Authenticate": challenge }),
    ...(status === 503 ? { "Retry-After": "1" } : {}),
  };
  return { admitted: false, refusal: { status, body, headers } };
}
