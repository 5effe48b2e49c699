import { defineFeature, mount } from "../../platform/define-feature.ts";
import { operations } from "./operation-rules.ts";
import { alignmentProofPageRoutes } from "./pages/alignment.page.tsx";
import { certificateProofPageRoutes } from "./pages/certificate.page.tsx";
import { chronicleProofPageRoutes } from "./pages/chronicle.page.tsx";
import { verificationPageRoutes } from "./pages/verify.page.tsx";

/** Pages on which a visitor verifies something in the browser, from a node that the visitor chose. */
export const proofs = defineFeature({
  name: "proofs",
  operations,
  mounts: [
    mount("/", verificationPageRoutes),
    mount("/", chronicleProofPageRoutes),
    mount("/", certificateProofPageRoutes),
    mount("/", alignmentProofPageRoutes),
  ],
  tables: {},
  jobs: {},
  events: [],
});
