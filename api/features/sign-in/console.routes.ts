import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import {
  assertSameOrigin,
  CONSOLE_HEADER,
  consoleToken,
  cookieSecret,
  setConsoleCookie,
} from "../../platform/http/console/cookie.ts";
import { signIn as signInRules } from "../../platform/http/operations.ts";
import { AddressSchema, TimestampSchema } from "../../platform/http/schemas.ts";
import { ChallengeAnswer, SignedMessage } from "./schemas.ts";
import { challengeAccount, type SignIn, verifyAccount } from "./sign-in.ts";
import type { OwnerSessions } from "./tokens/sessions.ts";

const step = { method: "post", at: "/api/v1", tag: "Sign-in" } as const;

export const accountSignInChallenge = endpoint({
  ...step,
  rules: { ...signInRules, rate: "challenge" },
  operationId: "accountSignInChallenge",
  path: "/auth/account/challenge",
  summary: "Console, step 1: get a message to sign",
  description:
    "For the console of this service's own pages. The account needs no passport. The signed message permits what scope `manage` permits, for every agent that the account owns, for eight hours.",
  body: z.strictObject({ address: AddressSchema }),
  done: "A message to sign within 5 minutes.",
  answer: ChallengeAnswer,
  errors: [],
  async run({ body }, { signIn }: { readonly signIn: SignIn }) {
    const challenge = await challengeAccount(signIn, body.address);
    return { ...challenge, expiresAt: challenge.expiresAt.toISOString() };
  },
});

export const accountSignInVerify = endpoint({
  ...step,
  rules: signInRules,
  operationId: "accountSignInVerify",
  path: "/auth/account/verify",
  summary: "Console, step 2: prove the account, get the cookie",
  description: `Only for pages of this service: the request must name its origin. The answer sets the cookie of the console (HttpOnly, SameSite=Strict). Requests with the cookie act as the account's owner session only together with the header ${CONSOLE_HEADER}.`,
  body: SignedMessage,
  done: "The account is signed in to the console.",
  answer: z
    .object({
      account: z.string().openapi({ pattern: "^0x[0-9a-fA-F]{40}$" }),
      consoleToken: z.string().openapi({
        description: `What requests send in ${CONSOLE_HEADER}. Pages of the console hold it too.`,
      }),
      expiresAt: TimestampSchema,
    })
    .openapi("ConsoleSession"),
  errors: ["FORBIDDEN", "NONCE_EXPIRED", "NONCE_USED", "INVALID_SIGNATURE", "CHAIN_UNAVAILABLE"],
  async run(
    { body },
    {
      signIn,
      ownerSessions,
      publicUrl,
    }: { readonly signIn: SignIn; readonly ownerSessions: OwnerSessions; readonly publicUrl: URL },
    c,
  ) {
    // Another page must not sign its visitor in to an account of that page's choice.
    assertSameOrigin(c, publicUrl);
    const signedIn = await verifyAccount(signIn, body);
    const former = cookieSecret(c, publicUrl);
    if (former !== undefined) await ownerSessions.endConsole(former);
    setConsoleCookie(c, publicUrl, signedIn);
    const { account, secret, expiresAt } = signedIn;
    return { account, consoleToken: consoleToken(secret), expiresAt: expiresAt.toISOString() };
  },
});
