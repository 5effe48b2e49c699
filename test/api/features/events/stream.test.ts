import { describe, expect, it } from "vitest";
import { createStreamCount } from "../../../../api/features/events/streams.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";

describe("open streams", () => {
  const refusal = (take: () => unknown) => {
    try {
      take();
    } catch (error) {
      if (error instanceof ApiError) return [error.type, error.message, error.retryAfter];
      throw error;
    }
    return null;
  };

  it("are bounded for each address, and each gives its place back once", () => {
    const streams = createStreamCount({ all: 10, ofAddress: 2, retryAfter: 30 });
    const release = streams.take("192.0.2.1");
    streams.take("192.0.2.1");
    expect(refusal(() => streams.take("192.0.2.1"))).toEqual([
      "RATE_LIMIT_EXCEEDED",
      "This address has 2 open streams. Close one, or read GET /v1/events.",
      30,
    ]);
    expect(refusal(() => streams.take("192.0.2.2"))).toBeNull();
    release();
    release();
    expect(refusal(() => streams.take("192.0.2.1"))).toBeNull();
    expect(refusal(() => streams.take("192.0.2.1"))?.[0]).toBe("RATE_LIMIT_EXCEEDED");
  });

  it("are bounded for the process", () => {
    const streams = createStreamCount({ all: 2, ofAddress: 2, retryAfter: 30 });
    const release = streams.take("192.0.2.1");
    streams.take("192.0.2.2");
    expect(refusal(() => streams.take("192.0.2.3"))?.[0]).toBe("SERVICE_UNAVAILABLE");
    release();
    expect(refusal(() => streams.take("192.0.2.3"))).toBeNull();
  });
});
