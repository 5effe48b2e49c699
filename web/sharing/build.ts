import type { Platform } from "../../api/platform/build.ts";
import { createRaster } from "./raster.ts";
import { createSitemapReads } from "./sitemap.store.ts";

/** What draws pictures, and what lists agents for search engines. */
export function buildSharing({ reads }: Pick<Platform, "reads">) {
  return { raster: createRaster(), sitemapReads: createSitemapReads(reads.pool) };
}
