import type { Address, PublicClient } from "viem";
import type { OffChainMessage } from "../protocol/index.ts";
import { createSealKind } from "./features/life/seal.ts";
import type {
  AgentUriPayload,
  AgentUriRequest,
  AgentUriUpdate,
} from "./features/passports/agent-uri.ts";
import { agentUriOperation } from "./features/passports/agent-uri.ts";
import { createFileUpdateKind, type FileDeps } from "./features/passports/file-update.ts";
import { archiveOfRegistered } from "./features/registration/registrations.store.ts";
import { createValidationRegistry } from "./features/verification/validation.chain.ts";
import { createValidationService } from "./features/verification/validation.ts";
import type { VerificationService } from "./features/verification/verification.ts";
import type { Links } from "./kernel/links.ts";
import { randomNonce } from "./kernel/random.ts";
import { bindOperation, bindSettlement } from "./operations/bind.ts";
import type { BuiltEngine } from "./operations/build.ts";
import type { ChainOperationEnd } from "./operations/operation.ts";
import { createOwnerCalls, createPassportCalls } from "./operations/operations.chain.ts";
import { soulOperation } from "./operations/soul-operation.ts";
import type { Deployment } from "./platform/config/deployment.ts";
import type { Database, Executor } from "./platform/database/connect.ts";
import type { SponsoredRelayer } from "./platform/sponsorship/sponsorship.ts";
import type { OwnedSoul } from "./soul/chain-soul.ts";
import type { IndexProgress } from "./soul/index-reads.ts";

export interface OwnerOperationPartsOptions extends BuiltEngine {
  readonly deployment: Deployment;
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: Pick<IndexProgress, "waitForBlock">;
  readonly indexerWaitMs: number;
  readonly sponsoredRelayer: SponsoredRelayer;
  /** The account that the relayer signs with. */
  readonly registrar: Address;
  readonly links: Links;
  readonly passportFiles: FileDeps;
  readonly verification: VerificationService;
  readonly clock: () => Date;
}

/** Everything that owners sign and the service carries out, for the server and for the process that runs the jobs. */
export function buildOwnerOperations(options: OwnerOperationPartsOptions) {
  const { deployment, db, chain: client, index, links, clock, operations, passportFiles } = options;
  const souls = options.operatedSouls;
  const { chainId, contracts, startBlock } = deployment;
  const { soulRegistry, passportWriter, validationRegistry } = contracts;
  const calls = createOwnerCalls(soulRegistry);

  const fileUpdate = soulOperation(
    createFileUpdateKind<Executor>({
      ...passportFiles,
      setAgentURI: createPassportCalls(passportWriter).setAgentURI,
    }),
    souls,
  );
  const seal = soulOperation(
    createSealKind<Executor>({
      ...passportFiles,
      sealCall: calls.seal,
      archiveOfRegistered: (name) => archiveOfRegistered(db, name),
    }),
    souls,
  );
  const validations = createValidationService({
    operations,
    links,
    clock,
    randomNonce,
    souls,
    place: passportFiles.context,
    registry:
      validationRegistry === null
        ? null
        : createValidationRegistry({
            client,
            address: validationRegistry,
            validator: options.registrar,
            startBlock: BigInt(startBlock),
          }),
    verify: options.verification.verify,
    relayer: options.sponsoredRelayer,
    index: { waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs) },
  });
  const definitions: readonly ChainOperationEnd<Executor>[] = [fileUpdate, seal];
  return {
    definitions,
    signingPlace: { chainId, verifyingContract: soulRegistry },
    passportPlace: { chainId, verifyingContract: passportWriter },
    agentKeysPlace: { chainId, verifyingContract: contracts.agentKeys },
    validations,
    fileUpdates: bindOperation(operations, fileUpdate),
    sealing: bindOperation(operations, seal),
    agentUris: bindSettlement<
      Executor,
      AgentUriRequest,
      OwnedSoul,
      AgentUriPayload,
      AgentUriUpdate,
      OffChainMessage<"AgentUriUpdate">
    >(operations, agentUriOperation({ ...passportFiles, souls })),
  };
}
