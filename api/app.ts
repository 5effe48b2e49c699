import type { OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, z } from "@hono/zod-openapi";
import type { Logger } from "pino";
import type { ReadRegistrationFile } from "../protocol/index.ts";
import { requestContext } from "./http/context.ts";
import { crossOrigin } from "./http/cross-origin.ts";
import { withResolutionResults } from "./http/did-resolution.ts";
import type { AppEnv } from "./http/env.ts";
import { errorHandler, notFoundHandler } from "./http/error-handler.ts";
import type { Gate } from "./http/guard.ts";
import { provideGate } from "./http/guard.ts";
import { securityHeaders } from "./http/headers.ts";
import { requestMetrics } from "./http/metrics.ts";
import { SECURITY_SCHEMES } from "./http/operations.ts";
import { createRouter, errorResponses } from "./http/router.ts";
import { decodableUrl } from "./http/url.ts";
import { documentWebhooks } from "./http/webhook-documents.ts";
import type { Metrics } from "./metrics.ts";
import { openApiDocument } from "./openapi.ts";
import { withErrorPages, withNotFoundPages } from "./pages/errors.tsx";
import { pageRoutes } from "./pages/index.ts";
import type { PageKit } from "./pages/kit.ts";
import { agentRoutes } from "./routes/agents.ts";
import { type ArchiveReads, archiveRoutes } from "./routes/archive.ts";
import { authorizationServerRoutes } from "./routes/authorization-server.ts";
import { chronicleRoutes, chronicleTypedDataRoutes } from "./routes/chronicle.ts";
import { claimRoutes } from "./routes/claim.ts";
import { didRoutes } from "./routes/did.ts";
import { displayRoutes } from "./routes/display.ts";
import { domainVerificationRoutes, identityFileRoutes } from "./routes/domain-verification.ts";
import { healthRoutes } from "./routes/health.ts";
import { introspectRoutes } from "./routes/introspect.ts";
import { keySetRoutes } from "./routes/key-set.ts";
import { keyRoutes } from "./routes/keys.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { nameRoutes } from "./routes/names.ts";
import { profileRoutes } from "./routes/profile.ts";
import { publicIdentityRoutes } from "./routes/public-identity.ts";
import { registerRoutes } from "./routes/register.ts";
import { registerStatusRoutes } from "./routes/register-status.ts";
import { registrationFileRoutes } from "./routes/registration-file.ts";
import {
  type FileUpdateRouteDeps,
  registrationFileUpdateRoutes,
} from "./routes/registration-file-update.ts";
import { type SealRouteDeps, sealRoutes } from "./routes/seal.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { soulDocumentRoutes } from "./routes/soul-documents.ts";
import { soulValidityRoutes } from "./routes/soul-validity.ts";
import { statusRoutes } from "./routes/status.ts";
import { toolRoutes } from "./routes/tools.ts";
import { typedDataRoutes } from "./routes/typed-data.ts";
import { type ValidateRouteDeps, validateRoutes } from "./routes/validate.ts";
import { verifyRoutes } from "./routes/verify.ts";
import { verifyKeyRoutes } from "./routes/verify-key.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import type { AgentKeys } from "./services/agent-keys.ts";
import type { AgentList } from "./services/agent-list.ts";
import type { AgentRegistrationService } from "./services/agent-registration.ts";
import type { ChroniclePlace } from "./services/chronicle-content.ts";
import type { ChronicleRequestService } from "./services/chronicle-requests.ts";
import type { ChronicleService } from "./services/chronicles.ts";
import type { ClaimService } from "./services/claims.ts";
import type { DidDocuments } from "./services/did-documents.ts";
import type { DidUpdates } from "./services/did-update.ts";
import type { DisplayService } from "./services/display.ts";
import type { DomainVerification } from "./services/domain-verification.ts";
import type { FiguresService } from "./services/figures.ts";
import type { IndexProgress } from "./services/index-reads.ts";
import type { Introspection } from "./services/introspection.ts";
import type { KeyExchange } from "./services/key-exchange.ts";
import type { KeyRotation } from "./services/key-rotation.ts";
import type { KeySets } from "./services/key-sets.ts";
import type { KeyVerification } from "./services/key-verification.ts";
import type { Links } from "./services/links.ts";
import type { NameService } from "./services/names.ts";
import type { PassportUpdateService } from "./services/passport-updates.ts";
import type { ProfileService } from "./services/profile.ts";
import type { PublicIdentityService } from "./services/public-identity.ts";
import type { Readiness } from "./services/readiness.ts";
import type { RegistrationService } from "./services/registration.ts";
import type { RegistrationContext } from "./services/registration-content.ts";
import type { RegistrationFileService } from "./services/registration-file.ts";
import type { RegistrationStatusService } from "./services/registration-status.ts";
import type { SignIn } from "./services/sign-in.ts";
import type { SoulDocumentService } from "./services/soul-documents.ts";
import type { StatusService } from "./services/status.ts";
import type { TokenRevocation } from "./services/token-revocation.ts";
import type { Tools } from "./services/tools.ts";
import type { VerificationService } from "./services/verification.ts";
import type { WebhookService } from "./services/webhooks.ts";

