import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { EndAllowance } from "../allowances/index.ts";
import type { WebhookEpochs } from "../webhooks/index.ts";
import { createEmergencyStops } from "./stop.ts";
import { createStopStore } from "./stops.store.ts";

type Options = Pick<Platform, "db" | "clock"> &
  Pick<SoulReads, "souls"> &
  Pick<BuiltEngine, "operations"> & {
    readonly allowanceChanges: { readonly end: EndAllowance };
    readonly isAllowanceActive: (tokenId: bigint) => Promise<boolean>;
    readonly webhookEpochs: WebhookEpochs;
  };

/** The end of everything that acts for an agent, in one request. */
export function buildEmergencyStop(options: Options) {
  const { db, clock, souls, webhookEpochs } = options;
  const emergencyStops = createEmergencyStops({
    souls,
    engine: options.operations,
    endAllowance: options.allowanceChanges.end,
    isAllowanceActive: options.isAllowanceActive,
    store: createStopStore({ db, webhookEpochs, clock }),
    transaction: (work) => db.transaction(work),
  });
  return {
    emergencyStops,
    stopDefinitions: emergencyStops.definitions,
  };
}
