import type { HostBudget } from "./ports.ts";

/** Requests of a quarter of an hour. */
export interface HostLimits {
  /** To one name, at any port. */
  readonly host: number;
  /** To all names that end in the same two labels, and to one address: both can be shared by many owners. */
  readonly shared: number;
}

const HOST_LIMITS: HostLimits = { host: 240, shared: 960 };

/** Time in milliseconds in which requests are counted. */
export const HOST_WINDOW_MS = 15 * 60 * 1000;

/** Counts in a database. */
export interface HostCounts {
  /** Counts one request for each of these names, in one statement. Resolves to the new counts. */
  add(names: readonly string[], at: Date): Promise<ReadonlyMap<string, number>>;
}

/**
 * A host is counted by what its owner cannot make more of for nothing: by its name without the port, by the end of its name, so that
 * a wildcard's names are one, and by each address. The end is two labels. For `victim.co.uk` that is `co.uk`, which others share;
 * no list of suffixes is needed, and the victim is protected all the same.
 */
export function createHostBudget(options: {
  readonly counts: HostCounts;
  /** An address as limits count it. */
  readonly limitedAddress: (address: string) => string;
  readonly limits?: HostLimits;
  readonly clock: () => Date;
}): HostBudget {
  const { counts, limitedAddress, limits = HOST_LIMITS, clock } = options;
  return {
    async take(hostname, addresses) {
      const isAddress = addresses.includes(hostname);
      const end = isAddress ? hostname : hostname.split(".").slice(-2).join(".");
      const wanted = new Map([
        ...addresses.map((text) => [`address ${limitedAddress(text)}`, limits.shared] as const),
        [`end ${end}`, limits.shared],
        [`name ${hostname}`, limits.host],
      ]);
      const counted = await counts.add([...wanted.keys()], clock());
      return [...wanted].every(([name, limit]) => (counted.get(name) ?? Infinity) <= limit);
    },
  };
}
