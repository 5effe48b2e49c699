import type { CallAction, ConsoleAccess } from "../../owner/data.ts";
import { byConsole, sendJson } from "../lib/api.ts";
import { actions, button, byId, code, element, notice } from "../lib/dom.ts";
import { failureNotice } from "../lib/failures.ts";
import { FieldProblem, formValues } from "../lib/form-values.ts";
import { withMoments } from "../lib/moments.ts";
import { checkConfirmed } from "../lib/signed-action.ts";
import { reloadSaying } from "./said-after-reload.ts";

type Answer = Readonly<Record<string, unknown>> | null;

/** Acts with the sign-in to the console: one button, and no wallet. */
export function callAction(area: HTMLElement, action: CallAction, access: ConsoleAccess): void {
  const { label, about, look = "button", request, secret, done } = action;
  const form = action.form === null ? null : (byId(action.form) as HTMLFormElement);
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

  function offer(problem?: HTMLElement): void {
    const act = button(label, () => void perform(), look);
    if (about !== undefined) act.setAttribute("aria-label", `${label}: ${about}`);
    const place = look === "link-button" ? act : actions(act);
    area.replaceChildren(problem ?? "", place);
  }

  async function perform(): Promise<void> {
    try {
      checkConfirmed(action.confirm, form);
      const values = form === null ? {} : formValues(form);
      area.replaceChildren(element("p", { class: "muted" }, "One moment…"));
      const { method, path, body } = request;
      const answer = await sendJson<Answer>(
        method,
        path,
        body === null ? null : { ...body, ...values },
        repetition,
        byConsole(access),
      );
      const said = done.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        withMoments(String(answer?.[name])),
      );
      if (secret === undefined) reloadSaying(said);
      else showSecret(secret, said, String(answer?.[secret.field]));
    } catch (error) {
      offer(error instanceof FieldProblem ? error.shown : failureNotice(error, form));
    }
  }

  function showSecret(
    { title, note }: NonNullable<CallAction["secret"]>,
    said: string,
    value: string,
  ): void {
    const status = element("p", { class: "muted", role: "status" });
    const copy = () =>
      navigator.clipboard.writeText(value).then(
        () => status.replaceChildren("It is in the clipboard."),
        () => status.replaceChildren("Select it and copy it: the browser did not let this page."),
      );
    form?.remove();
    area.replaceChildren(
      notice("good", said),
      element("h3", {}, title),
      notice("caution", "It is shown once", note),
      element("p", {}, code(value)),
      actions(
        button("Copy it", () => void copy()),
        button("I have kept it", () => location.reload(), "button secondary"),
      ),
      status,
    );
    area.setAttribute("tabindex", "-1");
    area.focus();
  }
}
