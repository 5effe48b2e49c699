import {
  type Ccsf,
  type DisclosurePolicy,
  FIELDS,
  type Field,
  fieldValue,
} from "../../../protocol/index.ts";
import type { LeafState } from "../../../protocol/soul-tree-drawing.ts";
import { element } from "../lib/dom.ts";
import { type PendingField, policyWords } from "./decisions.ts";
import { treeLegend, treePicture } from "./tree-picture.ts";
import { valueView } from "./value-view.ts";

export interface LeafListOptions {
  readonly pending: readonly PendingField[];
  /** Fields whose values everyone can have already. */
  readonly opened: ReadonlySet<Field>;
  readonly policy: DisclosurePolicy | null;
  /** The owner's decisions: true to show. Changed here. */
  readonly decided: Map<Field, boolean>;
  /** Whether the decisions were made before. */
  readonly isSettled: boolean;
  readonly onDecide: () => void;
}

const LEAF_WORDS: Readonly<Record<LeafState, string>> = {
  shown: "to be shown",
  opened: "public, says the service",
  closed: "stays closed",
};

/** The twelve leaves as a picture and as a list, in which the owner decides about each field. */
export function leafList(options: LeafListOptions) {
  const { pending, opened, policy, decided, isSettled, onDecide } = options;
  const picture = element("div", {});
  const list = element("ol", { class: "leaves" });

  const stateOf = (field: Field): LeafState => {
    if (decided.get(field) === true) return "shown";
    return opened.has(field) ? "opened" : "closed";
  };

  const wordsOf = (field: Field): string => {
    const isOpen = !decided.has(field) && pending.some((asked) => asked.field === field);
    return isOpen ? "not decided" : LEAF_WORDS[stateOf(field)];
  };

  function showStates(): void {
    picture.replaceChildren(treePicture(stateOf), treeLegend());
    for (const badge of list.querySelectorAll<HTMLElement>("[data-leaf]")) {
      badge.replaceChildren(wordsOf(badge.dataset.leaf as Field));
    }
  }

  function item(field: Field, ccsf: Ccsf | null): HTMLElement {
    const state = element("span", { class: "badge", "data-leaf": field });
    const head = element("p", {}, element("strong", {}, field), " ", state);
    const asked = pending.find((one) => one.field === field);
    if (asked === undefined) return element("li", {}, head);
    const { text, note } = policyWords(policy, asked);
    return element(
      "li",
      { class: "asked" },
      head,
      element("p", { class: "muted" }, text, note === null ? "" : ` Your note: ${note}`),
      ccsf === null
        ? element("p", { class: "muted" }, "Choose your file to see what would be shown.")
        : element(
            "figure",
            { class: "quote" },
            element("figcaption", {}, "Exactly what would be shown:"),
            element("blockquote", {}, valueView(fieldValue(ccsf, field))),
          ),
      choice(field, ccsf !== null),
    );
  }

  function choice(field: Field, canShow: boolean): HTMLElement {
    const radio = (label: string, isShown: boolean) => {
      const id = `${field}-${isShown ? "show" : "keep"}`;
      const input = element("input", {
        type: "radio",
        name: `decision-${field}`,
        id,
        checked: decided.get(field) === isShown,
        disabled: isSettled || (isShown && !canShow),
        change: () => {
          decided.set(field, isShown);
          showStates();
          onDecide();
        },
      });
      return element("div", { class: "choice" }, input, element("label", { for: id }, label));
    };
    return element(
      "fieldset",
      { class: "choices" },
      element("legend", { class: "visually-hidden" }, `Your decision about ${field}`),
      radio("Show it", true),
      radio("Keep it closed", false),
    );
  }

  return {
    parts: [picture, list],
    /** Draws all of it for the soul that was read; null for none. */
    draw(ccsf: Ccsf | null): void {
      list.replaceChildren(...FIELDS.map((field) => item(field, ccsf)));
      showStates();
    },
  };
}
