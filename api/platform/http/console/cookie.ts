import { createHmac } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { CookieOptions, CookiePrefixOptions } from "hono/utils/cookie";
import { SERVICE_LABEL } from "../../../../protocol/constants.ts";
import { ApiError } from "../../../kernel/errors.ts";
import { isSameSecret } from "../../../kernel/secret-hash.ts";
import type { OperationRules } from "../operations.ts";

// The cookie of the console. A browser sends it by itself, also when another page makes it do so.
// That is why a request counts as the owner's only when it carries proof that a page of this service
// made it; see `consoleSecret`.

/** Carries `consoleToken`. No other page can read it, nor send this header without a preflight. */
export const CONSOLE_HEADER = `X-${SERVICE_LABEL}-Console`;

const COOKIE = `${SERVICE_LABEL.toLowerCase()}-console`;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * `__Host-`: a browser keeps it only with Secure, for exactly this host, so that no other host of the
 * domain can set it. A loopback deployment speaks plain http and goes without.
 */
function prefixOf(publicUrl: URL): CookiePrefixOptions | undefined {
  return publicUrl.protocol === "https:" ? "host" : undefined;
}

/** What the pages of a signed-in browser send in `CONSOLE_HEADER`. It does not reveal the secret. */
export function consoleToken(secret: string): string {
  return createHmac("sha256", secret).update("requests of the console").digest("base64url");
}

/** Has the browser keep the secret of a session, in place of any other. */
export function setConsoleCookie(
  c: Context,
  publicUrl: URL,
  { secret, seconds }: { readonly secret: string; readonly seconds: number },
): void {
  write(c, publicUrl, secret, seconds);
}

/** Has the browser forget it. */
export function clearConsoleCookie(c: Context, publicUrl: URL): void {
  write(c, publicUrl, "", 0);
}

function write(c: Context, publicUrl: URL, value: string, maxAge: number): void {
  const prefix = prefixOf(publicUrl);
  const options: CookieOptions = { path: "/", httpOnly: true, sameSite: "Strict", maxAge };
  if (prefix === undefined) setCookie(c, COOKIE, value, options);
  else setCookie(c, COOKIE, value, { ...options, secure: true, prefix });
}

/** The secret in the cookie, also when another site made the browser send it; undefined without one. */
export function cookieSecret(c: Context, publicUrl: URL): string | undefined {
  const prefix = prefixOf(publicUrl);
  const value = prefix === undefined ? getCookie(c, COOKIE) : getCookie(c, COOKIE, prefix);
  return value !== undefined && SECRET.test(value) ? value : undefined;
}

/**
 * The secret that a request may act with; undefined when it acts without the cookie.
 *
 * A page reads it from the cookie alone: it changes nothing, and no other origin can read it. Every
 * other operation takes it only with `CONSOLE_HEADER`. Without that header the cookie is ignored.
 *
 * @throws ApiError FORBIDDEN when the header is wrong, or the request comes from another origin.
 */
export function consoleSecret(
  c: Context,
  rules: OperationRules,
  publicUrl: URL,
): string | undefined {
  if (rules.console !== true || c.req.header("authorization") !== undefined) return undefined;
  const secret = cookieSecret(c, publicUrl);
  if (secret === undefined) return undefined;
  if (rules.answers === "page") return secret;
  const token = c.req.header(CONSOLE_HEADER);
  if (token === undefined) return undefined;
  if (!isSameSecret(token, consoleToken(secret))) {
    throw new ApiError("FORBIDDEN", {
      message: `${CONSOLE_HEADER} does not belong to this sign-in. Load the page again.`,
    });
  }
  assertSameOrigin(c, publicUrl);
  return secret;
}

/**
 * Refuses requests that a page of another origin made. One that changes something must name its
 * origin, as every browser does.
 *
 * @throws ApiError FORBIDDEN
 */
export function assertSameOrigin(c: Context, publicUrl: URL): void {
  const origin = c.req.header("origin");
  const site = c.req.header("sec-fetch-site");
  const isNamed = origin !== undefined || SAFE_METHODS.has(c.req.method);
  const isOwn = origin === undefined || origin === publicUrl.origin;
  if (isNamed && isOwn && (site === undefined || site === "same-origin")) return;
  throw new ApiError("FORBIDDEN", {
    message: `Only pages of ${publicUrl.origin} may do this. Open the console there.`,
  });
}
