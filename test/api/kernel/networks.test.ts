import { describe, expect, it } from "vitest";
import { networkBlock, networksOf, parseNetwork } from "../../../api/kernel/networks.ts";

describe("the networks of a client's address", () => {
  it.each([
    ["an IPv4 /24", "203.0.113.7", ["203.0.113.0/24"]],
    [
      "a /64, a /48 and a /32 of IPv6",
      "2001:db8:1:2::/64",
      ["2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32"],
    ],
    [
      "itself and the wider ones, of a network",
      "2001:db8:1::/48",
      ["2001:db8:1::/48", "2001:db8::/32"],
    ],
    ["itself, of an IPv4 /24", "203.0.113.0/24", ["203.0.113.0/24"]],
    ["one network of all unknown addresses", "unknown", ["unknown"]],
  ])("are %s", (_what, address, expected) => {
    expect(networksOf(address)).toEqual(expected);
  });
});

describe("the network block of a client's address", () => {
  it.each([
    ["an IPv4 /24", "203.0.113.7", "203.0.113.0/24"],
    ["an IPv6 /48", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["the same for every /64 of a /48", "2001:db8:1:ffff::/64", "2001:db8:1::/48"],
    ["one block of all unknown addresses", "unknown", "unknown"],
  ])("is %s", (_what, address, expected) => {
    expect(networkBlock(address)).toBe(expected);
  });
});

describe("a network", () => {
  it("is an address or a range", () => {
    const read = (text: string) => parseNetwork(text)?.map(String);
    expect(read("10.0.0.0/8")).toEqual(["10.0.0.0", "8"]);
    expect(read("10.0.0.1")).toEqual(["10.0.0.1", "32"]);
    expect(read("2001:db8::1")).toEqual(["2001:db8::1", "128"]);
    for (const wrong of ["10.0.0.0/33", "10.0.0", "example.org", "", "0x7f000001"]) {
      expect(read(wrong)).toBeUndefined();
    }
  });
});
