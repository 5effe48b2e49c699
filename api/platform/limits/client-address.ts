import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An address and how many of its leading bits count. */
export type Network = readonly [Address, number];

/**
 * Bits of an IPv6 address that one subscriber usually has: below them a client can choose addresses
 * freely.
 */
const IPV6_SUBSCRIBER_BITS = 64;

/**
 * Bits of the networks that an address belongs to, narrowest first. In IPv6 they are usually a
 * subscriber's, a site's and a provider's.
 */
const NETWORK_BITS = { ipv4: [24], ipv6: [IPV6_SUBSCRIBER_BITS, 48, 32] } as const;

/** The shared key of callers without a known address. */
const UNKNOWN = "unknown";

/** Addresses by their peers. */
const peers = new LRUCache<string, string>({ max: 10_000 });

/** Reads `address` or `address/bits`; null when it is neither. */
export function parseNetwork(text: string): Network | null {
  if (!ipaddr.isValidCIDR(text)) {
    const address = parseAddress(text);
    return address && [address, address.kind() === "ipv4" ? 32 : 128];
  }
  return ipaddr.parseCIDR(text);
}

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
  if (client === null) return UNKNOWN;
  const hops = forwardedFor === undefined ? [] : forwardedFor.split(",");
  while (isTrusted(client, trustedProxies)) {
    const before = parseHop(hops.pop()?.trim() ?? "");
    if (before === null) break;
    client = before;
  }
  return limitedAs(client);
}

/**
 * The networks of an address that `clientAddress` returned, narrowest first: IPv4 /24; IPv6 /64,
 * /48, /32. Those of a network are itself and the wider ones.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  const parsed = parseNetwork(address);
  if (parsed === null) return [UNKNOWN];
  const [within, length] = parsed;
  const networks = NETWORK_BITS[within.kind()]
    .filter((bits) => bits <= length)
    .map((bits) => networkText(within, bits));
  const [narrowest = address, ...wider] = networks;
  return [narrowest, ...wider];
}

/** By address: the same few clients send most requests. */
const limited = new LRUCache<string, readonly [string, ...string[]]>({ max: 10_000 });

/**
 * What the limits of an address that `clientAddress` returned count on, narrowest first: itself, its site (IPv4 /24, IPv6 /48)
 * and its provider (IPv6 /32).
 */
export function limitedNetworks(address: string): readonly [string, ...string[]] {
  const known = limited.get(address);
  if (known !== undefined) return known;
  const wider = networksOf(address).filter((network) => network !== address);
  const networks: [string, ...string[]] = [address, ...wider];
  limited.set(address, networks);
  return networks;
}

/** An address as limits count it: IPv6 by its /64. */
export function limitedAddress(address: string): string {
  return clientAddress(address, undefined, []);
}

/** The network block of an address that `clientAddress` returned: IPv4 /24, IPv6 /48. */
export function networkBlock(address: string): string {
  const [narrowest, site] = networksOf(address);
  return site ?? narrowest;
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

function parseHop(text: string): Address | null {
  const unquoted = /^"([^"]*)"$/.exec(text)?.[1] ?? text;
  const { ipv4, ipv6, port = "0" } = HOP.exec(unquoted)?.groups ?? {};
  if (Number(port) > LARGEST_PORT) return null;
  if (ipv6 !== undefined) return ipaddr.IPv6.isValid(ipv6) ? parseAddress(ipv6) : null;
  return parseAddress(ipv4 ?? unquoted);
}

function parseAddress(text: string): Address | null {
  // Spellings such as 0x7f.1 are invalid here: a proxy writes the usual ones.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  // IPv4 within IPv6 is IPv4, and an interface's name says nothing about the peer.
  return ipaddr.process(text.replace(/%.*$/, ""));
}

function isTrusted(address: Address, trustedProxies: readonly Network[]): boolean {
  return trustedProxies.some(
    ([network, bits]) =>
      network.kind() === address.kind() && address.match([network, bits] as never),
  );
}

function limitedAs(address: Address): string {
  return address.kind() === "ipv4"
    ? address.toString()
    : networkText(address, IPV6_SUBSCRIBER_BITS);
}

/** The network of an address with this many bits, which are whole bytes. */
function networkText(address: Address, bits: number): string {
  const bytes = address.toByteArray().fill(0, bits / 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}
