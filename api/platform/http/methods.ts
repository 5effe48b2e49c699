import type { Hono } from "hono";
import type { AppEnv } from "./env.ts";

/** Methods that routes are registered for. HEAD is answered as GET without a body, OPTIONS by the application itself. */
const ROUTED = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The value of `Allow` for a path: every method that it answers. Empty for a path that does not exist. */
export function allowedMethods(app: Pick<Hono<AppEnv>, "router">, path: string): string[] {
  const methods = ROUTED.filter((method) => {
    const [matches] = app.router.match(method, path);
    // Middleware is registered for every method ("ALL"), and is no route.
    return matches.some(([[, route]]) => route.method === method);
  });
  if (methods.length === 0) return [];
  const head = methods.includes("GET") ? ["HEAD"] : [];
  return [...methods, ...head, "OPTIONS"];
}
