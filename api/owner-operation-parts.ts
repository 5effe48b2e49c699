import type { Address, PublicClient } from "viem";
import { isPassportMessage } from "../protocol/index.ts";
import {
  createOperationChain,
  createOwnerCalls,
  createPassportCalls,
} from "./chain/owner-operations.ts";
import { createOwnerSignatures } from "./chain/signatures.ts";
import { createValidationRegistry } from "./chain/validation-registry.ts";
import type { ChainReads } from "./db/chain.ts";
import type { Database, Executor } from "./db/connect.ts";
import { createNonceStore } from "./db/owner-nonces.ts";
import { createOperationStore } from "./db/owner-operations.ts";
import { archiveOfRegistered } from "./db/registered-archives.ts";
import type { Deployment } from "./deployment.ts";
import { buildPassportFiles } from "./passport-file-parts.ts";
import { randomNonce } from "./random.ts";
import { createAgentUriService } from "./services/agent-uri-update.ts";
import type { Links } from "./services/links.ts";
import { createOffChainSignatures } from "./services/off-chain-signatures.ts";
import type { OutboundHttp } from "./services/outbound.ts";
import type { OperationChain, OperationEnd } from "./services/owner-operations.ts";
import { bindOperation, createOwnerOperations } from "./services/owner-operations.ts";
import { createFileUpdateKind } from "./services/registration-file-update.ts";
import { createSealKind } from "./services/sealing.ts";
import type { Sponsorship } from "./services/sponsorship.ts";
import type { Relayer } from "./services/transactions.ts";
import { createValidationService } from "./services/validation.ts";
import type { VerificationService } from "./services/verification.ts";
import type { PermanentStorage } from "./storage/permanent.ts";

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
  /** For registration files on somebody's server. */
  readonly outbound: OutboundHttp;
  readonly sponsorship: Sponsorship<Executor>;
  readonly verification: VerificationService;
  readonly clock: () => Date;
  /** Kinds of operations that other areas bring. */
  readonly kinds: readonly OperationEnd<Executor>[];
}

export type OwnerOperationParts = ReturnType<typeof buildOwnerOperations>;

/** Everything that owners sign and the service carries out, for the server and for the process that runs the jobs. */
export function buildOwnerOperations(options: OwnerOperationPartsOptions) {
  const { deployment, db, chain: client, index, archive, links, clock } = options;
  const { chainId, contracts, startBlock } = deployment;
  const { soulRegistry, passportWriter, validationRegistry } = contracts;
  const chain = createOperationChain({
    client,
    soulRegistry,
    passportWriter,
    registrar: options.registrar,
    startBlock: BigInt(startBlock),
  });
  const calls = createOwnerCalls(soulRegistry);
  const signingPlace = { chainId, verifyingContract: soulRegistry };
  const passportPlace = { chainId, verifyingContract: passportWriter };
  const signatures = createOffChainSignatures<Executor>({
    ...{ place: signingPlace, chain, clock, randomNonce },
    signatures: createOwnerSignatures(client),
    nonces: createNonceStore(db, clock),
  });
  const fileParts = buildPassportFiles(options);

  const fileUpdate = createFileUpdateKind<Executor>({
    ...fileParts,
    setAgentURI: createPassportCalls(passportWriter).setAgentURI,
  });
  const seal = createSealKind<Executor>({
    ...fileParts,
    sealCall: calls.seal,
    archiveOfRegistered: (name) => archiveOfRegistered(db, name),
  });
  const { sponsorship } = options;
  const ownerOperations = buildOperationEngine(options, { chain, sponsorship }, [
    fileUpdate,
    seal,
    ...options.kinds,
  ]);
  const validations = createValidationService({
    ...{ signatures, links, clock, randomNonce, souls: chain },
    place: fileParts.context,
    registry:
      validationRegistry === null
        ? null
        : createValidationRegistry({
            ...{ client, address: validationRegistry, validator: options.registrar },
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
  return {
    ownerOperations,
    signingPlace,
    passportPlace,
    validations,
    fileUpdates: bindOperation(ownerOperations, fileUpdate),
    sealing: bindOperation(ownerOperations, seal),
    agentUris: createAgentUriService({ ...fileParts, signatures, archive, souls: chain }),
  };
}

/** What carries out operations of the given kinds: a new kind is one more of them. */
function buildOperationEngine(
  options: OwnerOperationPartsOptions,
  { chain, sponsorship }: { chain: OperationChain; sponsorship: Sponsorship<Executor> },
  kinds: readonly OperationEnd<Executor>[],
) {
  const { deployment, db, chain: client, index, relayer, archive, clock } = options;
  const { chainId, contracts } = deployment;
  const { soulRegistry, passportWriter } = contracts;
  return createOwnerOperations<Executor>({
    ...{ chain, relayer, archive, clock, kinds, randomNonce },
    placeOf: (name) => ({
      chainId,
      verifyingContract: isPassportMessage(name) ? passportWriter : soulRegistry,
    }),
    signatures: createOwnerSignatures(client),
    store: createOperationStore({
      ...{ db, clock, sponsorship },
      messageNames: new Map(kinds.map(({ kind, messageName }) => [kind, messageName])),
    }),
    index: { waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs) },
  });
}
