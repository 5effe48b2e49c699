import { randomUUID } from "node:crypto";
import { bytesToHex } from "viem";
import type { Platform } from "../../platform/build.ts";
import { createMessageSignatures } from "../../platform/chain/signatures.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import { createArchiveInspection } from "../../platform/storage/inspect.ts";
import type { SoulReads } from "../../soul/build.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import { activePolicy, createDisclosureStore, createSoulSecrets } from "../disclosure/index.ts";
import type { EventSink } from "../webhooks/index.ts";
import { organizationFacts } from "./audits.chain.ts";
import { createAuditStore } from "./audits.store.ts";
import { AUDIT_ARCHIVE_JOB, type AuditRequestDeps, type OrganizationChain } from "./audits.ts";
import { createPackageDelivery } from "./delivery.ts";
import { createAuditedHistory } from "./history.store.ts";
import { createRecordedMembers } from "./members.store.ts";
import { type AuditedSecrets, createAuditUploads } from "./uploads.ts";

/** Longest wait for a contract wallet in the check of an upload's signature. */
const SIGNATURE_TIMEOUT_MS = 5_000;

/**
 * Audits of agents and organizations.
 *
 * @param options `receivers`: the client for addresses at which someone receives something.
 */
export function buildAudits(
  options: Platform &
    SoulReads & {
      readonly events: EventSink;
      readonly receivers: Pick<OutboundHttp, "request">;
    },
) {
  const { config, deployment, db, chain: client, archive, clock, souls, index } = options;
  const { contracts, chainId } = deployment;
  const store = createAuditStore({ db, jobs: options.jobs });
  const place = { client, contracts };
  const chain: OrganizationChain = {
    organization: (organizationId, tokenIds) => organizationFacts(place, organizationId, tokenIds),
  };
  const membersOf = createRecordedMembers(options.pool, options.age);
  const auditRequests: AuditRequestDeps = {
    souls,
    chain,
    membersOf,
    add: store.add,
    events: options.events,
    clock,
    newId: randomUUID,
  };
  const auditUploads = createAuditUploads({
    store,
    disclosures: createDisclosureStore(db),
    souls,
    chain,
    membersOf,
    history: createAuditedHistory({
      db,
      agents: options.current,
      soulOrigin: index.soulOrigin,
      age: options.age,
      inspect: createArchiveInspection(archive),
      chain: place,
    }),
    secrets: auditedSecrets(options),
    reader: options.soulReader,
    signatures: createMessageSignatures({ client, timeoutMs: SIGNATURE_TIMEOUT_MS }),
    archive,
    deliver: createPackageDelivery({
      http: options.receivers,
      endpoints: config.regulatorEndpoints,
      log: options.log,
    }),
    place: { chainId, soulRegistry: contracts.soulRegistry, soulView: contracts.soulView },
    log: options.log,
    clock,
    newId: randomUUID,
  });
  return {
    auditRequests,
    auditUploads,
    auditJobs: {
      [AUDIT_ARCHIVE_JOB]: async ({ auditId }: { readonly auditId?: unknown }) => {
        await auditUploads.archiveRecord(String(auditId));
      },
    },
  };
}

function auditedSecrets({ db, secrets }: Pick<Platform, "db" | "secrets">): AuditedSecrets {
  const sealed = createSoulSecrets(db);
  return {
    async salt(soul) {
      const stored = await sealed.of(soul);
      if (stored === null) return null;
      const { saltEncrypted, soulHash } = stored;
      return bytesToHex(secrets.decrypt(SALT_PURPOSE, saltEncrypted, soulHash));
    },
    policy: (soul, transaction = db) => activePolicy(transaction, soul),
  };
}
