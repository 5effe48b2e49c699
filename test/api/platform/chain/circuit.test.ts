import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient } from "viem";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createNodeCircuit } from "../../../../api/platform/chain/circuit.ts";
import { createChainClient } from "../../../../api/platform/chain/clients.ts";
import { isUnavailable, toChainError } from "../../../../api/platform/chain/reverts.ts";
import { nodeTransport } from "../../../../api/platform/chain/transport.ts";

/** A busy machine may take longer than the second that vitest waits. */
const SOON = { timeout: 30_000 };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Behaviour = "answers" | "reverts" | "is silent" | "is broken";

/** A node that the test can silence, and a client whose circuit retries at once. */
async function node(pauseMs = 0) {
  const state = { behaviour: "answers" as Behaviour, questions: 0 };
  const respond: Record<Behaviour, (response: ServerResponse) => void> = {
    answers: (response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x7"}'),
    reverts: (response) =>
      response.end('{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}'),
    "is silent": () => {},
    "is broken": (response) => response.writeHead(502).end("<html>"),
  };
  const server = createServer((request, response) => {
    state.questions += 1;
    request.resume();
    respond[state.behaviour](response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const circuit = createNodeCircuit(pauseMs);
  const client = createPublicClient({
    transport: nodeTransport({ url, timeoutMs: 100, retryCount: 0, retryDelay: 1, circuit }),
    cacheTime: 0,
  });
  const ask = () =>
    client.request({ method: "eth_blockNumber" }, { dedupe: false }).then(
      () => "answered",
      (error: unknown) => (isUnavailable(error) ? "unavailable" : "refused"),
    );
  return { state, circuit, ask, url };
}

const HOUR_MS = 3_600_000;

describe("the circuit breaker of a node", () => {
  it.each(["is silent", "is broken"] as const)(
    "opens after three requests in a row when the node %s, and then sends none",
    async (behaviour) => {
      const { state, circuit, ask } = await node(HOUR_MS);
      state.behaviour = behaviour;
      expect([await ask(), await ask(), circuit.standing()]).toEqual([
        "unavailable",
        "unavailable",
        "closed",
      ]);
      expect([await ask(), circuit.standing(), state.questions]).toEqual([
        "unavailable",
        "open",
        3,
      ]);
      expect([await ask(), await ask(), state.questions]).toEqual([
        "unavailable",
        "unavailable",
        3,
      ]);
    },
  );

  it("stays closed however often the node refuses, and counts a refusal as an answer", async () => {
    const { state, circuit, ask } = await node(HOUR_MS);
    for (const behaviour of [
      "is broken",
      "is broken",
      "reverts",
      "is broken",
      "reverts",
    ] as const) {
      state.behaviour = behaviour;
      await ask();
    }
    for (let times = 0; times < 5; times += 1) expect(await ask()).toBe("refused");
    expect([circuit.standing(), state.questions]).toEqual(["closed", 10]);
  });

  it("lets one request through after the pause, refuses the others meanwhile, and closes on its answer", async () => {
    const { state, circuit, ask } = await node(0);
    state.behaviour = "is silent";
    await Promise.all([ask(), ask(), ask()]);
    expect([circuit.standing(), state.questions]).toEqual(["open", 3]);

    const first = ask();
    await vi.waitFor(() => expect(state.questions).toBe(4), SOON);
    expect(circuit.standing()).toBe("half-open");
    expect([await ask(), await ask(), state.questions]).toEqual(["unavailable", "unavailable", 4]);
    expect([await first, circuit.standing()]).toEqual(["unavailable", "open"]);

    state.behaviour = "answers";
    expect([await ask(), circuit.standing()]).toEqual(["answered", "closed"]);
    expect([await ask(), state.questions]).toEqual(["answered", 6]);
  });

  it("gives callers CHAIN_UNAVAILABLE with a time to retry", async () => {
    const { circuit, url, ask, state } = await node(HOUR_MS);
    state.behaviour = "is broken";
    await Promise.all([ask(), ask(), ask()]);
    const client = createChainClient({ chainId: 31337, rpcUrl: url, circuit });
    const error = await client.getBlockNumber().catch(toChainError);
    expect(error).toMatchObject({ type: "CHAIN_UNAVAILABLE", status: 503, retryAfter: 2 });
    expect(state.questions).toBe(3);
  });
});
