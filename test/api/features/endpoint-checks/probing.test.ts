import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProbing } from "../../../../api/features/endpoint-checks/probing.ts";
import { createAddressPolicy } from "../../../../api/platform/outbound/addresses.ts";
import {
  createOutboundHttp,
  DEFAULT_OUTBOUND_LIMITS,
  type OutboundOptions,
  type Resolver,
} from "../../../../api/platform/outbound/client.ts";
import { type CheckedEndpoint, checkEndpoints } from "../../../../protocol/endpoints/index.ts";
import { type Receiver, startReceiver } from "../../../fixtures/receiver.ts";

// What a hostile endpoint does to a check, over the service's own outbound client.

const PUBLIC = { address: "93.184.215.14", family: 4 };
const LOOPBACK = { address: "127.0.0.1", family: 4 };
const passport = { registry: "eip155:1:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432", agentId: 1n };

let receiver: Receiver;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
  await receiver.stop();
});

/** Answers each request with the next address, and from then on with the last. */
function answering(...addresses: readonly (typeof PUBLIC)[]): Resolver {
  let asked = 0;
  return async () => {
    const address = addresses[Math.min(asked, addresses.length - 1)];
    asked += 1;
    return address === undefined ? [] : [address];
  };
}

/** Checks one endpoint with a client that may reach the receiver, unless options say otherwise. */
async function checked(
  service: string,
  endpoint: string,
  options: Partial<OutboundOptions> = {},
): Promise<CheckedEndpoint> {
  const http = createOutboundHttp({
    policy: createAddressPolicy(["127.0.0.0/8"]),
    resolve: answering(LOOPBACK),
    certificateAuthorities: [receiver.authority],
    limits: { ...DEFAULT_OUTBOUND_LIMITS, totalMs: 400 },
    ...options,
  });
  open.push(http);
  const probing = createProbing(http, () => performance.now());
  const file = { services: [{ name: service, endpoint, version: null }] };
  const agent = { file, fileNamesPassport: false, uri: "", passport };
  const [found] = await checkEndpoints(agent, probing(new AbortController().signal));
  if (found === undefined) throw new Error("not checked");
  return found;
}

const FORBIDDEN = "It has an address that may not be checked: only https to public hosts may.";

describe("a check of a hostile endpoint", () => {
  it("sends no secret, and finds when the certificate ends", async () => {
    const found = await checked("web", receiver.url);
    expect([found.answers, found.seen]).toEqual([true, "It answered 200."]);
    expect(Date.parse(found.certificateEnds ?? "")).toBeGreaterThan(0);
    expect(Object.keys(receiver.received[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  it.each([301, 302, 307, 308])("follows no redirect (%i)", async (status) => {
    receiver.answer((request, response) => {
      const location = `https://127.0.0.1:${receiver.port}/inside`;
      response.writeHead(status, { location }).end(request.path);
    });
    for (const [service, seen] of [
      ["MCP", `It answered ${status} to MCP's initialize.`],
      ["A2A", `It answered ${status} instead of an A2A agent card.`],
      ["x402", `It answered ${status} instead of 402 with an x402 quote.`],
      ["web", `It answered with a redirect (${status}), which is not followed.`],
    ] as const) {
      expect((await checked(service, receiver.url)).seen).toBe(seen);
    }
    expect(receiver.received.map(({ path }) => path)).not.toContain("/inside");
  });

  it.each([
    "http://a.example/",
    "https://127.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://2130706433/",
    "https://printer.local/",
    "https://user:password@a.example/",
    "https://a.example:22/",
  ])("is not sent to %s", async (endpoint) => {
    const policy = createAddressPolicy();
    const found = await checked("web", endpoint, { policy, resolve: answering(PUBLIC) });
    expect([found.state, found.seen]).toEqual(["silent", FORBIDDEN]);
    expect(receiver.received).toEqual([]);
  });

  it("is not sent to a name that resolves privately, at first or later", async () => {
    const policy = createAddressPolicy();
    const at = await checked("MCP", receiver.url, { policy, resolve: answering(LOOPBACK) });
    expect(at.seen).toBe(FORBIDDEN);
    // The first request goes to the allowed address, the next one would go elsewhere.
    receiver.answer((_request, response) => {
      const result = { protocolVersion: "2025-06-18" };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    });
    const rebinding = answering(LOOPBACK, { address: "10.0.0.1", family: 4 });
    const later = await checked("MCP", receiver.url, { resolve: rebinding });
    expect(later.seen).toBe(FORBIDDEN);
    expect(receiver.received.length).toBe(1);
  });

  it("does not follow a card to a forbidden address", async () => {
    receiver.answer((_request, response) => {
      const url = "https://169.254.169.254/latest/meta-data/";
      response.end(JSON.stringify({ name: "x", capabilities: {}, skills: [], url }));
    });
    const found = await checked("A2A", receiver.url);
    expect([found.state, found.seen]).toEqual([
      "silent",
      `An A2A agent card with 0 skills, whose own address gave no answer. ${FORBIDDEN}`,
    ]);
  });

  it.each(["A2A", "MCP", "x402", "OASF"])("reads no endless body (%s)", async (service) => {
    const part = "x".repeat(64 * 1024);
    receiver.answer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on("drain", more);
      more();
    });
    const found = await checked(service, receiver.url, {
      limits: { ...DEFAULT_OUTBOUND_LIMITS, totalMs: 10_000 },
    });
    expect(found.seen).toBe("It answered with more than may be read.");
  });

  it("waits for no slow answer", async () => {
    receiver.answer((_request, response) => void response.write("{"));
    expect((await checked("A2A", receiver.url)).seen).toBe("It did not answer in time.");
    receiver.answer(() => {});
    expect((await checked("web", receiver.url)).seen).toBe("It did not answer in time.");
  });

  it("unpacks no compressed answer", async () => {
    // Unpacked, it would be a record.
    const bomb = gzipSync(`{"name":"x"${" ".repeat(200 * 1024)}}`);
    receiver.answer((_request, response) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-encoding": "gzip",
      });
      response.end(bomb);
    });
    const found = await checked("OASF", receiver.url);
    expect(found.seen).toBe("It answered, and not with an OASF record.");
  });

  it("trusts no certificate of another name", async () => {
    const url = `https://other.test:${receiver.port}/`;
    expect((await checked("web", url)).seen).toBe("It has no valid TLS certificate.");
  });
});
