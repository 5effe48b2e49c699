import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import { Notice, type Tone } from "../../ui/components.tsx";

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

/** What a view draws, to be put beside other elements. */
export function drawn(view: Child): DocumentFragment {
  const fragment = document.createDocumentFragment();
  render(view, fragment);
  return fragment;
}

/** Leads the reader to what was drawn in `area`. */
export function focusOn(area: HTMLElement): void {
  area.focus();
  area.scrollIntoView({ block: "nearest" });
}

/** A notice; each text is a paragraph of it. */
export function notice(tone: Tone, title: string, ...content: readonly Child[]): Child {
  return (
    <Notice tone={tone} title={title}>
      {content.map((part) => (typeof part === "string" ? <p>{part}</p> : part))}
    </Notice>
  );
}

/** @param about What it acts on, for people who do not see where the button is. */
export function button(label: Child, act: () => unknown, look = "button", about?: string): Child {
  const name = about && `${String(label)}: ${about}`;
  return (
    <button type="button" class={look} aria-label={name} onClick={() => void act()}>
      {label}
    </button>
  );
}

/** Buttons in a row. */
export function actions(...buttons: Child[]): Child {
  return <div class="actions">{buttons}</div>;
}

/** A link that looks like a button. */
export function linkButton(href: string, label: string, look = "button secondary"): Child {
  return (
    <a class={look} href={href} rel="noopener">
      {label}
    </a>
  );
}

/** A link that saves `value` as a JSON file. `onSave` runs when it is used. */
export function downloadLink(
  value: unknown,
  fileName: string,
  label: string,
  onSave: () => void = () => {},
): Child {
  const file = new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: "application/json" });
  return (
    <a class="button" href={URL.createObjectURL(file)} download={fileName} onClick={onSave}>
      {label}
    </a>
  );
}

/** Puts a text into the clipboard, and says in `status` how that went. */
export function copyText(text: string, status: Element | null, done: string, failed: string) {
  return navigator.clipboard.writeText(text).then(
    () => {
      status?.replaceChildren(done);
      return true;
    },
    () => {
      status?.replaceChildren(failed);
      return false;
    },
  );
}
