import { type OperationTable, page } from "../../platform/http/operations.ts";

/** What other sites load to show a link to an agent. */
const picture = { ...page, cache: "verification", answers: "asset" } as const;

/** What robots and browsers ask of every site. */
const siteFile = { ...page, cache: "published", answers: "asset" } as const;

/** Rules of what is made for links, search engines and READMEs. */
export const operations = {
  getAgentCard: picture,
  getAgentBadge: picture,
  getServiceCard: siteFile,
  getFavicon: siteFile,
  getTouchIcon: siteFile,
  getRobots: siteFile,
  getSitemap: siteFile,
  getSitemapPart: { ...siteFile, reads: "replica" },
} as const satisfies OperationTable;
