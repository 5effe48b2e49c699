import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { Verification } from "../../api/features/verification/index.ts";
import type { ProfilePageData } from "../agent-page/page-data.ts";
import { type Tone, Transaction } from "../ui/components.tsx";
import { getJson } from "./lib/api.ts";
import { actions, button, copyText, drawn, notice, pageData } from "./lib/dom.tsx";
import { failureNotice } from "./lib/failures.tsx";

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
  const copy = () =>
    copyText(
      snippet.querySelector("pre")?.textContent ?? "",
      snippet.querySelector("[role=status]"),
      "It is in the clipboard.",
      "Select the text: the browser did not let this page copy it.",
    );
  snippet.append(
    drawn(
      <p class="copying">
        <button
          type="button"
          class="link-button"
          aria-label={`Copy “${snippet.dataset.copied}”`}
          onClick={() => void copy()}
        >
          Copy
        </button>{" "}
        <span class="muted" role="status" />
      </p>,
    ),
  );
}

function start(root: HTMLElement): void {
  const { agentName, explorer } = pageData<ProfilePageData>(root);
  root.setAttribute("aria-live", "polite");
  offer();

  function offer(before?: Child): void {
    const label = before === undefined ? "Check now" : "Check again";
    render([before, actions(button(label, check))], root);
  }

  async function check(): Promise<void> {
    render(<p class="muted">Reading chain and archive…</p>, root);
    try {
      const found = await getJson<Verification>(`/v1/verify/${agentName}`);
      offer(<Outcome found={found} explorer={explorer} />);
    } catch (error) {
      offer(failureNotice(error));
    }
  }
}

function Outcome({ found, explorer }: { found: Verification; explorer: string | null }) {
  const rows = Object.entries(CHECKS).map(([check, label]) => {
    const one: Found = found.checks[check as keyof typeof CHECKS];
    const why = one.details ?? one.reason;
    return (
      <li class={GOOD.has(one.status) ? "done" : BAD.has(one.status) ? "failed" : ""}>
        {label}: {one.status}
        {why ? <span class="note">{why}</span> : null}
        {one.txHash ? (
          <span class="note">
            <Transaction kit={{ network: { explorer } }} hash={one.txHash} />
          </span>
        ) : null}
      </li>
    );
  });
  return (
    <div class="stack">
      {notice(...OUTCOMES[found.overallStatus])}
      <ul class="steps">{rows}</ul>
    </div>
  );
}

interface Found {
  readonly status: string;
  readonly details?: string;
  readonly reason?: string;
  readonly txHash?: string | null;
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
