import type { Child } from "hono/jsx";
import type { IndexStanding } from "../../api/soul/index-age.ts";
import type { IndexedPoint } from "../../api/soul/index-reads.ts";
import type { PageScript } from "../assets.ts";
import { Notice } from "./components.tsx";
import type { PageKit } from "./kit.ts";
import { currentOf, FOOTER_LINKS, HEADER_LINKS, type SiteLink } from "./navigation.ts";

/** What every page has: the head, the header, one main landmark, the footer. */
export function Layout({
  kit,
  page,
  path,
  isListed,
  standing,
}: {
  kit: PageKit;
  page: Page;
  /** The requested one. */
  path: string;
  /** Whether others may link to it and search engines may list it: not the pages whose address gives access. */
  isListed: boolean;
  /** Undefined in a process that reads no index. */
  standing: IndexStanding | undefined;
}) {
  const { assets } = kit;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1c2024" />
        {page.description === undefined ? null : (
          <meta name="description" content={page.description} />
        )}
        <title>{`${page.title} · ${SITE}`}</title>
        {isListed ? (
          <ForLinks kit={kit} page={page} path={path} />
        ) : (
          <meta name="robots" content="noindex" />
        )}
        <link rel="icon" type="image/svg+xml" href={assets.icon} />
        <link rel="icon" type="image/x-icon" sizes="48x48" href="/favicon.ico" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="preload" as="font" type="font/woff2" crossorigin="" href={assets.font} />
        <link rel="stylesheet" href={assets.style} />
        {page.script === undefined ? null : (
          <script type="module" src={assets.scripts[page.script]} />
        )}
      </head>
      <body>
        <a class="skip-link" href="#main">
          Skip to the content
        </a>
        <header class="site-header">
          <div class="site-header-inner">
            <a class="brand" href="/">
              <img src={assets.icon} alt="" width="32" height="32" />
              Agent Identity
            </a>
            <button class="menu-button" type="button" popovertarget="site-menu">
              Menu
            </button>
            <nav id="site-menu" aria-label="Site" popover="auto">
              <Links links={HEADER_LINKS} path={path} class="header-link" />
            </nav>
          </div>
        </header>
        <main id="main" class={page.width ?? "reading"} tabindex={-1}>
          {standing?.behind ? <OldIndex standing={standing} /> : null}
          {page.body}
        </main>
        <footer class="site-footer">
          <div class="site-footer-inner">
            <p>
              Identity for AI agents, on {kit.network.name}. The facts are on chain: you need not
              trust this page.
            </p>
            <nav aria-label="About this service">
              <Links links={FOOTER_LINKS} path={path} class="footer-link" />
            </nav>
          </div>
        </footer>
      </body>
    </html>
  );
}

const SITE = "Agent Identity";

const SITE_PICTURE = {
  path: "/card.png",
  alt: "A passport says that an agent exists. A soul says which one it is.",
};

/** What search engines list, and what other sites show of a link to this page. */
function ForLinks({ kit: { origin }, page, path }: { kit: PageKit; page: Page; path: string }) {
  const { title, description, canonical = path, picture = SITE_PICTURE } = page;
  const url = `${origin}${canonical}`;
  return (
    <>
      <link rel="canonical" href={url} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={SITE} />
      <meta property="og:title" content={title} />
      {description === undefined ? null : <meta property="og:description" content={description} />}
      <meta property="og:url" content={url} />
      <meta property="og:image" content={`${origin}${picture.path}`} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={picture.alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function Links({
  links,
  path,
  class: name,
}: {
  links: readonly SiteLink[];
  path: string;
  class: string;
}) {
  return (
    <ul>
      {links.map((link) => (
        <li>
          <a class={name} href={link.href} aria-current={currentOf(link, path, links)}>
            {link.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

const NUMBER = new Intl.NumberFormat("en-GB");

/** Says how far behind the chain the page's facts are. */
function OldIndex({ standing: { lagBlocks } }: { standing: IndexStanding }) {
  const title =
    lagBlocks === null
      ? "It is not known how far this service is behind the chain."
      : `This service is ${NUMBER.format(lagBlocks)} ${lagBlocks === 1 ? "block" : "blocks"} behind the chain.`;
  return (
    <Notice tone="caution" title={title}>
      <p>
        What this page shows may be out of date. Before you decide anything by it, ask the chain.
      </p>
    </Notice>
  );
}
export interface Page {
  /** Of the window; the service's name is added. */
  readonly title: string;
  /** What a link to it shows. */
  readonly description?: string;
  /** Path of the page, when it is found under several. Default: the requested one. */
  readonly canonical?: string;
  /** What a link to it shows. Default: the service's picture. */
  readonly picture?: { readonly path: string; readonly alt: string };
  /** Runs once the page is there. */
  readonly script?: PageScript | undefined;
  /** What its script may connect to, as `connect-src` names it. Default: the site itself. */
  readonly connects?: readonly string[];
  /** `reading` is one column of text, `overview` has room for several. */
  readonly width?: "reading" | "overview";
  readonly body: Child;
  /** The one part of the body that names the indexed block, if nothing else in the page depends on the block. */
  readonly ofBlock?: ((at: IndexedPoint) => string) | undefined;
}
