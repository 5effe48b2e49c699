import type { Address } from "viem";
import type { PostgresOperation } from "../../operations/operation.ts";
import type { WaitingOperations, WaitingView } from "../../operations/waiting/waiting.ts";
import type { JoinOperation } from "./memberships.ts";

/** Whose invitations are listed. */
interface InvitationsRequest {
  readonly account: Address;
  /** Null: of all organizations. */
  readonly organizationId: bigint | null;
}

/** Which invitation ends, and for whom. */
interface InvitationEndRequest {
  readonly account: Address;
  readonly invitationId: string;
}

type BySignature<Request, Result> = PostgresOperation<Request, null, null, Result>;

/**
 * What an account does with its invitations by one signature, for this service alone. An admin that
 * owns no passport has no other way: a sign-in needs one.
 */
export function signedInvitations(waiting: WaitingOperations, join: JoinOperation) {
  const common = {
    settlement: "postgres",
    read: async () => null,
    signatures: ({ account }: { readonly account: Address }) => [
      { role: "owner" as const, signer: account },
    ],
    subjects: () => [],
  } as const;
  const list: BySignature<InvitationsRequest, readonly WaitingView[]> = {
    ...common,
    kind: "organization_invitations",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "ListInvitations" } },
    requestJson: ({ account, organizationId }) => ({
      account,
      organizationId: organizationId?.toString() ?? null,
    }),
    plan: async ({ account }) => planned({ account }),
    settle: ({ account, organizationId: id }) => {
      const filter = id === null ? {} : { subject: { kind: "organization", id } as const };
      return waiting.list([join], account, filter);
    },
  };
  const end: BySignature<InvitationEndRequest, void> = {
    ...common,
    kind: "organization_invitation_end",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "EndInvitation" } },
    requestJson: ({ account, invitationId }) => ({ account, invitationId }),
    plan: async ({ account, invitationId }) => planned({ account, invitationId }),
    settle: ({ account, invitationId }) => waiting.withdraw([join], invitationId, account),
  };
  return { list, end };
}

function planned(owner: object) {
  return { messages: { owner }, payload: null, secrets: null, items: [] };
}
