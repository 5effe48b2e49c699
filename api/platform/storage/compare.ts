import type { Content } from "./ans104.ts";
import { openItem } from "./ans104.ts";
import type { Gateway } from "./gateways.ts";

/** A gateway's answer compared with the service's intact copy. */
export type Comparison = "same" | "missing" | "altered" | "failed";

/** Compares what a gateway serves with the right content. Rejects only when the signal aborts. */
export async function compareAtGateway(
  gateway: Gateway,
  id: string,
  { data }: Content,
  signal: AbortSignal,
): Promise<Comparison> {
  try {
    // An altered answer may be longer than the item. A much longer one is not read to its end.
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

/** Larger than the header of any item of this service. */
const SLACK_BYTES = 16 * 1024;
