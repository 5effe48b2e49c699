import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Logger } from "pino";
import { withErrorPages, withNotFoundPages } from "../web/ui/errors.tsx";
import { withResolutionResults } from "./features/did/resolution.http.ts";
import { healthRoutes } from "./features/status/health.routes.ts";
import { metricsRoutes } from "./features/status/metrics.routes.ts";
import { documentWebhooks } from "./features/webhooks/openapi.http.ts";
import { decisionsOf, endpoints, features, type RouteDeps, typedDataRoutes } from "./features.ts";
import type { TypedDataDeps } from "./operations/typed-data/typed-data.routes.ts";
import type { Mount } from "./platform/define-feature.ts";
import { notesIndexUse, withAgedAbsence } from "./platform/http/answers/absence.ts";
import { everyRequest } from "./platform/http/answers/every-request.ts";
import { KnownPathsRouter } from "./platform/http/answers/known-paths.ts";
import { compression } from "./platform/http/bodies/compression.ts";
import { requestContext } from "./platform/http/context.ts";
import { crossOrigin } from "./platform/http/cross-origin.ts";
import type { AppEnv, Gate } from "./platform/http/env.ts";
import { caught, errorHandler, notFoundHandler } from "./platform/http/error-handler.ts";
import { provideGate } from "./platform/http/guard.ts";
import { securityHeaders } from "./platform/http/headers.ts";
import { requestMetrics } from "./platform/http/metrics.ts";
import { SECURITY_SCHEMES } from "./platform/http/operations.ts";
import { createRouter } from "./platform/http/router.ts";
import { decodableUrl } from "./platform/http/url.ts";
import { requestTracing } from "./platform/tracing/requests.http.ts";
import type { Tracing } from "./platform/tracing/spans.ts";
import { apiDocument } from "./reference/document.ts";

/** Everything the API needs from outside. A test gives fakes; the server builds the real ones. */
export interface AppDeps extends Gate, RouteDeps, TypedDataDeps {
  readonly log: Logger;
  /** Null traces nothing. */
  readonly tracing: Tracing | null;
}

/**
 * Builds the whole API from its dependencies: what the features mount, behind what every request passes. No environment, clock or
 * database is read here.
 */
export function createApp(deps: AppDeps): OpenAPIHono<AppEnv> {
  const app = createRouter({}, new KnownPathsRouter());
  const onError = withAgedAbsence(
    deps.age,
    withErrorPages(deps.pages, withResolutionResults(errorHandler(deps.log))),
  );
  app.onError(onError);
  app.notFound(caught(withNotFoundPages(deps.pages, notFoundHandler(app)), onError));

  if (deps.tracing !== null) app.use(requestTracing(deps.tracing));
  const parts = [
    requestContext(deps.log),
    compression(),
    provideGate(deps),
    requestMetrics(deps.metrics),
    crossOrigin(app, deps.publicUrl),
    decodableUrl(onError),
  ];
  app.use(everyRequest(parts, securityHeaders(deps.publicUrl)));
  app.use(notesIndexUse());
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  }

  // Built at the first request, when every route is mounted, and the same from then on.
  let document: object | undefined;
  const openApi = () => {
    document ??= apiDocument(app, deps.publicUrl);
    return document;
  };
  // Before the others: the document describes a schema as its first route has it.
  for (const { routes } of typedDataRoutes) app.route("/v1", routes(deps));
  for (const feature of features) {
    for (const { at, routes } of feature.mounts as readonly Mount<RouteDeps>[]) {
      app.route(at, routes(deps, openApi));
    }
    for (const { routes } of decisionsOf(feature)) app.route("/v1", routes(deps));
  }
  for (const { at, routes } of endpoints) app.route(at, routes(deps));
  documentWebhooks(app);
  return app;
}

/** What a process that only runs jobs answers: how it is. */
export function createOperatorsApp(
  deps: Gate & Pick<AppDeps, "log" | "publicUrl" | "readiness" | "metrics" | "metricsToken">,
): OpenAPIHono<AppEnv> {
  const app = createRouter();
  const onError = errorHandler(deps.log);
  app.onError(onError);
  app.notFound(caught(notFoundHandler(app), onError));
  const parts = [
    requestContext(deps.log),
    requestMetrics(deps.metrics),
    provideGate(deps),
    decodableUrl(onError),
  ];
  app.use(everyRequest(parts, securityHeaders(deps.publicUrl)));
  app.route("/", healthRoutes(deps));
  app.route("/", metricsRoutes(deps));
  return app;
}
