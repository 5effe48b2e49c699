/** After this time a person wonders whether anything happens. */
const SLOW_MS = 8_000;

const STILL_WAITING =
  "Still waiting for your wallet. A hardware wallet must be connected and unlocked, and shows the request on its own screen. Nothing is lost by waiting.";

/** Asks a wallet, and says that the page waits when it takes long. */
export async function patiently<T>(ask: () => Promise<T>, say: (note: string) => void): Promise<T> {
  const timer = setTimeout(() => say(STILL_WAITING), SLOW_MS);
  try {
    return await ask();
  } finally {
    clearTimeout(timer);
  }
}
