import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { assertChainOfNodes } from "../../../../api/platform/chain/chain-check.ts";
import { createNodesClient } from "../../../../api/platform/chain/clients.ts";
import { type ChainNodes, createChainNodes } from "../../../../api/platform/chain/nodes.ts";
import { isUnavailable } from "../../../../api/platform/chain/reverts.ts";
import { createMetrics } from "../../../../api/platform/metrics/metrics.ts";
import { WrongChainError } from "../../../../protocol/chain-check.ts";
import { firingAlerts, hasPromtool, scrapePhase } from "../../../fixtures/alert-rules.ts";
import { HEALTHY } from "../../../fixtures/watched-process.ts";

type Behaviour =
  | "answers"
  | "reverts"
  | "is silent"
  | "is broken"
  | "limits requests"
  | "asks for a pause"
  | "limits by code"
  | "is cut";

const CHAIN = 31_337;

const answer = (response: ServerResponse, number: number) =>
  response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: `0x${number.toString(16)}` }));

const RESPOND: Readonly<Record<Behaviour, (response: ServerResponse, head: number) => void>> = {
  answers: answer,
  reverts: (response) =>
    response.end('{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}'),
  "is silent": () => {},
  "is broken": (response) => response.writeHead(502).end("<html>"),
  "limits requests": (response) => response.writeHead(429).end("slow down"),
  "asks for a pause": (response) => response.writeHead(429, { "retry-after": "7" }).end(),
  "limits by code": (response) =>
    response.end(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"request rate limited"}}',
    ),
  "is cut": (response) => response.destroy(),
};

/** A provider that misbehaves as a test says. */
async function provider(head = 100) {
  const state = {
    behaviour: "answers" as Behaviour,
    /** Whether it misbehaves when it is asked for its chain, too. */
    isWhole: false,
    head,
    chainId: CHAIN,
    questions: 0,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isChainId = Buffer.concat(chunks).includes("eth_chainId");
    // Its chain is asked for once, and again after each outage: the tests count the rest.
    if (!isChainId) state.questions += 1;
    if (isChainId && !(state.isWhole && state.behaviour !== "answers")) {
      answer(response, state.chainId);
    } else RESPOND[state.behaviour](response, state.head);
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
    chainId: CHAIN,
    now: () => clock.ms,
    pauseMs: HOUR_MS,
  });
  return { first, second, nodes, clock, ask: asker(nodes) };
}

function asker(nodes: ChainNodes) {
  const client = createNodesClient({ nodes, chainId: CHAIN, timeoutMs: 100 });
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

  it("leave one alone for as long as it asks", async () => {
    const { first, second, clock, ask } = await pair();
    first.state.behaviour = "asks for a pause";
    clock.ms = 1;
    await ask();
    first.state.behaviour = "answers";
    for (const ms of [501, 7_000]) {
      clock.ms = ms;
      await ask();
    }
    expect(questions(first, second)).toEqual([1, 3]);
    clock.ms = 7_001;
    await ask();
    expect(questions(first, second)).toEqual([2, 3]);
  });

  it("understand a limit in a JSON-RPC code", async () => {
    const { first, second, nodes, ask } = await pair();
    first.state.behaviour = "limits by code";
    expect([await ask(), await ask()]).toEqual(["answered", "answered"]);
    expect(questions(first, second)).toEqual([1, 2]);
    expect(nodes.states().map(({ isResting }) => isResting)).toEqual([true, false]);
  });

  it("never use one of another chain, until it is of theirs", async () => {
    const { first, second, nodes, ask } = await pair();
    first.state.chainId = 1;
    expect([await ask(), questions(first, second)]).toEqual(["answered", [0, 1]]);
    expect(nodes.states().map(({ standing }) => standing)).toEqual(["open", "closed"]);
    second.state.chainId = 1;
    second.state.behaviour = "is broken";
    await ask();
    expect(await ask()).toBe("unavailable");
    expect(first.state.questions).toBe(0);
    first.state.chainId = CHAIN;
    await nodes.compareHeads();
    expect([await ask(), first.state.questions]).toEqual(["answered", 2]);
  });
});

describe("one node alone", () => {
  async function alone(pauseMs = HOUR_MS) {
    const only = await provider();
    const clock = { ms: 0 };
    const nodes = createChainNodes({
      urls: [only.url],
      chainId: CHAIN,
      now: () => clock.ms,
      pauseMs,
    });
    return { only, clock, nodes, ask: asker(nodes) };
  }

  it("that is silent is never shown as closed again, and the age of its last result grows", async () => {
    const { only, clock, nodes, ask } = await alone(50);
    clock.ms = 1_000;
    expect([await ask(), nodes.standing(), nodes.answerAgeMs()]).toEqual(["answered", "closed", 0]);
    only.state.isWhole = true;
    only.state.behaviour = "is silent";
    await ask();
    await ask();
    expect(nodes.standing()).toBe("open");
    const seen = new Set<string>();
    await vi.waitFor(() => {
      void ask();
      seen.add(nodes.standing());
      expect(seen).toContain("half-open");
    });
    clock.ms = 9_000;
    expect([[...seen].sort(), nodes.answerAgeMs()]).toEqual([["half-open", "open"], 8_000]);
    only.state.behaviour = "answers";
    await expect.poll(ask).toBe("answered");
    expect([nodes.standing(), nodes.answerAgeMs()]).toEqual(["closed", 0]);
  });

  it("that only refuses has not answered with a result", async () => {
    const { only, clock, nodes, ask } = await alone();
    await ask();
    only.state.behaviour = "reverts";
    clock.ms = 5_000;
    expect([await ask(), nodes.standing(), nodes.answerAgeMs()]).toEqual([
      "refused",
      "closed",
      5_000,
    ]);
  });

  it("is not asked during the pause that it asked for", async () => {
    const { only, clock, ask } = await alone();
    only.state.behaviour = "asks for a pause";
    expect([await ask(), await ask()]).toEqual(["unavailable", "unavailable"]);
    only.state.behaviour = "answers";
    clock.ms = 5_999;
    expect([await ask(), only.state.questions]).toEqual(["unavailable", 1]);
    clock.ms = 7_000;
    expect([await ask(), only.state.questions]).toEqual(["answered", 2]);
  });

  it("is asked twice when it fails", async () => {
    const { only, ask } = await alone();
    only.state.behaviour = "is broken";
    expect([await ask(), only.state.questions]).toEqual(["unavailable", 2]);
  });

  it("is refused while it is of another chain", async () => {
    const { only, clock, nodes, ask } = await alone();
    only.state.chainId = 1;
    clock.ms = 3_000;
    expect([await ask(), only.state.questions]).toEqual(["unavailable", 0]);
    expect([nodes.standing(), nodes.answerAgeMs()]).toEqual(["open", 3_000]);
    only.state.chainId = CHAIN;
    expect([await ask(), only.state.questions]).toEqual(["answered", 1]);
    expect([nodes.standing(), nodes.answerAgeMs()]).toEqual(["closed", 0]);
  });
});

