import ipaddr from "ipaddr.js";
import {
  type AddressBlock,
  isInBlocks,
  isLoopbackAddress,
  isMetadataAddress,
  isPrivateName,
  isPublicAddress,
  literalAddress,
} from "../../../protocol/public-addresses.ts";
import { OutboundError } from "./ports.ts";

/** Which addresses may be connected to. */
export interface AddressPolicy {
  /**
   * Whether this numeric address may be used over this protocol, `https:` or `http:`. Anything that
   * does not parse may not.
   */
  allows(address: string, protocol?: string): boolean;
  /** Whether this host name may be resolved and used over https. */
  allowsName(hostname: string): boolean;
  /** Whether http is possible at all; then only to loopback addresses and `localhost`. */
  readonly loopbackHttp: boolean;
}

/** Longer than any real endpoint, short enough to store. */
const MAX_URL_LENGTH = 2048;
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Only these can be opened by configuration. Ranges that embed other addresses (mapped, NAT64,
 * 6to4, Teredo) never are.
 */
const MAY_BE_OPENED = ranges(
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "::1/128",
  "fc00::/7",
);

/**
 * Public unicast, and what `opened` adds to it, over https. Names of private networks may be used once a private range is opened:
 * their addresses are checked all the same.
 *
 * @param opened of `parseOpenedRanges`.
 * @param loopbackHttp also loopback addresses over http, so that webhooks can be tried on one machine.
 */
export function createAddressPolicy(
  opened: readonly string[] = [],
  loopbackHttp = false,
): AddressPolicy {
  const open = ranges(...opened);
  return {
    loopbackHttp,
    allows(text, protocol = "https:") {
      if (!ipaddr.isValid(text)) return false;
      if (protocol !== "https:") return loopbackHttp && isLoopbackAddress(text);
      // Configuration cannot open these, although some lie in ranges that it can.
      if (isMetadataAddress(text)) return false;
      return isInBlocks(ipaddr.parse(text), open) || isPublicAddress(text);
    },
    allowsName: (hostname) => open.length > 0 || !isPrivateName(hostname),
  };
}

/**
 * The ranges that configuration opens: CIDR blocks separated by commas, each inside a private, loopback or carrier-grade range,
 * with no bit set behind its prefix.
 *
 * @throws RangeError naming the first entry that is wrong: a typing error must not open more than was meant.
 */
export function parseOpenedRanges(text: string): readonly string[] {
  return text.split(",").map((part) => {
    const entry = part.trim();
    const range = parseRange(entry);
    if (range === null) throw new RangeError(`"${entry}" is not a CIDR block such as 10.1.2.0/24`);
    const [address, prefixLength] = range;
    const inside = MAY_BE_OPENED.some(
      (outer) => outer[1] <= prefixLength && isInBlocks(address, [outer]),
    );
    if (!inside) throw new RangeError(`"${entry}" is not inside a private or loopback range`);
    return entry;
  });
}

/**
 * The canonical URL, when its form and a literal address in it may be used. Every other spelling of an IPv4 address (decimal,
 * octal, hexadecimal, short, full-width, percent-encoded) has become the usual one by then: that is how URLs are parsed.
 *
 * @throws OutboundError
 */
export function checkUrl(text: string, policy: AddressPolicy): URL {
  // The parser would drop blanks and line ends, and read a backslash as a slash.
  if (text.length > MAX_URL_LENGTH || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) {
    throw new OutboundError("malformed_url");
  }
  const url = new URL(text);
  const isLoopbackHttp = url.protocol === "http:" && policy.loopbackHttp;
  if (url.protocol !== "https:" && !isLoopbackHttp) throw new OutboundError("not_https");
  if (url.username !== "" || url.password !== "") throw new OutboundError("credentials_in_url");
  const isPrivileged =
    url.port === "" ? isLoopbackHttp : Number(url.port) < FIRST_UNPRIVILEGED_PORT;
  if (isPrivileged) {
    throw new OutboundError("port_not_allowed");
  }
  // The certificate would have to name it without the dot, and one host would have two spellings.
  if (url.hostname.endsWith(".")) throw new OutboundError("host_not_allowed");
  const literal = literalAddress(url.hostname);
  const allowed =
    literal !== null
      ? policy.allows(literal, url.protocol)
      : isLoopbackHttp
        ? url.hostname === "localhost"
        : policy.allowsName(url.hostname);
  if (!allowed) throw new OutboundError("address_not_public");
  return url;
}

function parseRange(text: string): AddressBlock | null {
  if (!/^[0-9a-f.:]+\/[0-9]{1,3}$/i.test(text)) return null;
  const slash = text.indexOf("/");
  const network = text.slice(0, slash);
  // Four decimal parts, or IPv6: `10.1/16` is read differently by different programs.
  if (!ipaddr.IPv4.isValidFourPartDecimal(network) && !ipaddr.IPv6.isValid(network)) return null;
  if (!ipaddr.isValidCIDR(text)) return null;
  const [address, prefixLength] = ipaddr.parseCIDR(text);
  const first =
    address.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(text)
      : ipaddr.IPv6.networkAddressFromCIDR(text);
  return first.toNormalizedString() === address.toNormalizedString()
    ? [address, prefixLength]
    : null;
}

function ranges(...blocks: readonly string[]): readonly AddressBlock[] {
  return blocks.map((block) => {
    const range = parseRange(block);
    if (range === null) throw new RangeError(`"${block}" is not a CIDR block`);
    return range;
  });
}
