import { ApiError } from "../../kernel/errors.ts";
import { limitedNetworks } from "../../kernel/networks.ts";

/** How many streams are open at most. */
export interface StreamLimits {
  /** Of this process. */
  readonly all: number;
  /** Of one client address, of its site and of its provider. */
  readonly ofNetworks: readonly [number, number, number];
  /** Seconds after which a refused client may try again. */
  readonly retryAfter: number;
}

export const STREAM_LIMITS: StreamLimits = { all: 500, ofNetworks: [10, 50, 150], retryAfter: 30 };

interface OpenStream {
  /** Narrowest first. */
  readonly networks: readonly string[];
  readonly close: () => void;
}

/**
 * Counts open streams, so that waiting clients cannot take every connection. When all places are taken, a client still gets one
 * from the widest network that holds most: many addresses of one holder keep no other client out.
 */
export function createStreamCount({ all, ofNetworks, retryAfter }: StreamLimits) {
  /** In the order of their opening. */
  const open = new Set<OpenStream>();
  const counts = new Map<string, number>();
  const countOf = (network: string | undefined) => counts.get(network ?? "") ?? 0;

  function add(stream: OpenStream, change: 1 | -1): void {
    for (const network of stream.networks) {
      const count = countOf(network) + change;
      if (count === 0) counts.delete(network);
      else counts.set(network, count);
    }
  }

  /** The stream that gives its place to a client of a network with `own` streams; undefined for none. */
  function replaceable(own: number): OpenStream | undefined {
    let found: OpenStream | undefined;
    const sizes = ({ networks }: OpenStream) =>
      [countOf(networks.at(-1)), countOf(networks[0])] as const;
    for (const stream of open) {
      const [most, ofAddress] = found === undefined ? [own + 2, 0] : sizes(found);
      const [ofNetwork, ofItsAddress] = sizes(stream);
      // Among equals the newest.
      if (ofNetwork > most || (ofNetwork === most && ofItsAddress >= ofAddress)) found = stream;
    }
    return found;
  }

  return {
    /**
     * Counts one more.
     *
     * @param close ends the stream when its place is given to another client.
     * @returns what gives its place back; further calls do nothing.
     * @throws ApiError RATE_LIMIT_EXCEEDED with too many streams of this address or a network of it,
     * SERVICE_UNAVAILABLE with too many of all.
     */
    take(address: string, close: () => void): () => void {
      const networks = limitedNetworks(address);
      for (const [width, network] of networks.entries()) {
        if (countOf(network) < (ofNetworks[width] ?? all)) continue;
        throw new ApiError("RATE_LIMIT_EXCEEDED", {
          message: `${network} has ${countOf(network)} open streams. Close one, or read GET /v1/events.`,
          retryAfter,
        });
      }
      if (open.size >= all) {
        const replaced = replaceable(countOf(networks.at(-1)));
        if (replaced === undefined) throw new ApiError("SERVICE_UNAVAILABLE", { retryAfter });
        replaced.close();
      }
      const stream = { networks, close };
      open.add(stream);
      add(stream, 1);
      return () => {
        if (open.delete(stream)) add(stream, -1);
      };
    },
  };
}

export type StreamCount = ReturnType<typeof createStreamCount>;