describe("a check of the nodes' chain", () => {
  it("names each node of another chain, and what to set", async () => {
    const [right, wrong, silent] = await Promise.all([provider(), provider(), provider()]);
    wrong.state.chainId = 8453;
    const urls = [right.url, `${wrong.url}/secret-key`, "http://127.0.0.1:1"];
    await expect(assertChainOfNodes(urls, CHAIN)).rejects.toThrow(
      new WrongChainError(
        `The node ${wrong.host} of RPC_URL is on chain 8453, and the deployment on chain 31337. Set RPC_URL to nodes of chain 31337, or SVC_DEPLOYMENT to the file of chain 8453.`,
      ),
    );
    await expect(assertChainOfNodes([right.url, silent.url], CHAIN)).resolves.toBeUndefined();
  });
});

describe.skipIf(!hasPromtool)("the alerts that fire", () => {
  /** A process over these nodes that is healthy in all else. */
  async function watched(count: number) {
    const providers = await Promise.all(Array.from({ length: count }, () => provider()));
    for (const { state } of providers) state.isWhole = true;
    const [first, ...others] = providers.map(({ url }) => url);
    const nodes = createChainNodes({
      urls: [first as string, ...others],
      chainId: CHAIN,
      now: () => performance.now(),
      pauseMs: 200,
    });
    const metrics = createMetrics();
    metrics.observe({
      ...HEALTHY,
      chainNodes: nodes.states,
      chainCircuit: nodes.standing,
      chainAnswerAge: nodes.answerAgeMs,
    });
    const client = createNodesClient({
      nodes,
      chainId: CHAIN,
      timeoutMs: 100,
      observe: metrics.chainCall,
    });
    const ask = () =>
      client.request({ method: "eth_blockNumber" }, { dedupe: false, retryCount: 0 }).then(
        () => "answered",
        () => "unanswered",
      );
    const scraped = (growing?: readonly RegExp[]) =>
      scrapePhase(
        { "api-1:8787": async () => (await metrics.scrape()).text },
        () => {
          metrics.job("passports.watch", "done");
          void ask();
        },
        growing,
        { spanMs: 1_000, pauseMs: 100 },
      );
    const healthy = await scraped();
    return {
      providers,
      nodes,
      /** What fires when the nodes stay as they are now. */
      async firing(growing?: readonly RegExp[]) {
        // A breaker opens at the third failure.
        for (let calls = 0; calls < 4; calls += 1) await ask();
        return firingAlerts(healthy, await scraped(growing));
      },
      ask,
    };
  }

  const UNANSWERED = [/^svc_chain_answer_age_seconds/];
  const OF_ALL_NODES = ["ChainCallsFail", "ChainNodeUnusable", "ChainUnreachable"];

  it.each([
    ["is silent", OF_ALL_NODES],
    ["is cut", OF_ALL_NODES],
    ["reverts", ["ChainUnreachable"]],
  ] as const)("when the only node %s", async (behaviour, expected) => {
    const { providers, firing } = await watched(1);
    expect(await firing()).toEqual([]);
    for (const { state } of providers) state.behaviour = behaviour;
    expect(await firing(UNANSWERED)).toEqual(expected);
  });

  it("when another chain's node answers after an outage are those of a silent one", async () => {
    const { providers, ask, firing } = await watched(1);
    for (const { state } of providers) state.behaviour = "is cut";
    for (let count = 0; count < 3; count += 1) await ask();
    for (const { state } of providers) {
      state.chainId = 8453;
      state.behaviour = "answers";
    }
    expect(await firing(UNANSWERED)).toEqual(OF_ALL_NODES);
  });

  it("when one of two nodes stays behind", async () => {
    const { providers, nodes, firing } = await watched(2);
    await nodes.compareHeads();
    expect(await firing()).toEqual([]);
    for (const { state } of providers.slice(0, 1)) state.head += 11;
    await nodes.compareHeads();
    expect(await firing()).toEqual(["ChainNodeBehind"]);
  });

  it("when one of two nodes is silent are only its own", async () => {
    const { providers, firing } = await watched(2);
    for (const { state } of providers.slice(0, 1)) state.behaviour = "is silent";
    expect(await firing()).toEqual(["ChainNodeUnusable"]);
  });
});
