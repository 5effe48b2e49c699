import { LRUCache } from "lru-cache";

/** How often the use of one credential is recorded. */
const INTERVAL_MS = 60_000;
/** The most credentials remembered at once. */
const MAX_REMEMBERED = 10_000;

/** Records that a credential was used, at most once a minute: most requests write nothing. */
export type UseRecorder = (id: string) => Promise<void>;

/** @param write Stores the time of the use. */
export function createUseRecorder(
  write: (id: string, at: Date) => Promise<void>,
  clock: () => Date,
): UseRecorder {
  const recordedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return async (id) => {
    const at = clock();
    const last = recordedAt.get(id);
    if (last !== undefined && at.getTime() - last < INTERVAL_MS) return;
    recordedAt.set(id, at.getTime());
    await write(id, at);
  };
}
