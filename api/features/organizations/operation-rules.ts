import type { OperationTable } from "../../platform/http/operations.ts";
import { freshRead, ownerSigned, publicList } from "../../platform/http/operations.ts";

/** For the account of an owner session. */
const ofAccount = { ...freshRead, access: "session", console: true, origins: "own" } as const;

/** Rules of the operations of organizations. */
export const operations = {
  listOrganizations: { ...publicList, madeFrom: "database", legacyPaths: ["/fleet"] },
  createOrganization: { ...ownerSigned, typedData: "org", legacyPaths: ["/fleet"] },
  listInvitations: { ...ofAccount, legacyPaths: ["/fleet/invitations"] },
  getInvitation: { ...ofAccount, legacyPaths: ["/fleet/invitations/{invitationId}"] },
  listInvitationsBySignature: {
    ...ownerSigned,
    effect: "reads",
    typedData: "org-invitations",
    legacyPaths: ["/fleet/invitations"],
  },
  endInvitation: {
    ...ownerSigned,
    access: "session-or-signature",
    console: true,
    typedData: "org-invitation-end",
    legacyPaths: ["/fleet/invitations/{invitationId}"],
  },
  getOrganization: {
    ...publicList,
    madeFrom: "database",
    legacyPaths: ["/fleet/{organizationId}"],
  },
  getOrganizationStats: {
    ...publicList,
    madeFrom: "database",
    legacyPaths: ["/fleet/{organizationId}/stats"],
  },
  addOrganizationMember: {
    ...ownerSigned,
    typedData: "org-member",
    legacyPaths: ["/fleet/{organizationId}/members"],
  },
  removeOrganizationMember: {
    ...ownerSigned,
    typedData: "org-member-removal",
    legacyPaths: ["/fleet/{organizationId}/members/{tokenId}"],
  },
  registerBatch: {
    ...ownerSigned,
    rate: "register",
    typedData: "org-batch",
    legacyPaths: ["/fleet/{organizationId}/batch-register"],
  },
  changeOrganizationAdmin: {
    ...ownerSigned,
    typedData: "org-admin",
    legacyPaths: ["/fleet/{organizationId}/admin"],
  },
  acceptOrganizationAdmin: {
    ...ownerSigned,
    typedData: "org-admin-accept",
    legacyPaths: ["/fleet/{organizationId}/admin/accept"],
  },
} as const satisfies OperationTable;
