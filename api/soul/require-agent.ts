import type { IndexedAgent, IndexedAgents, Reading } from "./index-reads.ts";
import type { SoulRef } from "./soul-ref.ts";
import { noSuchSoul } from "./soul-ref.ts";

/**
 * The agent that a caller names, as last indexed.
 *
 * @throws ApiError NOT_FOUND
 */
export async function requireAgent(
  index: IndexedAgents,
  ref: SoulRef,
): Promise<Reading<IndexedAgent>> {
  const { at, value, checkedAt } = await index.agent(ref);
  if (value === null) throw noSuchSoul(ref);
  return { at, value, checkedAt };
}
