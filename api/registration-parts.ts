import { randomBytes } from "node:crypto";
import type { Address, PublicClient } from "viem";
import { createOwnerSignatures } from "./chain/signatures.ts";
import { createSoulRegistry } from "./chain/soul-registry.ts";
import type { ChainReads } from "./db/chain.ts";
import { claimFollowUp } from "./db/claims.ts";
import type { Database, Executor } from "./db/connect.ts";
import { createRegistrationStore } from "./db/registrations.ts";
import { sponsorshipStore } from "./db/sponsorship.ts";
import { createWebhookStore } from "./db/webhooks.ts";
import type { Deployment } from "./deployment.ts";
import type { JobQueue } from "./services/jobs.ts";
import type { Links } from "./services/links.ts";
import { createRegistrationService } from "./services/registration.ts";
import { createRegistrationEngine } from "./services/registration-engine.ts";
import type { FollowUps } from "./services/registration-ports.ts";
import type { Secrets } from "./services/secrets.ts";
import { createSponsorship, type SponsorshipLimits } from "./services/sponsorship.ts";
import type { Relayer } from "./services/transactions.ts";
import { createEventSink } from "./services/webhook-events.ts";
import { createWebhookEpochs } from "./services/webhooks.ts";
import type { PermanentStorage } from "./storage/permanent.ts";

export interface RegistrationPartsOptions {
  readonly deployment: Deployment;
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: Pick<ChainReads, "waitForBlock">;
  readonly indexerWaitMs: number;
  readonly relayer: Relayer;
  /** The account that the relayer signs with. */
  readonly registrar: Address;
  readonly archive: PermanentStorage;
  readonly secrets: Secrets;
  readonly links: Links;
  readonly jobs: JobQueue<Executor>;
  readonly sponsorship: SponsorshipLimits;
  readonly clock: () => Date;
}

/** Everything about registrations, for the server and for the process that finishes what others began. */
export function buildRegistration(options: RegistrationPartsOptions) {
  const { deployment, db, chain: client, relayer, archive, secrets, clock } = options;
  const { soulRegistry: address, identityRegistry, worldIdVerifier } = deployment.contracts;
  const registrationContext = {
    chainId: deployment.chainId,
    soulRegistry: address,
    ...{ identityRegistry, worldIdVerifier, links: options.links },
  };
  const soulRegistry = createSoulRegistry({
    ...{ client, address, identityRegistry, registrar: options.registrar },
  });
  const registrations = createRegistrationStore({
    ...{ db, clock, followUps: followUpsOf(options) },
    sponsorship: createSponsorship({ store: sponsorshipStore, limits: options.sponsorship, clock }),
  });
  const registrationEngine = createRegistrationEngine({
    ...{ context: registrationContext, soulRegistry, relayer, archive, secrets },
    signatures: createOwnerSignatures(client),
    store: registrations,
  });
  const registration = createRegistrationService({
    ...{ context: registrationContext, engine: registrationEngine, clock },
    index: { waitForBlock: (block) => options.index.waitForBlock(block, options.indexerWaitMs) },
    randomNonce: () => BigInt(`0x${randomBytes(32).toString("hex")}`),
  });
  return { registrationContext, soulRegistry, registrations, registrationEngine, registration };
}

/** Nothing else becomes true with what its owner began; with a claim, the agent's registration ends. */
function followUpsOf(options: RegistrationPartsOptions): FollowUps<Executor> {
  const { db, jobs, clock } = options;
  const store = createWebhookStore(db);
  return {
    owner: { accepted: async () => {}, completed: async () => {}, refused: async () => {} },
    claim: claimFollowUp({
      events: createEventSink({ store, queue: jobs, clock }),
      webhooks: createWebhookEpochs(store, clock),
      clock,
    }),
  };
}
