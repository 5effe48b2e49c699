import { randomUUID } from "node:crypto";
import { drizzle } from "drizzle-orm/node-postgres";
import { hashApiKey } from "../../kernel/api-keys.ts";
import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { apiKeyStore, type WasStopped } from "../keys/index.ts";
import { SUSPEND_JOB } from "../life/index.ts";
import type { FileDeps } from "../passports/index.ts";
import type { RegistrationContext, RegistrationService } from "../registration/index.ts";
import type { EventSink, WebhookEpochs } from "../webhooks/index.ts";
import { createBurnKind } from "./burn.ts";
import { ENDINGS_JOB, followEndings } from "./ending-events.ts";
import { createEndingsChain } from "./endings.chain.ts";
import { createEndedReads, replacedSoul } from "./endings.store.ts";
import type { Endings } from "./endings.ts";
import { createReincarnations } from "./reincarnation.ts";
import { createReleaseKind } from "./release.ts";
import { createResealKind, resealKey } from "./reseal.ts";

type Options = Pick<
  Platform,
  "deployment" | "db" | "pool" | "chain" | "archive" | "secrets" | "jobs" | "clock"
> &
  Pick<SoulReads, "souls"> &
  Pick<BuiltEngine, "follow"> & {
    readonly passportFiles: FileDeps;
    readonly registrationContext: RegistrationContext;
    readonly registration: RegistrationService;
    readonly events: EventSink;
    readonly webhookEpochs: WebhookEpochs;
    readonly wasStopped: WasStopped;
  };

/** How epochs and lives end, and what begins after them. */
export function buildEndings(options: Options) {
  const { db, secrets, jobs, clock, souls, registration } = options;
  const chain = createEndingsChain(options.chain, options.deployment.contracts.soulRegistry);
  const { genesisSoulHash } = chain;
  const index = drizzle(options.pool);
  const endings: Endings = {
    ...options.passportFiles,
    registrationContext: options.registrationContext,
    archive: options.archive,
    wasStopped: options.wasStopped,
    secrets,
    clock,
    souls,
    chain,
    ended: createEndedReads(index, clock),
    replaced: (tokenId) => replacedSoul(index, tokenId),
    requestSuspension: (tokenId) =>
      db.transaction((tx) => {
        const token = tokenId.toString();
        const data = { suspensionId: randomUUID(), tokenId: token };
        return jobs.send(tx, SUSPEND_JOB, data, { singletonKey: `requested:${token}` });
      }),
  };
  const keys = apiKeyStore(db);
  const { events, webhookEpochs } = options;
  const followed = followEndings({ db: index, clock, events, webhookEpochs });
  return {
    resealKind: createResealKind(endings),
    releaseKind: createReleaseKind(endings),
    burnKind: createBurnKind(endings),
    async resealedKey(operationKey: string, tokenId: bigint): Promise<string | null> {
      const key = resealKey(secrets, operationKey, tokenId);
      return (await keys.find(hashApiKey(key))) === null ? null : key;
    },
    endedReads: endings.ended,
    suspensionOf: chain.observation,
    genesisSoulHash,
    reincarnations: createReincarnations({ souls, registration, genesisSoulHash }),
    endingJobs: { [ENDINGS_JOB]: options.follow(followed) },
  };
}
