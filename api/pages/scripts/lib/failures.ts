import { walletMessage, walletProblem } from "../wallets/wallets.ts";
import { ApiFailure } from "./api.ts";
import { element, notice } from "./dom.ts";

/**
 * The notice of a failed step. A wallet's refusal is not a failure; an error of the service is
 * shown in its words.
 */
export function failureNotice(error: unknown): HTMLElement {
  if (error instanceof ApiFailure) {
    const { message, issues, retryAfter, type } = error;
    const wait = retryAfter === null ? [] : [`Trying again makes sense in ${retryAfter} seconds.`];
    const list = issues.map(({ path, message: why }) =>
      element("li", {}, path === "" ? why : `${path}: ${why}`),
    );
    return notice(
      "bad",
      message,
      ...wait,
      ...(list.length === 0 ? [] : [element("ul", {}, ...list)]),
      element("p", { class: "muted" }, `Error ${type}`),
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
