import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EventBody } from "../../api/features/events/index.ts";
import { STREAM_LIMITS } from "../../api/features/events/streams.ts";
import { createClient } from "../../kit/client/index.ts";
import { reputationRegistryAbi } from "../../protocol/generated/abi.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, type TestAgent } from "../fixtures/agents.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The list of events and its stream, over HTTP, from real transactions.

let service: Service;
let agent: TestAgent;
let partner: TestAgent;
beforeAll(async () => {
  service = await sharedService();
  agent = await newAgent(service);
  partner = await newAgent(service);
});
afterAll(() => service?.stop());

const kindsOf = (events: readonly EventBody[]) => events.map(({ kind }) => kind);

/** Changes how far the agent trusts its partner, and returns the transaction. */
async function bind(trustLevel: string): Promise<string> {
  const wish = { tokenId: agent.tokenId, partnerTokenId: partner.tokenId, trustLevel, context: "" };
  const { status, body } = await service.post("/v1/binding", wish, bearer(agent.apiKey));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.txHash;
}

/** Feedback of many clients in one block. */
async function feedbackInOneBlock(count: number): Promise<readonly Hex[]> {
  const { client, contracts, fund } = service.chain;
  const clients = Array.from({ length: count }, () => newAccount());
  for (const { address } of clients) await fund(address);
  await client.setAutomine(false);
  try {
    const sent = clients.map((account) =>
      client.writeContract({
        account,
        chain: null,
        address: contracts.reputationRegistry,
        abi: reputationRegistryAbi,
        functionName: "giveFeedback",
        args: [BigInt(agent.passportId), 1n, 0, "burst", "", "", "", `0x${"00".repeat(32)}`],
        gas: 400_000n,
      }),
    );
    const hashes = await Promise.all(sent);
    await client.mine({ blocks: 1 });
    return hashes;
  } finally {
    await client.setAutomine(true);
  }
}

const opened: AbortController[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.abort();
});

interface Sent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** A stream as a browser reads it. A URL object: its answer has no end to be recorded. */
async function open(query: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  opened.push(abort);
  const url = new URL(`/v1/events/stream${query}`, service.url);
  const response = await fetch(url, { headers, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    response,
    close: () => abort.abort(),
    /** The next message, without comments. */
    async next(): Promise<Sent> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end === -1) {
          const { done, value } = (await reader?.read()) ?? { done: true };
          if (done || value === undefined) throw new Error("The stream has ended.");
          text += value;
          continue;
        }
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
        const data = field("data");
        if (data !== "") return { id: field("id"), event: field("event"), data };
      }
    },
    async events(count: number): Promise<readonly (Sent & { readonly body: EventBody })[]> {
      const taken = [];
      while (taken.length < count) {
        const sent = await this.next();
        taken.push({ ...sent, body: JSON.parse(sent.data) as EventBody });
      }
      return taken;
    },
  };
}

describe("GET /v1/events", () => {
  it("answers an agent's events with their words, fields and place", async () => {
    const { status, headers, body } = await service.get(`/v1/events?agent=${agent.name}`);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(kindsOf(body.events)).toEqual(["soul.sealed", "soul.registered"]);
    const [sealed, registered] = body.events as [EventBody, EventBody];
    const owner = agent.owner.address;
    const short = `${owner.slice(0, 6)}…${owner.slice(-4)}`;
    expect(registered).toEqual({
      id: `${registered.block}-${registered.logIndex}-0`,
      kind: "soul.registered",
      title: "Registered",
      summary: `${short} registered ${agent.name}, of type specialist.`,
      meaning:
        "The agent got its certificate, which cannot be sold, and its name for ever. It is proven once it is sealed.",
      block: expect.any(Number),
      logIndex: expect.any(Number),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      final: true,
      tokenId: agent.tokenId,
      agentName: agent.name,
      epoch: 1,
      erc8004AgentId: agent.passportId,
      organizationId: null,
      otherAgentName: null,
      details: {
        owner,
        operator: null,
        agentType: 2,
        newPassport: true,
        parentTokenId: "0",
      },
    });
    expect(sealed.txHash).toBe(registered.txHash);
    const byId = await service.get(`/v1/events?agent=${agent.tokenId}`);
    expect(byId.body.events).toEqual(body.events);
  });

  it("goes on by cursors, in both directions and through the typed client", async () => {
    await bind("limited");
    const client = createClient({ service: service.url });
    const all: string[] = [];
    const pages = client.pages("listEvents", { query: { agent: agent.name, limit: 1 } });
    for await (const { kind } of pages) all.push(kind);
    expect(all).toEqual(["binding.changed", "soul.sealed", "soul.registered"]);

    const newest = await service.get(`/v1/events?agent=${agent.name}&limit=1`);
    expect([newest.body.hasMore, newest.body.replacedFrom]).toEqual([true, null]);
    const tx = await bind("verified");
    const path = `/v1/events?agent=${agent.name}&after=${newest.body.followCursor}`;
    const { body: later } = await service.get(path);
    expect(later.events.map(({ txHash }: EventBody) => txHash)).toEqual([tx]);
    expect([later.nextCursor, later.hasMore, later.replacedFrom]).toEqual([null, false, null]);
    const { body: none } = await service.get(
      `/v1/events?agent=${agent.name}&after=${later.followCursor}`,
    );
    expect([none.events, none.followCursor]).toEqual([[], later.followCursor]);
  });

  it("answers one kind alone", async () => {
    const path = `/v1/events?agent=${partner.name}&kind=soul.sealed`;
    const { body } = await service.get(path);
    expect(kindsOf(body.events)).toEqual(["soul.sealed"]);
  });

  it.each([
    ["before=x", 400, "INVALID_REQUEST"],
    ["after=e30", 400, "INVALID_REQUEST"],
    ["kind=soul.eaten", 400, "INVALID_REQUEST"],
    ["limit=0", 400, "INVALID_REQUEST"],
    ["limit=101", 400, "INVALID_REQUEST"],
    ["agent=-", 400, "INVALID_NAME"],
    ["agent=no-such-agent-here", 404, "NOT_FOUND"],
    ["owner=0x00", 400, "INVALID_REQUEST"],
  ])("refuses ?%s", async (query, status, type) => {
    const answer = await service.get(`/v1/events?${query}`);
    expect(refusal(answer)).toMatchObject({ status, type });
    if (/^(?:agent|kind)=/.test(query)) {
      expect((await service.get(`/v1/events/stream?${query}`)).status).toBe(status);
    }
  });

  it("refuses two cursors, and those of other lists", async () => {
    const { body } = await service.get("/v1/events?limit=1");
    const { followCursor: cursor } = body;
    expect(refusal(await service.get(`/v1/events?before=${cursor}&after=${cursor}`))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "after", message: "Send either before or after, not both" }] },
    });
    const position = { block: "1", logIndex: 0, part: "0", settled: "1", digest: "" };
    for (const wrong of [
      ["bindings", position],
      ["events", { ...position, block: "-1" }],
      ["events", { ...position, digest: "0x" }],
      ["events", { ...position, logIndex: 2 ** 40 }],
      ["events", { ...position, settled: 1 }],
    ]) {
      const text = Buffer.from(JSON.stringify(wrong)).toString("base64url");
      expect((await service.get(`/v1/events?after=${text}`)).status, text).toBe(400);
    }
  });
});

