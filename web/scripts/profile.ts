import type { Verification } from "../../api/features/verification/index.ts";
import type { ProfilePageData } from "../agent-page/page-data.ts";
import { getJson } from "./lib/api.ts";
import { actions, button, element, notice, pageData, type Tone, transaction } from "./lib/dom.ts";
import { failureNotice } from "./lib/failures.ts";

// On an unclaimed agent's page there is nothing to check.
const root = document.getElementById("profile-root");
if (root !== null) start(root);

for (const portrait of document.querySelectorAll<HTMLImageElement>("img[data-drawn]")) {
  const draw = () => {
    portrait.src = portrait.dataset.drawn ?? "";
  };
  // It may have failed before this script ran.
  if (portrait.complete && portrait.naturalWidth === 0) draw();
  else portrait.addEventListener("error", draw, { once: true });
}

for (const snippet of document.querySelectorAll<HTMLElement>("[data-copied]")) {
  const status = element("span", { class: "muted", role: "status" });
  const copy = () =>
    navigator.clipboard.writeText(snippet.querySelector("pre")?.textContent ?? "").then(
      () => status.replaceChildren("It is in the clipboard."),
      () => status.replaceChildren("Select the text: the browser did not let this page copy it."),
    );
  const label = `Copy “${snippet.dataset.copied}”`;
  const copying = button("Copy", () => void copy(), "link-button");
  copying.setAttribute("aria-label", label);
  snippet.append(element("p", { class: "copying" }, copying, " ", status));
}

function start(root: HTMLElement): void {
  const { agentName, explorer } = pageData<ProfilePageData>(root);
  root.setAttribute("aria-live", "polite");
  offer();

  function offer(...before: readonly HTMLElement[]): void {
    const label = before.length === 0 ? "Check now" : "Check again";
    root.replaceChildren(...before, actions(button(label, () => void check())));
  }

  async function check(): Promise<void> {
    root.replaceChildren(element("p", { class: "muted" }, "Reading chain and archive…"));
    try {
      // Past every cache: it is about now.
      offer(outcome(await getJson<Verification>(`/v1/verify/${agentName}`, "no-store")));
    } catch (error) {
      offer(failureNotice(error));
    }
  }

  function outcome({ overallStatus, checks }: Verification): HTMLElement {
    const rows = Object.entries(CHECKS).map(([check, label]) => {
      const found = checks[check as keyof typeof checks];
      return element(
        "li",
        { class: GOOD.has(found.status) ? "done" : BAD.has(found.status) ? "failed" : "" },
        `${label}: ${found.status}`,
        ...why(found),
      );
    });
    const [tone, title, advice] = OUTCOMES[overallStatus];
    return element(
      "div",
      { class: "stack" },
      notice(tone, title, advice),
      element("ul", { class: "steps" }, ...rows),
    );
  }

  function why(found: {
    status: string;
    details?: string;
    reason?: string;
    txHash?: string | null;
  }) {
    const text = found.details ?? found.reason;
    const hash = found.txHash;
    return [
      ...(text ? [element("span", { class: "note" }, text)] : []),
      ...(hash ? [element("span", { class: "note" }, transaction(explorer, hash))] : []),
    ];
  }
}

const CHECKS: Readonly<Record<keyof Verification["checks"], string>> = {
  soulHash: "The soul hash on chain",
  arweave: "The archive, fetched and hashed again",
  baseTx: "The transaction that registered it",
  sealed: "The seal",
  soulValidity: "The passport's owner is who sealed it",
  passport: "The passport's metadata and registration file",
};

const GOOD = new Set(["valid", "sealed"]);
const BAD = new Set(["invalid", "suspended"]);

const OUTCOMES: Readonly<
  Record<Verification["overallStatus"], readonly [tone: Tone, title: string, advice: string]>
> = {
  verified: [
    "good",
    "Everything was checked, and everything holds",
    "It holds now. A passport can be sold at any moment.",
  ],
  partial: [
    "caution",
    "Not everything could be checked",
    "What is open is marked below. Check again later, or ask the chain yourself.",
  ],
  failed: [
    "bad",
    "A check failed",
    "Do not rely on this agent until the check that is marked below passes.",
  ],
};
