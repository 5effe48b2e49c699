import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, MiddlewareHandler } from "hono";
import ipaddr from "ipaddr.js";
import { ApiError } from "../../kernel/errors.ts";
import { isSameSecret } from "../../kernel/secret-hash.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestPart } from "./answers/every-request.ts";
import type { AppEnv } from "./env.ts";

/** Counts and times every request, by the pattern of its route. */
export function requestMetrics(metrics: Metrics): RequestPart {
  return {
    after(c, { route, startedAt }) {
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.request({ method: c.req.method, route, status: c.res.status }, seconds);
      return undefined;
    },
  };
}

/**
 * Headers that scrapers, curl and browsers send by themselves. With any other one the request may have come through a proxy
 * on this machine: the headers that proxies add have many names, and not all are known.
 */
const DIRECT = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "authorization",
  "cache-control",
  "connection",
  "cookie",
  "dnt",
  "host",
  "if-modified-since",
  "if-none-match",
  "pragma",
  "priority",
  "traceparent",
  "tracestate",
  "upgrade-insecure-requests",
  "user-agent",
  "x-prometheus-scrape-timeout-seconds",
]);

/** Set by browsers alone, which let no page's script choose them. */
const BROWSERS_OWN = /^sec-(?:fetch|ch|gpc)(?:-|$)/;

/**
 * Admits operators. With a token: a request that presents it. Without one: a request from this
 * machine, without any sign of a proxy, and addressed to a loopback host or to the service's own. The last
 * condition stops DNS rebinding: otherwise a page in a browser on this machine could reach the
 * service under the page's host name and read the answer.
 */
export function operatorsOnly(
  token: string | undefined,
  publicUrl: URL,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const may = token === undefined ? isFromHere(c) && isOwnHost(c, publicUrl) : presents(c, token);
    if (!may) {
      throw new ApiError("UNAUTHORIZED", { message: "This is for operators of the service." });
    }
    await next();
  };
}

function presents(c: Context<AppEnv>, token: string): boolean {
  const presented = /^Bearer ([\x21-\x7e]+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  return presented !== undefined && isSameSecret(presented, token);
}

function isFromHere(c: Context<AppEnv>): boolean {
  const names = Object.keys(c.req.header());
  if (!names.every((name) => DIRECT.has(name) || BROWSERS_OWN.test(name))) return false;
  const address = peerOf(c);
  return address !== undefined && ipaddr.process(address).range() === "loopback";
}

/**
 * Whether the host that the request names is a loopback address, localhost, or the service's own
 * host.
 */
function isOwnHost(c: Context<AppEnv>, publicUrl: URL): boolean {
  const { hostname } = new URL(c.req.url);
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(address)) return ipaddr.process(address).range() === "loopback";
  return hostname === "localhost" || hostname === publicUrl.hostname;
}

/** The peer's address; undefined without a connection or when it cannot be read. */
function peerOf(c: Context<AppEnv>): string | undefined {
  try {
    const { address } = getConnInfo(c).remote;
    return address !== undefined && ipaddr.isValid(address) ? address : undefined;
  } catch {
    return undefined;
  }
}
