import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createDomainVerification, type DomainVerificationOptions } from "./domains.ts";

/** How old the list of all registered agents may be. */
const SERVICE_PROOF_KEPT_MS = 60_000;

type Options = Pick<Platform, "clock"> &
  Pick<SoulReads, "current"> &
  Pick<DomainVerificationOptions, "context" | "registered">;

/** Proofs that a domain and an agent belong together. */
export function buildDomains({ clock, current, context, registered }: Options) {
  return {
    domains: createDomainVerification({
      context,
      reads: current,
      registered,
      clock,
      keepMs: SERVICE_PROOF_KEPT_MS,
    }),
  };
}
