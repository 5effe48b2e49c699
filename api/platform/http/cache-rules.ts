/** SEALED holds while the seal is valid: caches must not hide a sale for long. */
export type CacheVariants = { readonly sealed: string; readonly other: string };

/** Every Cache-Control that a successful answer can have. */
export const CACHE_RULES = {
  never: "no-store",
  /** An answer without an end: a proxy that compresses it holds back the last bytes. */
  stream: "no-store, no-transform",
  /** Stored, but always revalidated: for callers that rely on the answer. */
  revalidate: "no-cache",
  profile: {
    sealed: "max-age=3600, stale-while-revalidate=7200",
    other: "max-age=60, stale-while-revalidate=300",
  },
  verification: {
    sealed: "max-age=300, stale-while-revalidate=600",
    other: "max-age=30, stale-while-revalidate=60",
  },
  published: "max-age=300",
  /** Named by its content: it never changes. */
  immutable: "public, max-age=31536000, immutable",
} as const satisfies Record<string, string | CacheVariants>;

export type CacheRule = keyof typeof CACHE_RULES;

/** Whether a client may keep the answer and ask by its tag whether it still holds. */
export const isKeepable = (rule: string | undefined): boolean =>
  rule !== "never" && rule !== "stream";
