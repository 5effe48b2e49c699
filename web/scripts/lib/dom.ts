import { shortHex } from "../../../protocol/short-hex.ts";

type Attributes = Readonly<Record<string, string | boolean | EventListener>>;
export type Content = string | Node;

/**
 * An element with attributes and content. Functions become listeners, `true` an attribute without a
 * value, `false` none. Text is only ever text: nothing here turns a string into markup.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...content: readonly Content[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(name, value);
    else if (value !== false) created.setAttribute(name, value === true ? "" : value);
  }
  created.append(...content);
  return created;
}

/** The element with this id. The server wrote it, so a missing one is a bug. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}.`);
  return found;
}

/** What the server left for the script in its root. */
export function pageData<T>(root: HTMLElement): T {
  return JSON.parse(root.dataset.page ?? "null") as T;
}

export function button(label: Content, onClick: () => void, kind = "button"): HTMLButtonElement {
  return element("button", { type: "button", class: kind, click: () => onClick() }, label);
}

export type Tone = "info" | "good" | "caution" | "bad";

/** Looks as the server's `Notice` does. */
export function notice(tone: Tone, title: string, ...content: readonly Content[]): HTMLElement {
  const paragraphs = content.map((part) =>
    typeof part === "string" ? element("p", {}, part) : part,
  );
  return element(
    "div",
    { class: `notice ${tone}` },
    element("p", { class: "notice-title" }, title),
    ...paragraphs,
  );
}

/** Looks as the server's `Card` does. */
export function card(title: string, ...content: readonly Content[]): HTMLElement {
  return element("section", { class: "card" }, element("h2", {}, title), ...content);
}

/** A name and its value, in a list of the class `facts`. */
export function fact(name: string, ...value: readonly Content[]): HTMLElement {
  return element("div", {}, element("dt", {}, name), element("dd", {}, ...value));
}

/** Buttons in a row. */
export function actions(...buttons: readonly HTMLElement[]): HTMLElement {
  return element("div", { class: "actions" }, ...buttons);
}

export function code(text: string): HTMLElement {
  return element("code", { class: "code" }, text);
}

export function link(href: string, label: Content): HTMLAnchorElement {
  return element("a", { href, rel: "noopener" }, label);
}

/** A link that looks like a button. */
export function linkButton(href: string, label: Content): HTMLAnchorElement {
  const anchor = link(href, label);
  anchor.className = "button secondary";
  return anchor;
}

/** Looks as the server's `Transaction` does. */
export function transaction(explorer: string | null, hash: string): HTMLElement {
  const short = element("code", { class: "code", title: hash }, shortHex(hash));
  return explorer === null ? short : link(`${explorer}/tx/${hash}`, short);
}

/** A link that saves `value` as a JSON file. `onSave` runs when it is used. */
export function downloadLink(
  value: unknown,
  fileName: string,
  label: string,
  onSave: () => void = () => {},
): HTMLElement {
  const file = new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: "application/json" });
  return element(
    "a",
    {
      class: "button",
      href: URL.createObjectURL(file),
      download: fileName,
      click: onSave,
    },
    label,
  );
}
