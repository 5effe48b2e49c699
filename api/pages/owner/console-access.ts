import type { Context } from "hono";
import { consoleToken, cookieSecret } from "../../platform/http/console/cookie.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import type { ConsoleAccess } from "./data.ts";

/** The sign-in to the console with which a page was asked for; null without one. */
export function consoleAccess(c: Context<AppEnv>): ConsoleAccess | null {
  const [caller, gate] = [c.get("caller"), c.get("gate")];
  // An access token is the caller's own: a page has no use for it.
  const isByCookie = c.req.header("authorization") === undefined;
  if (caller.kind !== "session" || gate === undefined || !isByCookie) return null;
  const secret = cookieSecret(c, gate.publicUrl);
  return secret === undefined ? null : { account: caller.owner, token: consoleToken(secret) };
}
