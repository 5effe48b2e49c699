import type { Context } from "hono";
import type { Hex } from "viem";
import { zeroAddress } from "viem";
import { badRequest } from "../../kernel/errors.ts";
import type { PerformedOperation } from "../../operations/operation.ts";
import type { WaitingView } from "../../operations/waiting/waiting.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { agentIds, idNumber } from "../../platform/http/schemas.ts";
import type { AdminChange } from "./admins.ts";
import type { Founded } from "./founding.ts";
import type { JoinRequest, MembershipChange } from "./memberships.ts";

/** The answer; on a path of the former name `fleet` with the former name of the organization's id as well. */
export function withFleetId<Body extends { readonly organizationId: number }>(
  c: Context,
  body: Body,
): Body & { readonly fleetId?: number } {
  return isFleetPath(c) ? { ...body, fleetId: body.organizationId } : body;
}

function isFleetPath(c: Context): boolean {
  return c.req.path.split("/").some((part) => part === "fleet" || part === "fleet-audit");
}

/** The organization that a body names; see `organizationIdIn` of registrations. */
export function organizationIn(body: {
  readonly organizationId?: bigint | undefined;
  readonly fleetId?: bigint | undefined;
}): bigint {
  const { organizationId, fleetId } = body;
  const id = organizationId ?? fleetId;
  if (id === undefined) throw badRequest("organizationId", "Name the organization");
  if (fleetId !== undefined && fleetId !== id) {
    throw badRequest("fleetId", `organizationId says ${organizationId}`);
  }
  return id;
}

/** Names the block that reads reflect, and returns the operation's result with its transaction. */
export function performed<Result>(
  c: Context,
  { result, txHash, indexedBlock }: PerformedOperation<Result>,
) {
  c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
  return { result, txHash };
}

export function foundedBody({ organizationId, name, admin, createdAt }: Founded, txHash: Hex) {
  return {
    organizationId: idNumber(BigInt(organizationId)),
    name,
    admin,
    memberCount: 0,
    createdAt,
    txHash,
  };
}

export function changeBody<Status extends "added" | "removed">(
  { organizationId, tokenId, passportId, agentName, memberCount }: MembershipChange,
  status: Status,
  txHash: Hex,
) {
  return {
    organizationId: idNumber(BigInt(organizationId)),
    ...agentIds({ tokenId: BigInt(tokenId), passportId }),
    agentName,
    status,
    txHash,
    memberCount,
  };
}

/** Of a join that waits for a second signature. */
export function invitationBody(view: WaitingView) {
  const { organizationId, tokenId } = view.request as JoinRequest;
  const parties = (given: WaitingView["signedBy"]) =>
    given.map(({ role, signer }) => ({ role: role as "owner" | "admin", signer }));
  return {
    organizationId: idNumber(organizationId),
    tokenId: idNumber(tokenId),
    status: "invited" as const,
    invitationId: view.id,
    signedBy: parties(view.signedBy),
    awaiting: parties(view.awaiting),
    createdAt: view.since.toISOString(),
    expiresAt: view.expiresAt.toISOString(),
  };
}

export function adminBody(change: AdminChange, isAccepted: boolean, txHash: Hex) {
  const { organizationId, previousAdmin, newAdmin } = change;
  const isNamed = newAdmin === zeroAddress ? "withdrawn" : "pending_acceptance";
  return {
    organizationId: idNumber(BigInt(organizationId)),
    previousAdmin,
    newAdmin,
    status: isAccepted ? ("accepted" as const) : (isNamed as "withdrawn" | "pending_acceptance"),
    txHash,
  };
}
