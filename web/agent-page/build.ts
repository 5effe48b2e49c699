import type { Platform } from "../../api/platform/build.ts";
import type { SoulReads } from "../../api/soul/build.ts";
import { createDealingReads } from "./dealings.store.ts";
import { currentDealings } from "./dealings.ts";

type Options = Pick<Platform, "pool"> & Pick<SoulReads, "age">;

/** What an agent's page reads for itself. */
export function buildAgentPage({ pool, age }: Options) {
  return { dealingsOf: currentDealings(createDealingReads(pool), age) };
}
