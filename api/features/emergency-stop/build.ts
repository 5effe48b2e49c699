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
  const emergencyStops = createEmergencyStops({
    ...options,
    engine: options.operations,
    endAllowance: options.allowanceChanges.end,
    store: createStopStore(options),
    transaction: (work) => options.db.transaction(work),
  });
  return { emergencyStops, stopDefinitions: emergencyStops.definitions };
}
