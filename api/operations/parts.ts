import type { Address, PublicClient } from "viem";
import type { OffChainMessage } from "../../protocol/index.ts";
import { createSealKind } from "../features/life/seal.ts";
import type {
  AgentUriPayload,
  AgentUriRequest,
  AgentUriUpdate,
} from "../features/passports/agent-uri.ts";
import { agentUriOperation } from "../features/passports/agent-uri.ts";
import { buildPassportFiles } from "../features/passports/build.ts";
import { createFileUpdateKind } from "../features/passports/file-update.ts";
import { archiveOfRegistered } from "../features/registration/archives.store.ts";
import { createValidationRegistry } from "../features/verification/validation.chain.ts";
import { createValidationService } from "../features/verification/validation.ts";
import type { VerificationService } from "../features/verification/verification.ts";
import type { Links } from "../kernel/links.ts";
import { randomNonce } from "../kernel/random.ts";
import type { Relayer } from "../platform/chain/transactions.ts";
import type { Deployment } from "../platform/config/deployment.ts";
import type { Database, Executor } from "../platform/database/connect.ts";
import type { OutboundHttp } from "../platform/outbound/ports.ts";
import type { Sponsorship } from "../platform/sponsorship/sponsorship.ts";
import type { PermanentStorage } from "../platform/storage/permanent.ts";
import type { ChainReads } from "../soul/indexed.store.ts";
import { bindOperation, bindSettlement } from "./bind.ts";
import { buildOperationEngine } from "./build.ts";
import type { AnyChainOperationEnd } from "./engine.ts";
import { createOwnerCalls, createPassportCalls } from "./operations.chain.ts";
import type { LiveSoul } from "./soul-operation.ts";
import { soulOperation } from "./soul-operation.ts";

export interface OwnerOperationPartsOptions {
  readonly deployment: Deployment;
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: ChainReads;
  readonly indexerWaitMs: number;
  readonly relayer: Relayer;
  /** The account that the relayer signs with. */
  readonly registrar: Address;
  readonly archive: PermanentStorage;
  readonly links: Links;
  /** For registration files on web servers that owners chose. */
  readonly outbound: OutboundHttp;
  readonly sponsorship: Sponsorship<Executor>;
  readonly verification: VerificationService;
  readonly clock: () => Date;
}

export type OwnerOperationParts = ReturnType<typeof buildOwnerOperations>;

/** Everything that owners sign and the service carries out, for the server and for the process that runs the jobs. */
export function buildOwnerOperations(options: OwnerOperationPartsOptions) {
  const { deployment, db, chain: client, index, links, clock } = options;
  const { chainId, contracts, startBlock } = deployment;
  const { soulRegistry, passportWriter, validationRegistry } = contracts;
  const { souls, operations } = buildOperationEngine(options);
  const calls = createOwnerCalls(soulRegistry);
  const fileParts = buildPassportFiles(options);

  const fileUpdate = soulOperation(
    createFileUpdateKind<Executor>({
      ...fileParts,
      setAgentURI: createPassportCalls(passportWriter).setAgentURI,
    }),
    souls,
  );
  const seal = soulOperation(
    createSealKind<Executor>({
      ...fileParts,
      sealCall: calls.seal,
      archiveOfRegistered: (name) => archiveOfRegistered(db, name),
    }),
    souls,
  );
  const { sponsorship } = options;
  const validations = createValidationService({
    operations,
    links,
    clock,
    randomNonce,
    souls,
    place: fileParts.context,
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
    relayer: options.relayer,
    gas: {
      reserve: (operationId, gas, sponsor) =>
        db.transaction((tx) =>
          sponsorship.reserve(tx, { operationId, gas, sponsor, registrant: null }),
        ),
      release: (operationId) => db.transaction((tx) => sponsorship.release(tx, operationId)),
    },
    index: { waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs) },
  });
  const definitions: readonly AnyChainOperationEnd<Executor>[] = [fileUpdate, seal];
  return {
    operations,
    souls,
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
      LiveSoul,
      AgentUriPayload,
      AgentUriUpdate,
      OffChainMessage<"AgentUriUpdate">
    >(operations, agentUriOperation({ ...fileParts, souls })),
  };
}