/** Everything the API needs from outside. A test gives fakes; the server builds the real ones. */
export interface AppDeps extends Gate, FileUpdateRouteDeps, SealRouteDeps, ValidateRouteDeps {
  readonly log: Logger;
  /** The time as the service sees it. */
  readonly clock: () => Date;
  /** Origin under which the world reaches this server. */
  readonly publicUrl: URL;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** What operators present at `/metrics`; undefined lets nobody in but who asks from this machine. */
  readonly metricsToken: string | undefined;
  readonly signIn: SignIn;
  readonly introspection: Introspection;
  readonly revocation: TokenRevocation;
  readonly apiKeys: KeyVerification;
  readonly registrationStatus: RegistrationStatusService;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that a read waits for the block it was asked for. */
  readonly indexerWaitMs: number;
  readonly archive: ArchiveReads;
  readonly keyRotation: KeyRotation;
  readonly keyExchange: KeyExchange;
  readonly agentKeys: AgentKeys;
  readonly names: NameService;
  readonly profiles: ProfileService;
  readonly registration: RegistrationService;
  readonly agentRegistrations: AgentRegistrationService;
  readonly claims: ClaimService;
  readonly registrationContext: RegistrationContext;
  readonly registrationFiles: RegistrationFileService;
  readonly status: StatusService;
  readonly links: Links;
  readonly chronicles: ChronicleService;
  readonly chronicleRequests: ChronicleRequestService;
  readonly passportUpdates: PassportUpdateService;
  readonly chroniclePlace: ChroniclePlace;
  readonly verification: VerificationService;
  readonly soulDocuments: SoulDocumentService;
  readonly publicIdentities: PublicIdentityService;
  readonly displays: DisplayService;
  readonly agentList: AgentList;
  readonly domains: DomainVerification;
  readonly dids: DidDocuments;
  readonly keySets: KeySets;
  readonly didUpdates: DidUpdates;
  readonly tools: Tools;
  readonly webhooks: WebhookService;
  readonly pages: PageKit;
  readonly figures: FiguresService;
  /** What the file of an agent's passport says; null when it cannot be read here. */
  readonly registrationFileOf: (agentName: string) => Promise<ReadRegistrationFile | null>;
}

const getOpenApiDocument = createRoute({
  method: "get",
  path: "/v1/openapi.json",
  operationId: "getOpenApiDocument",
  tags: ["Service"],
  summary: "This document",
  responses: {
    200: {
      description: "The OpenAPI 3.1 document of both services.",
      content: { "application/json": { schema: z.unknown().openapi({ type: "object" }) } },
    },
    ...errorResponses(),
  },
});

/**
 * Builds the whole API from its dependencies. No environment, clock or database is read here.
 *
 * A resource is one file `routes/<resource>.ts` exporting `<resource>Routes(deps)`, and one line below.
 */
