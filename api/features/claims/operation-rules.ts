import type { OperationTable } from "../../platform/http/operations.ts";
import {
  BODY_BYTES,
  freshRead,
  ownerSigned,
  unlistedPage,
} from "../../platform/http/operations.ts";

/** Rules of the operations of claims, and of registrations by agents and owners. */
export const operations = {
  // Its id is a secret between agent and owner.
  getClaimDraft: { ...freshRead, origins: "own" },
  prepareClaim: {
    ...freshRead,
    effect: "writes",
    rate: "write",
    bodyBytes: BODY_BYTES,
    origins: "own",
    largeIntegers: "text",
  },
  claimAgent: {
    ...ownerSigned,
    typedData: "claim",
    rate: "register",
    largeIntegers: "text",
    legacyPaths: ["/claim"],
  },
  showClaimPage: unlistedPage,
  registerAgent: {
    ...ownerSigned,
    typedData: "register",
    rate: "register",
    largeIntegers: "text",
  },
  getRegistrationStatus: freshRead,
} as const satisfies OperationTable;
