import { createRoute, z } from "@hono/zod-openapi";
import { ApiError } from "../../../kernel/errors.ts";
import {
  assertSameOrigin,
  CONSOLE_HEADER,
  clearConsoleCookie,
  consoleToken,
  cookieSecret,
  setConsoleCookie,
} from "../../../platform/http/console/cookie.ts";
import { createRouter, errorResponses, jsonBody } from "../../../platform/http/router.ts";
import { AddressSchema, TimestampSchema } from "../../../platform/http/schemas.ts";
import { operations } from "../operation-rules.ts";
import { ChallengeAnswer, SignedMessage } from "../schemas.ts";
import type { SignIn } from "../sign-in.ts";
import type { OwnerSessions } from "../tokens/sessions.ts";

const requestErrors = ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;

const postChallenge = createRoute({
  method: "post",
  path: "/auth/account/challenge",
  operationId: "accountSignInChallenge",
  tags: ["Sign-in"],
  summary: "Console, step 1: get a message to sign",
  description:
    "For the console of this service's own pages. The account needs no passport. The signed message permits what scope `manage` permits, for every agent that the account owns, for eight hours.",
  request: { body: jsonBody(z.strictObject({ address: AddressSchema })) },
  responses: {
    200: {
      description: "A message to sign within 5 minutes.",
      content: { "application/json": { schema: ChallengeAnswer } },
    },
    ...errorResponses(...requestErrors),
  },
});

const postVerify = createRoute({
  method: "post",
  path: "/auth/account/verify",
  operationId: "accountSignInVerify",
  tags: ["Sign-in"],
  summary: "Console, step 2: prove the account, get the cookie",
  description: `Only for pages of this service: the request must name its origin. The answer sets the cookie of the console (HttpOnly, SameSite=Strict). Requests with the cookie act as the account's owner session only together with the header ${CONSOLE_HEADER}.`,
  request: { body: jsonBody(SignedMessage) },
  responses: {
    200: {
      description: "The account is signed in to the console.",
      content: {
        "application/json": {
          schema: z
            .object({
              account: z.string().openapi({ pattern: "^0x[0-9a-fA-F]{40}$" }),
              consoleToken: z.string().openapi({
                description: `What requests send in ${CONSOLE_HEADER}. Pages of the console hold it too.`,
              }),
              expiresAt: TimestampSchema,
            })
            .openapi("ConsoleSession"),
        },
      },
    },
    ...errorResponses(
      ...requestErrors,
      "FORBIDDEN",
      "NONCE_EXPIRED",
      "NONCE_USED",
      "INVALID_SIGNATURE",
      "CHAIN_UNAVAILABLE",
    ),
  },
});

const signOut = createRoute({
  method: "delete",
  path: "/sessions",
  operationId: "signOut",
  tags: ["Sign-in"],
  summary: "End the account's session of this request, or all of its sessions",
  description:
    "The session is refused from the next request on, in every process. In the console this also removes the cookie. Not for a token that manages one agent: it can be revoked.",
  request: {
    query: z.object({
      everywhere: z.enum(["true", "false"]).optional().openapi({
        description:
          "`true` ends every sign-in of the account, those for other services too, and its open challenges.",
      }),
    }),
  },
  responses: {
    204: { description: "It has ended." },
    ...errorResponses("INVALID_REQUEST", "FORBIDDEN"),
  },
});

export interface ConsoleRoutesDeps {
  readonly signIn: SignIn;
  readonly ownerSessions: OwnerSessions;
  readonly publicUrl: URL;
}

/** Signing in to the console. */
export const consoleRoutes = ({ signIn, ownerSessions, publicUrl }: ConsoleRoutesDeps) =>
  createRouter(operations)
    .openapi(postChallenge, async (c) => {
      const { address } = c.req.valid("json");
      const { nonce, message, expiresAt } = await signIn.challengeAccount(address);
      return c.json({ nonce, message, expiresAt: expiresAt.toISOString() }, 200);
    })
    .openapi(postVerify, async (c) => {
      // Another page must not sign its visitor in to an account of that page's choice.
      assertSameOrigin(c, publicUrl);
      const signedIn = await signIn.verifyAccount(c.req.valid("json"));
      const former = cookieSecret(c, publicUrl);
      if (former !== undefined) await ownerSessions.endConsole(former);
      setConsoleCookie(c, publicUrl, signedIn);
      const { account, secret, expiresAt } = signedIn;
      return c.json(
        { account, consoleToken: consoleToken(secret), expiresAt: expiresAt.toISOString() },
        200,
      );
    });

export interface SignOutRoutesDeps {
  readonly ownerSessions: OwnerSessions;
  readonly publicUrl: URL;
}

/** `DELETE /sessions`. */
export const signOutRoutes = ({ ownerSessions, publicUrl }: SignOutRoutesDeps) =>
  createRouter(operations).openapi(signOut, async (c) => {
    const caller = c.get("caller");
    if (caller.kind !== "session") throw new ApiError("UNAUTHORIZED");
    await ownerSessions.signOut(caller, c.req.valid("query").everywhere === "true");
    clearConsoleCookie(c, publicUrl);
    return c.body(null, 204);
  });
