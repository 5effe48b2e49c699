import { element, notice } from "../lib/dom.ts";
import type { Way } from "./decisions.ts";

/** The choice between the ways in which the values can be sent. */
export function wayChoice(words: Readonly<Record<Way, string>>) {
  const area = element("fieldset", { class: "choices" });
  let chosen: Way | null = null;

  function radio(way: Way): HTMLElement {
    const input = element("input", {
      type: "radio",
      name: "way",
      id: `way-${way}`,
      checked: way === chosen,
      change: () => {
        chosen = way;
      },
    });
    return element(
      "div",
      { class: "choice" },
      input,
      element("label", { for: `way-${way}` }, words[way]),
    );
  }

  return {
    area,
    /** Null when no way fits. */
    chosen: () => chosen,
    /** Offers these ways; nothing when no value is sent. */
    offer(ways: readonly Way[], sendsValues: boolean): void {
      if (chosen === null || !ways.includes(chosen)) chosen = ways[0] ?? null;
      const legend = element("legend", {}, "How the values are sent");
      if (!sendsValues) area.replaceChildren();
      else if (ways.length > 0) area.replaceChildren(legend, ...ways.map(radio));
      else area.replaceChildren(legend, noCommonWay());
    },
  };
}

function noCommonWay(): HTMLElement {
  const why =
    "One of these fields goes through the service only, another one only directly. Keep one of them closed.";
  return notice("caution", "No way fits all of these fields", why);
}
