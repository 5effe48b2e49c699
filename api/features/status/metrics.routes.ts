import { noStore } from "../../platform/http/headers.ts";
import { operatorsOnly } from "../../platform/http/metrics.ts";
import { createRouter } from "../../platform/http/router.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";

/** `/metrics`, for operators. Not part of the public interface, and not in its document. */
export function metricsRoutes({
  metrics,
  metricsToken,
  publicUrl,
}: {
  readonly metrics: Metrics;
  /** Token of operators; undefined admits only requests from this machine. */
  readonly metricsToken: string | undefined;
  /** The public origin of this server. */
  readonly publicUrl: URL;
}) {
  const routes = createRouter();
  routes.get("/metrics", operatorsOnly(metricsToken, publicUrl), async (c) => {
    const { contentType, text } = await metrics.scrape();
    noStore(c);
    return c.body(text, 200, { "Content-Type": contentType });
  });
  return routes;
}
