import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { RegistrationContext } from "../registration/index.ts";
import { createDomainVerification, type RegisteredPassports } from "./domains.ts";

/** How old the list of all registered agents may be. */
const SERVICE_PROOF_KEPT_MS = 60_000;

type Options = Pick<Platform, "clock"> &
  Pick<SoulReads, "current"> & {
    readonly context: RegistrationContext;
    readonly registered: RegisteredPassports;
  };

/** Proofs that a domain and an agent belong together. */
export function buildDomains({ current, ...options }: Options) {
  const parts = { ...options, reads: current, keepMs: SERVICE_PROOF_KEPT_MS };
  return { domains: createDomainVerification(parts) };
}
