import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Address } from "viem";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import { endpoint } from "../../platform/endpoint.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { freshRead, ownerSigned } from "../../platform/http/operations.ts";
import { TokenIdParam } from "../../platform/http/schemas.ts";
import { invitationBody, withFleetId } from "./answers.http.ts";
import type { SignedForOrganizations } from "./build.ts";
import {
  InvitationAnswer,
  InvitationsAnswer,
  SignedInvitationEndBody,
  SignedInvitationsBody,
} from "./signed.schemas.ts";

/** None of it costs gas. */
const SIGNED_ERRORS = OWNER_OPERATION_ERRORS.filter((type) => type !== "GAS_BUDGET_EXHAUSTED");

/** For the account of an owner session. */
const ofAccount = { ...freshRead, access: "session", console: true, origins: "own" } as const;

const list = {
  path: "/org/invitations",
  tag: "Organizations",
  done: "Those that can still be signed.",
  answer: InvitationsAnswer,
} as const;

const one = {
  path: "/org/invitations/{invitationId}",
  tag: "Organizations",
  params: { invitationId: z.uuid() },
} as const;

export const listInvitations = endpoint({
  ...list,
  operationId: "listInvitations",
  rules: { ...ofAccount, legacyPaths: ["/fleet/invitations"] },
  method: "get",
  summary: "Invitations that wait for your signature, or for another account's after yours",
  description:
    "For the account of an owner session: the agents' owner, or the organizations' admin. The newest first, at most 100. Each is compared with the chain before it is shown.",
  query: { organizationId: TokenIdParam.optional() },
  errors: ["INVALID_REQUEST", "CHAIN_UNAVAILABLE"],
  async run(
    { organizationId: id },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
    c,
  ) {
    const filter = id === undefined ? {} : { subject: { kind: "organization", id } as const };
    const views = await engine.waiting.list([definitions.join], accountOf(c), filter);
    return { invitations: views.map((view) => withFleetId(c, invitationBody(view))) };
  },
});

export const listInvitationsBySignature = endpoint({
  ...list,
  operationId: "listInvitationsBySignature",
  rules: {
    ...ownerSigned,
    effect: "reads",
    typedData: "org-invitations",
    legacyPaths: ["/fleet/invitations"],
  },
  method: "post",
  summary: "The invitations of an account, by one signature",
  description:
    "The list of `GET /v1/org/invitations` for any account, also for an admin that owns no passport and so cannot sign in. A signature counts once.",
  body: SignedInvitationsBody,
  errors: SIGNED_ERRORS,
  async run(
    { body },
    { organizationOperations: { engine, invitations } }: SignedForOrganizations,
    c,
  ) {
    const { accountAddress: account, organizationId = null, ...evidence } = body;
    const views = await engine.settle(
      invitations.list,
      { account, organizationId },
      [{ ...evidence, role: "owner" }],
      requesterOf(c),
    );
    return { invitations: views.map((view) => withFleetId(c, invitationBody(view))) };
  },
});

export const getInvitation = endpoint({
  ...one,
  operationId: "getInvitation",
  rules: { ...ofAccount, legacyPaths: ["/fleet/invitations/{invitationId}"] },
  method: "get",
  summary: "One invitation, for its two parties",
  done: "It can still be signed.",
  answer: InvitationAnswer,
  errors: ["INVALID_REQUEST", "NOT_FOUND", "CHAIN_UNAVAILABLE"],
  async run(
    { invitationId },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
    c,
  ) {
    const view = await engine.waiting.read([definitions.join], invitationId, accountOf(c));
    return withFleetId(c, invitationBody(view));
  },
});

export const endInvitation = endpoint({
  ...one,
  operationId: "endInvitation",
  rules: {
    ...ownerSigned,
    access: "session-or-signature",
    console: true,
    typedData: "org-invitation-end",
    legacyPaths: ["/fleet/invitations/{invitationId}"],
  },
  method: "delete",
  summary: "Withdraw or decline an invitation",
  description:
    "For either party, with a session of its account or its signature. The signature may come as base64url JSON in `X-Svc-Owner-Signature`, because many clients drop the body of a DELETE. The service forgets the signature that waited. Its signer can also cancel its nonce on chain, which no service can undo.",
  body: SignedInvitationEndBody,
  bodyOrHeader: true,
  done: "It has ended.",
  errors: SIGNED_ERRORS,
  async run({ invitationId, body }, { organizationOperations }: SignedForOrganizations, c) {
    const { engine, definitions, invitations } = organizationOperations;
    const { message, signature, signer, accountAddress: account = signer } = body;
    if (signature === undefined) {
      if (c.get("caller").kind === "anonymous") throw signatureRequired("org-invitation-end");
      await engine.waiting.withdraw([definitions.join], invitationId, accountOf(c));
      return;
    }
    if (body.invitationId !== undefined && body.invitationId !== invitationId) {
      throw badRequest("invitationId", `The path says ${invitationId}`);
    }
    await engine.settle(
      invitations.end,
      { account, invitationId },
      [{ message, signature, signer, role: "owner" }],
      requesterOf(c),
    );
  },
});

/** The account of an owner session. @throws ApiError FORBIDDEN for a session that manages one agent only. */
function accountOf(c: Context<AppEnv>): Address {
  const caller = c.get("caller");
  if (caller.kind === "session" && caller.agentId === null) return caller.owner;
  throw new ApiError("FORBIDDEN", {
    message: "Invitations are the account's. Sign in with scope manage and without agentId.",
  });
}
