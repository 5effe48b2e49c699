import type { Context } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../platform/http/env.ts";
import { reflectsBlock } from "../platform/http/indexed-block.ts";
import type { IndexedPoint } from "../soul/index-reads.ts";
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

/** Says what the page is at a later block: all but one part is the same. */
function tellBlock(
  c: Context<AppEnv>,
  text: string,
  ofBlock: NonNullable<Page["ofBlock"]>,
  at: IndexedPoint,
): void {
  const [before, after, ...more] = text.split(ofBlock(at));
  if (after !== undefined && more.length === 0)
    reflectsBlock(c, at, (later) => `${before}${ofBlock(later)}${after}`);
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
  const text = String(await html`<!doctype html>${layout}`);
  const at = c.get("indexedAt");
  if (page.ofBlock !== undefined && at !== undefined) tellBlock(c, text, page.ofBlock, at);
  return c.html(text, status);
}
