import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { HeaderRecord } from "./env.ts";

/**
 * Security headers of every answer. JSON is never rendered, so it may load and frame nothing; a page that needs more sets its
 * own policy, which is kept. The library makes them once: they are the same for every request.
 */
export async function securityHeaders(publicUrl: URL): Promise<HeaderRecord> {
  const middleware = secureHeaders({
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    xFrameOptions: "DENY",
    // Public records are meant to be read by other sites' scripts; CORS decides which may.
    crossOriginResourcePolicy: "cross-origin",
    // A loopback deployment speaks plain http, and must not pin its host to https.
    strictTransportSecurity:
      publicUrl.protocol === "https:" ? "max-age=31536000; includeSubDomains" : false,
  });
  const sample = new Hono().use(middleware).get("/", (c) => c.body(null));
  return Object.fromEntries((await sample.request("/")).headers);
}

/** Marks an answer that holds a secret or depends on the caller: no cache may keep it. */
export function noStore(c: Context): void {
  c.header("Cache-Control", "no-store");
}
