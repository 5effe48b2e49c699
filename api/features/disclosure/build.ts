import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createPolicyStore } from "./policies.store.ts";
import { createPolicies } from "./policies.ts";
import { createProofChecks } from "./verification.ts";

type Options = Pick<Platform, "deployment" | "db" | "clock"> & Pick<SoulReads, "index" | "souls">;

/** Selective disclosure: single fields of a soul, with proofs, for those whom its owner chooses. */
export function buildDisclosure(options: Options) {
  const { deployment, db, clock, index, souls } = options;
  const { chainId } = deployment;
  return {
    disclosurePolicies: createPolicies({ store: createPolicyStore(db), souls, chainId, clock }),
    proofChecks: createProofChecks({ index, souls }),
  };
}
