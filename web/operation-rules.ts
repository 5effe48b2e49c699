import type { OperationTable } from "../api/platform/http/operations.ts";
import { consolePage, page, publicRead, unlistedPage } from "../api/platform/http/operations.ts";

/** A page that the database alone fills. */
const listed = { ...page, madeFrom: "database" } as const;

/** What other sites load to show a link to an agent. */
const picture = { ...page, cache: "verification", answers: "asset" } as const;

/** What robots and browsers ask of every site. */
const siteFile = { ...page, cache: "published", answers: "asset" } as const;

/** Rules of the pages' operations. */
export const operations = {
  getPageAsset: { ...publicRead, cache: "immutable", origins: "own", answers: "asset" },
  showHomePage: page,
  showStatusPage: unlistedPage,

  showAgentsPage: listed,
  showPassportPage: listed,
  showCertificatePage: listed,
  getCertificateImage: picture,
  showOwnerPage: listed,
  showProfilePage: listed,
  showEventsPage: listed,
  showEndpointsPage: page,

  showDocsPage: page,
  showGuidePage: page,
  showTutorialPage: page,
  showDecisionRecordPage: page,
  showReferencePage: page,
  showReferenceGroupPage: page,

  showVerificationPage: page,
  showDisclosureVerificationPage: page,
  showChronicleProofPage: page,
  showCertificateProofPage: page,
  showAlignmentProofPage: page,

  showConsolePage: consolePage,
  showConsoleAgentPage: consolePage,
  showConsoleSectionPage: consolePage,
  showManagePage: page,
  showAccessPage: consolePage,
  showDisclosuresPage: consolePage,
  showDisclosureRequestPage: consolePage,

  showClaimPage: unlistedPage,
  showSignPage: unlistedPage,
  showBindingsPage: unlistedPage,
  showAllowancePage: unlistedPage,
  showSalePage: unlistedPage,
  showResealPage: unlistedPage,
  showBurnPage: unlistedPage,
  showReincarnatePage: unlistedPage,
  showOrganizationsPage: unlistedPage,
  showOrganizationPage: unlistedPage,
  showPrivateDataPage: unlistedPage,
  showMailConfirmationPage: unlistedPage,
  // The token in its path is the credential. The form has no fields.
  confirmMail: { ...unlistedPage, effect: "writes", rate: "write" },

  getAgentCard: picture,
  getAgentBadge: picture,
  getServiceCard: siteFile,
  getFavicon: siteFile,
  getTouchIcon: siteFile,
  getRobots: siteFile,
  getSitemap: siteFile,
  getSitemapPart: { ...siteFile, reads: "replica" },
} as const satisfies OperationTable;
