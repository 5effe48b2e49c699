import { xmlText } from "../../protocol/xml-text.ts";

/** Certificates of which one part of the site map tells. A part may name 50,000 addresses and hold 50 MB. */
export const PART_SIZE = 10_000n;

/** What the site map reads of the index. */
export interface SitemapReads {
  /** The highest certificate; 0 for none. */
  highestTokenId(): Promise<bigint>;
  /** Names of the agents with certificates from `first` to `last`, without those that are burned. */
  namesBetween(first: bigint, last: bigint): Promise<readonly string[]>;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The list of parts: the service's own pages, and agents by ranges of their certificates. */
export function sitemapIndex(origin: string, highestTokenId: bigint): string {
  const parts = ["pages"];
  for (let part = 1n; (part - 1n) * PART_SIZE < highestTokenId; part++)
    parts.push(`agents-${part}`);
  const entries = parts.map(
    (part) => `<sitemap><loc>${xmlText(`${origin}/sitemaps/${part}.xml`)}</loc></sitemap>`,
  );
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${entries.join("\n")}\n</sitemapindex>\n`;
}

/** One part. */
export function sitemapPart(origin: string, paths: readonly string[]): string {
  const entries = paths.map((path) => `<url><loc>${xmlText(`${origin}${path}`)}</loc></url>`);
  return `${HEAD}<urlset ${NAMESPACE}>\n${entries.join("\n")}\n</urlset>\n`;
}

/** What no search engine is to read: answers for programs, and pages whose address gives access or that ask for a wallet. */
const CLOSED = ["/v1/", "/api/", "/claim/", "/sign/", "/console"];

/** Whether search engines may list a page. */
export function isOpenToRobots(path: string): boolean {
  return !CLOSED.some((closed) => path.startsWith(closed));
}

/** What robots may read: pages and their pictures. */
export function robotsText(origin: string): string {
  return `User-agent: *\n${CLOSED.map((path) => `Disallow: ${path}\n`).join("")}\nSitemap: ${origin}/sitemap.xml\n`;
}
