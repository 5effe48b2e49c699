import dns from "node:dns";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSender } from "../../kit/cli/check/send.ts";
import { type CheckedEndpoint, checkEndpoints } from "../../protocol/endpoints/index.ts";

// What a hostile endpoint does to a check from a reader's machine.

const FORBIDDEN = "It has an address that may not be checked: only https to public hosts may.";
const passport = { registry: "eip155:1:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432", agentId: 1n };

let server: Server;
let origin: string;
/** Paths that were asked for. */
let asked: string[];
let respond: (path: string, response: ServerResponse) => void;

beforeEach(async () => {
  asked = [];
  respond = (_path, response) => response.end("{}");
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    respond(request.url ?? "", response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

/** From now on every name resolves to the next of these addresses, then always to the last. */
function resolveTo(...addresses: readonly string[]) {
  let lookups = 0;
  vi.spyOn(dns, "lookup").mockImplementation(((
    _name: string,
    _options: object,
    answer: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    const address = addresses[Math.min(lookups, addresses.length - 1)] ?? "";
    lookups += 1;
    answer(null, [{ address, family: 4 }]);
  }) as unknown as typeof dns.lookup);
  // Imports by name follow the module's object only then.
  syncBuiltinESMExports();
}

async function checked(
  service: string,
  endpoint: string,
  { loopbackHttp = true, timeoutMs = 10_000 } = {},
): Promise<CheckedEndpoint> {
  const file = { services: [{ name: service, endpoint, version: null }] };
  const agent = { file, fileNamesPassport: false, uri: "", passport };
  const [found] = await checkEndpoints(agent, createSender(loopbackHttp, timeoutMs));
  if (found === undefined) throw new Error("not checked");
  return found;
}

describe("svc check of a hostile endpoint", () => {
  it.each([301, 302, 307, 308])("follows no redirect (%i)", async (status) => {
    respond = (_path, response) =>
      response.writeHead(status, { location: `${origin}/inside` }).end();
    const seen = await Promise.all(
      ["MCP", "A2A", "web"].map(async (service) => (await checked(service, `${origin}/x`)).seen),
    );
    expect(seen).toEqual([
      `It answered ${status} to MCP's initialize.`,
      `It answered ${status} instead of an A2A agent card.`,
      `It answered with a redirect (${status}), which is not followed.`,
    ]);
    expect(asked).not.toContain("/inside");
  });

  it.each(["127.0.0.1", "10.0.0.7", "169.254.169.254"])(
    "is not sent to a name that resolves to %s",
    async (address) => {
      resolveTo(address);
      for (const loopbackHttp of [false, true]) {
        const found = await checked("MCP", "https://agent.example/mcp", { loopbackHttp });
        expect([found.state, found.seen]).toEqual(["silent", FORBIDDEN]);
      }
      expect(asked).toEqual([]);
    },
  );

  it("is not sent to a name that resolves elsewhere at the next request", async () => {
    respond = (_path, response) => {
      const result = { protocolVersion: "2025-06-18" };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    };
    resolveTo("127.0.0.1", "10.0.0.1");
    const found = await checked("MCP", `${origin.replace("127.0.0.1", "localhost")}/mcp`);
    expect([found.seen, asked]).toEqual([FORBIDDEN, ["/mcp"]]);
  });

  it("does not follow a card to a forbidden address", async () => {
    respond = (_path, response) => {
      const url = "https://169.254.169.254/latest/meta-data/";
      response.end(JSON.stringify({ name: "x", capabilities: {}, skills: [], url }));
    };
    expect((await checked("A2A", `${origin}/card.json`)).seen).toBe(
      `An A2A agent card with 0 skills, whose own address gave no answer. ${FORBIDDEN}`,
    );
  });

  it.each(["A2A", "MCP", "x402", "OASF"])("reads no endless body (%s)", async (service) => {
    const part = "x".repeat(64 * 1024);
    respond = (_path, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on("drain", more);
      more();
    };
    expect((await checked(service, `${origin}/x`)).seen).toBe(
      "It answered with more than may be read.",
    );
  });

  it("waits for no slow answer, whether it begins or not", async () => {
    respond = (_path, response) => void response.write("{");
    const timeoutMs = 200;
    expect((await checked("A2A", `${origin}/x`, { timeoutMs })).seen).toBe(
      "It did not answer in time.",
    );
    respond = () => {};
    expect((await checked("web", `${origin}/x`, { timeoutMs })).seen).toBe(
      "It did not answer in time.",
    );
  });

  it("unpacks no compressed answer", async () => {
    // Unpacked, it would be a record.
    const bomb = gzipSync(`{"name":"x"${" ".repeat(200 * 1024)}}`);
    respond = (_path, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(bomb);
    };
    expect((await checked("OASF", `${origin}/x`)).seen).toBe(
      "It answered, and not with an OASF record.",
    );
  });
});
