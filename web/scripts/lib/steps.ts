import { type Content, element } from "./dom.ts";

export type StepState = "waiting" | "active" | "done" | "failed";

const SPOKEN: Readonly<Record<StepState, string>> = {
  waiting: "to do",
  active: "in progress",
  done: "done",
  failed: "failed",
};

/** A list of what happens, in order, whose changes are read out. */
export function progressSteps<Id extends string>(
  steps: Readonly<Record<Id, string>>,
): { readonly list: HTMLElement; set(id: Id, state: StepState, note?: Content): void } {
  const items = new Map<string, { li: HTMLElement; spoken: HTMLElement; note: HTMLElement }>();
  const list = element("ol", { class: "steps", "aria-live": "polite", "aria-label": "Progress" });
  for (const [id, label] of Object.entries<string>(steps)) {
    const spoken = element("span", { class: "visually-hidden" }, `: ${SPOKEN.waiting}`);
    const note = element("span", { class: "note" });
    const li = element("li", { "data-step": id }, label, spoken, note);
    items.set(id, { li, spoken, note });
    list.append(li);
  }
  return {
    list,
    set(id, state, note) {
      const item = items.get(id);
      if (item === undefined) return;
      item.li.className = state;
      item.spoken.replaceChildren(`: ${SPOKEN[state]}`);
      item.note.replaceChildren(...(note === undefined ? [] : [note]));
    },
  };
}
