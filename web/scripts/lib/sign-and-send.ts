import type { TypedData } from "../../ui/typed-data.ts";
import { patiently } from "../wallets/patience.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { signTypedData } from "../wallets/wallets.ts";
import { ApiFailure, sendJson } from "./api.ts";
import { progressSteps } from "./steps.ts";

/** What is signed and sent once, however often it is tried. */
export interface SignedRequest {
  /** One message, or two: the second is a permit of the stablecoin. */
  readonly messages: readonly TypedData[];
  /** Kept until the service refuses them, so that trying again does not ask the wallet again. */
  readonly signatures: string[];
  /** The Idempotency-Key: a lost answer is read again, and nothing happens twice. */
  readonly idempotencyKey: string;
}

export function signedRequest(messages: readonly TypedData[]): SignedRequest {
  return { messages, signatures: [], idempotencyKey: crypto.randomUUID() };
}

/** A signed message as requests carry it. */
export interface SignedPart {
  readonly message: TypedData["message"];
  readonly signature: string;
}

const SENDS = "The service sends it, and pays for it. This takes a few seconds.";

export interface SendOptions {
  readonly method: string;
  readonly path: string;
  /** What the service does with it, as a step of the progress list. */
  readonly label: string;
  /** Said while the service does it. Default: that it sends a transaction, and pays for it. */
  readonly progress?: string | undefined;
  /** The body with what was signed. */
  body(signed: SignedPart, permit: SignedPart | undefined): object;
}

/**
 * Has the account sign every message, and sends the request, with the progress shown in `area`.
 *
 * @throws ApiFailure of the service, or the wallet's error.
 */
export async function signAndSend<Answer>(
  area: HTMLElement,
  { wallet, account }: Connection,
  { messages, signatures, idempotencyKey }: SignedRequest,
  { method, path, label, progress = SENDS, body }: SendOptions,
): Promise<Answer> {
  const { list, set } = progressSteps({
    sign: messages.length === 1 ? `Sign in ${wallet.name}` : `Sign twice in ${wallet.name}`,
    send: label,
  });
  area.replaceChildren(list);
  const signed: SignedPart[] = [];
  for (const [index, typedData] of messages.entries()) {
    const which = messages.length === 1 ? "a signature" : `signature ${index + 1} of 2`;
    set("sign", "active", `Your wallet asks for ${which}.`);
    const signature =
      signatures[index] ??
      (await patiently(
        () => signTypedData(wallet.provider, account, typedData),
        (note) => set("sign", "active", note),
      ));
    signatures[index] = signature;
    signed.push({ message: typedData.message, signature });
  }
  const [owner, permit] = signed;
  if (owner === undefined) throw new Error("There is nothing to sign.");
  set("sign", "done");
  set("send", "active", progress);
  try {
    return await sendJson<Answer>(method, path, body(owner, permit), idempotencyKey);
  } catch (error) {
    if (error instanceof ApiFailure && error.type === "INVALID_SIGNATURE") signatures.length = 0;
    throw error;
  }
}
