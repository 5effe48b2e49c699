import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorType } from "../../api/kernel/errors.ts";
import type { AppEnv } from "../../api/platform/http/env.ts";
import { errorResponses } from "../../api/platform/http/router.ts";
import type { PageKit } from "./kit.ts";
import { Layout, type Page } from "./layout.tsx";

/** An origin as a policy can name it: nothing in it ends a directive, or stands for several hosts. */
const NAMEABLE = /^https?:\/\/[a-z0-9.-]+(?::[0-9]{1,5})?$/;

/** The origin of a URL for a page's `connects`; null for one that no policy can name. */
export function connectableOrigin(url: string): string | null {
  const origin = URL.canParse(url) ? new URL(url).origin : "";
  return NAMEABLE.test(origin) ? origin : null;
}

/**
 * What a page may load: its own scripts, style, typeface and images, and `data:` images, as wallets' icons
 * are. Nothing inline, nothing of others, no frames, in either direction.
 *
 * @param connects What its script may connect to: `'self'`, or origins of `connectableOrigin`.
 */
export function contentSecurityPolicy(
  { imageOrigin }: Pick<PageKit, "imageOrigin">,
  connects: readonly string[] = ["'self'"],
): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data:${imageOrigin === null ? "" : ` ${imageOrigin}`}`,
    `connect-src ${connects.length === 0 ? "'none'" : connects.join(" ")}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The route of a page, which answers with these errors besides. */
export function pageRoute<
  Path extends string,
  Id extends string,
  Request extends NonNullable<RouteConfig["request"]>,
>(path: Path, operationId: Id, request: Request, ...errors: readonly ErrorType[]) {
  return createRoute({
    method: "get",
    path,
    operationId,
    request,
    responses: { 200: { description: "The page." }, ...errorResponses(...errors) },
  });
}

/**
 * Answers with a page. A page's URL may grant access to it, so no page sends its URL to other
 * sites.
 */
export async function sendPage(
  c: Context<AppEnv>,
  kit: PageKit,
  page: Page,
  status: ContentfulStatusCode = 200,
) {
  c.header("Content-Security-Policy", contentSecurityPolicy(kit, page.connects));
  c.header("Referrer-Policy", "no-referrer");
  const standing = c.get("gate")?.age.standing();
  const isListed = status === 200 && c.get("rules")?.cache !== "never";
  const layout = (
    <Layout kit={kit} page={page} path={c.req.path} isListed={isListed} standing={standing} />
  );
  if (page.ofBlock !== undefined) c.set("bodyAt", { partAt: page.ofBlock });
  return c.html(String(await html`<!doctype html>${layout}`), status);
}
