import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";

/** How long a connection may take, so that slow or idle clients cannot hold sockets for ever. Milliseconds. */
export interface ConnectionLimits {
  /** From a connection's start, or a request's first byte, to the end of the request's headers. */
  readonly headersMs: number;
  /** From a request's first byte to the end of its body. */
  readonly requestMs: number;
  /** Between an answer and the next request on the same connection. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction while an answer is awaited or sent. */
  readonly silentMs: number;
  /** How often connections are compared with the first two. */
  readonly checkMs: number;
  /** Largest header section in bytes, and most headers in it. */
  readonly headerBytes: number;
  readonly headerCount: number;
}

/**
 * 10 MiB within 120 seconds is 87 KiB a second, less than a slow mobile connection sends. The slowest
 * answer waits 90 seconds for the chain; a stream writes every 15.
 */
export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 120_000,
  keepAliveMs: 10_000,
  silentMs: 150_000,
  checkMs: 5_000,
  headerBytes: 16 * 1024,
  headerCount: 100,
};

type Fetch = Parameters<typeof createAdaptorServer>[0]["fetch"];

/** The HTTP server of an application. It does not listen yet. */
export function createHttpServer(fetch: Fetch, limits = CONNECTION_LIMITS): Server {
  const server = createAdaptorServer({
    fetch,
    serverOptions: {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headerBytes,
    },
  }) as Server;
  server.maxHeadersCount = limits.headerCount;
  // Ends the connection of a client that stops reading, which no other limit does.
  server.setTimeout(limits.silentMs);
  return server;
}
