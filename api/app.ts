import type { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import type { Logger } from "pino";
import type { BodyLimits } from "./http/body.ts";
import { readBody } from "./http/body.ts";
import { requestContext } from "./http/context.ts";
import type { AppEnv } from "./http/env.ts";
import { errorHandler, notFoundHandler } from "./http/error-handler.ts";
import { securityHeaders } from "./http/headers.ts";
import { INDEXED_BLOCK_HEADER } from "./http/indexed-block.ts";
import { createRouter } from "./http/router.ts";
import { openApiDocument } from "./openapi.ts";
import { type ArchiveReads, archiveRoutes } from "./routes/archive.ts";
import { chronicleRoutes, chronicleTypedDataRoutes } from "./routes/chronicle.ts";
import { healthRoutes } from "./routes/health.ts";
import { introspectRoutes } from "./routes/introspect.ts";
import { nameRoutes } from "./routes/names.ts";
import { profileRoutes } from "./routes/profile.ts";
import { registerRoutes } from "./routes/register.ts";
import { registrationFileRoutes } from "./routes/registration-file.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { soulValidityRoutes } from "./routes/soul-validity.ts";
import { statusRoutes } from "./routes/status.ts";
import { toolRoutes } from "./routes/tools.ts";
import { typedDataRoutes } from "./routes/typed-data.ts";
import { verifyRoutes } from "./routes/verify.ts";
import type { ChroniclePlace } from "./services/chronicle-content.ts";
import type { ChronicleRequestService } from "./services/chronicle-requests.ts";
import type { ChronicleService } from "./services/chronicles.ts";
import type { Idempotency } from "./services/idempotency.ts";
import type { IndexProgress } from "./services/index-reads.ts";
import type { Introspection } from "./services/introspection.ts";
import type { Links } from "./services/links.ts";
import type { NameService } from "./services/names.ts";
import type { ProfileService } from "./services/profile.ts";
import type { Readiness } from "./services/readiness.ts";
import type { RegistrationService } from "./services/registration.ts";
import type { RegistrationContext } from "./services/registration-content.ts";
import type { RegistrationFileService } from "./services/registration-file.ts";
import type { SignIn } from "./services/sign-in.ts";
import type { StatusService } from "./services/status.ts";
import type { Tools } from "./services/tools.ts";
import type { VerificationService } from "./services/verification.ts";

/** Everything the API needs from outside. A test gives fakes; the server builds the real ones. */
export interface AppDeps {
  readonly log: Logger;
  /** The time as the service sees it. */
  readonly clock: () => Date;
  /** Origin under which the world reaches this server. */
  readonly publicUrl: URL;
  readonly limits: AppLimits;
  readonly readiness: Readiness;
  readonly idempotency: Idempotency;
  readonly signIn: SignIn;
  readonly introspection: Introspection;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that a read waits for the block it was asked for. */
  readonly indexerWaitMs: number;
  readonly archive: ArchiveReads;
  readonly names: NameService;
  readonly profiles: ProfileService;
  readonly registration: RegistrationService;
  readonly registrationContext: RegistrationContext;
  readonly registrationFiles: RegistrationFileService;
  readonly status: StatusService;
  readonly links: Links;
  readonly chronicles: ChronicleService;
  readonly chronicleRequests: ChronicleRequestService;
  readonly chroniclePlace: ChroniclePlace;
  readonly verification: VerificationService;
  readonly tools: Tools;
}

export interface AppLimits {
  readonly body: BodyLimits;
}

/** Limits of the specification. */
export const DEFAULT_LIMITS: AppLimits = {
  body: {
    defaultBytes: 1024 * 1024,
    larger: [],
  },
};

/**
 * Builds the whole API from its dependencies. No environment, clock or database is read here.
 *
 * A resource is one file `routes/<resource>.ts` exporting `<resource>Routes(deps)`, and one line below.
 */
export function createApp(deps: AppDeps): OpenAPIHono<AppEnv> {
  const app = createRouter();
  app.onError(errorHandler(deps.log));
  app.notFound(notFoundHandler);

  app.use(requestContext(deps.log));
  app.use(securityHeaders(deps.publicUrl));
  app.use(
    cors({
      origin: deps.publicUrl.origin,
      allowHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "X-Request-Id"],
      exposeHeaders: [
        "ETag",
        "Idempotency-Replayed",
        "Retry-After",
        "X-Request-Id",
        INDEXED_BLOCK_HEADER,
      ],
      maxAge: 600,
    }),
  );
  app.use(readBody(deps.limits.body));

  app.route("/", healthRoutes(deps));
  app.route("/", archiveRoutes(deps));
  app.route("/api/v1", signInService(deps));
  app.route("/v1", protocolService(deps));

  let document: string | undefined;
  app.get("/v1/openapi.json", (c) => {
    // Built at the first request, when every route is mounted, and the same from then on.
    document ??= JSON.stringify(openApiDocument(app, deps.publicUrl));
    c.header("Cache-Control", "max-age=300");
    return c.body(document, 200, { "Content-Type": "application/json" });
  });
  return app;
}

/** The sign-in service: `{base_url}/api/v1`. */
function signInService(deps: AppDeps): OpenAPIHono<AppEnv> {
  const routes = createRouter();
  routes.route("/", signInRoutes(deps));
  routes.route("/", introspectRoutes(deps));
  return routes;
}

/** The protocol API: `{api_url}`, that is `{base_url}/v1`. */
function protocolService(deps: AppDeps): OpenAPIHono<AppEnv> {
  const routes = createRouter();
  routes.route("/", nameRoutes(deps));
  routes.route("/", profileRoutes(deps));
  routes.route("/", registerRoutes(deps));
  routes.route("/", registrationFileRoutes(deps));
  routes.route("/", soulValidityRoutes(deps));
  routes.route("/", statusRoutes(deps));
  routes.route("/", toolRoutes(deps));
  routes.route("/", typedDataRoutes(deps));
  routes.route("/", chronicleRoutes(deps));
  routes.route("/", chronicleTypedDataRoutes(deps));
  routes.route("/", verifyRoutes(deps));
  return routes;
}
