import { describe, expect, it } from "vitest";
import { parseNetwork } from "../../../../api/kernel/networks.ts";
import { clientAddress } from "../../../../api/platform/limits/client-address.ts";

const networks = (...texts: string[]) =>
  texts.map((text) => {
    const network = parseNetwork(text);
    if (network === null) throw new Error(text);
    return network;
  });

const proxies = networks("10.0.0.0/8", "2001:db8:ffff::/48");

describe("the address that a request counts against", () => {
  it.each([
    ["a peer's own", "203.0.113.7", undefined, "203.0.113.7"],
    ["an untrusted peer's own, despite its header", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["what our proxy saw", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["the last that is not ours", "10.0.0.1", "1.1.1.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["our proxy's own without a header", "10.0.0.1", undefined, "10.0.0.1"],
    ["our proxy's own when it says nothing", "10.0.0.1", "", "10.0.0.1"],
    ["the proxy's own where the header is no address", "10.0.0.1", "1.1.1.1, evil", "10.0.0.1"],
    ["the proxy's own for odd spellings", "10.0.0.1", "0x7f.1", "10.0.0.1"],
    ["the first when all are ours", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["IPv4 within IPv6", "::ffff:203.0.113.7", undefined, "203.0.113.7"],
    ["a proxy that speaks IPv4 within IPv6", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["a /64 of IPv6", "2001:db8:1:2:3:4:5:6", undefined, "2001:db8:1:2::/64"],
    ["a /64 behind an IPv6 proxy", "2001:db8:ffff::1", "2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["a link-local peer's, without its interface", "fe80::1%eth0", undefined, "fe80::/64"],
    ["an address without its port", "10.0.0.1", "198.51.100.1:50123", "198.51.100.1"],
    ["IPv6 in brackets", "10.0.0.1", "[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
    ["IPv6 without its port", "10.0.0.1", "[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"],
    ["IPv6 in quotes", "10.0.0.1", '"[2001:db8:1:2::9]:443"', "2001:db8:1:2::/64"],
    [
      "a client behind a proxy that is named with a port",
      "10.0.0.1",
      "198.51.100.1:1, 10.9.9.9:80",
      "198.51.100.1",
    ],
    ["the proxy's own for an impossible port", "10.0.0.1", "198.51.100.1:99999", "10.0.0.1"],
    ["the proxy's own for a port that is no number", "10.0.0.1", "198.51.100.1:x", "10.0.0.1"],
    ["the proxy's own for an open bracket", "10.0.0.1", "[2001:db8::9:443", "10.0.0.1"],
    ["the proxy's own for an open quote", "10.0.0.1", '"198.51.100.1', "10.0.0.1"],
    ["the proxy's own for IPv4 in brackets", "10.0.0.1", "[198.51.100.1]:443", "10.0.0.1"],
    ["the proxy's own for a hidden client", "10.0.0.1", "unknown", "10.0.0.1"],
    ["unknown without a peer", undefined, "198.51.100.1", "unknown"],
    ["unknown for a peer that does not parse", "socket", undefined, "unknown"],
  ])("is %s", (_what, peer, forwardedFor, expected) => {
    expect(clientAddress(peer, forwardedFor, proxies)).toBe(expected);
  });

  it("never comes from a header when no proxy is configured", () => {
    expect(clientAddress("127.0.0.1", "198.51.100.1", [])).toBe("127.0.0.1");
  });
});
