import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network with the length of its prefix. */
export type AddressBlock = readonly [network: Address, prefixLength: number];

/**
 * Names that only mean something inside one network or machine: RFC 6761, RFC 6762 (multicast DNS),
 * RFC 8375, and the domain that ICANN has reserved for private use.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/i;

/**
 * Addresses where clouds serve credentials to their virtual machines. The first is public unicast
 * by its number (Azure); the others are Alibaba's, AWS's and Google's.
 */
const METADATA_SERVICES = blocks(
  "168.63.129.16/32",
  "100.100.100.200/32",
  "fd00:ec2::/32",
  "fd20:ce::/32",
);

const LOOPBACK = blocks("127.0.0.0/8", "::1/128");

/**
 * All that IANA has given out for global unicast in IPv6. Everything embedded or deprecated outside
 * of it needs no list.
 */
const GLOBAL_UNICAST_6 = blocks("2000::/3");

/** Whether this numeric address is public unicast. Anything that does not parse is not. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast" || isInBlocks(address, METADATA_SERVICES)) return false;
  return address.kind() === "ipv4" || isInBlocks(address, GLOBAL_UNICAST_6);
}

/** Whether this numeric address is one where a cloud serves credentials. */
export function isMetadataAddress(text: string): boolean {
  return ipaddr.isValid(text) && isInBlocks(ipaddr.parse(text), METADATA_SERVICES);
}

/** Whether this numeric address is the machine's own. */
export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && isInBlocks(ipaddr.parse(text), LOOPBACK);
}

/** Whether a host name only means something inside one network or machine. */
export function isPrivateName(hostname: string): boolean {
  return PRIVATE_NAME.test(hostname);
}

/** The numeric address that a URL's host is, without brackets; null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) ? bare : null;
}

/** Whether an address is in one of these networks. */
export function isInBlocks(address: Address, among: readonly AddressBlock[]): boolean {
  return among.some(
    ([network, prefixLength]) =>
      address.kind() === network.kind() && address.match(network, prefixLength),
  );
}

function blocks(...texts: readonly string[]): readonly AddressBlock[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}
