/** The answer, or null when the node denies with an error of this class that it exists. */
export async function orNull<T>(
  answer: Promise<T>,
  absence: new (...args: never[]) => Error,
): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof absence) return null;
    throw error;
  }
}
