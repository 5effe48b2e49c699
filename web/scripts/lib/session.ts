import type { z } from "@hono/zod-openapi";
import type { ChallengeAnswer, TokenAnswer } from "../../../api/features/sign-in/index.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { patiently, signMessage } from "../wallets/wallets.ts";
import { send } from "./api.ts";

type Challenge = z.output<typeof ChallengeAnswer>;
export type SignedIn = z.output<typeof TokenAnswer>;

/**
 * Has the account sign the challenge that `path` gives.
 *
 * @param onAsk Called when the wallet is asked, and again when it takes long.
 */
export async function signChallenge(
  { wallet, account }: Connection,
  path: string,
  request: object,
  onAsk: (note: string) => void,
) {
  const body = { address: account, ...request };
  const { nonce, message } = await send<Challenge>("POST", path, body);
  onAsk("Your wallet asks for a signature. It costs nothing.");
  const signature = await patiently(() => signMessage(wallet.provider, account, message), onAsk);
  return { nonce, message, signature };
}

/**
 * Signs in with a wallet: a message to sign, a code, a token. The token is not kept anywhere.
 *
 * @param request What the session may do; a passport of several as `agentId`.
 */
export async function signIn(
  connection: Connection,
  request: { readonly scope: readonly string[]; readonly agentId?: number },
  onAsk: (note: string) => void,
  onSigned: () => void = () => {},
): Promise<SignedIn> {
  const proof = await signChallenge(connection, "/api/v1/auth/challenge", request, onAsk);
  onSigned();
  const { code } = await send<{ code: string }>("POST", "/api/v1/auth/verify", proof);
  return send<SignedIn>("POST", "/api/v1/auth/token", { code });
}
