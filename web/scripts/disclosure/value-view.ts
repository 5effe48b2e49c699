import { visibleText } from "../../../protocol/visible-text.ts";
import { element } from "../lib/dom.ts";

/** A field's value: its text, or one line for each entry of its list. */
export function valueView(value: unknown): HTMLElement {
  if (value === "") return element("span", { class: "muted" }, "an empty text");
  if (typeof value === "string") return said(value);
  if (Array.isArray(value) && value.length === 0) {
    return element("span", { class: "muted" }, "an empty list");
  }
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) {
    return element("ul", {}, ...value.map((entry) => element("li", {}, said(entry))));
  }
  return element("pre", { tabindex: "0" }, said(JSON.stringify(value, null, 2) ?? "nothing"));
}

function said(text: string): HTMLElement {
  return element("span", { class: "said", dir: "auto" }, visibleText(text));
}
