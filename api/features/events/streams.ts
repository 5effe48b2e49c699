import { ApiError } from "../../kernel/errors.ts";

/** How many streams are open at most. */
export interface StreamLimits {
  /** Of this process. */
  readonly all: number;
  /** Of one client address. */
  readonly ofAddress: number;
  /** Seconds after which a refused client may try again. */
  readonly retryAfter: number;
}

export const STREAM_LIMITS: StreamLimits = { all: 500, ofAddress: 10, retryAfter: 30 };

/** Counts open streams, so that waiting clients cannot take every connection. */
export function createStreamCount({ all, ofAddress, retryAfter }: StreamLimits) {
  const open = new Map<string, number>();
  let total = 0;
  return {
    /**
     * Counts one more.
     *
     * @returns what gives its place back; further calls do nothing.
     * @throws ApiError RATE_LIMIT_EXCEEDED with too many streams of this address,
     * SERVICE_UNAVAILABLE with too many of all.
     */
    take(address: string): () => void {
      const own = open.get(address) ?? 0;
      if (own >= ofAddress) {
        throw new ApiError("RATE_LIMIT_EXCEEDED", {
          message: `This address has ${own} open streams. Close one, or read GET /v1/events.`,
          retryAfter,
        });
      }
      if (total >= all) throw new ApiError("SERVICE_UNAVAILABLE", { retryAfter });
      total += 1;
      open.set(address, own + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        total -= 1;
        const left = (open.get(address) ?? 1) - 1;
        if (left === 0) open.delete(address);
        else open.set(address, left);
      };
    },
  };
}

export type StreamCount = ReturnType<typeof createStreamCount>;