describe("GET /v1/events/stream", () => {
  it("sends what happens, with a cursor each, and goes on after a disconnect", async () => {
    const { body: before } = await service.get("/v1/events?limit=1");
    const first = await open(`?agent=${agent.name}`);
    const { headers, status } = first.response;
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "no-store, no-transform",
    ]);
    expect([headers.get("x-accel-buffering"), headers.get("content-encoding")]).toEqual([
      "no",
      null,
    ]);
    const firstTx = await bind("trusted");
    const [live] = await first.events(1);
    expect(live?.body).toMatchObject({ kind: "binding.changed", txHash: firstTx });
    first.close();

    const missed = [await bind("limited"), await bind("verified")];
    const again = await open(`?agent=${agent.name}`, { "Last-Event-ID": live?.id ?? "" });
    const later = await bind("trusted");
    const rest = await again.events(3);
    expect(rest.map(({ body }) => body.txHash)).toEqual([...missed, later]);

    const path = `/v1/events?agent=${agent.name}&after=${before.followCursor}`;
    const { body: listed } = await service.get(path);
    expect([live, ...rest].map((sent) => sent?.body)).toEqual(listed.events);
  });

  it("loses and doubles nothing of a burst, with a cursor within one block", async () => {
    const { body: before } = await service.get("/v1/events?limit=1");
    const query = `?agent=${agent.tokenId}&kind=feedback.given`;
    const first = await open(query);
    const hashes = await feedbackInOneBlock(20);
    const early = await first.events(7);
    first.close();
    const again = await open(`${query}&after=${early.at(-1)?.id}`);
    const rest = await again.events(13);
    const sent = [...early, ...rest];
    expect(new Set(sent.map(({ body }) => body.txHash))).toEqual(new Set(hashes));
    const blocks = new Set(sent.map(({ body }) => body.block));
    expect(blocks.size).toBe(1);
    const { body } = await service.get(`/v1/events${query}&after=${before.followCursor}&limit=100`);
    expect(sent.map((one) => one.body)).toEqual(body.events);
  });

  it("refuses an id that it did not send", async () => {
    const answer = await service.request("/v1/events/stream", {
      headers: { "Last-Event-ID": "17" },
    });
    expect(refusal(answer)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [{ path: "Last-Event-ID", message: "Not the id of an event of this stream" }],
      },
    });
  });

  it("serves ten of 300 connections of one address, which closed ones give back", async () => {
    const [ofAddress] = STREAM_LIMITS.ofNetworks;
    const streams = await Promise.all(Array.from({ length: 300 }, () => open("")));
    const refused = streams.filter(({ response }) => response.status !== 200);
    // Streams of the tests before may still be about to close.
    expect(refused.length).toBeGreaterThanOrEqual(300 - ofAddress);
    expect(refused.length).toBeLessThan(300);
    for (const { response } of refused) {
      expect([response.status, response.headers.get("retry-after")]).toEqual([429, "30"]);
    }
    const { body } = await service.get("/v1/events/stream");
    expect(body.error.type).toBe("RATE_LIMIT_EXCEEDED");
    expect((await service.get("/v1/events?limit=1")).status).toBe(200);

    for (const { close } of streams) close();
    await expect
      .poll(
        async () => {
          const again = await Promise.all(Array.from({ length: ofAddress }, () => open("")));
          for (const { close } of again) close();
          return again.filter(({ response }) => response.status === 200).length;
        },
        { timeout: 10_000 },
      )
      .toBe(ofAddress);
  });
});
