import type { OperationTable } from "../../platform/http/operations.ts";
import { publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of organizations. */
export const operations = {
  listOrganizations: { ...publicRead, cache: "revalidate", legacyPaths: ["/fleet"] },
  getOrganization: {
    ...publicRead,
    cache: "revalidate",
    legacyPaths: ["/fleet/{organizationId}"],
  },
  getOrganizationStats: {
    ...publicRead,
    cache: "revalidate",
    legacyPaths: ["/fleet/{organizationId}/stats"],
  },
} as const satisfies OperationTable;
