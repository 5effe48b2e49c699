import { noStore } from "../http/headers.ts";
import { operatorsOnly } from "../http/metrics.ts";
import { createRouter } from "../http/router.ts";
import type { Metrics } from "../metrics.ts";

export interface MetricsRouteDeps {
  readonly metrics: Metrics;
  /** What operators present; undefined lets nobody in but who asks from this machine. */
  readonly metricsToken: string | undefined;
}

/** `/metrics`, for operators. No part of the public interface, and not in its document. */
export function metricsRoutes({ metrics, metricsToken }: MetricsRouteDeps) {
  const routes = createRouter();
  routes.get("/metrics", operatorsOnly(metricsToken), async (c) => {
    const { contentType, text } = await metrics.scrape();
    noStore(c);
    return c.body(text, 200, { "Content-Type": contentType });
  });
  return routes;
}
