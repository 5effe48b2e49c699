import type { Logger } from "pino";
import type { Metrics } from "../metrics/metrics.ts";
import type { TracingSettings } from "./settings.ts";
import type { Tracing } from "./spans.ts";

/**
 * Null without settings. OpenTelemetry's packages are loaded only with them: a service without
 * tracing starts as fast as before and runs none of their code.
 */
export async function buildTracing(
  settings: TracingSettings | undefined,
  log: Logger,
  metrics: Pick<Metrics, "spans">,
): Promise<Tracing | null> {
  if (settings === undefined) return null;
  const { createOtlpTracing } = await import("./otlp.ts");
  return createOtlpTracing({ settings, log, observe: metrics.spans });
}
