import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ForbiddenEndpointError } from "../../kit/disclosure/disclose.ts";
import { sendDisclosure } from "../../kit/disclosure/send.ts";

// Names of endpoints and what they resolve to. No connection is made: the names are not in any DNS.

const addressesOf = new Map<string, readonly string[]>();

function answerFromHere(
  hostname: string,
  _options: object,
  answer: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) {
  const addresses = (addressesOf.get(hostname) ?? []).map((address) => ({
    address,
    family: address.includes(":") ? 6 : 4,
  }));
  answer(null, addresses);
}

beforeEach(() => {
  vi.spyOn(dns, "lookup").mockImplementation(answerFromHere as unknown as typeof dns.lookup);
  // Imports by name follow the module's object only then.
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  addressesOf.clear();
});

const signed = { body: "{}", headers: {} };

describe("sendDisclosure to a host name", () => {
  it.each([
    ["this machine", ["127.0.0.1"]],
    ["a private network", ["10.0.0.7"]],
    ["a cloud's metadata service", ["168.63.129.16"]],
    ["an IPv4 address inside IPv6", ["::ffff:127.0.0.1"]],
    ["a public and a private address", ["93.184.216.34", "192.168.0.1"]],
  ])("sends nothing when it resolves to %s", async (_what, addresses) => {
    addressesOf.set("requester.example", addresses);
    await expect(sendDisclosure("https://requester.example:8443/", signed)).rejects.toThrow(
      ForbiddenEndpointError,
    );
  });

  it("reports a name without addresses as unreachable", async () => {
    const outcome = await sendDisclosure("https://requester.example/", signed);
    expect(outcome).toEqual({ delivered: false, reason: "unreachable", status: null });
  });

  it("sends nothing over http to a name that resolves to another machine", async () => {
    addressesOf.set("localhost", ["93.184.216.34"]);
    const sent = sendDisclosure("http://localhost:8080/", signed, { loopbackHttp: true });
    await expect(sent).rejects.toThrow(ForbiddenEndpointError);
  });
});
