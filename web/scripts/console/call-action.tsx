import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { CallAction, ConsoleAccess } from "../../owner/data.ts";
import { Code } from "../../ui/components.tsx";
import { withMoments } from "../../ui/text.ts";
import { byConsole, send } from "../lib/api.ts";
import { actions, button, byId, copyText, notice } from "../lib/dom.tsx";
import { failureNotice } from "../lib/failures.tsx";
import { formValues } from "../lib/form-values.ts";
import { checkConfirmed } from "../lib/signed-action.tsx";

type Answer = Readonly<Record<string, unknown>> | null;

/** Acts with the sign-in to the console: one button, and no wallet. */
export function callAction(area: HTMLElement, action: CallAction, access: ConsoleAccess): void {
  const { label, about, look = "button", request, secret, done } = action;
  const form = action.form === null ? null : (byId(action.form) as HTMLFormElement);
  const credential = byConsole(access);
  /** The same for every try of the same thing. */
  let repetition = crypto.randomUUID();
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    void perform();
  });
  form?.addEventListener("input", () => {
    repetition = crypto.randomUUID();
  });
  area.setAttribute("aria-live", "polite");
  offer();

  function offer(problem?: Child): void {
    const act = button(label, perform, look, about);
    render([problem, look === "link-button" ? act : actions(act)], area);
  }

  async function perform(): Promise<void> {
    try {
      checkConfirmed(action.confirm, form);
      const values = form === null ? {} : formValues(form);
      render(<p class="muted">One moment…</p>, area);
      const { method, path } = request;
      const body = request.body === null ? null : { ...request.body, ...values };
      const answer = await send<Answer>(method, path, body, { credential, repetition });
      const said = done.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        withMoments(String(answer?.[name])),
      );
      if (secret === undefined) reloadSaying(said);
      else {
        form?.remove();
        showSecret(area, secret, said, String(answer?.[secret.field]));
      }
    } catch (error) {
      offer(failureNotice(error, form));
    }
  }
}

function showSecret(
  area: HTMLElement,
  { title, note }: NonNullable<CallAction["secret"]>,
  said: string,
  value: string,
): void {
  const copy = () =>
    copyText(
      value,
      area.querySelector("[role=status]"),
      "It is in the clipboard.",
      "Select it and copy it: the browser did not let this page.",
    );
  render(
    [
      notice("good", said),
      <h3>{title}</h3>,
      notice("caution", "It is shown once", note),
      <p>
        <Code>{value}</Code>
      </p>,
      actions(
        button("Copy it", copy),
        button("I have kept it", () => location.reload(), "button secondary"),
      ),
      <p class="muted" role="status" />,
    ],
    area,
  );
  area.setAttribute("tabindex", "-1");
  area.focus();
}

const SAID_KEY = "said-after-reload";

/** Loads the page again, as it is after an action, and has it say what was done. */
export function reloadSaying(text: string): void {
  sessionStorage.setItem(SAID_KEY, text);
  location.reload();
}

/** What was to be said after the reload, once; null for nothing. */
export function saidAfterReload(): string | null {
  const text = sessionStorage.getItem(SAID_KEY);
  sessionStorage.removeItem(SAID_KEY);
  return text;
}
