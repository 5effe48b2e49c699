import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import {
  type IpAddress,
  limitedAs,
  type Network,
  parseAddress,
  UNKNOWN_ADDRESS,
} from "../../kernel/networks.ts";

/** Addresses by their peers. */
const peers = new LRUCache<string, string>({ max: 10_000 });

/**
 * The address on whose limits a request counts: the peer's or, when the peer is a trusted proxy,
 * the last one in X-Forwarded-For that is not a proxy. Entries further left come from the client
 * and are ignored. An invalid entry ends the search at the proxy that forwarded it: its callers
 * then share one limit, so no caller avoids its own.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: readonly Network[],
): string {
  if (forwardedFor !== undefined || peer === undefined) {
    return searchedAddress(peer, forwardedFor, trustedProxies);
  }
  // Nothing but the peer decides, and most requests come from few of them.
  const known = peers.get(peer);
  if (known !== undefined) return known;
  const address = searchedAddress(peer, undefined, trustedProxies);
  peers.set(peer, address);
  return address;
}

function searchedAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: readonly Network[],
): string {
  let client = peer === undefined ? null : parseAddress(peer);
  if (client === null) return UNKNOWN_ADDRESS;
  const hops = forwardedFor === undefined ? [] : forwardedFor.split(",");
  while (isTrusted(client, trustedProxies)) {
    const before = parseHop(hops.pop()?.trim() ?? "");
    if (before === null) break;
    client = before;
  }
  return limitedAs(client);
}

/** An address as limits count it: IPv6 by its /64. */
export function limitedAddress(address: string): string {
  return clientAddress(address, undefined, []);
}

/** Address of the connection's peer; undefined without one. */
export function peerAddress(c: Context): string | undefined {
  const env = c.env as { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined;
  const address = env?.incoming?.socket?.remoteAddress;
  return typeof address === "string" ? address : undefined;
}

/** One entry of the header. Some proxies add the port, and write IPv6 in brackets or quotes. */
const HOP = /^(?:(?<ipv4>[0-9.]+)|\[(?<ipv6>[0-9a-f:.]+)\])(?::(?<port>[0-9]{1,5}))?$/i;
const LARGEST_PORT = 65_535;

function parseHop(text: string): IpAddress | null {
  const unquoted = /^"([^"]*)"$/.exec(text)?.[1] ?? text;
  const { ipv4, ipv6, port = "0" } = HOP.exec(unquoted)?.groups ?? {};
  if (Number(port) > LARGEST_PORT) return null;
  if (ipv6 !== undefined) return ipaddr.IPv6.isValid(ipv6) ? parseAddress(ipv6) : null;
  return parseAddress(ipv4 ?? unquoted);
}

function isTrusted(address: IpAddress, trustedProxies: readonly Network[]): boolean {
  return trustedProxies.some(
    ([network, bits]) =>
      network.kind() === address.kind() && address.match([network, bits] as never),
  );
}
