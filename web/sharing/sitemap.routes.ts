import { createRoute, z } from "@hono/zod-openapi";
import { ApiError } from "../../api/kernel/errors.ts";
import { createRouter, errorResponses } from "../../api/platform/http/router.ts";
import type { Guides } from "../guides/guides.ts";
import { operations } from "../operation-rules.ts";
import type { PageKit } from "../ui/kit.ts";
import { FOOTER_LINKS, HEADER_LINKS } from "../ui/navigation.ts";
import {
  isOpenToRobots,
  PART_SIZE,
  robotsText,
  type SitemapReads,
  sitemapIndex,
  sitemapPart,
} from "./sitemap.ts";

export interface SitemapDeps {
  readonly pages: Pick<PageKit, "origin">;
  readonly guides: Pick<Guides, "all">;
  readonly sitemapReads: SitemapReads;
}

const getRobots = createRoute({
  method: "get",
  path: "/robots.txt",
  operationId: "getRobots",
  responses: { 200: { description: "What robots may read." } },
});

const getSitemap = createRoute({
  method: "get",
  path: "/sitemap.xml",
  operationId: "getSitemap",
  responses: { 200: { description: "The list of parts." }, ...errorResponses("REGISTRY_PENDING") },
});

/** With 11 digits, 15 digits of certificates: less than 2^53, as every id is. */
const PART = /^(?:pages|agents-([1-9][0-9]{0,10}))\.xml$/;

const getSitemapPart = createRoute({
  method: "get",
  path: "/sitemaps/{part}",
  operationId: "getSitemapPart",
  request: { params: z.object({ part: z.string().max(32) }) },
  responses: {
    200: { description: "One part." },
    ...errorResponses("NOT_FOUND", "REGISTRY_PENDING"),
  },
});

const XML = { "Content-Type": "application/xml; charset=utf-8" };

/** What search engines read first. */
export function sitemapRoutes({ pages, guides, sitemapReads }: SitemapDeps) {
  const ownPages = () =>
    [
      ...new Set([
        "/",
        ...[...HEADER_LINKS, ...FOOTER_LINKS].map(({ href }) => href),
        ...guides.all.map(({ url }) => url),
      ]),
    ].filter(isOpenToRobots);
  return createRouter(operations)
    .openapi(getRobots, (c) => c.text(robotsText(pages.origin), 200))
    .openapi(getSitemap, async (c) =>
      c.body(sitemapIndex(pages.origin, await sitemapReads.highestTokenId()), 200, XML),
    )
    .openapi(getSitemapPart, async (c) => {
      const [whole, digits] = PART.exec(c.req.valid("param").part) ?? [];
      if (whole === undefined) throw new ApiError("NOT_FOUND");
      if (digits === undefined) return c.body(sitemapPart(pages.origin, ownPages()), 200, XML);
      const last = BigInt(digits) * PART_SIZE;
      const names = await sitemapReads.namesBetween(last - PART_SIZE + 1n, last);
      if (names.length === 0) throw new ApiError("NOT_FOUND");
      const paths = names.map((name) => `/agents/${name}`);
      return c.body(sitemapPart(pages.origin, paths), 200, XML);
    });
}
