import type { Context, MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

/**
 * Security headers of every answer. JSON is never rendered, so it may load and frame nothing; a page that needs more sets its
 * own policy, which is kept.
 */
export function securityHeaders(publicUrl: URL): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    xFrameOptions: "DENY",
    // Public records are meant to be read by other sites' scripts; CORS decides which may.
    crossOriginResourcePolicy: "cross-origin",
    // A loopback deployment speaks plain http, and must not pin its host to https.
    strictTransportSecurity:
      publicUrl.protocol === "https:" ? "max-age=31536000; includeSubDomains" : false,
  });
}

/** Marks an answer that holds a secret or depends on the caller: no cache may keep it. */
export function noStore(c: Context): void {
  c.header("Cache-Control", "no-store");
}
