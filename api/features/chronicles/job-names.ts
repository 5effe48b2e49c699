/** Names of the jobs of chronicles. */
export const CHRONICLE_JOBS = {
  /** Anchors what is queued. Sent with each record, for the next full hour. `{}`. */
  batch: "chronicles.batch",
  /** Follows batches until they are confirmed. `{}`. */
  follow: "chronicles.follow",
} as const;
