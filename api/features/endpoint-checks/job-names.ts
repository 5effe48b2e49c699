/** Names of the jobs of endpoint checks. */
export const ENDPOINT_CHECK_JOBS = {
  /** Puts new agents on the list, and enqueues the checks that are due. `{}`. */
  schedule: "endpoint-checks.schedule",
  /** Checks the endpoints of one agent: `{tokenId}`. */
  check: "endpoint-check.run",
} as const;
