import { randomUUID } from "node:crypto";
import { and, eq, gt, isNull, lt, or } from "drizzle-orm";
import { apiKeyOf, hashApiKey, storedKeyOf } from "../../kernel/api-keys.ts";
import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { soulSecret } from "../../soul/tables.ts";
import { apiKey, apiKeyStore, issueOwnerKey, type WasStopped } from "../keys/index.ts";
import { SUSPEND_JOB } from "../life/index.ts";
import type { FileDeps } from "../passports/index.ts";
import type { RegistrationContext, RegistrationService } from "../registration/index.ts";
import type { EventSink, WebhookEpochs } from "../webhooks/index.ts";
import { createBurnKind } from "./burn.ts";
import { ENDINGS_JOB, followEndings } from "./ending-events.ts";
import { createEndingsChain } from "./endings.chain.ts";
import { createEndingReads } from "./endings.store.ts";
import { createReincarnations } from "./reincarnation.ts";
import { createReleaseKind } from "./release.ts";
import { createResealKind, resealKeyBytes } from "./reseal.ts";

type Options = Pick<
  Platform,
  "deployment" | "db" | "pool" | "chain" | "archive" | "secrets" | "jobs" | "clock"
> &
  Pick<SoulReads, "souls"> &
  BuiltEngine & {
    readonly passportFiles: FileDeps;
    readonly registrationContext: RegistrationContext;
    readonly registration: RegistrationService;
    readonly events: EventSink;
    readonly webhookEpochs: WebhookEpochs;
    readonly wasStopped: WasStopped;
  };

/** How epochs and lives end, and what begins after them. */
export function buildEndings(options: Options) {
  const { deployment, db, archive, secrets, jobs, clock, souls } = options;
  const { passportFiles, registrationContext, registration } = options;
  const chain = createEndingsChain(options.chain, deployment.contracts.soulRegistry);
  const { ended, replaced, ends } = createEndingReads(options.pool, clock);
  const moved = {
    souls,
    observation: chain.observation,
    requestSuspension: (tokenId: bigint) =>
      db.transaction((tx) => {
        const token = tokenId.toString();
        const data = { suspensionId: randomUUID(), tokenId: token };
        return jobs.send(tx, SUSPEND_JOB, data, { singletonKey: `requested:${token}` });
      }),
  };
  const resealKind = createResealKind({
    ...passportFiles,
    ...moved,
    registrationContext,
    replaced,
    ended,
    secrets,
    stored: archive.read,
    resealCall: chain.reseal,
    apiKeyOf: (bytes) => apiKeyOf("live", bytes),
    async grant(tx, granted) {
      const { tokenId, epoch, soulHash, saltEncrypted, leaves, publicFields } = granted;
      await tx
        .insert(soulSecret)
        .values({
          tokenId,
          epoch,
          soulHash,
          saltEncrypted,
          leaves,
          publicFields,
        })
        .onConflictDoUpdate({
          target: [soulSecret.tokenId, soulSecret.epoch],
          set: { soulHash, saltEncrypted, leaves, publicFields },
        });
      const key = { ...storedKeyOf(granted.apiKey), tokenId, epoch, at: clock() };
      await issueOwnerKey(tx, key, options.wasStopped);
    },
  });
  const releaseKind = createReleaseKind({
    ...moved,
    ended,
    replaced,
    timeOf: chain.timeOf,
    releaseCall: chain.release,
  });
  const keys = apiKeyStore(db);
  return {
    resealKind,
    releaseKind,
    async resealedKey(operationKey: string, tokenId: bigint): Promise<string | null> {
      const key = apiKeyOf("live", resealKeyBytes(secrets, { operationKey, tokenId }));
      return (await keys.find(hashApiKey(key))) === null ? null : key;
    },
    burnKind: createBurnKind({
      ...passportFiles,
      ended,
      replaced,
      timeOf: chain.timeOf,
      burnCall: chain.burn,
    }),
    endedReads: ended,
    suspensionOf: chain.observation,
    genesisSoulHash: chain.genesisSoulHash,
    reincarnations: createReincarnations({
      souls,
      registration,
      genesisSoulHash: chain.genesisSoulHash,
    }),
    endingJobs: {
      [ENDINGS_JOB]: options.follow(
        followEndings({
          ends,
          events: options.events,
          webhookEpochs: options.webhookEpochs,
          async endKeys(tx, { tokenId, epoch }) {
            // The service's time: the chain's may be ahead, and a key counts until its end.
            const at = clock();
            const earlier = and(eq(apiKey.tokenId, tokenId), lt(apiKey.epoch, epoch));
            await tx
              .update(apiKey)
              .set({ revokedAt: at })
              // A grace period can be cut short, never prolonged.
              .where(and(earlier, or(isNull(apiKey.revokedAt), gt(apiKey.revokedAt, at))));
          },
        }),
      ),
    },
  };
}
