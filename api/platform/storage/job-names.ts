/** Names of the jobs of permanent storage. */
export const STORAGE_JOBS = {
  /** Resolves uploads that a stopped process or an outage left open. `{}`. */
  settle: "storage.settle",
  /** Checks whether gateways serve acknowledged items. `{}`. */
  confirm: "storage.confirm",
} as const;
