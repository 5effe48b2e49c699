/** The time that a contract or a block says, in Unix seconds. */
export function dateOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1000);
}
