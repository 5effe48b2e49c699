import type { Child } from "hono/jsx";
import type { IndexStanding } from "../soul/index-age.ts";
import type { PageScript } from "./assets.ts";
import { Notice } from "./components.tsx";
import type { PageKit } from "./kit.ts";
import { currentOf, FOOTER_LINKS, HEADER_LINKS, type SiteLink } from "./navigation.ts";

/** What every page has: the head, the header, one main landmark, the footer. */
export function Layout({
  kit,
  page,
  path,
  standing,
}: {
  kit: PageKit;
  page: Page;
  /** The requested one. */
  path: string;
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
        {page.description === undefined ? null : (
          <meta name="description" content={page.description} />
        )}
        <title>{`${page.title} · Agent Identity`}</title>
        <link rel="icon" type="image/svg+xml" href={assets.icon} />
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
  /** Runs once the page is there. */
  readonly script?: PageScript;
  /** What its script may connect to, as `connect-src` names it. Default: the site itself. */
  readonly connects?: readonly string[];
  /** `reading` is one column of text, `overview` has room for several. */
  readonly width?: "reading" | "overview";
  readonly body: Child;
}
