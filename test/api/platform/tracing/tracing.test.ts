import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { createMetrics } from "../../../../api/platform/metrics/metrics.ts";
import { buildTracing } from "../../../../api/platform/tracing/build.ts";
import {
  currentTrace,
  currentTraceId,
  runInSpan,
  type Tracing,
  traced,
} from "../../../../api/platform/tracing/spans.ts";
import { hasPromtool } from "../../../fixtures/alert-rules.ts";
import { startTraceCollector } from "../../../fixtures/trace-collector.ts";
import { alertsOf } from "../../../fixtures/watched-process.ts";
import { capturedLog, testApp } from "../../helpers.ts";

/** A busy machine may take longer than the second that vitest waits. */
const SOON = { timeout: 30_000 };

type Collector = Awaited<ReturnType<typeof startTraceCollector>>;

const STORED = "00-11112222333344445555666677778888-1234567890abcdef-01";

let collector: Collector;
let tracing: Tracing;
let captured: ReturnType<typeof capturedLog>;
let metrics: ReturnType<typeof createMetrics>;

async function start(ratio = 1): Promise<Tracing> {
  const settings = {
    endpoint: collector.url,
    headers: { "x-collector-key": "collector-secret" },
    serviceName: "agents",
    ratio,
    delayMs: 10,
  };
  const built = await buildTracing(settings, captured.log, metrics);
  if (built === null) throw new Error("Tracing is off.");
  return built;
}

beforeEach(async () => {
  collector = await startTraceCollector();
  captured = capturedLog();
  metrics = createMetrics();
  tracing = await start();
});
afterEach(async () => {
  await tracing.close();
  await collector.stop();
});

/** What the collector has once everything is sent. */
async function collected() {
  await tracing.close();
  return collector.spans;
}

describe("without a collector", () => {
  it("nothing is traced, and the work runs", async () => {
    expect(await buildTracing(undefined, captured.log, metrics)).toBeNull();
    expect(await traced("work", {}, async (span) => [span, currentTrace()])).toEqual([null, null]);
    expect(currentTraceId()).toBeUndefined();
  });
});

describe("a trace", () => {
  it("has its parts in the order in which they were begun, across waits and parallel work", async () => {
    await runInSpan(tracing.begin("whole", { kind: "server" }), async () => {
      await Promise.all([
        traced("first", {}, async () => {
          await new Promise(setImmediate);
          await traced("inner", {}, async () => {});
        }),
        traced("second", { attributes: { "svc.event": "soul.burned" } }, async () => {}),
      ]);
    });
    const spans = await collected();
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(named("whole")).toMatchObject({ kind: 2, service: "agents", failed: false });
    expect(named("first")?.parentSpanId).toBe(named("whole")?.spanId);
    expect(named("inner")?.parentSpanId).toBe(named("first")?.spanId);
    expect(named("second")).toMatchObject({
      parentSpanId: named("whole")?.spanId,
      attributes: { "svc.event": "soul.burned" },
    });
    expect(collector.headers[0]).toMatchObject({ "x-collector-key": "collector-secret" });
  });

  it("continues from a stored header, and as a child within the same trace", async () => {
    await runInSpan(tracing.begin("job", { of: STORED }), async () => {
      expect(currentTraceId()).toBe("11112222333344445555666677778888");
      await traced("of the same", { of: STORED }, async () => {});
      const other = STORED.replace("1111", "9999");
      await traced("of another", { of: other }, async () => {});
      await traced("of a malformed one", { of: "00-zz" }, async () => {});
    });
    const spans = await collected();
    const named = (name: string) => spans.find((span) => span.name === name);
    const job = named("job");
    expect(job).toMatchObject({
      traceId: "11112222333344445555666677778888",
      parentSpanId: "1234567890abcdef",
    });
    expect(named("of the same")?.parentSpanId).toBe(job?.spanId);
    expect(named("of a malformed one")?.parentSpanId).toBe(job?.spanId);
    expect(named("of another")).toMatchObject({
      traceId: "99992222333344445555666677778888",
      parentSpanId: "1234567890abcdef",
    });
  });

  it("records an error by its type, and never its message", async () => {
    const failing = (error: Error) =>
      traced("part", {}, async () => {
        throw error;
      }).catch(() => {});
    await runInSpan(tracing.begin("whole", {}), async () => {
      await failing(new ApiError("NOT_OWNER", { message: "secret-in-a-message" }));
      await failing(new TypeError("secret-in-a-message"));
    });
    const spans = await collected();
    const parts = spans.filter(({ name }) => name === "part");
    expect(parts.map(({ failed, attributes }) => [failed, attributes["error.type"]])).toEqual([
      [true, "NOT_OWNER"],
      [true, "TypeError"],
    ]);
    expect(collector.bodies.join()).not.toContain("secret-in-a-message");
  });

  it("is not recorded at a share of 0, and neither is what follows from it", async () => {
    await tracing.close();
    tracing = await start(0);
    let stored: string | null = null;
    await runInSpan(tracing.begin("whole", {}), async () => {
      stored = currentTrace();
      await traced("part", {}, async () => {});
    });
    expect(stored).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    await runInSpan(tracing.begin("job", { of: stored }), async () => {});
    await runInSpan(tracing.begin("job of a recorded trace", { of: STORED }), async () => {});
    expect((await collected()).map(({ name }) => name)).toEqual(["job of a recorded trace"]);
  });

  it("is not begun by a quiet round, which continues stored ones", async () => {
    await runInSpan(tracing.quiet(), async () => {
      expect(currentTrace()).toBeNull();
      await traced("unrelated", {}, async () => {
        await traced("follow", { of: STORED }, async () => {});
      });
    });
    expect((await collected()).map(({ name }) => name)).toEqual(["follow"]);
  });
});

