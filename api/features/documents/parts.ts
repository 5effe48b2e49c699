import type { PublicClient } from "viem";
import type { Links } from "../../kernel/links.ts";
import type { Deployment } from "../../platform/config/deployment.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { PermanentStorage } from "../../platform/storage/permanent.ts";
import type { ChainReads } from "../../soul/indexed.store.ts";
import type { ChronicleService } from "../chronicles/chronicles.ts";
import { createDerivedChronicleStore } from "../chronicles/derived.store.ts";
import { createDerivedChronicles } from "../chronicles/derived.ts";
import { createEvolutionChain } from "../chronicles/evolutions.chain.ts";
import { createDisplayService } from "../profile/display.ts";
import { createDisplayStore, createPublicIdentityStore } from "../profile/public-identity.store.ts";
import { createPublicIdentityService } from "../profile/public-identity.ts";
import { createDocumentStore } from "./documents.store.ts";
import { createSoulDocumentService } from "./documents.ts";
import { createUploadStore } from "./uploads.store.ts";
import { createDocumentUploads } from "./uploads.ts";

export interface DocumentPartsOptions {
  readonly deployment: Deployment;
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: ChainReads;
  readonly archive: PermanentStorage;
  readonly secrets: Secrets;
  readonly jobs: JobQueue<Executor>;
  readonly chronicles: Pick<ChronicleService, "derive">;
  readonly links: Links;
  readonly clock: () => Date;
}

export type DocumentParts = ReturnType<typeof buildDocuments>;

/** Soul documents, public identity and display settings of agents. */
export function buildDocuments(options: DocumentPartsOptions) {
  const { db, index, archive, secrets, jobs, links, clock, chronicles } = options;
  const { contracts } = options.deployment;
  const souls = createEvolutionChain({
    client: options.chain,
    soulRegistry: contracts.soulRegistry,
  });
  const derivedStore = createDerivedChronicleStore({ db, jobs, clock });
  const derivedChronicles = createDerivedChronicles({ store: derivedStore, chronicles });
  const uploads = createDocumentUploads({ store: createUploadStore(db), secrets, links, clock });
  const soulDocuments = createSoulDocumentService({
    souls,
    archive,
    secrets,
    clock,
    reads: index,
    store: createDocumentStore({ db, derived: derivedStore }),
    issue: (change) => uploads.issueChange(db, change),
    derived: derivedChronicles,
  });
  const publicIdentities = createPublicIdentityService({
    souls,
    clock,
    derived: derivedChronicles,
    store: createPublicIdentityStore({ db, derived: derivedStore }),
  });
  const displays = createDisplayService({
    souls,
    clock,
    reads: index,
    store: createDisplayStore(db),
  });
  return { soulDocuments, publicIdentities, displays, derivedChronicles };
}
