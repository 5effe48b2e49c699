import {
  SpanKind as ApiKind,
  type Span as ApiSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { bounded } from "../../kernel/bounded.ts";
import type { TracingSettings } from "./settings.ts";
import type { Span, SpanKind, SpanOptions, Tracing } from "./spans.ts";

export interface OtlpOptions {
  readonly settings: TracingSettings;
  readonly log: Logger;
  /** Called with the number of spans that the collector took, or did not take. */
  readonly observe: (outcome: "sent" | "failed", spans: number) => void;
}

/** Time limit for one request to the collector, in milliseconds. */
const EXPORT_MS = 5_000;
/** Time limit for sending what is left at shutdown. */
const CLOSE_MS = 3_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const KINDS: Readonly<Record<SpanKind, ApiKind>> = {
  server: ApiKind.SERVER,
  client: ApiKind.CLIENT,
  consumer: ApiKind.CONSUMER,
  internal: ApiKind.INTERNAL,
};

/**
 * Sends spans to a collector over OTLP. Nothing global is registered, so that two services of one
 * process do not share it. A collector that is away costs no request anything: spans are dropped
 * and counted.
 */
export function createOtlpTracing({ settings, log, observe }: OtlpOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint.replace(/\/$/, "")}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": settings.serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched(exporter, log, observe),
        scheduledDelayMillis: settings.delayMs,
      }),
    ],
  });
  const tracer = provider.getTracer("agent-identity-protocol");
  return {
    begin: (name, options) => begin(tracer, name, options, undefined),
    quiet: () => quietSpan(tracer),
    close: () =>
      bounded(
        CLOSE_MS,
        () => provider.shutdown(),
        () => new Error("too late"),
      ).catch((error: unknown) => log.warn({ err: error }, "the last spans could not be sent")),
  };
}

/** Counts what the collector took, and logs once when it stops and once when it starts again. */
function watched(
  exporter: OTLPTraceExporter,
  log: Logger,
  observe: OtlpOptions["observe"],
): SpanExporter {
  let isFailing = false;
  return {
    export(batch, done) {
      exporter.export(batch, (result) => {
        // 0 is success.
        const failed = result.code !== 0;
        observe(failed ? "failed" : "sent", batch.length);
        if (failed !== isFailing) {
          isFailing = failed;
          if (failed) log.warn({ err: result.error }, "the trace collector does not take spans");
          else log.info("the trace collector takes spans again");
        }
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

function begin(
  tracer: Tracer,
  name: string,
  { kind = "internal", of, attributes = {} }: SpanOptions,
  within: ApiSpan | undefined,
): Span {
  const stored = remoteContext(of);
  const isOfAnother = stored !== null && stored.traceId !== within?.spanContext().traceId;
  const parent = isOfAnother
    ? trace.setSpanContext(ROOT_CONTEXT, stored)
    : within === undefined
      ? ROOT_CONTEXT
      : trace.setSpan(ROOT_CONTEXT, within);
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, parent);
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    set(set) {
      span.setAttributes({ ...set });
      if (set["error.type"] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    },
    rename: (to) => span.updateName(to),
    end: () => span.end(),
    begin: (part, options) => begin(tracer, part, options, span),
  };
}

/** It is not recorded, and neither are its parts, unless they continue a stored trace. */
function quietSpan(tracer: Tracer): Span {
  return {
    traceparent: null,
    set: () => {},
    rename: () => {},
    end: () => {},
    begin: (name, options) =>
      remoteContext(options.of) === null
        ? quietSpan(tracer)
        : begin(tracer, name, options, undefined),
  };
}

function remoteContext(traceparent: string | null | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
