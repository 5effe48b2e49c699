/** Making an answer takes at most one part in so many of the time. */
const SHARE = 100;

/**
 * One answer for all callers, made again when it is asked for after `keptMs` milliseconds, or after
 * 100 times what making it took, if that is longer. So an answer that reads whole tables takes at
 * most a hundredth of the database's time, however large they grow. A failure is not kept.
 */
export function shareAnswer<Answer>(options: {
  readonly make: () => Promise<Answer>;
  readonly clock: () => Date;
  readonly keptMs: number;
}): () => Promise<Answer> {
  const { make, clock, keptMs } = options;
  let kept: { readonly answer: Promise<Answer>; until: number } | undefined;
  return () => {
    const begun = clock().getTime();
    if (kept !== undefined && begun < kept.until) return kept.answer;
    const made = { answer: make(), until: Number.POSITIVE_INFINITY };
    kept = made;
    made.answer.then(
      () => {
        const took = clock().getTime() - begun;
        made.until = begun + Math.max(keptMs, SHARE * took);
      },
      () => {
        kept = undefined;
      },
    );
    return made.answer;
  };
}
