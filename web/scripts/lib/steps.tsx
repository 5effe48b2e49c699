import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";

type StepState = "waiting" | "active" | "done";

const SPOKEN: Readonly<Record<StepState, string>> = {
  waiting: "to do",
  active: "in progress",
  done: "done",
};

/** Lists in `area` what happens, in order. Gives what changes a step, which is read out. */
export function showSteps<Id extends string>(
  area: HTMLElement,
  steps: Readonly<Record<Id, string>>,
): (id: Id, state: StepState, note?: Child) => void {
  render(
    <ol class="steps" aria-live="polite" aria-label="Progress">
      {Object.entries<string>(steps).map(([id, label]) => (
        <li data-step={id}>
          {label}
          <span class="visually-hidden">{`: ${SPOKEN.waiting}`}</span>
          <span class="note" />
        </li>
      ))}
    </ol>,
    area,
  );
  // Of this list alone: the area may show another one with the same steps later.
  const list = area.firstElementChild;
  return (id, state, note) => {
    const item = list?.querySelector(`[data-step="${id}"]`);
    const [spoken, noted] = item?.querySelectorAll<HTMLElement>(":scope > span") ?? [];
    if (!item || !spoken || !noted) return;
    item.className = state;
    spoken.textContent = `: ${SPOKEN[state]}`;
    render(note, noted);
  };
}
