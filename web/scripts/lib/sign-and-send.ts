import type { TypedData } from "../../ui/typed-data.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { patiently, signTypedData } from "../wallets/wallets.ts";
import { ApiFailure, send } from "./api.ts";
import { showSteps } from "./steps.tsx";

/** What is signed and sent once, however often it is tried. */
export interface SignedRequest {
  /** One message, or two: the second is a permit of the stablecoin. */
  readonly messages: readonly TypedData[];
  /** Kept until the service refuses them, so that trying again does not ask the wallet again. */
  readonly signatures: string[];
  /** The Idempotency-Key: a lost answer is read again, and nothing happens twice. */
  readonly repetition: string;
}

export function signedRequest(...messages: readonly TypedData[]): SignedRequest {
  return { messages, signatures: [], repetition: crypto.randomUUID() };
}

/** A signed message as requests carry it. */
export interface SignedPart {
  readonly message: TypedData["message"];
  readonly signature: string;
}

/** Where a signed request is sent to, and what is said of it. */
export interface Sending {
  readonly method: string;
  readonly path: string;
  /** What the service does with it, as a step of the progress list. */
  readonly label: string;
  /** Said while the service does it. Default: that it sends a transaction, and pays for it. */
  readonly progress?: string | undefined;
}

const SENDS = "The service sends it, and pays for it. This takes a few seconds.";

/**
 * Has the account sign every message, and sends the request, with the progress shown in `area`.
 *
 * @param bodyOf The body with what was signed.
 * @throws ApiFailure of the service, or the wallet's error.
 */
export async function signAndSend<Answer>(
  area: HTMLElement,
  { wallet, account }: Connection,
  { messages, signatures, repetition }: SignedRequest,
  { method, path, label, progress = SENDS }: Sending,
  bodyOf: (signed: SignedPart, permit: SignedPart | undefined) => object,
): Promise<Answer> {
  const set = showSteps(area, {
    sign: messages.length === 1 ? `Sign in ${wallet.name}` : `Sign twice in ${wallet.name}`,
    send: label,
  });
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
    return await send<Answer>(method, path, bodyOf(owner, permit), { repetition });
  } catch (error) {
    if (error instanceof ApiFailure && error.type === "INVALID_SIGNATURE") signatures.length = 0;
    throw error;
  }
}
