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
import { challenge, redeemCode, type SignIn, verifyAgent, verifyWallet } from "./sign-in.ts";

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
const verifyErrors = [
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
  responses: { 200: challengeResponse, ...errorResponses() },
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
    ...errorResponses("CODE_EXPIRED", "CODE_USED"),
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
  responses: { 200: challengeResponse, ...errorResponses() },
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
    .openapi(postChallenge, async (c) =>
      c.json(withIsoEnd(await challenge(signIn, "wallet", c.req.valid("json"))), 200),
    )
    .openapi(postVerify, async (c) =>
      c.json(withIsoEnd(await verifyWallet(signIn, c.req.valid("json"))), 200),
    )
    .openapi(postToken, async (c) =>
      c.json(await redeemCode(signIn, c.req.valid("json").code), 200),
    )
    .openapi(postAgentChallenge, async (c) =>
      c.json(withIsoEnd(await challenge(signIn, "agent", c.req.valid("json"))), 200),
    )
    .openapi(postAgentVerify, async (c) =>
      c.json(await verifyAgent(signIn, c.req.valid("json")), 200),
    );

function withIsoEnd<Given extends { readonly expiresAt: Date }>(given: Given) {
  return { ...given, expiresAt: given.expiresAt.toISOString() };
}
