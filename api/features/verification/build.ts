import { randomNonce } from "../../kernel/random.ts";
import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import { createArchiveInspection } from "../../platform/storage/inspect.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import type { TransactionDeployment } from "../passports/index.ts";
import { createValidationRegistry } from "./validation.chain.ts";
import { createValidationService } from "./validation.ts";
import { createVerificationChain } from "./verification.chain.ts";
import type { VerificationDeps, VerificationService } from "./verification.ts";
import { createVerificationService } from "./verification.ts";

type Options = Pick<Platform, "deployment" | "chain" | "archive"> &
  Pick<SoulReads, "index" | "souls"> & {
    /** Ownership never older than the maximum age of the index. */
    readonly current: Pick<SoulReads["current"], "agent">;
  } & UnclaimedReads & { readonly context: VerificationDeps["context"] };

/** Checks of agents against the chain and permanent storage. */
export function buildVerification(options: Options) {
  const { deployment, chain, archive, index, souls, current, unclaimed, context } = options;
  const verification = createVerificationService({
    reads: { agent: current.agent, soulOrigin: index.soulOrigin },
    unclaimed,
    souls,
    chain: createVerificationChain(chain, deployment.contracts),
    inspect: createArchiveInspection(archive),
    context,
  });
  return { verification };
}

/** The results of verifications in the validation registry. */
export function buildValidations(
  options: Platform &
    Pick<BuiltEngine, "operatedSouls"> &
    Pick<SoulReads, "index"> & {
      readonly verification: VerificationService;
      readonly context: TransactionDeployment;
    },
) {
  const { deployment, chain, index, context, verification } = options;
  const { validationRegistry } = deployment.contracts;
  const registry =
    validationRegistry === null
      ? null
      : createValidationRegistry(
          chain,
          validationRegistry,
          options.registrar,
          BigInt(deployment.startBlock),
        );
  return {
    validations: createValidationService({
      links: options.links,
      clock: options.clock,
      randomNonce,
      souls: options.operatedSouls,
      deployment: context,
      registry,
      verify: verification.verify,
      relayer: options.sponsoredRelayer,
      index: { waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs) },
    }),
  };
}
