import { SignJWT } from "jose";
import type { Address } from "viem";
import {
  signedClaims,
  TOKEN_ALGORITHM,
  TOKEN_TYPE,
  type TokenSecret,
  tokenKeys,
} from "../tokens/signed-claims.ts";
import { EXAMPLE_AGENT } from "./fixtures.ts";

const PATH = "/api/v1/auth/token/introspect";
const LIFETIME_SECONDS = 3600;

/** What a token says. Everything has a default. */
export interface TestToken {
  readonly agentName?: string;
  /** The wallet that holds the passport. */
  readonly holder?: Address;
  /** Passport id. */
  readonly agentId?: number;
  /** Null: a passport without a soul. */
  readonly tokenId?: number | null;
  readonly chainId?: number;
  /** 2 by default. */
  readonly tier?: 1 | 2 | 3;
  /** `["identity"]` by default. A token with `manage` must be refused by every service. */
  readonly scopes?: readonly string[];
  readonly humanVerified?: boolean;
  /** The issuer itself by default: what a service without an audience accepts. */
  readonly audience?: string;
  /** Time of issue; now by default. A token lives for an hour. */
  readonly issuedAt?: Date;
}

export interface TestIssuerOptions {
  /** The issuer's domain, `iss` of its tokens; `agents.example` by default. */
  readonly issuer?: string;
  /** The current time; by default the system's. */
  readonly clock?: () => Date;
}

/** A sign-in service for tests. It signs tokens as the real one does, with a secret of its own. */
export interface TestIssuer {
  readonly issuer: string;
  /** For `localVerification`. */
  readonly secrets: readonly TokenSecret[];
  /** A new token. */
  token(content?: TestToken): Promise<string>;
  /** From now on introspection answers that the token is not active. */
  revoke(token: string): void;
  /** Makes introspection answer 503, or answer again. */
  setAvailable(available: boolean): void;
  /** Answers a request as the real service does. Only introspection exists here. */
  fetch(request: Request): Promise<Response>;
}

/** A sign-in service within this process. `startTestIssuer` also gives it an address. */
export function createTestIssuer(options: TestIssuerOptions = {}): TestIssuer {
  const { issuer = "agents.example", clock = () => new Date() } = options;
  const secrets = [{ kid: "test", secret: crypto.getRandomValues(new Uint8Array(32)) }];
  const keys = tokenKeys(secrets);
  const revoked = new Set<string>();
  let isAvailable = true;

  async function introspect(request: Request): Promise<Response> {
    const body: unknown = await request.json().catch(() => null);
    const token = typeof body === "object" && body !== null && "token" in body ? body.token : null;
    if (typeof token !== "string") {
      return Response.json({ error: { code: "INVALID_REQUEST" } }, { status: 400 });
    }
    const claims = revoked.has(token)
      ? null
      : await signedClaims(token, keys, { issuer, audience: undefined, now: clock() });
    return Response.json(claims === null ? { active: false } : { active: true, ...claims });
  }

  return {
    issuer,
    secrets,

    async token(content = {}) {
      const said = { ...EXAMPLE_AGENT, ...content };
      const issuedAt = Math.floor((content.issuedAt ?? clock()).getTime() / 1000);
      return new SignJWT({
        tier: said.tier,
        scopes: [...said.scopes],
        agentName: said.agentName,
        erc8004AgentId: said.agentId,
        tokenId: said.tokenId,
        chainId: said.chainId,
        humanVerified: said.humanVerified,
        checkedBlock: 1,
        checkedAt: issuedAt,
      })
        .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid: keys.signer.kid })
        .setIssuer(issuer)
        .setSubject(said.holder)
        .setAudience(content.audience ?? issuer)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_SECONDS)
        .setJti(crypto.randomUUID())
        .sign(await keys.signer.key);
    },

    revoke(token) {
      revoked.add(token);
    },

    setAvailable(available) {
      isAvailable = available;
    },

    async fetch(request) {
      if (!isAvailable) return new Response(null, { status: 503 });
      if (request.method !== "POST" || new URL(request.url).pathname !== PATH) {
        return Response.json({ error: { code: "NOT_FOUND" } }, { status: 404 });
      }
      return introspect(request);
    },
  };
}
