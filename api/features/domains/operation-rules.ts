import type { OperationTable } from "../../platform/http/operations.ts";
import { publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of domain verification. */
export const operations = {
  getDomainProof: publicRead,
  getServiceDomainProof: { ...publicRead, cache: "published" },
  getStaticRegistrationFile: publicRead,
} as const satisfies OperationTable;
