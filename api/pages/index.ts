import { type SignPageDeps, signPageRoutes } from "../features/chronicles/sign.page.tsx";
import { type ClaimPageDeps, claimPageRoutes } from "../features/claims/claim.page.tsx";
import { type ProfilePageDeps, profilePageRoutes } from "../features/profile/profile.page.tsx";
import { createRouter } from "../platform/http/router.ts";
import { pageAssetRoutes } from "./asset-route.ts";
import { type HomePageDeps, homePageRoutes } from "./home.tsx";
import type { PageKit } from "./kit.ts";
import { type ReferencePageDeps, referencePageRoutes } from "./reference.tsx";

export interface PageDeps
  extends ClaimPageDeps,
    SignPageDeps,
    ProfilePageDeps,
    HomePageDeps,
    ReferencePageDeps {
  readonly pages: PageKit;
}

/** What people see. A page is one file with its route, and one line here. */
export function pageRoutes(deps: PageDeps) {
  const routes = createRouter();
  routes.route("/", pageAssetRoutes(deps));
  routes.route("/", homePageRoutes(deps));
  routes.route("/", profilePageRoutes(deps));
  routes.route("/", referencePageRoutes(deps));
  routes.route("/", claimPageRoutes(deps));
  routes.route("/", signPageRoutes(deps));
  return routes;
}