export function createApp(deps: AppDeps): OpenAPIHono<AppEnv> {
  const app = createRouter();
  app.onError(withErrorPages(deps.pages, withResolutionResults(errorHandler(deps.log))));
  app.notFound(withNotFoundPages(deps.pages, notFoundHandler(app)));

  app.use(requestContext(deps.log));
  app.use(provideGate(deps));
  app.use(requestMetrics(deps.metrics));
  app.use(securityHeaders(deps.publicUrl));
  app.use(crossOrigin(app, deps.publicUrl));
  app.use(decodableUrl);
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  }

  app.route("/", healthRoutes(deps));
  app.route("/", metricsRoutes(deps));
  app.route("/", archiveRoutes(deps));
  app.route("/", authorizationServerRoutes(deps));
  app.route("/", identityFileRoutes(deps));
  app.route("/api/v1", signInService(deps));
  app.route("/v1", protocolService(deps));
  // Built at the first request, when every route is mounted, and the same from then on.
  let document: object | undefined;
  const openApi = () => {
    document ??= openApiDocument(app, deps.publicUrl);
    return document;
  };
  app.route("/", pageRoutes({ ...deps, openApi }));
  documentWebhooks(app);
  app.openapi(getOpenApiDocument, (c) => c.json(openApi(), 200));
  return app;
}

/** What a process that only runs jobs answers: how it is. */
export function createOperatorsApp(
  deps: Gate & Pick<AppDeps, "log" | "publicUrl" | "readiness" | "metrics" | "metricsToken">,
): OpenAPIHono<AppEnv> {
  const app = createRouter();
  app.onError(errorHandler(deps.log));
  app.notFound(notFoundHandler(app));
  app.use(requestContext(deps.log));
  app.use(requestMetrics(deps.metrics));
  app.use(provideGate(deps));
  app.use(securityHeaders(deps.publicUrl));
  app.use(decodableUrl);
  app.route("/", healthRoutes(deps));
  app.route("/", metricsRoutes(deps));
  return app;
}

/** The sign-in service: `{base_url}/api/v1`. */
function signInService(deps: AppDeps): OpenAPIHono<AppEnv> {
  const routes = createRouter();
  routes.route("/", signInRoutes(deps));
  routes.route("/", introspectRoutes(deps));
  routes.route("/", verifyKeyRoutes(deps));
  routes.route("/", registerStatusRoutes(deps));
  return routes;
}

/** The protocol API: `{api_url}`, that is `{base_url}/v1`. */
function protocolService(deps: AppDeps): OpenAPIHono<AppEnv> {
  const routes = createRouter();
  routes.route("/", keyRoutes(deps));
  routes.route("/", nameRoutes(deps));
  routes.route("/", profileRoutes(deps));
  routes.route("/", registerRoutes(deps));
  routes.route("/", claimRoutes(deps));
  routes.route("/", registrationFileRoutes(deps));
  routes.route("/", soulDocumentRoutes(deps));
  routes.route("/", publicIdentityRoutes(deps));
  routes.route("/", displayRoutes(deps));
  routes.route("/", registrationFileUpdateRoutes(deps));
  routes.route("/", sealRoutes(deps));
  routes.route("/", validateRoutes(deps));
  routes.route("/", soulValidityRoutes(deps));
  routes.route("/", statusRoutes(deps));
  routes.route("/", toolRoutes(deps));
  routes.route("/", typedDataRoutes(deps));
  routes.route("/", webhookRoutes(deps));
  routes.route("/", chronicleRoutes(deps));
  routes.route("/", chronicleTypedDataRoutes(deps));
  routes.route("/", verifyRoutes(deps));
  routes.route("/", didRoutes(deps));
  routes.route("/", keySetRoutes(deps));
  routes.route("/", agentRoutes(deps));
  routes.route("/", domainVerificationRoutes(deps));
  return routes;
}
