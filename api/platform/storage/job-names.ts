/** Names of the jobs of permanent storage. */
export const STORAGE_JOBS = {
  /** Finds out how uploads ended that a stopped process or an outage left open. `{}`. */
  settle: "storage.settle",
  /** Looks whether gateways serve what was acknowledged. `{}`. */
  look: "storage.look",
} as const;
