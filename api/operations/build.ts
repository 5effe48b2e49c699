import type { Address, PublicClient } from "viem";
import { randomNonce } from "../kernel/random.ts";
import { createOwnerSignatures } from "../platform/chain/signatures.ts";
import type { Relayer } from "../platform/chain/transactions.ts";
import type { Deployment } from "../platform/config/deployment.ts";
import type { Database } from "../platform/database/connect.ts";
import type { Sponsorship, Standing } from "../platform/sponsorship/gas-budget.ts";
import type { PermanentStorage } from "../platform/storage/permanent.ts";
import type { ChainSouls } from "../soul/chain-soul.ts";
import type { IndexProgress } from "../soul/index-reads.ts";
import { createOperationEngine } from "./engine.ts";
import { createEventFollower } from "./event-follower.ts";
import { createOperationLedger } from "./ledger.store.ts";
import { createOperationChain, type OperatedSouls } from "./operations.chain.ts";
import { createSigningDomains } from "./signing-domains.ts";
import { createTypedDataOf } from "./typed-data/typed-data.http.ts";

export interface OperationEngineOptions {
  readonly deployment: Deployment;
  readonly db: Database;
  readonly chain: PublicClient;
  readonly souls: ChainSouls;
  readonly index: IndexProgress;
  readonly indexerWaitMs: number;
  readonly relayer: Relayer;
  /** The accounts that the relayer signs with, the registrar first. */
  readonly relayerAccounts: readonly [Address, ...Address[]];
  readonly archive: PermanentStorage;
  readonly sponsorship: Sponsorship;
  readonly standingOf: (accounts: readonly Address[]) => Promise<Standing>;
  readonly clock: () => Date;
  /** Blocks until something counts; 1 means included. */
  readonly confirmations: number;
}

export type BuiltEngine = ReturnType<typeof buildOperationEngine>;

/** The one engine of a process, the souls that its operations are about, and what follows their events. */
export function buildOperationEngine(options: OperationEngineOptions) {
  const { deployment, db, chain: client, index, relayer, archive, clock, sponsorship } = options;
  const { agentKeys, stablecoin } = deployment.contracts;
  const chain = createOperationChain({
    client,
    agentKeys,
    souls: options.souls,
    stablecoin,
    chainId: deployment.chainId,
    senders: options.relayerAccounts,
  });
  const signingDomains = createSigningDomains(deployment);
  const operations = createOperationEngine({
    domains: signingDomains,
    chain,
    relayer,
    archive,
    clock,
    randomNonce,
    signatures: createOwnerSignatures(client),
    ledger: createOperationLedger({ db, clock, sponsorship }),
    standingOf: options.standingOf,
    index: { waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs) },
  });
  const operatedSouls: OperatedSouls = chain;
  return {
    operations,
    operatedSouls,
    signingDomains,
    typedDataOf: createTypedDataOf(signingDomains, chain.permitDomain),
    follow: createEventFollower(db, index, options.confirmations),
  };
}
