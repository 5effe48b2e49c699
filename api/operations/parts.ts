import type { Address, PublicClient } from "viem";
import { createSealKind } from "../features/life/seal.ts";
import { createAgentUriService } from "../features/passports/agent-uri.ts";
import { createFileUpdateKind } from "../features/passports/file-update.ts";
import { buildPassportFiles } from "../features/passports/parts.ts";
import { archiveOfRegistered } from "../features/registration/archives.store.ts";
import { createValidationRegistry } from "../features/verification/validation.chain.ts";
import { createValidationService } from "../features/verification/validation.ts";
import type { VerificationService } from "../features/verification/verification.ts";
import type { Links } from "../kernel/links.ts";
import { randomNonce } from "../kernel/random.ts";
import { createOwnerSignatures } from "../platform/chain/signatures.ts";
import type { Relayer } from "../platform/chain/transactions.ts";
import type { Deployment } from "../platform/config/deployment.ts";
import type { Database, Executor } from "../platform/database/connect.ts";
import type { OutboundHttp } from "../platform/outbound/ports.ts";
import type { Sponsorship } from "../platform/sponsorship/sponsorship.ts";
import type { PermanentStorage } from "../platform/storage/permanent.ts";
import type { ChainReads } from "../soul/indexed.store.ts";
import type { OperationChain, OperationEnd } from "./engine.ts";
import { bindOperation, createOwnerOperations } from "./engine.ts";
import { createOperationStore } from "./ledger.store.ts";
import { createNonceStore } from "./nonces.store.ts";
import { createOffChainSignatures } from "./off-chain-signatures.ts";
import { createOperationChain, createOwnerCalls, createPassportCalls } from "./operations.chain.ts";
import { signingPlaces } from "./signing-places.ts";

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
    agentKeys: contracts.agentKeys,
    registrar: options.registrar,
    startBlock: BigInt(startBlock),
  });
  const calls = createOwnerCalls(soulRegistry);
  const placeOf = signingPlaces(deployment);
  const signingPlace = { chainId, verifyingContract: soulRegistry };
  const signatures = createOffChainSignatures<Executor>({
    place: signingPlace,
    chain,
    clock,
    randomNonce,
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
    signatures,
    links,
    clock,
    randomNonce,
    souls: chain,
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
  return {
    ownerOperations,
    signingPlace,
    passportPlace: placeOf("SetAgentURI"),
    agentKeysPlace: placeOf("SetAgentKeys"),
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
  return createOwnerOperations<Executor>({
    chain,
    relayer,
    archive,
    clock,
    kinds,
    randomNonce,
    placeOf: signingPlaces(deployment),
    signatures: createOwnerSignatures(client),
    store: createOperationStore({
      db,
      clock,
      sponsorship,
      messageNames: new Map(kinds.map(({ kind, messageName }) => [kind, messageName])),
    }),
    index: { waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs) },
  });
}
