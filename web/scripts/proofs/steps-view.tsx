import type { Child } from "hono/jsx";
import type { Report } from "../../../kit/report.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import { Card } from "../../ui/components.tsx";
import { notice } from "../lib/dom.tsx";

export type StepState = "done" | "failed" | "open";

const SPOKEN: Readonly<Record<StepState, string>> = {
  done: "passed",
  failed: "failed",
  open: "not checked",
};

/** One step of a verification, with what was compared. */
export function stepView(state: StepState, label: string, ...notes: readonly string[]): Child {
  return (
    <li class={state}>
      {label}
      <span class="step-state">: {SPOKEN[state]}</span>
      {notes
        .filter((note) => note !== "")
        .map((note) => (
          <span class="note">{visibleText(note)}</span>
        ))}
    </li>
  );
}

/** The verdict of checks, by their findings. */
export function verdictView(isProven: boolean, why: string): Child {
  return isProven
    ? notice("good", "Proven on chain", visibleText(why))
    : notice("bad", "Not proven: do not rely on it", visibleText(why));
}

/** Every step of a verification. */
export function StepsCard({ children }: { children: Child }) {
  return (
    <Card title="Every step">
      <ol class="steps">{children}</ol>
    </Card>
  );
}

/** The verdict of a report, what else there is to say of it, and every step of it. */
export function reportView(
  { isValid, why, steps, skipped }: Report,
  { differences = [], note }: { differences?: readonly string[]; note?: string } = {},
): Child {
  const made = steps.map(({ step, value, source, problem }) => {
    const state = problem === null ? "done" : "failed";
    return stepView(state, sentenceCase(step), problem ?? "", value, `From ${source}`);
  });
  const left = skipped.map(({ step, why: reason }) => stepView("open", sentenceCase(step), reason));
  return [
    verdictView(isValid, why),
    note && <p class="muted">{note}</p>,
    differences.length === 0 ? null : (
      <Card title="What differs">
        <ul>
          {differences.map((one) => (
            <li>{visibleText(one)}</li>
          ))}
        </ul>
      </Card>
    ),
    <StepsCard>{[made, left]}</StepsCard>,
  ];
}

/** Without the node's answer nothing is known: neither that it is right nor that it is wrong. */
export function uncheckedView(error: unknown, node: string): Child {
  const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  return notice(
    "caution",
    "Not checked: the node did not give an answer",
    `${visibleText(node)} said: ${visibleText(why)}`,
    "Nothing is known about it. Try again, or enter another node.",
  );
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
