import type { Hex } from "viem";
import type {
  CheckedValue,
  DisclosureDocument,
  DocumentCheckName,
  DocumentReport,
} from "../../../kit/disclosure/document.ts";
import { DOCUMENT_CHECKS } from "../../../kit/disclosure/document.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import { card, code, element, fact, notice } from "../lib/dom.ts";
import { momentText, withMoments } from "../lib/moments.ts";
import { NOT_PROVEN, stepView } from "../proofs/steps-view.ts";
import { valueView } from "./value-view.ts";

/** What the visitor trusted. */
export interface TrustedPlace {
  readonly node: string;
  readonly soulView: Hex;
}

/** The verdict, every step of it, and what no step proves. */
export function reportView(report: DocumentReport, place: TrustedPlace): HTMLElement[] {
  const { checks, document, values } = report;
  const failed = checks.find(({ problem }) => problem !== null);
  const isProven = failed === undefined && document !== null;
  const verdict = isProven
    ? notice(
        "good",
        "Proven on chain",
        `${visibleText(document.agentName)} has ${values.length === 1 ? "this value" : "these values"}, and is valid now.`,
      )
    : notice("bad", NOT_PROVEN, visibleText(withMoments(failed?.problem ?? "")));
  return [
    verdict,
    card("Every step", steps(report, place)),
    ...values.map((value) => valueCard(value, report, isProven)),
    ...(document === null ? [] : [unproven(document)]),
  ];
}

function steps(report: DocumentReport, place: TrustedPlace): HTMLElement {
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
  return element("ol", { class: "steps" }, ...items, revoked);
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

function valueCard(value: CheckedValue, { soul }: DocumentReport, isProven: boolean): HTMLElement {
  const { field, nodes, matches } = value;
  const state = matches
    ? isProven
      ? element("span", { class: "badge good" }, "proven")
      : element("span", { class: "badge caution" }, "proven, but see above")
    : element("span", { class: "badge bad" }, soul === null ? "not checked" : "not proven");
  const path = (nodes ?? []).map((node, height) => fact(HEIGHTS[height] ?? "", code(node)));
  const onChain = soul === null ? [] : [fact("Root on chain", code(soul.merkleRoot))];
  return card(
    field,
    element("p", {}, state),
    element("div", { class: "quote" }, valueView(value.value)),
    element(
      "details",
      {},
      element("summary", {}, "What was computed"),
      nodes === null
        ? element("p", {}, "The proof is malformed: it leads nowhere.")
        : element("dl", { class: "facts" }, ...path, ...onChain),
    ),
  );
}

function unproven({ issuedTo, issuedAt, expiresAt }: DisclosureDocument): HTMLElement {
  return card(
    "What the document only says",
    element("p", {}, "No signature covers these. The presenter could have changed them."),
    element(
      "dl",
      { class: "facts" },
      fact("Shown to", issuedTo === null ? "the public" : code(visibleText(issuedTo))),
      fact("Shown on", momentText(issuedAt)),
      fact("Until", expiresAt === null ? "no end" : momentText(expiresAt)),
    ),
  );
}
