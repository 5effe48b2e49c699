import type { Child } from "hono/jsx";
import type { Hex } from "viem";
import type {
  CheckedValue,
  DisclosureDocument,
  DocumentCheckName,
  DocumentReport,
} from "../../../kit/disclosure/document.ts";
import { DOCUMENT_CHECKS } from "../../../kit/disclosure/document.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import {
  Badge,
  Card,
  Code,
  DescriptionItem,
  DescriptionList,
  Facts,
} from "../../ui/components.tsx";
import { momentText, withMoments } from "../../ui/text.ts";
import { StepsCard, stepView, verdictView } from "../proofs/steps-view.tsx";
import { ValueView } from "./value-view.tsx";

/** What the visitor trusted. */
export interface TrustedPlace {
  readonly node: string;
  readonly soulView: Hex;
}

/** The verdict, every step of it, and what no step proves. */
export function reportView(report: DocumentReport, place: TrustedPlace): Child {
  const { checks, document, values } = report;
  const failed = checks.find(({ problem }) => problem !== null);
  const isProven = failed === undefined && document !== null;
  const why = isProven
    ? `${document.agentName} has ${values.length === 1 ? "this value" : "these values"}, and is valid now.`
    : withMoments(failed?.problem ?? "");
  return [
    verdictView(isProven, why),
    <StepsCard>{steps(report, place)}</StepsCard>,
    values.map((value) => <ValueCard value={value} report={report} isProven={isProven} />),
    document === null ? null : <Unproven document={document} />,
  ];
}

function steps(report: DocumentReport, place: TrustedPlace): Child {
  const items = DOCUMENT_CHECKS.map((name) => {
    const made = report.checks.find(({ check }) => check === name);
    const state = made === undefined ? "open" : made.problem === null ? "done" : "failed";
    const [label, note] = stepWords(name, report, place);
    const problem = made?.problem ?? null;
    const why = problem === null ? null : withMoments(problem);
    return stepView(state, label, why ?? (state === "open" ? "An earlier step failed." : note));
  });
  const revoked = stepView(
    "open",
    "It was not revoked",
    "This cannot be proven. The chain does not record it, and a revoked disclosure keeps its proof. Ask the agent's owner.",
  );
  return [items, revoked];
}

function stepWords(
  name: DocumentCheckName,
  { document, soul, values }: DocumentReport,
  { node, soulView }: TrustedPlace,
): readonly [label: string, note: string] {
  const block = soul === null ? "" : `block ${soul.block}`;
  const words: Readonly<Record<DocumentCheckName, readonly [string, string]>> = {
    document: ["It is a disclosure document", document?.format ?? ""],
    contract: ["It names the contract that you trust", soulView],
    chain: ["The node is on its chain", `Chain ${document?.chainId}, by ${node}`],
    agent: [
      `Soul ${document?.tokenId ?? ""} has the agent's name`,
      `${soul?.agentName}, in ${block}`,
    ],
    values: [
      "Every value leads to the root on chain",
      `${values.length === 1 ? "One leaf was" : `${values.length} leaves were`} computed again, up to the root ${soul?.merkleRoot} of ${block}`,
    ],
    validity: ["The soul is valid", `In ${block}: sealed, not suspended, not burned`],
    issuer: ["Who sealed the values owns the agent", `${soul?.owner}, in ${block}`],
    expiry: [
      "It has not expired",
      document?.expiresAt
        ? `Until ${momentText(document.expiresAt)}, as the document says`
        : "The document names no end",
    ],
  };
  return words[name];
}

const HEIGHTS = ["Leaf", "Level 1", "Level 2", "Level 3", "Root"];

function ValueCard({
  value: { field, value, nodes, matches },
  report: { soul },
  isProven,
}: {
  value: CheckedValue;
  report: DocumentReport;
  isProven: boolean;
}) {
  return (
    <Card title={field}>
      <p>
        {matches ? (
          <Badge tone={isProven ? "good" : "caution"}>
            {isProven ? "proven" : "proven, but see above"}
          </Badge>
        ) : (
          <Badge tone="bad">{soul === null ? "not checked" : "not proven"}</Badge>
        )}
      </p>
      <div class="quote">
        <ValueView value={value} />
      </div>
      <details>
        <summary>What was computed</summary>
        {nodes === null ? (
          <p>The proof is malformed: it leads nowhere.</p>
        ) : (
          <DescriptionList>
            {nodes.map((node, height) => (
              <DescriptionItem name={HEIGHTS[height]}>
                <Code>{node}</Code>
              </DescriptionItem>
            ))}
            {soul === null ? null : (
              <DescriptionItem name="Root on chain">
                <Code>{soul.merkleRoot}</Code>
              </DescriptionItem>
            )}
          </DescriptionList>
        )}
      </details>
    </Card>
  );
}

function Unproven({ document }: { document: DisclosureDocument }) {
  const { issuedTo, issuedAt, expiresAt } = document;
  return (
    <Card title="What the document only says">
      <p>No signature covers these. The presenter could have changed them.</p>
      <Facts
        of={{
          "Shown to": issuedTo === null ? "the public" : <Code>{visibleText(issuedTo)}</Code>,
          "Shown on": momentText(issuedAt),
          Until: expiresAt === null ? "no end" : momentText(expiresAt),
        }}
      />
    </Card>
  );
}
