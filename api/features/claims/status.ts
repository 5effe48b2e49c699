import { ApiError } from "../../kernel/errors.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import { REGISTRATION_TOKEN } from "./agent-registration.ts";
import type { RegistrationStatuses } from "./status.store.ts";

export type RegistrationStatusService = ReturnType<typeof createRegistrationStatus>;

/** The state of registrations that an agent began and its owner completes. */
export function createRegistrationStatus(statuses: RegistrationStatuses) {
  return {
    /** @throws ApiError NOT_FOUND */
    async byId(id: string) {
      const status = REGISTRATION_TOKEN.test(id) ? await statuses.of(hashOfSecret(id)) : null;
      if (status !== null) return status;
      throw new ApiError("NOT_FOUND", { message: "There is no registration with this id." });
    },
  };
}
