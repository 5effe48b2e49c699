import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { AddressSchema, AgentIdSchema, TimestampSchema } from "../../platform/http/schemas.ts";
import { operations } from "./operation-rules.ts";
import {
  AudienceRequest,
  ChainIdRequest,
  ChallengeAnswer,
  MinTierRequest,
  ScopeRequest,
  SignedMessage,
  TokenAnswer,
} from "./schemas.ts";
import type { Challenge, SignedIn, SignIn } from "./sign-in.ts";

const challengeOptions = {
  scope: ScopeRequest,
  minTier: MinTierRequest,
  chainId: ChainIdRequest,
  audience: AudienceRequest,
};

const common = { method: "post" as const, tags: ["Sign-in"] };

const tokenResponse = {
  description: "An access token, valid for an hour. There are no refresh tokens: sign in again.",
  content: { "application/json": { schema: TokenAnswer } },
};
const challengeResponse = {
  description: "A message to sign within 5 minutes.",
  content: { "application/json": { schema: ChallengeAnswer } },
};
const requestErrors = ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;
const verifyErrors = [
  ...requestErrors,
  "NONCE_EXPIRED",
  "NONCE_USED",
  "INVALID_SIGNATURE",
  "NOT_OWNER",
  "TIER_TOO_LOW",
  "CHAIN_UNAVAILABLE",
] as const;

const postChallenge = createRoute({
  ...common,
  path: "/auth/challenge",
  operationId: "signInChallenge",
  summary: "Wallet flow, step 1: get a message to sign",
  request: {
    body: jsonBody(
      z.strictObject({
        address: AddressSchema,
        agentId: AgentIdSchema.optional().openapi({
          description:
            "The passport to sign in with. Default: the one of the highest tier, then the one held longest.",
        }),
        ...challengeOptions,
      }),
    ),
  },
  responses: { 200: challengeResponse, ...errorResponses(...requestErrors) },
});

const postVerify = createRoute({
  ...common,
  path: "/auth/verify",
  operationId: "signInVerify",
  summary: "Wallet flow, step 2: prove the address, get a one-time code",
  request: { body: jsonBody(SignedMessage) },
  responses: {
    200: {
      description:
        "Signature and ownership are confirmed. The code can be used once, within 5 minutes.",
      content: {
        "application/json": { schema: z.object({ code: z.string(), expiresAt: TimestampSchema }) },
      },
    },
    ...errorResponses(...verifyErrors, "REGISTRY_PENDING"),
  },
});

const postToken = createRoute({
  ...common,
  path: "/auth/token",
  operationId: "signInToken",
  summary: "Wallet flow, step 3: exchange the code for an access token",
  request: { body: jsonBody(z.strictObject({ code: z.string().min(1).max(128) })) },
  responses: {
    200: tokenResponse,
    ...errorResponses(...requestErrors, "CODE_EXPIRED", "CODE_USED"),
  },
});

const postAgentChallenge = createRoute({
  ...common,
  path: "/auth/agent/challenge",
  operationId: "agentSignInChallenge",
  summary: "Agent flow, step 1: get a message to sign",
  request: {
    body: jsonBody(
      z.strictObject({ agentId: AgentIdSchema, address: AddressSchema, ...challengeOptions }),
    ),
  },
  responses: { 200: challengeResponse, ...errorResponses(...requestErrors) },
});

const postAgentVerify = createRoute({
  ...common,
  path: "/auth/agent/verify",
  operationId: "agentSignInVerify",
  summary: "Agent flow, step 2: prove the agent's key, get an access token",
  request: { body: jsonBody(SignedMessage) },
  responses: { 200: tokenResponse, ...errorResponses(...verifyErrors) },
});

/** Sign-in with a wallet (three steps) or an agent's key (two). Public: the signatures are the credentials. */
export const signInRoutes = ({ signIn }: { readonly signIn: SignIn }) =>
  createRouter(operations)
    .openapi(postChallenge, async (c) => {
      const { scope, ...request } = c.req.valid("json");
      const challenge = await signIn.challengeWallet({ ...request, scopes: scope });
      return c.json(challengeAnswer(challenge), 200);
    })
    .openapi(postVerify, async (c) => {
      const { code, expiresAt } = await signIn.verifyWallet(c.req.valid("json"));
      return c.json({ code, expiresAt: expiresAt.toISOString() }, 200);
    })
    .openapi(postToken, async (c) => {
      const { code } = c.req.valid("json");
      return c.json(tokenAnswer(await signIn.redeemCode(code)), 200);
    })
    .openapi(postAgentChallenge, async (c) => {
      const { scope, ...request } = c.req.valid("json");
      const challenge = await signIn.challengeAgent({ ...request, scopes: scope });
      return c.json(challengeAnswer(challenge), 200);
    })
    .openapi(postAgentVerify, async (c) => {
      return c.json(tokenAnswer(await signIn.verifyAgent(c.req.valid("json"))), 200);
    });

function challengeAnswer({ nonce, message, expiresAt }: Challenge) {
  return { nonce, message, expiresAt: expiresAt.toISOString() };
}

function tokenAnswer({ accessToken, expiresIn, tier, profile, scopes }: SignedIn) {
  return {
    accessToken,
    tokenType: "Bearer" as const,
    expiresIn,
    tier,
    profile,
    scopes: [...scopes],
  };
}
