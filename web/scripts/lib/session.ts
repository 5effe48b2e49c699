import type { z } from "@hono/zod-openapi";
import type { ChallengeAnswer, TokenAnswer } from "../../../api/features/sign-in/index.ts";
import { patiently } from "../wallets/patience.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { signMessage } from "../wallets/wallets.ts";
import { postJson } from "./api.ts";

type Challenge = z.output<typeof ChallengeAnswer>;
export type SignedIn = z.output<typeof TokenAnswer>;

export interface SignInOptions {
  readonly scope: readonly string[];
  /** The passport to sign in with; null leaves it to the service. */
  readonly agentId: number | null;
  /** Called when the wallet is asked, again when it takes long, and when it has signed. */
  readonly onAsk: (note: string) => void;
  readonly onSigned: () => void;
}

/** Signs in with a wallet: a message to sign, a code, a token. The token is not kept anywhere. */
export async function signIn(
  { wallet, account }: Connection,
  { scope, agentId, onAsk, onSigned }: SignInOptions,
): Promise<SignedIn> {
  const request =
    agentId === null ? { address: account, scope } : { address: account, scope, agentId };
  const { nonce, message } = await postJson<Challenge>("/api/v1/auth/challenge", request);
  onAsk("Your wallet asks for a signature. It costs nothing.");
  const signature = await patiently(() => signMessage(wallet.provider, account, message), onAsk);
  onSigned();
  const proof = { nonce, message, signature };
  const { code } = await postJson<{ code: string }>("/api/v1/auth/verify", proof);
  return postJson<SignedIn>("/api/v1/auth/token", { code });
}
