import type { Child } from "hono/jsx";
import { waitText } from "../../ui/text.ts";
import { walletMessage, walletProblem } from "../wallets/wallets.ts";
import { ApiFailure } from "./api.ts";
import { notice } from "./dom.tsx";
import { FieldProblem } from "./form-values.ts";

/**
 * The notice of a failed step. A wallet's refusal is not a failure; an error of the service is
 * shown in its words.
 *
 * @param form Its fields are called by their labels.
 */
export function failureNotice(error: unknown, form: HTMLFormElement | null = null): Child {
  if (error instanceof FieldProblem) return notice("caution", error.message, error.hint);
  if (error instanceof ApiFailure) {
    const { message, issues, retryAfter, type } = error;
    const list = issues.map(({ path, message: why }) => (
      <li>{path === "" ? why : `${labelOf(path, form)}: ${why}`}</li>
    ));
    return notice(
      "bad",
      message,
      retryAfter === null ? null : `Try again in ${waitText(retryAfter)}.`,
      list.length === 0 ? null : <ul>{list}</ul>,
      <p class="muted">Error {type}</p>,
    );
  }
  switch (walletProblem(error)) {
    case "refused":
      return notice(
        "info",
        "You declined in your wallet",
        "Nothing was signed and nothing was sent. You can still do it.",
      );
    case "busy":
      return notice(
        "caution",
        "Your wallet is waiting for you",
        "It shows an earlier request. Answer it there, then try again.",
      );
    default:
      return notice("bad", "Your wallet could not do it", walletMessage(error));
  }
}

/** The label of the field that a path such as `editedData.publicIdentity.tags.0` is about. */
function labelOf(path: string, form: HTMLFormElement | null): string {
  const names = [path, ...path.split(".").toReversed()];
  for (const name of names) {
    const field = form?.elements.namedItem(name);
    const labels = field instanceof HTMLElement && "labels" in field ? field.labels : null;
    const label = labels instanceof NodeList ? labels[0]?.textContent : null;
    if (label) return label;
  }
  return path;
}
