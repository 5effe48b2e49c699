import type { Platform } from "../../platform/build.ts";
import { createArchiveInspection } from "../../platform/storage/inspect.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import { createVerificationChain } from "./verification.chain.ts";
import { createVerificationService, type VerificationDeps } from "./verification.ts";

/** Longest wait for the node in one check of a verification. */
const CHECK_TIMEOUT_MS = 5_000;

type Options = Pick<Platform, "deployment" | "chain" | "archive"> &
  Pick<SoulReads, "index" | "souls"> & {
    /** Ownership never older than the maximum age of the index. */
    readonly current: Pick<SoulReads["current"], "agent">;
  } & UnclaimedReads & { readonly context: VerificationDeps["context"] };

/** Checks of agents against the chain and permanent storage. */
export function buildVerification(options: Options) {
  const { deployment, chain, archive, index, souls, current, unclaimed, context } = options;
  const { soulRegistry, passportWriter, identityRegistry } = deployment.contracts;
  return {
    verification: createVerificationService({
      reads: {
        agent: current.agent,
        soulOrigin: index.soulOrigin,
      },
      unclaimed,
      souls,
      chain: createVerificationChain({
        client: chain,
        soulRegistry,
        passportWriter,
        identityRegistry,
        timeoutMs: CHECK_TIMEOUT_MS,
      }),
      inspect: createArchiveInspection(archive),
      context,
    }),
  };
}
