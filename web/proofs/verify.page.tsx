import { createRouter } from "../../api/platform/http/router.ts";
import { operations } from "../operation-rules.ts";
import { Card } from "../ui/components.tsx";
import { FileField, TextArea } from "../ui/fields.tsx";
import { pageRoute, sendPage } from "../ui/send.tsx";
import { ALL_CONTRACTS, NodeQuery, type ProofPageDeps, proofPage } from "./proof.page.tsx";

const showVerificationPage = pageRoute(
  "/verify",
  "showVerificationPage",
  { query: NodeQuery },
  "INVALID_REQUEST",
);

const showDisclosureVerificationPage = pageRoute(
  "/verify-disclosure",
  "showDisclosureVerificationPage",
  { query: NodeQuery },
  "INVALID_REQUEST",
);

/** The pages on which a visitor verifies a file, from a node and not from this service. */
export const verificationPageRoutes = (deps: ProofPageDeps) =>
  createRouter(operations)
    .openapi(showVerificationPage, (c) =>
      sendPage(c, deps.pages, filePage(deps, c.req.valid("query").node)),
    )
    .openapi(showDisclosureVerificationPage, (c) =>
      sendPage(c, deps.pages, disclosurePage(deps, c.req.valid("query").node)),
    );

function disclosureCommand({ deployment }: ProofPageDeps): readonly string[] {
  return [
    "svc verify disclosure document.json --rpc https://your.node \\",
    `  --view ${deployment.contracts.soulView}`,
  ];
}

function filePage(deps: ProofPageDeps, node: string | undefined) {
  const { contracts } = deps.deployment;
  return proofPage(deps, node, {
    title: "Verify a file",
    description: "Says what a file of an agent is, and checks it in your browser from the chain.",
    eyebrow: "Proofs",
    lead: "Your browser says what the file is, and checks whether the chain agrees. It asks a node of the chain, and nothing of this service.",
    subject: null,
    contracts: ALL_CONTRACTS,
    children: (
      <FileCard
        title="The file"
        label="Your file"
        textHint="A disclosure, the proof of a chronicle, a registration file, or a DID document. The snapshot of a score is chosen as a file."
      />
    ),
    offline: {
      says: "The commands of the open-source kit make the same checks on your own machine.",
      lines: [
        ...disclosureCommand(deps),
        "svc verify chronicle proof.json --rpc https://your.node \\",
        `  --anchor ${contracts.chronicleAnchor} \\`,
        `  --registry ${contracts.soulRegistry}`,
        "svc verify alignment NAME --item snapshot.item --rpc https://your.node \\",
        "  --deployment deployment.json",
        "svc verify agent NAME --rpc https://your.node --deployment deployment.json",
      ],
    },
  });
}

function disclosurePage(deps: ProofPageDeps, node: string | undefined) {
  return proofPage(deps, node, {
    title: "Verify a disclosure",
    description: "Checks values that an agent disclosed, in your browser and from the chain.",
    eyebrow: "Selective disclosure",
    lead: "An agent showed you a part of its soul. Your browser checks here that it is what the chain says. It asks a node of the chain, and nothing of this service.",
    subject: null,
    expects: "disclosure",
    contracts: ["soulView"],
    children: (
      <FileCard
        title="The disclosure"
        label="The document's file"
        textHint="It begins with {, and names its format: svc-disclosure-document-v1."
      />
    ),
    offline: {
      says: "The open-source kit makes the same checks with the same code, on your own machine:",
      lines: disclosureCommand(deps),
    },
  });
}

function FileCard({ title, label, textHint }: { title: string; label: string; textHint: string }) {
  return (
    <Card id="document" title={title}>
      <form id="document-form" method="dialog" novalidate>
        <FileField
          name="documentFile"
          label={label}
          hint="Choose it, or drop it anywhere on this page. It stays in your browser."
        />
        <TextArea name="documentText" label="Or its text" rows={6} hint={textHint} />
      </form>
    </Card>
  );
}
