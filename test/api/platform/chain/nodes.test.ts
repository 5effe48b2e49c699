import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createNodesClient } from "../../../../api/platform/chain/clients.ts";
import { type ChainNodes, createChainNodes } from "../../../../api/platform/chain/nodes.ts";
import { isUnavailable } from "../../../../api/platform/chain/reverts.ts";

type Behaviour = "answers" | "reverts" | "is silent" | "is broken" | "limits requests" | "is cut";

const RESPOND: Readonly<Record<Behaviour, (response: ServerResponse, head: number) => void>> = {
  answers: (response, head) =>
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: `0x${head.toString(16)}` })),
  reverts: (response) =>
    response.end('{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}'),
  "is silent": () => {},
  "is broken": (response) => response.writeHead(502).end("<html>"),
  "limits requests": (response) => response.writeHead(429).end("slow down"),
  "is cut": (response) => response.destroy(),
};

/** A provider that misbehaves as a test says. */
async function provider(head = 100) {
  const state = { behaviour: "answers" as Behaviour, head, questions: 0 };
  const server = createServer((request, response) => {
    state.questions += 1;
    request.resume();
    RESPOND[state.behaviour](response, state.head);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { state, host, url: `http://${host}` };
}

type Provider = Awaited<ReturnType<typeof provider>>;

const HOUR_MS = 3_600_000;

/** Two providers, the first preferred, and a client over both. */
async function pair() {
  const [first, second] = await Promise.all([provider(), provider()]);
  const clock = { ms: 0 };
  const nodes = createChainNodes({
    urls: [first.url, second.url],
    now: () => clock.ms,
    pauseMs: HOUR_MS,
  });
  return { first, second, nodes, clock, ask: asker(nodes) };
}

function asker(nodes: ChainNodes) {
  const client = createNodesClient({ nodes, chainId: 31337, timeoutMs: 100 });
  return () =>
    client.request({ method: "eth_blockNumber" }, { dedupe: false, retryCount: 0 }).then(
      () => "answered",
      (error: unknown) => (isUnavailable(error) ? "unavailable" : "refused"),
    );
}

const questions = (...providers: Provider[]) => providers.map(({ state }) => state.questions);

describe("several nodes of one chain", () => {
  it("are asked in their order: the second gets nothing while the first answers", async () => {
    const { first, second, ask } = await pair();
    expect([await ask(), await ask()]).toEqual(["answered", "answered"]);
    expect(questions(first, second)).toEqual([2, 0]);
  });

  it.each(["is silent", "is broken", "is cut"] as const)(
    "answer for each other: one that %s is asked three times, and then left out",
    async (behaviour) => {
      const { first, second, nodes, ask } = await pair();
      first.state.behaviour = behaviour;
      for (let count = 0; count < 5; count += 1) expect(await ask()).toBe("answered");
      expect(questions(first, second)).toEqual([3, 5]);
      expect(nodes.standing()).toBe("closed");
      expect(nodes.states()).toEqual([
        { host: first.host, standing: "open", isResting: false, blocksBehind: null },
        { host: second.host, standing: "closed", isResting: false, blocksBehind: null },
      ]);
    },
  );

  it("leave one alone that limits requests, for a time that doubles", async () => {
    const { first, second, clock, nodes, ask } = await pair();
    first.state.behaviour = "limits requests";
    const restsAt = async (ms: number) => {
      clock.ms = ms;
      const before = first.state.questions;
      expect(await ask()).toBe("answered");
      return first.state.questions > before ? "asked" : "left alone";
    };
    expect([await restsAt(1), await restsAt(500)]).toEqual(["asked", "left alone"]);
    expect(nodes.states()[0]?.isResting).toBe(true);
    expect([await restsAt(501), await restsAt(1_500)]).toEqual(["asked", "left alone"]);
    first.state.behaviour = "answers";
    expect([await restsAt(1_501), await restsAt(1_502)]).toEqual(["asked", "asked"]);
    expect(second.state.questions).toBe(4);
  });

  it("do not ask the second for a revert, which is an answer", async () => {
    const { first, second, ask } = await pair();
    first.state.behaviour = "reverts";
    expect(await ask()).toBe("refused");
    expect(questions(first, second)).toEqual([1, 0]);
  });

  it("are unavailable together only when all are", async () => {
    const { first, second, nodes, ask } = await pair();
    first.state.behaviour = "is broken";
    second.state.behaviour = "is broken";
    expect([await ask(), await ask(), await ask()]).toEqual(Array(3).fill("unavailable"));
    expect([nodes.standing(), await ask(), questions(first, second)]).toEqual([
      "open",
      "unavailable",
      [3, 3],
    ]);
  });

  it("prefer one that is not behind the newest head, and return to the first", async () => {
    const { first, second, nodes, ask } = await pair();
    first.state.head = 97;
    await nodes.compareHeads();
    await ask();
    expect(questions(first, second)).toEqual([1, 2]);
    expect(nodes.states().map(({ blocksBehind }) => blocksBehind)).toEqual([3, 0]);
    first.state.head = 98;
    await nodes.compareHeads();
    await ask();
    expect(questions(first, second)).toEqual([3, 3]);
  });

  it("use one that is behind rather than none", async () => {
    const { first, second, nodes, ask } = await pair();
    first.state.head = 50;
    await nodes.compareHeads();
    second.state.behaviour = "is broken";
    expect(await ask()).toBe("answered");
    expect(questions(first, second)).toEqual([2, 2]);
  });
});
