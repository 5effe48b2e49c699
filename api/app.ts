import type { OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, z } from "@hono/zod-openapi";
import type { Logger } from "pino";
import type { ReadRegistrationFile } from "../protocol/index.ts";
import { type ArchiveReads, archiveRoutes } from "./features/archive/archive.routes.ts";
import {
  chronicleRoutes,
  chronicleTypedDataRoutes,
} from "./features/chronicles/chronicles.routes.ts";
import type { ChronicleService } from "./features/chronicles/chronicles.ts";
import type { ChroniclePlace } from "./features/chronicles/content.ts";
import type { ChronicleRequestService } from "./features/chronicles/requests.ts";
import type { AgentRegistrationService } from "./features/claims/agent-registration.ts";
import { claimRoutes } from "./features/claims/claim.routes.ts";
import type { ClaimService } from "./features/claims/claims.ts";
import { didRoutes } from "./features/did/did.routes.ts";
import type { DidDocuments } from "./features/did/documents.ts";
import { keySetRoutes } from "./features/did/key-set.routes.ts";
import type { KeySets } from "./features/did/key-sets.ts";
import { withResolutionResults } from "./features/did/resolution.http.ts";
import type { DidUpdates } from "./features/did/update.ts";
import { soulDocumentRoutes } from "./features/documents/documents.routes.ts";
import type { SoulDocumentService } from "./features/documents/documents.ts";
import { domainVerificationRoutes, identityFileRoutes } from "./features/domains/domains.routes.ts";
import type { DomainVerification } from "./features/domains/domains.ts";
import type { KeyExchange } from "./features/keys/exchange.ts";
import { keyRoutes } from "./features/keys/keys.routes.ts";
import type { AgentKeys } from "./features/keys/keys.ts";
import type { KeyRotation } from "./features/keys/rotation.ts";
import type { KeyVerification } from "./features/keys/verification.ts";
import { verifyKeyRoutes } from "./features/keys/verify-key.routes.ts";
import { type SealRouteDeps, sealRoutes } from "./features/life/seal.routes.ts";
import { nameRoutes } from "./features/names/names.routes.ts";
import type { NameService } from "./features/names/names.ts";
import { registrationFileRoutes } from "./features/passports/file.routes.ts";
import type { RegistrationFileService } from "./features/passports/file.ts";
import {
  type FileUpdateRouteDeps,
  registrationFileUpdateRoutes,
} from "./features/passports/file-update.routes.ts";
import type { PassportUpdateService } from "./features/passports/updates.ts";
import { agentRoutes } from "./features/profile/agents.routes.ts";
import type { AgentList } from "./features/profile/agents.ts";
import { displayRoutes } from "./features/profile/display.routes.ts";
import type { DisplayService } from "./features/profile/display.ts";
import { profileRoutes } from "./features/profile/profile.routes.ts";
import type { ProfileService } from "./features/profile/profile.ts";
import { publicIdentityRoutes } from "./features/profile/public-identity.routes.ts";
import type { PublicIdentityService } from "./features/profile/public-identity.ts";
import { soulValidityRoutes } from "./features/profile/soul-validity.routes.ts";
import type { RegistrationContext } from "./features/registration/content.ts";
import { registerRoutes } from "./features/registration/register.routes.ts";
import type { RegistrationService } from "./features/registration/registration.ts";
import { registerStatusRoutes } from "./features/registration/status.routes.ts";
import type { RegistrationStatusService } from "./features/registration/status.ts";
import { authorizationServerRoutes } from "./features/sign-in/authorization-server.routes.ts";
import { introspectRoutes } from "./features/sign-in/introspect.routes.ts";
import type { Introspection } from "./features/sign-in/introspection.ts";
import type { TokenRevocation } from "./features/sign-in/revocation.ts";
import { signInRoutes } from "./features/sign-in/sign-in.routes.ts";
import type { SignIn } from "./features/sign-in/sign-in.ts";
import type { FiguresService } from "./features/status/figures.ts";
import { healthRoutes } from "./features/status/health.routes.ts";
import { metricsRoutes } from "./features/status/metrics.routes.ts";
import type { Readiness } from "./features/status/readiness.ts";
import { statusRoutes } from "./features/status/status.routes.ts";
import type { StatusService } from "./features/status/status.ts";
import { toolRoutes } from "./features/tools/tools.routes.ts";
import type { Tools } from "./features/tools/tools.ts";
import { type ValidateRouteDeps, validateRoutes } from "./features/verification/validate.routes.ts";
import type { VerificationService } from "./features/verification/verification.ts";
import { verifyRoutes } from "./features/verification/verify.routes.ts";
import { documentWebhooks } from "./features/webhooks/openapi.http.ts";
import { webhookRoutes } from "./features/webhooks/webhooks.routes.ts";
import type { WebhookService } from "./features/webhooks/webhooks.ts";
import type { Links } from "./kernel/links.ts";
import { typedDataRoutes } from "./operations/typed-data.routes.ts";
import { withErrorPages, withNotFoundPages } from "./pages/errors.tsx";
import { pageRoutes } from "./pages/index.ts";
import type { PageKit } from "./pages/kit.ts";
import { requestContext } from "./platform/http/context.ts";
import { crossOrigin } from "./platform/http/cross-origin.ts";
import type { AppEnv } from "./platform/http/env.ts";
import { errorHandler, notFoundHandler } from "./platform/http/error-handler.ts";
import type { Gate } from "./platform/http/guard.ts";
import { provideGate } from "./platform/http/guard.ts";
import { securityHeaders } from "./platform/http/headers.ts";
import { requestMetrics } from "./platform/http/metrics.ts";
import { openApiDocument } from "./platform/http/openapi.ts";
import { SECURITY_SCHEMES } from "./platform/http/operations.ts";
import { createRouter, errorResponses } from "./platform/http/router.ts";
import { decodableUrl } from "./platform/http/url.ts";
import type { Metrics } from "./platform/metrics/metrics.ts";
import type { IndexProgress } from "./soul/index-reads.ts";

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
