import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAudience, isConfidential } from "../../protocol/audience.ts";

describe("isAudience", () => {
  it.each([
    "https://shop.example",
    "https://shop.example:8443",
    "https://a-b.c.shop.example",
    "https://xn--mnchen-3ya.example",
    "https://192.0.2.7",
    "https://[2001:db8::1]:8443",
    "https://localhost",
    "http://localhost",
    "http://localhost:3000",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
  ])("accepts %s", (origin) => {
    expect(isAudience(origin)).toBe(true);
  });

  it.each([
    ["no text", ""],
    ["a domain", "shop.example"],
    ["a wildcard", "*"],
    ["null", "null"],
    ["http", "http://shop.example"],
    ["http on another address of this machine", "http://127.0.0.2"],
    ["http on a name that only begins like loopback", "http://localhost.evil.example"],
    ["another scheme", "ftp://shop.example"],
    ["a blob's origin", "blob:https://shop.example/1"],
    ["a trailing slash", "https://shop.example/"],
    ["a path", "https://shop.example/a"],
    ["an empty query", "https://shop.example?"],
    ["a fragment", "https://shop.example#a"],
    ["a user", "https://user@shop.example"],
    ["a user and password", "https://shop.example:443@evil.example"],
    ["an empty user", "https://@shop.example"],
    ["the default port", "https://shop.example:443"],
    ["the default port of http", "http://localhost:80"],
    ["a port of no digits", "https://shop.example:"],
    ["a padded port", "https://shop.example:08443"],
    ["a port that there is not", "https://shop.example:65536"],
    ["upper case", "https://Shop.example"],
    ["an upper case scheme", "HTTPS://shop.example"],
    ["unicode", "https://münchen.example"],
    ["a full stop of another script", "https://shop\u3002example"],
    ["an escaped letter", "https://sho%70.example"],
    ["a trailing dot", "https://shop.example."],
    ["an empty label", "https://shop..example"],
    ["an underscore", "https://shop_a.example"],
    ["a comma", "https://shop.example,evil.example"],
    ["a quote", 'https://shop".example'],
    ["a host that is a number", "https://3221225991"],
    ["a short IPv4 address", "https://127.1"],
    ["a long IPv6 address", "https://[2001:db8:0::1]"],
    ["a blank before it", " https://shop.example"],
    ["a line end after it", "https://shop.example\n"],
    ["a tab inside", "https://shop\t.example"],
    ["a backslash", "https:\\\\shop.example"],
    ["one slash", "https:/shop.example"],
    ["more characters than a host has", `https://${"a.".repeat(140)}example`],
  ])("refuses %s", (_what, text) => {
    expect(isAudience(text)).toBe(false);
  });

  it("accepts exactly the origins of URLs", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const { origin } = new URL(text);
        expect(isAudience(text)).toBe(text === origin && isConfidential(new URL(text)));
      }),
    );
  });
});
