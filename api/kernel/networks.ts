import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
/** An address and how many of its leading bits count. */
export type Network = readonly [IpAddress, number];

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
export const UNKNOWN_ADDRESS = "unknown";

/** Reads `address` or `address/bits`; null when it is neither. */
export function parseNetwork(text: string): Network | null {
  if (!ipaddr.isValidCIDR(text)) {
    const address = parseAddress(text);
    return address && [address, address.kind() === "ipv4" ? 32 : 128];
  }
  return ipaddr.parseCIDR(text);
}

/** Null for anything but an address. */
export function parseAddress(text: string): IpAddress | null {
  // Spellings such as 0x7f.1 are invalid here: a proxy writes the usual ones.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  // IPv4 within IPv6 is IPv4, and an interface's name says nothing about the peer.
  return ipaddr.process(text.replace(/%.*$/, ""));
}

/** An address as limits count it: IPv6 by its /64. */
export function limitedAs(address: IpAddress): string {
  return address.kind() === "ipv4"
    ? address.toString()
    : networkText(address, IPV6_SUBSCRIBER_BITS);
}

/**
 * The networks of an address that `clientAddress` returned, narrowest first: IPv4 /24; IPv6 /64,
 * /48, /32. Those of a network are itself and the wider ones.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  const parsed = parseNetwork(address);
  if (parsed === null) return [UNKNOWN_ADDRESS];
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

/** The network block of an address that `clientAddress` returned: IPv4 /24, IPv6 /48. */
export function networkBlock(address: string): string {
  const [narrowest, site] = networksOf(address);
  return site ?? narrowest;
}

/** The network of an address with this many bits, which are whole bytes. */
function networkText(address: IpAddress, bits: number): string {
  const bytes = address.toByteArray().fill(0, bits / 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}
