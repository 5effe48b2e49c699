import { randomBytes } from "node:crypto";
import type { Address, Hex, LocalAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { apiKeyStore } from "../../../../api/features/keys/api-keys.store.ts";
import { createPassportFiles } from "../../../../api/features/passports/passport-files.ts";
import { createRegistrationFiles } from "../../../../api/features/passports/remembered-files.ts";
import type { DetailsIndex } from "../../../../api/features/profile/details.ts";
import { createPassportArrivals } from "../../../../api/features/sign-in/arrivals.chain.ts";
import type {
  PassportArrivals,
  PassportIndex,
} from "../../../../api/features/sign-in/passport-choice.ts";
import { signInStore } from "../../../../api/features/sign-in/sign-in.store.ts";
import type { SignIn } from "../../../../api/features/sign-in/sign-in.ts";
import type { ReadTokenStanding } from "../../../../api/features/sign-in/tokens/introspection.ts";
import { createIntrospection } from "../../../../api/features/sign-in/tokens/introspection.ts";
import { rememberRevoked } from "../../../../api/features/sign-in/tokens/revocation.store.ts";
import { createTokens } from "../../../../api/features/sign-in/tokens/tokens.ts";
import { createLinks } from "../../../../api/kernel/links.ts";
import type { MessageSignatures } from "../../../../api/kernel/signatures.ts";
import type { Database } from "../../../../api/platform/database/connect.ts";
import { createChainSouls } from "../../../../api/soul/chain-soul.chain.ts";
import type { ChainPassports } from "../../../../api/soul/chain-soul.ts";
import type { TokenSecret } from "../../../../kit/tokens/signed-claims.ts";
import { chainSouls } from "../../../fixtures/chain-soul.ts";
import { testApp } from "../../helpers.ts";

export interface HarnessParts {
  readonly db: Database;
  readonly live: ChainPassports & PassportArrivals;
  readonly index: PassportIndex & DetailsIndex & { readonly tokenStanding: ReadTokenStanding };
  readonly signatures: MessageSignatures;
  readonly clock: () => Date;
  readonly identityRegistry: Address;
  readonly soulCertificate: Address;
  /** What permanent storage holds; by default nothing. */
  readonly stored?: (id: string) => Promise<{ readonly data: Uint8Array } | null>;
  /** Of the service; by default a random secret, agents.example and chain 31337. */
  readonly secrets?: readonly TokenSecret[];
  readonly domain?: string;
  readonly chainId?: number;
  readonly publicUrl?: URL;
  readonly chainTimeoutMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of the answer
  readonly body: any;
}

/** The chain as sign-in sees it. */
export function liveState(
  options: Parameters<typeof createChainSouls>[0] & Parameters<typeof createPassportArrivals>[0],
): ChainPassports & PassportArrivals {
  return { ...createChainSouls(options), ...createPassportArrivals(options) };
}

/** The sign-in service over the given parts, and the calls that tests make. */
export async function signInHarness(parts: HarnessParts) {
  const { db, live, index, signatures, clock, identityRegistry, soulCertificate } = parts;
  const { domain = "agents.example", chainId = 31337, chainTimeoutMs = 8_000 } = parts;
  const { secrets = [{ kid: "k", secret: randomBytes(32) }] } = parts;
  const { publicUrl = new URL(`https://${domain}`) } = parts;
  const tokens = createTokens({ secrets, issuer: domain, clock });
  const stored = parts.stored ?? (async () => null);
  const links = createLinks(publicUrl.origin);
  const http = { request: () => Promise.reject(new Error("A sign-in fetches nothing.")) };
  const storageUrl = links.storage("");
  const readable = createPassportFiles({ stored, http, storageUrl, timeoutMs: 200 });
  const files = createRegistrationFiles(readable, 2);
  const signIn: SignIn = {
    store: signInStore(db),
    live,
    index,
    signatures,
    tokens,
    clock,
    identityRegistry,
    domain,
    chainId,
    uri: publicUrl.origin,
    files,
    links,
    soulCertificate,
    chainTimeoutMs,
  };
  const introspection = createIntrospection(tokens, index.tokenStanding, async () => {});
  const revocation = { tokens, revoke: rememberRevoked(db), clock };
  const apiKeys = {
    keys: apiKeyStore(db),
    recordUse: async () => {},
    souls: chainSouls(),
    clock,
  };
  const app = testApp({ signIn, introspection, revocation, apiKeys, clock, publicUrl });

  async function post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await app.request(`/api/v1/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
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
    /** The whole wallet flow. It returns the first refusal. */
    async walletSignIn(signer: LocalAccount, options: object = {}): Promise<Answer> {
      const verified = await post("verify", await signed("wallet", signer, options));
      return verified.status === 200 ? post("token", { code: verified.body.code }) : verified;
    },
    /** The whole agent flow. */
    async agentSignIn(signer: LocalAccount, agentId: number, options: object = {}) {
      return post("agent/verify", await signed("agent", signer, { agentId, ...options }));
    },
    /** Signs `address` in to the console with what `sign` makes of the message. */
    async consoleSignIn(address: Address, sign: (message: string) => Promise<Hex>) {
      const { body } = await post("account/challenge", { address });
      const { nonce, message } = body;
      const signature = await sign(message);
      const headers = { origin: publicUrl.origin };
      return post("account/verify", { nonce, message, signature }, headers);
    },
  };
}

export function newAccount(): LocalAccount {
  return privateKeyToAccount(generatePrivateKey());
}

/** The type and details of a refusal, without the parts that differ between requests. */
export function refusal({ status, body }: Answer) {
  const { code, type, details } = body.error;
  const { requestId, ...rest } = details;
  if (code !== status || typeof requestId !== "string") throw new Error("not an API error body");
  return { status, type, details: rest };
}
