import type { Address } from "viem";
import { ApiError } from "../errors.ts";

/** A registration as whoever waits for it sees it. */
export type RegistrationStatus =
  | { readonly status: "pending_owner_claim" }
  | {
      readonly status: "claimed";
      readonly tokenId: bigint;
      readonly agentName: string;
      readonly ownerAddress: Address;
    };

export interface RegistrationStatuses {
  /** Null for an id that was never given. */
  registrationStatus(id: string): Promise<RegistrationStatus | null>;
}

export interface RegistrationStatusService {
  /** @throws ApiError NOT_FOUND */
  byId(id: string): Promise<RegistrationStatus>;
}

const REGISTRATION_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** How far registrations are that an agent began and its owner completes. */
export function createRegistrationStatus(store: RegistrationStatuses): RegistrationStatusService {
  return {
    async byId(id) {
      const status = REGISTRATION_ID.test(id) ? await store.registrationStatus(id) : null;
      if (status === null) {
        throw new ApiError("NOT_FOUND", { message: "There is no registration with this id." });
      }
      return status;
    },
  };
}
