import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePorts } from "../../scripts/local-stack/ports.ts";
import { openFront } from "../../scripts/processes/indexer/front.ts";

// The indexer's address, before a server that answers with what it was asked.

const index = { isShown: false, port: 0 };
let ponder: Server;
let front: Awaited<ReturnType<typeof openFront>>;
let url: string;

beforeAll(async () => {
  ponder = createServer(async (asked, response) => {
    response.writeHead(201, { "x-kind": asked.headers["x-kind"] ?? "none" });
    response.end(`${asked.method} ${asked.url} ${await text(asked)}`);
  });
  ponder.listen(0, "127.0.0.1");
  await once(ponder, "listening");
  index.port = (ponder.address() as AddressInfo).port;
  const [port = 0] = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
  const parts = { port: () => index.port, isShown: () => index.isShown };
  front = await openFront({ host: "127.0.0.1", port }, parts);
});
afterAll(() => {
  front?.close();
  ponder?.close();
});

describe("the indexer's address", () => {
  it("answers as the Ponder that serves", async () => {
    const options = { method: "POST", headers: { "x-kind": "query" }, body: "{ souls }" };
    const answer = await fetch(`${url}/graphql?a=b`, options);
    expect([answer.status, answer.headers.get("x-kind"), await answer.text()]).toEqual([
      201,
      "query",
      "POST /graphql?a=b { souls }",
    ]);
  });

  it("is not ready before the views show the index", async () => {
    for (const path of ["/ready", "/ready?a"]) {
      const early = await fetch(`${url}${path}`);
      expect([early.status, await early.text()]).toEqual([
        503,
        "The views do not show the index yet.",
      ]);
    }
    index.isShown = true;
    expect(await (await fetch(`${url}/ready`)).text()).toBe("GET /ready ");
  });

  it("breaks connections off while no Ponder runs", async () => {
    ponder.close();
    await once(ponder, "close");
    await expect(fetch(`${url}/health`)).rejects.toThrow("fetch failed");
  });
});
