import { agentOf, MAX_TOKEN_LENGTH, type TokenCheck } from "./agent.ts";

const PATH = "/api/v1/auth/token/introspect";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The service did not say whether a token is good. Let nobody in. */
export class IntrospectionUnavailableError extends Error {
  override readonly name = "IntrospectionUnavailableError";
}

export interface IntrospectionOptions {
  /** Origin of the sign-in service: https, or http on a loopback address. */
  readonly service: string | URL;
  /** Milliseconds to wait for an answer; 5,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Asks the sign-in service about each token (RFC 7662): whether it is good now, revocations and transfers included. No secret is
 * needed. Decide by this, not by an agent's profile: a profile may come from a cache that is an hour old.
 *
 * @throws Error when `service` is no such origin: a token sent in the clear is everybody's.
 */
export function introspection({ service, timeoutMs = 5_000 }: IntrospectionOptions): TokenCheck {
  const endpoint = new URL(PATH, service);
  const isLoopback = endpoint.protocol === "http:" && LOOPBACK.has(endpoint.hostname);
  if (endpoint.protocol !== "https:" && !isLoopback) {
    throw new Error("The sign-in service must be reached over https (http only on loopback).");
  }

  return async (token) => {
    if (token === "" || token.length > MAX_TOKEN_LENGTH) return null;
    const answer = await ask(endpoint, token, timeoutMs);
    if (answer.active === false) return null;
    const agent = answer.active === true ? agentOf(answer) : null;
    if (agent === null) throw new IntrospectionUnavailableError("The answer is not understood.");
    return agent;
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
      // Nobody else is to see the token.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) throw new Error(`It answered ${response.status}.`);
    answer = await response.json();
  } catch (cause) {
    throw new IntrospectionUnavailableError("The sign-in service does not answer.", { cause });
  }
  if (typeof answer === "object" && answer !== null) return { ...answer };
  throw new IntrospectionUnavailableError("The answer is not understood.");
}
