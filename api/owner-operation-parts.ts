import { randomBytes } from "node:crypto";
import type { Address, PublicClient } from "viem";
import { createOperationChain } from "./chain/owner-operations.ts";
import { createOwnerSignatures } from "./chain/signatures.ts";
import type { ChainReads } from "./db/chain.ts";
import type { Database, Executor } from "./db/connect.ts";
import { createOperationStore } from "./db/owner-operations.ts";
import type { Deployment } from "./deployment.ts";
import type { OperationEnd } from "./services/owner-operations.ts";
import { createOwnerOperations } from "./services/owner-operations.ts";
import type { Sponsorship } from "./services/sponsorship.ts";
import type { Relayer } from "./services/transactions.ts";
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
  readonly sponsorship: Sponsorship<Executor>;
  readonly clock: () => Date;
  /** Kinds of operations that other areas bring. */
  readonly kinds: readonly OperationEnd<Executor>[];
}

export type OwnerOperationParts = ReturnType<typeof buildOwnerOperations>;

/** Everything that owners sign and the service carries out, for the server and for the process that runs the jobs. */
export function buildOwnerOperations(options: OwnerOperationPartsOptions) {
  return { ownerOperations: buildOperationEngine(options, options.kinds) };
}

/** What carries out operations of the given kinds. */
export function buildOperationEngine(
  options: OwnerOperationPartsOptions,
  kinds: readonly OperationEnd<Executor>[],
) {
  const { deployment, db, chain: client, index, relayer, registrar, archive, clock } = options;
  const { soulRegistry } = deployment.contracts;
  return createOwnerOperations<Executor>({
    ...{ relayer, archive, clock, kinds },
    place: { chainId: deployment.chainId, verifyingContract: soulRegistry },
    chain: createOperationChain({
      ...{ client, soulRegistry, registrar },
      startBlock: BigInt(deployment.startBlock),
    }),
    signatures: createOwnerSignatures(client),
    store: createOperationStore({
      ...{ db, clock, sponsorship: options.sponsorship },
      messageNames: new Map(kinds.map(({ kind, messageName }) => [kind, messageName])),
    }),
    index: { waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs) },
    randomNonce: () => BigInt(`0x${randomBytes(32).toString("hex")}`),
  });
}
