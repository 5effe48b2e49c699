import type { Context } from "hono";
import { type Address, isAddressEqual } from "viem";
import type { Caller } from "../../api/kernel/callers.ts";
import { consoleToken, cookieSecret } from "../../api/platform/http/console/cookie.ts";
import type { AppEnv } from "../../api/platform/http/env.ts";
import type { ConsoleAccess } from "./data.ts";

/** A sign-in to the console. */
interface ConsoleSignIn {
  readonly caller: Extract<Caller, { readonly kind: "session" }>;
  readonly access: ConsoleAccess;
}

/** The sign-in to the console with which a page was asked for; null without one. */
export function consoleSignIn(c: Context<AppEnv>): ConsoleSignIn | null {
  const [caller, gate] = [c.get("caller"), c.get("gate")];
  // An access token is the caller's own: a page has no use for it.
  const isByCookie = c.req.header("authorization") === undefined;
  if (caller.kind !== "session" || gate === undefined || !isByCookie) return null;
  const secret = cookieSecret(c, gate.publicUrl);
  if (secret === undefined) return null;
  return { caller, access: { account: caller.owner, token: consoleToken(secret) } };
}

/** What a page's script needs of it; null without one. */
export function consoleAccess(c: Context<AppEnv>): ConsoleAccess | null {
  return consoleSignIn(c)?.access ?? null;
}

/** Whether a page is asked for by the account, signed in to the console. */
export function isConsoleOf(access: ConsoleAccess | null, account: Address): boolean {
  return access !== null && isAddressEqual(access.account as Address, account);
}

/** How a list of the owner's is read. */
export const BY_CONSOLE = "You are signed in to the console. Reading this needs no wallet.";
export const BY_WALLET =
  "Signing in costs nothing. This page forgets the sign-in when you leave it.";
