import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";

/**
 * Serves routes on a free loopback port, sends its address to the parent process, and ends with it.
 */
export async function serveForParent(define: (app: Hono) => void): Promise<void> {
  const app = new Hono();
  define(app);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.once("disconnect", () => process.exit(0));
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
