import { alignmentCard } from "./alignment-card.ts";
import { allowancePage } from "./allowance-page.ts";
import { bindingPage } from "./binding-page.ts";
import { claimPage } from "./claim-page.ts";
import { consolePages } from "./console.ts";
import { disclosureApprovalPage } from "./disclosure-approval.ts";
import { disclosureVerificationPage } from "./disclosure-verification.ts";
import { docsPages } from "./docs-pages.ts";
import { endingPages } from "./ending-pages.ts";
import { frontPages } from "./front-pages.ts";
import { openPages } from "./open-pages.ts";
import { organizationPages } from "./organization-pages.ts";
import { privateDataPage } from "./private-data-page.ts";
import { proofPages } from "./proof-pages.ts";
import { salePage } from "./sale-page.ts";
import { signPage } from "./sign-page.ts";
import { setStage } from "./stage.ts";
import { story } from "./story.ts";

// Every page in a real browser, on the real service. One page alone: `-t "the claim page"`.
const stage = setStage();

story(stage);
frontPages(stage);
openPages(stage);
docsPages(stage);
alignmentCard(stage);
claimPage(stage);
consolePages(stage);
signPage(stage);
allowancePage(stage);
endingPages(stage);
bindingPage(stage);
organizationPages(stage);
salePage(stage);
privateDataPage(stage);
disclosureApprovalPage(stage);
disclosureVerificationPage(stage);
proofPages(stage);
