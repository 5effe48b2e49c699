import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The endpoints of the demonstration's agents, on a free port of this machine. */
export interface EndpointsServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** What an agent's card says. */
  describe(
    name: string,
    card: { readonly description: string; readonly skills: readonly string[] },
  ): void;
  /** Names the passport at the well-known address: the domain is then proven to be its agent's. */
  prove(passport: { readonly agentRegistry: string; readonly agentId: number }): void;
}

/** What an agent sells over x402 in the demonstration. */
export interface Price {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: string;
}

/**
 * Serves `/<name>/mcp`, `/<name>/a2a`, `/<name>/paid`, `/<name>/silent`, which never answers, and
 * `/webhooks`, which takes every delivery.
 */
export async function startEndpointsServer(price: Price): Promise<EndpointsServer> {
  const cards = new Map<
    string,
    { readonly description: string; readonly skills: readonly string[] }
  >();
  const passports: { readonly agentRegistry: string; readonly agentId: number }[] = [];

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The server lives as long as the stack, and does not keep its process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const [, name = "", service = ""] = (request.url ?? "").split("/");
    if (name === "webhooks") return json(response, 200, {});
    if (name === ".well-known" && service === "agent-registration.json") {
      return json(response, 200, { registrations: passports });
    }
    const card = cards.get(name);
    if (!card) return json(response, 404, {});
    switch (service) {
      case "mcp":
        return answerMcp(response, name, body, card.skills);
      case "a2a":
        return json(response, 200, agentCard(`${url}/${name}/a2a`, name, card));
      case "paid":
        return json(response, 402, quote(`${url}/${name}/paid`, price));
      case "silent":
        // The connection stays open until the client gives up.
        return;
      default:
        return json(response, 404, {});
    }
  }

  return {
    url,
    describe: (name, card) => void cards.set(name, card),
    prove: (passport) => void passports.push(passport),
  };
}

/** The subset of MCP's Streamable HTTP that lists tools: one tool for each skill. */
function answerMcp(
  response: ServerResponse,
  name: string,
  body: string,
  skills: readonly string[],
): void {
  const { id, method } = JSON.parse(body) as { id?: number; method?: string };
  if (id === undefined) {
    json(response, 202, {});
    return;
  }
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name, version: "1.0.0" },
    },
    "tools/list": {
      tools: skills.map((skill) => ({
        name: skill,
        description: `The skill ${skill} of ${name}.`,
        inputSchema: { type: "object" },
      })),
    },
  };
  const result = results[method ?? ""];
  const error = { code: -32_601, message: "Method not found" };
  json(response, 200, result ? { jsonrpc: "2.0", id, result } : { jsonrpc: "2.0", id, error });
}

function agentCard(
  url: string,
  name: string,
  { description, skills }: { readonly description: string; readonly skills: readonly string[] },
) {
  return {
    protocolVersion: "0.3.0",
    name,
    description,
    url,
    version: "1.0.0",
    capabilities: { streaming: false },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: skills.map((skill) => ({ id: skill, name: skill, description: skill, tags: [skill] })),
  };
}

function quote(resource: string, { network, asset, payTo, amount }: Price) {
  const accepted = {
    scheme: "exact",
    network,
    asset,
    payTo,
    amount,
    maxTimeoutSeconds: 60,
    extra: { assetTransferMethod: "erc7710" },
  };
  return {
    x402Version: 2,
    error: "Payment required",
    resource: { url: resource },
    accepts: [accepted],
  };
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
