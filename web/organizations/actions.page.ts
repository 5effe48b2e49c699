import type { Address } from "viem";
import { zeroAddress } from "viem";
import type { OrganizationRecord } from "../../api/features/organizations/organizations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import type { ActionBody, OwnerAction, SignedAction } from "../owner/data.ts";
import { onlyOwner } from "../owner/signers.ts";

/** An agent that joins or leaves. */
export interface ChosenAgent {
  readonly tokenId: bigint;
  readonly name: string;
  /** Null while the soul is not valid. */
  readonly owner: Address | null;
  /** Whether the registry counts it as a member, with effect or without. */
  readonly isMember: boolean;
  /** The organization of its present epoch; null for none. */
  readonly memberOf: bigint | null;
}

/** What can be signed for an organization, and for one agent in it. */
export function organizationActions(
  { organizationId, admin, pendingAdmin }: OrganizationRecord,
  agent: ChosenAgent | null,
): readonly OwnerAction[] {
  const id = idNumber(organizationId);
  const see = [{ href: `/organizations/${id}`, label: "See the organization" }];
  const byAdmin = { accounts: [admin], refusal: "This account is not the admin" };

  const signed = (
    action: Pick<SignedAction, "id" | "signers" | "labels" | "done"> & {
      readonly form?: string;
      readonly typedData: string;
      readonly method: SignedAction["request"]["method"];
      readonly path: string;
      readonly body?: ActionBody;
      readonly preparation?: ActionBody;
    },
  ): SignedAction => ({
    kind: "sign",
    id: action.id,
    signers: action.signers,
    labels: action.labels,
    form: action.form ?? null,
    confirm: null,
    soul: null,
    request: {
      typedData: action.typedData,
      method: action.method,
      path: `/v1/org${action.path}`,
      body: action.body ?? {},
      preparation: { organizationId: id, ...action.preparation },
    },
    done: action.done,
  });

  const named = (
    what: Pick<SignedAction, "id" | "labels"> & {
      readonly form?: string;
      readonly body?: ActionBody;
    },
  ) =>
    signed({
      ...what,
      signers: byAdmin,
      typedData: "org-admin",
      method: "PUT",
      path: `/${id}/admin`,
      preparation: { role: "admin" },
      done: {
        pending_acceptance: {
          title: "The next admin is named",
          text: "You stay the admin until that account accepts on this page.",
          links: see,
        },
        done: { title: "The naming is taken back", text: null, links: see },
      },
    });

  const actions: OwnerAction[] = [
    { kind: "invitations", id: "invitations", signers: ANY, organizationId: id },
    named({
      id: "name",
      form: "name-form",
      labels: { start: "Review the naming", sign: "Sign and name", send: "Name the next admin" },
    }),
  ];
  if (pendingAdmin !== null) {
    actions.push(
      signed({
        id: "accept",
        signers: { accounts: [pendingAdmin], refusal: "This account was not named" },
        labels: { start: "Review the hand-over", sign: "Sign and take over", send: "Take it over" },
        typedData: "org-admin-accept",
        method: "POST",
        path: `/${id}/admin/accept`,
        done: { done: { title: "You are the admin now", text: null, links: see } },
      }),
      named({
        id: "withdraw",
        body: { newAdmin: zeroAddress },
        labels: {
          start: "Review taking it back",
          sign: "Sign and take back",
          send: "Take it back",
        },
      }),
    );
  }
  if (agent === null) return actions;
  const { tokenId: token, name, owner, isMember, memberOf } = agent;
  const tokenId = idNumber(token);
  if (isMember) {
    const accounts = owner === null || owner === admin ? [admin] : [owner, admin];
    actions.push(
      signed({
        id: "leave",
        signers: { accounts, refusal: `This account neither owns ${name} nor is the admin` },
        labels: { start: "Review the end", sign: "Sign and end it", send: "End the membership" },
        typedData: "org-member-removal",
        method: "DELETE",
        path: `/${id}/members/${tokenId}`,
        preparation: { tokenId, signer: "$account" },
        done: { done: { title: `${name} is no member any more`, text: null, links: see } },
      }),
    );
  }
  if (owner === null || memberOf !== null) return actions;
  const join = (role: "owner" | "admin", signers: SignedAction["signers"]) =>
    signed({
      id: role === "owner" ? "join" : "admit",
      signers,
      labels:
        role === "owner"
          ? { start: "Review joining", sign: "Sign and join", send: "Join" }
          : { start: "Review admitting", sign: "Sign and admit", send: "Admit it" },
      typedData: "org-member",
      method: "POST",
      path: `/${id}/members`,
      body: { tokenId, role },
      done: {
        invited: {
          title: "Your signature waits for the second one",
          text: `Send the link of this page to the ${role === "owner" ? "admin" : "agent's owner"}. Nothing is on chain yet.`,
          links: [{ href: `/organizations/${id}?agent=${tokenId}`, label: "The page to send" }],
        },
        done: { title: `${name} is a member`, text: null, links: see },
      },
    });
  actions.push(join("owner", onlyOwner({ owner, name })));
  if (owner !== admin) actions.push(join("admin", byAdmin));
  return actions;
}

const ANY = { accounts: [], refusal: "" };
