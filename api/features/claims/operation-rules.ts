import type { OperationTable } from "../../platform/http/operations.ts";
import { freshRead, ownerSigned } from "../../platform/http/operations.ts";

/** Rules of the operations of claims, and of registrations by agents and owners. */
export const operations = {
  // Its id is a secret between agent and owner.
  getClaimDraft: { ...freshRead, origins: "own" },
  claimAgent: {
    ...ownerSigned,
    typedData: "claim",
    rate: "register",
    largeIntegers: "text",
    legacyPaths: ["/claim"],
  },
  registerAgent: {
    ...ownerSigned,
    typedData: "register",
    rate: "register",
    largeIntegers: "text",
  },
  getRegistrationStatus: freshRead,
} as const satisfies OperationTable;
