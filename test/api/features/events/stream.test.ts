import { describe, expect, it } from "vitest";
import { createStreamCount, STREAM_LIMITS } from "../../../../api/features/events/streams.ts";
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

  /** Streams whose addresses are listed while they are open. */
  function counted(limits: Partial<typeof STREAM_LIMITS>) {
    const streams = createStreamCount({ ...STREAM_LIMITS, ...limits });
    const open: string[] = [];
    const take = (address: string) => {
      const release = streams.take(address, () => close());
      open.push(address);
      const close = () => {
        open.splice(open.lastIndexOf(address), 1);
        release();
      };
      return release;
    };
    return { take, open };
  }

  it("are bounded for each address, and each gives its place back once", () => {
    const { take } = counted({ all: 10, ofNetworks: [2, 10, 10] });
    const release = take("192.0.2.1");
    take("192.0.2.1");
    expect(refusal(() => take("192.0.2.1"))).toEqual([
      "RATE_LIMIT_EXCEEDED",
      "192.0.2.1 has 2 open streams. Close one, or read GET /v1/events.",
      30,
    ]);
    expect(refusal(() => take("192.0.2.2"))).toBeNull();
    release();
    release();
    expect(refusal(() => take("192.0.2.1"))).toBeNull();
    expect(refusal(() => take("192.0.2.1"))?.[0]).toBe("RATE_LIMIT_EXCEEDED");
  });

  it.each([
    ["192.0.2.0/24", 50, (client: number) => `192.0.2.${client}`],
    ["2001:db8:1::/48", 50, (client: number) => `2001:db8:1:${client}::/64`],
    ["2001:db8::/32", 150, (client: number) => `2001:db8:${client}:1::/64`],
  ])("of all addresses of %s are %d", (network, limit, address) => {
    const { take } = counted({});
    for (let client = 0; client < limit; client += 1) take(address(client));
    expect(refusal(() => take(address(limit)))).toEqual([
      "RATE_LIMIT_EXCEEDED",
      `${network} has ${limit} open streams. Close one, or read GET /v1/events.`,
      30,
    ]);
    expect(refusal(() => take("198.51.100.1"))).toBeNull();
  });

  it("are bounded for the process, with one for each network", () => {
    const { take, open } = counted({ all: 2 });
    const release = take("192.0.2.1");
    take("198.51.100.2");
    expect(refusal(() => take("203.0.113.3"))?.[0]).toBe("SERVICE_UNAVAILABLE");
    release();
    open.shift();
    expect(refusal(() => take("203.0.113.3"))).toBeNull();
  });

  it("close the newest of the network with most when a smaller one needs a place", () => {
    const { take, open } = counted({ all: 6 });
    const taken = [
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.2",
      "192.0.2.3",
      "198.51.100.1",
      "198.51.100.1",
    ];
    for (const address of taken) take(address);
    take("203.0.113.1");
    expect(open).toEqual([
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.3",
      "198.51.100.1",
      "198.51.100.1",
      "203.0.113.1",
    ]);
    take("203.0.113.2");
    expect(open.filter((address) => address.startsWith("192.0.2."))).toEqual([
      "192.0.2.1",
      "192.0.2.2",
    ]);
    // Every network has two now: a third would only be taken from an equal.
    expect(refusal(() => take("203.0.113.3"))?.[0]).toBe("SERVICE_UNAVAILABLE");
    expect(open).toHaveLength(6);
  });

  it("of many addresses keep no other client out", () => {
    const { take, open } = counted({});
    for (let host = 0; host < 51; host += 1) {
      for (let stream = 0; stream < 10; stream += 1) refusal(() => take(`10.0.${host}.1`));
    }
    expect(open).toHaveLength(500);
    expect(refusal(() => take("203.0.113.1"))).toBeNull();
    expect(open).toHaveLength(500);
  });
});