describe("a collector that refuses", () => {
  it("delays no work, and is counted and logged once", async () => {
    collector.answerWith(400);
    for (let round = 0; round < 2; round += 1) {
      await runInSpan(tracing.begin("lost", {}), async () => {});
      await vi.waitFor(() => expect(collector.headers).toHaveLength(round + 1), SOON);
    }
    await vi.waitFor(async () =>
      expect((await metrics.scrape()).text).toContain('svc_trace_spans_total{outcome="failed"} 2'),
    );
    collector.answerWith(200);
    await runInSpan(tracing.begin("taken", {}), async () => {});
    expect((await collected()).map(({ name }) => name)).toEqual(["taken"]);
    expect((await metrics.scrape()).text).toContain('svc_trace_spans_total{outcome="sent"} 1');
    expect(captured.entries().map(({ msg }) => msg)).toEqual([
      "the trace collector does not take spans",
      "the trace collector takes spans again",
    ]);
    expect(captured.lines.join()).not.toContain("collector-secret");
  });
});

it.skipIf(!hasPromtool)("a collector that refuses fires an alert", async () => {
  collector.answerWith(400);
  const firing = await alertsOf({
    metrics,
    work: () => runInSpan(tracing.begin("lost", {}), async () => {}),
    growing: [/^svc_trace_spans_total\{outcome="failed"\}/],
  });
  expect(firing).toEqual(["TracesNotExported"]);
});

describe("a request", () => {
  it("begins a trace under its route, and ignores the one that a client names", async () => {
    const app = testApp({ tracing, log: captured.log });
    const traceparent = STORED;
    await app.request("/health", { headers: { traceparent } });
    const answer = await app.request("/nowhere/private?token=private", {
      headers: { traceparent, "x-request-id": "request-12345" },
    });
    expect(answer.status).toBe(404);
    const [span, ...others] = await collected();
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      name: "GET /*",
      kind: 2,
      failed: false,
      attributes: {
        "http.request.method": "GET",
        "http.route": "/*",
        "http.response.status_code": 404,
        "svc.request.id": "request-12345",
      },
    });
    expect(span?.parentSpanId).toBeUndefined();
    expect(collector.bodies.join()).not.toContain("private");
    const line = captured.entries().find(({ requestId }) => requestId === "request-12345");
    expect(line).toMatchObject({ traceId: span?.traceId });
  });

  it("names the error that it was answered with", async () => {
    const readiness = { check: () => Promise.reject(new Error("private")) };
    const app = testApp({ tracing, access: failingAccess, readiness });
    const answer = await app.request("/v1/register/check-name/heron-1", {
      headers: { authorization: "Bearer private" },
    });
    expect(answer.status).toBe(500);
    const [span] = await collected();
    expect(span).toMatchObject({ failed: true, attributes: { "error.type": "INTERNAL" } });
    expect(collector.bodies.join()).not.toContain("private");
  });
});

const failingAccess = {
  authenticate: () => Promise.reject(new Error("private")),
  authorise: async () => {},
};
