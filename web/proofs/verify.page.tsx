import { page as pageRules } from "../../api/platform/http/operations.ts";
import { Card } from "../ui/components.tsx";
import { FileField, TextArea } from "../ui/fields.tsx";
import { page } from "../ui/page.ts";
import { ALL_CONTRACTS, NodeQuery, type ProofPageDeps, proofPage } from "./proof.page.tsx";

/** Where a visitor verifies any file, from a node and not from this service. */
export const showVerificationPage = page({
  operationId: "showVerificationPage",
  rules: pageRules,
  path: "/verify",
  query: NodeQuery.shape,
  errors: ["INVALID_REQUEST"],
  show: ({ node }, deps: ProofPageDeps) => filePage(deps, node),
});

export const showDisclosureVerificationPage = page({
  operationId: "showDisclosureVerificationPage",
  rules: pageRules,
  path: "/verify-disclosure",
  query: NodeQuery.shape,
  errors: ["INVALID_REQUEST"],
  show: ({ node }, deps: ProofPageDeps) => disclosurePage(deps, node),
});

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
