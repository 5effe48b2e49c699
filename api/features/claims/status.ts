import type { Address } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import { REGISTRATION_TOKEN } from "./agent-registration.ts";

/** The public state of a registration. */
export type RegistrationStatus =
  | { readonly status: "pending_owner_claim" }
  /** It was not claimed in time; its name is free, or will be soon. */
  | { readonly status: "deleted" }
  | {
      readonly status: "claimed";
      readonly tokenId: bigint;
      readonly agentName: string;
      readonly ownerAddress: Address;
    };

export interface RegistrationStatuses {
  /** Null for an unknown id. */
  registrationStatus(tokenHash: Buffer): Promise<RegistrationStatus | null>;
}

export interface RegistrationStatusService {
  /** @throws ApiError NOT_FOUND */
  byId(id: string): Promise<RegistrationStatus>;
}

/** The state of registrations that an agent began and its owner completes. */
export function createRegistrationStatus(store: RegistrationStatuses): RegistrationStatusService {
  return {
    async byId(id) {
      const status = REGISTRATION_TOKEN.test(id)
        ? await store.registrationStatus(hashOfSecret(id))
        : null;
      if (status === null) {
        throw new ApiError("NOT_FOUND", { message: "There is no registration with this id." });
      }
      return status;
    },
  };
}
