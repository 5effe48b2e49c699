import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient, HttpRequestError, RpcRequestError, TimeoutError } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import { nodeTransport } from "../../../../api/platform/chain/transport.ts";

type Node = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A node that answers every request with `answer`, and a client of it. */
async function asking(answer: Node, credentials = "") {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://${credentials}127.0.0.1:${(server.address() as AddressInfo).port}/path?key=k`;
  return clientOf(url);
}

function clientOf(url: string) {
  const transport = nodeTransport({ url, timeoutMs: 300, retryCount: 0, retryDelay: 1 });
  const client = createPublicClient({ transport, cacheTime: 0 });
  return () => client.request({ method: "eth_getTransactionReceipt", params: ["0x01"] });
}

const json =
  (status: number, body: unknown): Node =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };

/** Removes the wrapper that viem puts around the transport's error. */
async function failure(ask: () => Promise<unknown>): Promise<unknown> {
  const error = await ask().then(
    () => null,
    (cause: unknown) => cause,
  );
  for (let link = error; link instanceof Error; link = link.cause) {
    if ([HttpRequestError, RpcRequestError, TimeoutError].some((kind) => link instanceof kind)) {
      return link;
    }
  }
  return error;
}

describe("a request to the node", () => {
  it("is one JSON-RPC request, with the URL's credentials in a header", async () => {
    const asked: unknown[] = [];
    const ask = await asking((request, response, body) => {
      const { method, url, headers } = request;
      asked.push({ method, url, type: headers["content-type"], as: headers.authorization });
      asked.push(JSON.parse(body));
      json(200, { jsonrpc: "2.0", id: 1, result: null })(request, response, body);
    }, "me%40home:se%3Acret@");
    await expect(ask()).resolves.toBeNull();
    expect(asked).toEqual([
      {
        method: "POST",
        url: "/path?key=k",
        type: "application/json",
        as: `Basic ${Buffer.from("me@home:se:cret").toString("base64")}`,
      },
      { jsonrpc: "2.0", id: 1, method: "eth_getTransactionReceipt", params: ["0x01"] },
    ]);
  });

  it.each([200, 400])("is refused with the node's own error, status %i", async (status) => {
    const error = { code: 3, message: "execution reverted", data: "0xdeadbeef" };
    const found = await failure(await asking(json(status, { error })));
    expect(found).toBeInstanceOf(RpcRequestError);
    expect(found).toMatchObject({ code: 3, data: "0xdeadbeef", details: "execution reverted" });
  });

  it.each([
    ["a proxy's page", 200, "<html>"],
    ["a proxy's page that says so", 502, "<html>"],
    ["an answer without a result", 200, '{"id":1}'],
    ["half an error", 200, '{"error":{"message":"no code"}}'],
    ["a list", 200, "[]"],
    ["nothing", 200, ""],
    ["a result under a status of failure", 500, '{"result":"0x1"}'],
  ])("fails for %s", async (_what, status, text) => {
    const ask = await asking((_request, response) => response.writeHead(status).end(text));
    const found = await failure(ask);
    expect(found).toBeInstanceOf(HttpRequestError);
    expect(found).toMatchObject({ status, details: text });
  });

  it("fails when the connection breaks or cannot be made", async () => {
    const broken = await failure(await asking((request) => request.socket.destroy()));
    expect(broken).toBeInstanceOf(HttpRequestError);
    expect(await failure(clientOf("http://127.0.0.1:1"))).toBeInstanceOf(HttpRequestError);
  });

  it("fails when the answer does not start, or does not end, in time", async () => {
    expect(await failure(await asking(() => {}))).toBeInstanceOf(TimeoutError);
    const slow = await asking((_request, response) => {
      response.writeHead(200).write('{"result":');
    });
    expect(await failure(slow)).toBeInstanceOf(TimeoutError);
  });

  it("fails when the answer exceeds the largest expected size", async () => {
    const large = await asking((_request, response) => {
      response.writeHead(200).end(`{"result":"${"0".repeat(11 * 1024 * 1024)}"}`);
    });
    expect(await failure(large)).toBeInstanceOf(HttpRequestError);
  });
});
