import { defineFeature, mount } from "../api/platform/define-feature.ts";
import { profilePageRoutes } from "./agent-page/agent.page.tsx";
import { allowancePageRoutes } from "./allowances/allowance.page.tsx";
import { pageAssetRoutes } from "./asset-route.ts";
import { bindingsPageRoutes } from "./bindings/bindings.page.tsx";
import { signPageRoutes } from "./chronicles/sign.page.tsx";
import { claimPageRoutes } from "./claims/claim.page.tsx";
import { agentPageRoutes } from "./console/agent.page.tsx";
import { consolePageRoutes } from "./console/console.page.tsx";
import { sectionPageRoutes } from "./console/section.page.tsx";
import { disclosuresPageRoutes } from "./disclosure/disclosures.page.tsx";
import { disclosureRequestPageRoutes } from "./disclosure/request.page.tsx";
import { accessPageRoutes } from "./emergency-stop/access.page.tsx";
import { burnPageRoutes } from "./endings/burn.page.tsx";
import { reincarnatePageRoutes } from "./endings/reincarnate.page.tsx";
import { resealPageRoutes } from "./endings/reseal.page.tsx";
import { salePageRoutes } from "./endings/sale.page.tsx";
import { endpointsPageRoutes } from "./endpoint-checks/endpoints.page.tsx";
import { eventsPageRoutes } from "./events/events.page.tsx";
import { agentsPageRoutes } from "./explorer/agents.page.tsx";
import { certificateImageRoutes } from "./explorer/certificate-image.routes.ts";
import { certificatePageRoutes } from "./explorer/certificates.page.tsx";
import { ownerPageRoutes } from "./explorer/owners.page.tsx";
import { passportPageRoutes } from "./explorer/passports.page.tsx";
import { guidePageRoutes } from "./guides/guides.page.tsx";
import { referencePageRoutes } from "./guides/reference.page.tsx";
import { homePageRoutes } from "./home/routes.tsx";
import { operations } from "./operation-rules.ts";
import { organizationPageRoutes } from "./organizations/organization.page.tsx";
import { organizationsPageRoutes } from "./organizations/organizations.page.tsx";
import { privateDataPageRoutes } from "./private-data/private-data.page.tsx";
import { alignmentProofPageRoutes } from "./proofs/alignment.page.tsx";
import { certificateProofPageRoutes } from "./proofs/certificate.page.tsx";
import { chronicleProofPageRoutes } from "./proofs/chronicle.page.tsx";
import { verificationPageRoutes } from "./proofs/verify.page.tsx";
import { pictureRoutes } from "./sharing/pictures.routes.ts";
import { sitemapRoutes } from "./sharing/sitemap.routes.ts";
import { statusPageRoutes } from "./status/status.page.tsx";
import { mailConfirmationPageRoutes } from "./webhooks/confirm.page.tsx";

/** All pages, and the files that they load. */
export const web = defineFeature({
  name: "web",
  operations,
  mounts: [
    mount("/", statusPageRoutes),
    mount("/", mailConfirmationPageRoutes),
    mount("/", claimPageRoutes),
    mount("/", eventsPageRoutes),
    mount("/", signPageRoutes),
    mount("/", bindingsPageRoutes),
    mount("/", salePageRoutes),
    mount("/", resealPageRoutes),
    mount("/", burnPageRoutes),
    mount("/", reincarnatePageRoutes),
    mount("/", organizationsPageRoutes),
    mount("/", organizationPageRoutes),
    mount("/", disclosuresPageRoutes),
    mount("/", disclosureRequestPageRoutes),
    mount("/", verificationPageRoutes),
    mount("/", chronicleProofPageRoutes),
    mount("/", certificateProofPageRoutes),
    mount("/", alignmentProofPageRoutes),
    mount("/", endpointsPageRoutes),
    mount("/", allowancePageRoutes),
    mount("/", accessPageRoutes),
    mount("/", privateDataPageRoutes),
    mount("/", consolePageRoutes),
    mount("/", agentPageRoutes),
    mount("/", sectionPageRoutes),
    mount("/", agentsPageRoutes),
    mount("/", passportPageRoutes),
    mount("/", certificatePageRoutes),
    mount("/", certificateImageRoutes),
    mount("/", ownerPageRoutes),
    mount("/", referencePageRoutes),
    mount("/", guidePageRoutes),
    mount("/", profilePageRoutes),
    mount("/", pictureRoutes),
    mount("/", sitemapRoutes),
    mount("/", pageAssetRoutes),
    mount("/", homePageRoutes),
  ],
  tables: {},
  jobs: {},
  events: [],
});
