import { isConfidential } from "../../protocol/audience.ts";
import {
  agentOf,
  assertAudience,
  isAcceptable,
  MAX_TOKEN_LENGTH,
  type TokenCheck,
} from "./agent.ts";

const PATH = "/api/v1/auth/token/introspect";

/** The service did not answer whether a token is valid. Do not admit the caller. */
export class IntrospectionUnavailableError extends Error {
  override readonly name = "IntrospectionUnavailableError";
}

export interface IntrospectionOptions {
  /** Origin of the sign-in service: https, or http on a loopback address. */
  readonly service: string | URL;
  /**
   * Origin of your own service, as callers name it when they request a challenge. Only tokens for
   * it are accepted. Without it, only tokens for the sign-in service itself are accepted. Every
   * service without an audience accepts those, so any such service can replay a token that it
   * received.
   */
  readonly audience?: string;
  /** Time limit for an answer in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Asks the sign-in service whether each token is valid now (RFC 7662), after revocations and
 * transfers. No secret is needed. Tokens for another audience, and tokens with scope `manage`, are
 * invalid. Decide by this, not by an agent's profile, which may come from a cache that is an hour
 * old.
 *
 * @throws Error when `service` is not https, since a token sent in clear text can be read; for an
 * invalid audience.
 */
export function introspection(options: IntrospectionOptions): TokenCheck {
  const { service, audience, timeoutMs = 5_000 } = options;
  assertAudience(audience);
  const endpoint = new URL(PATH, service);
  if (!isConfidential(endpoint)) {
    throw new Error("The sign-in service must be reached over https (http only on loopback).");
  }

  return async (token) => {
    if (token === "" || token.length > MAX_TOKEN_LENGTH) return null;
    const answer = await ask(endpoint, token, timeoutMs);
    if (answer.active === false) return null;
    const { iss: issuer } = answer;
    const agent = answer.active === true ? agentOf(answer) : null;
    if (agent === null || typeof issuer !== "string") {
      throw new IntrospectionUnavailableError("The sign-in service sent an invalid answer.");
    }
    return isAcceptable(agent, audience ?? issuer) ? agent : null;
  };
}

async function ask(
  endpoint: URL,
  token: string,
  timeoutMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  let answer: unknown;
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ token }),
      // A redirect would send the token to another server.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) throw new Error(`It answered ${response.status}.`);
    answer = await response.json();
  } catch (cause) {
    throw new IntrospectionUnavailableError("The sign-in service does not answer.", { cause });
  }
  if (typeof answer === "object" && answer !== null) return { ...answer };
  throw new IntrospectionUnavailableError("The sign-in service sent an invalid answer.");
}
