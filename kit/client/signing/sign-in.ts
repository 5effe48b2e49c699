import { readAgentMessage, readWalletMessage } from "../../../protocol/check-sign-in-message.ts";
import { InvalidSignInMessageError } from "../../../protocol/sign-in-message.ts";
import { signInStatement } from "../../../protocol/sign-in-statement.ts";
import { ApiError } from "../api-error.ts";
import type { Answer, CallInput, CallOptions } from "../operation-types.ts";
import { contractOf } from "./deployment.ts";
import type { SigningContext } from "./sign.ts";
import { addressOf, type Signer, signMessage } from "./signer.ts";

type Challenge = CallInput<"signInChallenge">["body"];

export interface SignInInput
  extends Omit<Challenge, "address" | "chainId">,
    Pick<CallOptions, "signal" | "timeoutMs"> {
  readonly signer: Signer;
  /**
   * `agent` signs in as the agent of the passport `agentId`, in two steps. `wallet` signs in as the
   * account, in three. `agent` by default with an `agentId`, else `wallet`.
   */
  readonly flow?: "agent" | "wallet" | undefined;
}

export interface SignInContext extends SigningContext {
  /** The domain that messages name: the service's host, if it is not configured otherwise. */
  readonly signInDomain: string;
}

/** The token of a sign-in. */
export type SignInToken = Answer<"agentSignInVerify">;

/** Older challenges are refused. Clocks of client and service may differ by a minute. */
const MAX_AGE_SECONDS = 600;
const SKEW_MS = 60_000;

/**
 * Signs in by either flow. The message is signed only if it says exactly what is asked for.
 *
 * @throws ApiError UNSAFE_TO_SIGN
 */
export async function signIn(input: SignInInput, context: SignInContext): Promise<SignInToken> {
  const { signer, flow, signal, timeoutMs, ...asked } = input;
  const { client, deployment } = context;
  const address = addressOf(signer);
  const body = { ...asked, address, chainId: deployment.chainId };
  const options = { signal, timeoutMs };
  if (flow !== "wallet" && body.agentId !== undefined) {
    const agent = { ...body, agentId: body.agentId };
    const challenge = await client.call("agentSignInChallenge", { body: agent, ...options });
    assertMessage("agent", challenge, input, context);
    return client.call("agentSignInVerify", { body: await signed(challenge, signer), ...options });
  }
  if (flow === "agent") {
    throw new ApiError("INVALID_INPUT", "A sign-in as an agent needs the passport's agentId.");
  }
  const challenge = await client.call("signInChallenge", { body, ...options });
  assertMessage("wallet", challenge, input, context);
  const { code } = await client.call("signInVerify", {
    body: await signed(challenge, signer),
    ...options,
  });
  return client.call("signInToken", { body: { code }, ...options });
}

async function signed({ nonce, message }: Answer<"signInChallenge">, signer: Signer) {
  return { nonce, message, signature: await signMessage(signer, message) };
}

function assertMessage(
  flow: "agent" | "wallet",
  { nonce, message }: Answer<"signInChallenge">,
  { signer, agentId, scope = [], audience }: SignInInput,
  { deployment, publicUrl, signInDomain: domain }: SignInContext,
): void {
  const expected = {
    domain,
    uri: publicUrl,
    chainId: deployment.chainId,
    nonce,
    at: new Date(Date.now() + SKEW_MS),
    maxAgeSeconds: MAX_AGE_SECONDS,
  };
  const statement = signInStatement({
    flow,
    domain,
    agentId: agentId ?? null,
    scopes: scope,
    audience: audience === undefined || audience === publicUrl ? null : audience,
  });
  const fields =
    flow === "agent"
      ? readable(() =>
          readAgentMessage(message, {
            ...expected,
            registry: contractOf(deployment, "identityRegistry"),
          }),
        )
      : readable(() =>
          readWalletMessage(message, {
            ...expected,
            scheme: new URL(publicUrl).protocol.slice(0, -1),
          }),
        );
  assertEqual("statement", fields.statement, statement);
  assertEqual("address", fields.address, addressOf(signer));
  assertEqual("request id", fields.requestId, undefined);
  if ("resources" in fields) assertEqual("resources", fields.resources, undefined);
  if ("agentId" in fields) assertEqual("agent id", fields.agentId, BigInt(agentId ?? -1));
}

function readable<Fields>(read: () => Fields): Fields {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidSignInMessageError)) throw error;
    throw new ApiError("UNSAFE_TO_SIGN", error.message, { cause: error });
  }
}

function assertEqual(name: string, value: unknown, expected: unknown): void {
  if (value === expected) return;
  throw new ApiError("UNSAFE_TO_SIGN", `The sign-in message's ${name} is not what you asked for.`);
}
