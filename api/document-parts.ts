import type { Address, PublicClient } from "viem";
import { createEvolutionChain } from "./chain/evolutions.ts";
import type { ChainReads } from "./db/chain.ts";
import type { Database, Executor } from "./db/connect.ts";
import { createDerivedChronicleStore } from "./db/derived-chronicles.ts";
import { createUploadStore } from "./db/document-uploads.ts";
import { createDocumentStore } from "./db/documents.ts";
import { createDisplayStore, createPublicIdentityStore } from "./db/public-identities.ts";
import type { Deployment } from "./deployment.ts";
import type { ChronicleService } from "./services/chronicles.ts";
import { createDerivedChronicles } from "./services/derived-chronicles.ts";
import { createDisplayService } from "./services/display.ts";
import { createDocumentUploads } from "./services/document-uploads.ts";
import type { JobQueue } from "./services/jobs.ts";
import type { Links } from "./services/links.ts";
import { createPublicIdentityService } from "./services/public-identity.ts";
import type { Secrets } from "./services/secrets.ts";
import { createSoulDocumentService } from "./services/soul-documents.ts";
import type { PermanentStorage } from "./storage/permanent.ts";

export interface DocumentPartsOptions {
  readonly deployment: Deployment;
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: ChainReads;
  /** The account that the relayer signs with. */
  readonly registrar: Address;
  readonly archive: PermanentStorage;
  readonly secrets: Secrets;
  readonly jobs: JobQueue<Executor>;
  readonly chronicles: Pick<ChronicleService, "derive">;
  readonly links: Links;
  readonly clock: () => Date;
}

export type DocumentParts = ReturnType<typeof buildDocuments>;

/** Soul documents, and what agents say and show of themselves. */
export function buildDocuments(options: DocumentPartsOptions) {
  const { db, index, archive, secrets, jobs, links, clock, chronicles } = options;
  const { contracts, startBlock } = options.deployment;
  const souls = createEvolutionChain({
    ...{ client: options.chain, registrar: options.registrar },
    soulRegistry: contracts.soulRegistry,
    startBlock: BigInt(startBlock),
  });
  const derivedStore = createDerivedChronicleStore({ db, jobs, clock });
  const derivedChronicles = createDerivedChronicles({ store: derivedStore, chronicles });
  const uploads = createDocumentUploads({ store: createUploadStore(db), secrets, links, clock });
  const soulDocuments = createSoulDocumentService({
    ...{ souls, archive, secrets, clock, reads: index },
    store: createDocumentStore({ db, derived: derivedStore }),
    issue: (change) => uploads.issueChange(db, change),
    derived: derivedChronicles,
  });
  const publicIdentities = createPublicIdentityService({
    ...{ souls, clock, derived: derivedChronicles },
    store: createPublicIdentityStore({ db, derived: derivedStore }),
  });
  const displays = createDisplayService({
    ...{ souls, clock, reads: index },
    store: createDisplayStore(db),
  });
  return { soulDocuments, publicIdentities, displays, derivedChronicles };
}
