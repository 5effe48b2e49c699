import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./env.ts";

/** Version of the HTTP interface; the path carries its major. */
export const API_VERSION = "1.0.0";

/** The OpenAPI 3.1 document of every route mounted on `app`, both services together. */
export function openApiDocument(app: OpenAPIHono<AppEnv>, publicUrl: URL) {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Agent identity: sign-in service and protocol API",
      version: API_VERSION,
      description:
        "Sign-in lives under `/api/v1`, the protocol API under `/v1`. Every error has the form of `Error`; its `type` is stable.",
    },
    servers: [{ url: publicUrl.origin }],
  });
}
