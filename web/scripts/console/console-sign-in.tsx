import { render } from "hono/jsx/dom";
import type { ConsoleSignInAction } from "../../owner/data.ts";
import { send } from "../lib/api.ts";
import { actions, button } from "../lib/dom.tsx";
import { failureNotice } from "../lib/failures.tsx";
import { signChallenge } from "../lib/session.ts";
import { accountView } from "../lib/signers.tsx";
import { showSteps } from "../lib/steps.tsx";
import type { Connection } from "../wallets/wallet-panel.tsx";

const PATH = "/api/v1/auth/account";

/** Signs the wallet's account in to the console. The session is in a cookie that no script reads. */
export function consoleSignIn(
  area: HTMLElement,
  { signers }: ConsoleSignInAction,
): (connection: Connection | null) => void {
  const { show, turn } = accountView(area, signers, (connection, problem) => {
    const label = problem === undefined ? "Sign in" : "Try again";
    render([problem, actions(button(label, () => start(connection)))], area);
  });
  return show;

  async function start(connection: Connection): Promise<void> {
    const begun = turn();
    const set = showSteps(area, {
      sign: `Sign in ${connection.wallet.name}`,
      open: "Open the console",
    });
    try {
      const signed = await signChallenge(connection, `${PATH}/challenge`, {}, (note) =>
        set("sign", "active", note),
      );
      if (turn() !== begun) return;
      set("sign", "done");
      set("open", "active");
      await send("POST", `${PATH}/verify`, signed);
      location.reload();
    } catch (error) {
      if (turn() === begun) show(connection, failureNotice(error));
    }
  }
}
