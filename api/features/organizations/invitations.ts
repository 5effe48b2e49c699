import type { Address } from "viem";
import type { OffChainMessage } from "../../../protocol/index.ts";
import type { PostgresOperation } from "../../operations/operation.ts";
import type { WaitingOperations, WaitingView } from "../../operations/waiting/waiting.ts";
import type { JoinOperation } from "./memberships.ts";

/** Whose invitations are listed. */
export interface InvitationsRequest {
  readonly account: Address;
  /** Null: of all organizations. */
  readonly organizationId: bigint | null;
}

/** Which invitation ends, and for whom. */
export interface InvitationEndRequest {
  readonly account: Address;
  readonly invitationId: string;
}

export type ListInvitationsMessage = OffChainMessage<"ListInvitations">;
export type EndInvitationMessage = OffChainMessage<"EndInvitation">;

type BySignature<Request, Result> = PostgresOperation<Request, null, null, Result>;

export interface SignedInvitations {
  readonly list: BySignature<InvitationsRequest, readonly WaitingView[]>;
  readonly end: BySignature<InvitationEndRequest, void>;
}

/**
 * What an account does with its invitations by one signature, for this service alone. An admin that
 * owns no passport has no other way: a sign-in needs one.
 */
export function signedInvitations(
  waiting: WaitingOperations,
  join: JoinOperation,
): SignedInvitations {
  return {
    list: {
      kind: "organization_invitations",
      settlement: "postgres",
      messageTypes: { owner: { contract: "SoulRegistry", primaryType: "ListInvitations" } },
      requestJson: ({ account, organizationId }) => ({
        account,
        organizationId: organizationId?.toString() ?? null,
      }),
      read: async () => null,
      signatures: ({ account }) => [{ role: "owner", signer: account }],
      subjects: () => [],
      plan: async ({ account }) => planned({ account }),
      settle: ({ account, organizationId: id }) => {
        const filter = id === null ? {} : { subject: { kind: "organization", id } as const };
        return waiting.list([join], account, filter);
      },
    },
    end: {
      kind: "organization_invitation_end",
      settlement: "postgres",
      messageTypes: { owner: { contract: "SoulRegistry", primaryType: "EndInvitation" } },
      requestJson: ({ account, invitationId }) => ({ account, invitationId }),
      read: async () => null,
      signatures: ({ account }) => [{ role: "owner", signer: account }],
      subjects: () => [],
      plan: async ({ account, invitationId }) => planned({ account, invitationId }),
      settle: ({ account, invitationId }) => waiting.withdraw([join], invitationId, account),
    },
  };
}

function planned(owner: object) {
  return { messages: { owner }, payload: null, secrets: null, items: [] };
}
