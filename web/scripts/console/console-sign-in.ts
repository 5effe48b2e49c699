import type { z } from "@hono/zod-openapi";
import type { ChallengeAnswer } from "../../../api/features/sign-in/index.ts";
import type { ConsoleSignInAction } from "../../owner/data.ts";
import { postJson } from "../lib/api.ts";
import { actions, button } from "../lib/dom.ts";
import { failureNotice } from "../lib/failures.ts";
import { accountView } from "../lib/signers.ts";
import { progressSteps } from "../lib/steps.ts";
import { patiently } from "../wallets/patience.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { signMessage } from "../wallets/wallets.ts";

/** Signs the wallet's account in to the console. The session is in a cookie that no script reads. */
export function consoleSignIn(
  area: HTMLElement,
  { signers }: ConsoleSignInAction,
): (connection: Connection | null) => void {
  const { show, turn } = accountView(area, signers, (connection, problem) => {
    const label = problem === undefined ? "Sign in" : "Try again";
    area.replaceChildren(problem ?? "", actions(button(label, () => void start(connection))));
  });
  return show;

  async function start(connection: Connection): Promise<void> {
    const begun = turn();
    const { wallet, account } = connection;
    const { list, set } = progressSteps({
      sign: `Sign in ${wallet.name}`,
      open: "Open the console",
    });
    area.replaceChildren(list);
    const path = "/api/v1/auth/account";
    try {
      const { nonce, message } = await postJson<z.output<typeof ChallengeAnswer>>(
        `${path}/challenge`,
        { address: account },
      );
      set("sign", "active", "Your wallet asks for a signature. It costs nothing.");
      const signature = await patiently(
        () => signMessage(wallet.provider, account, message),
        (note) => set("sign", "active", note),
      );
      if (turn() !== begun) return;
      set("sign", "done");
      set("open", "active");
      await postJson(`${path}/verify`, { nonce, message, signature });
      location.reload();
    } catch (error) {
      if (turn() === begun) show(connection, failureNotice(error));
    }
  }
}
