import type { OperationTable } from "../api/platform/http/operations.ts";
import { page, publicRead } from "../api/platform/http/operations.ts";

/** What other sites load to show a link to an agent. */
const picture = { ...page, cache: "verification", answers: "asset" } as const;

/** What robots and browsers ask of every site. */
const siteFile = { ...page, cache: "published", answers: "asset" } as const;

/** Rules of the pages' operations. */
export const operations = {
  getPageAsset: { ...publicRead, cache: "immutable", origins: "own", answers: "asset" },
  getCertificateImage: picture,

  showDocsPage: page,
  showGuidePage: page,
  showTutorialPage: page,
  showDecisionRecordPage: page,
  showReferencePage: page,
  showReferenceGroupPage: page,

  getAgentCard: picture,
  getAgentBadge: picture,
  getServiceCard: siteFile,
  getFavicon: siteFile,
  getTouchIcon: siteFile,
  getRobots: siteFile,
  getSitemap: siteFile,
  getSitemapPart: { ...siteFile, reads: "replica" },
} as const satisfies OperationTable;
