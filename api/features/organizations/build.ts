import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createOrganizationReads } from "./organizations.store.ts";
import { createOrganizations } from "./organizations.ts";

type Options = Pick<Platform, "pool"> & Pick<SoulReads, "age">;

/** Organizations, and what is known of their members. */
export function buildOrganizations({ pool, age }: Options) {
  return { organizations: createOrganizations(createOrganizationReads(pool), age) };
}
