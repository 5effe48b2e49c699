import type { Content } from "./ans104.ts";
import { openItem } from "./ans104.ts";
import type { Gateway } from "./gateways.ts";

/** What a gateway has of an item that is here as it was stored. */
export type Comparison = "same" | "missing" | "altered" | "failed";

/** Compares what a gateway serves with the right content. Never rejects but when the signal ends it. */
export async function compareAtGateway(
  gateway: Gateway,
  id: string,
  { data }: Content,
  signal: AbortSignal,
): Promise<Comparison> {
  try {
    // An altered answer may be longer than the item; one that is much longer need not be read to its end.
    const answer = await gateway.read(id, { maxBytes: 2 * data.length + SLACK_BYTES, signal });
    if (answer === null) return "missing";
    const { bytes } = answer;
    if (bytes.equals(data)) return "same";
    const item = await openItem({ id, bytes }).catch(() => null);
    return item === null ? "altered" : "same";
  } catch {
    signal.throwIfAborted();
    return "failed";
  }
}

/** More than the header of any of our items. */
const SLACK_BYTES = 16 * 1024;
