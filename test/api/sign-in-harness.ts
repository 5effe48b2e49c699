import { randomBytes } from "node:crypto";
import type { Address, LocalAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Database } from "../../api/db/connect.ts";
import { signInStore } from "../../api/db/sign-in.ts";
import type { StandingIndex } from "../../api/services/introspection.ts";
import { createIntrospection } from "../../api/services/introspection.ts";
import type { LiveState } from "../../api/services/live-state.ts";
import type { PassportIndex } from "../../api/services/passport-choice.ts";
import type { MessageSignatures } from "../../api/services/sign-in.ts";
import { createSignIn } from "../../api/services/sign-in.ts";
import { createTokens } from "../../api/services/tokens.ts";
import { testApp } from "./helpers.ts";

export interface HarnessParts {
  readonly db: Database;
  readonly live: LiveState;
  readonly index: PassportIndex & StandingIndex;
  readonly signatures: MessageSignatures;
  readonly clock: () => Date;
  readonly identityRegistry: Address;
  readonly soulCertificate: Address;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  readonly body: any;
}

/** The sign-in service over the given parts, and the calls that tests make. */
export async function signInHarness(parts: HarnessParts) {
  const { db, live, index, signatures, clock, identityRegistry, soulCertificate } = parts;
  const secrets = [{ kid: "k", secret: randomBytes(32) }];
  const tokens = await createTokens({ secrets, issuer: "agents.example", clock });
  const signIn = createSignIn({
    store: signInStore(db),
    ...{ live, index, signatures, tokens, clock, identityRegistry, soulCertificate },
    domain: "agents.example",
    uri: "https://agents.example",
    chainId: 31337,
  });
  const introspection = createIntrospection({ tokens, index });
  const app = testApp({ signIn, introspection, clock });

  async function post(path: string, body: unknown): Promise<Answer> {
    const response = await app.request(`/api/v1/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** A challenge for `signer`, signed. */
  async function signed(flow: "wallet" | "agent", signer: LocalAccount, options: object = {}) {
    const path = flow === "wallet" ? "challenge" : "agent/challenge";
    const { body } = await post(path, { address: signer.address, ...options });
    const { nonce, message } = body;
    return { nonce, message, signature: await signer.signMessage({ message }) };
  }

  return {
    app,
    tokens,
    post,
    signed,
    /** The whole wallet flow; the first refusal is the answer. */
    async walletSignIn(signer: LocalAccount, options: object = {}): Promise<Answer> {
      const verified = await post("verify", await signed("wallet", signer, options));
      return verified.status === 200 ? post("token", { code: verified.body.code }) : verified;
    },
    /** The whole agent flow. */
    async agentSignIn(signer: LocalAccount, agentId: number, options: object = {}) {
      return post("agent/verify", await signed("agent", signer, { agentId, ...options }));
    },
  };
}

export function newAccount(): LocalAccount {
  return privateKeyToAccount(generatePrivateKey());
}

/** The type and details of a refusal, without what differs between requests. */
export function refusal({ status, body }: Answer) {
  const { code, type, details } = body.error;
  const { requestId, ...rest } = details;
  if (code !== status || typeof requestId !== "string") throw new Error("not our error body");
  return { status, type, details: rest };
}
