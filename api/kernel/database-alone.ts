import { AsyncLocalStorage } from "node:async_hooks";

interface Watched {
  isOfDatabaseAlone: boolean;
}

const watched = new AsyncLocalStorage<Watched>();

/**
 * Does `work` and says whether all that it read was in PostgreSQL. Only then do the same rows give
 * the same result.
 */
export async function usesDatabaseAlone(work: () => Promise<unknown>): Promise<boolean> {
  const seen: Watched = { isOfDatabaseAlone: true };
  await watched.run(seen, work);
  return seen.isOfDatabaseAlone;
}

/** Whether the caller is part of work that `usesDatabaseAlone` watches. */
export function isWatched(): boolean {
  return watched.getStore() !== undefined;
}

/**
 * Called by all that reads something else: the time, the chain, permanent storage, other servers.
 * A function that concurrent callers share must call it for each of them, before they share.
 */
export function readsBesideDatabase(): void {
  const seen = watched.getStore();
  if (seen !== undefined) seen.isOfDatabaseAlone = false;
}
