import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createDealingReads } from "./dealings.store.ts";
import { currentDealings } from "./dealings.ts";

type Options = Pick<Platform, "reads"> & Pick<SoulReads, "age">;

/** What an agent's page reads for itself. */
export function buildAgentPage({ reads, age }: Options) {
  return { dealingsOf: currentDealings(createDealingReads(reads.pool), age) };
}
