/**
 * The result of `work`, or the error of `tooLate` when it takes longer than `timeoutMs` milliseconds.
 * The work goes on then, without a listener: what can be aborted takes a signal as well.
 */
export async function bounded<T>(
  timeoutMs: number,
  work: () => Promise<T>,
  tooLate: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  // A bare timer: an aborted one would create an error with a stack for every answer in time.
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate()), timeoutMs);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
