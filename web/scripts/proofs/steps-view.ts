import type { Report } from "../../../kit/report.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import { card, element, notice } from "../lib/dom.ts";

export type StepState = "done" | "failed" | "open";

const SPOKEN: Readonly<Record<StepState, string>> = {
  done: "passed",
  failed: "failed",
  open: "not checked",
};

/** One step of a verification, with what was compared. */
export function stepView(
  state: StepState,
  label: string,
  ...notes: readonly string[]
): HTMLElement {
  return element(
    "li",
    { class: state },
    label,
    element("span", { class: "step-state" }, `: ${SPOKEN[state]}`),
    ...notes
      .filter((note) => note !== "")
      .map((note) => element("span", { class: "note" }, visibleText(note))),
  );
}

/** The heading of a result that is not green. */
export const NOT_PROVEN = "Not proven: do not rely on it";

/** The verdict of a report, and every step of it. */
export function reportView(
  { isValid, why, steps, skipped }: Report,
  differences: readonly string[] = [],
): HTMLElement[] {
  const made = steps.map(({ step, value, source, problem }) =>
    stepView(
      problem === null ? "done" : "failed",
      sentenceCase(step),
      problem ?? "",
      value,
      `From ${source}`,
    ),
  );
  const left = skipped.map(({ step, why: reason }) => stepView("open", sentenceCase(step), reason));
  const wrong = differences.map((one) => element("li", {}, visibleText(one)));
  const differing = wrong.length > 0 ? [card("What differs", element("ul", {}, ...wrong))] : [];
  return [
    isValid
      ? notice("good", "Proven on chain", visibleText(why))
      : notice("bad", NOT_PROVEN, visibleText(why)),
    ...differing,
    card("Every step", element("ol", { class: "steps" }, ...made, ...left)),
  ];
}

/** Without the node's answer nothing is known: neither that it is right nor that it is wrong. */
export function uncheckedView(error: unknown, node: string): HTMLElement[] {
  const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  return [
    notice(
      "caution",
      "Not checked: the node did not give an answer",
      `${visibleText(node)} said: ${visibleText(why)}`,
      "Nothing is known about it. Try again, or enter another node.",
    ),
  ];
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
