import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UPLOAD_BYTES } from "../../../../api/platform/http/operations.ts";
import { CONNECTION_LIMITS, createHttpServer } from "../../../../api/platform/http/server.ts";

// Real sockets with small limits. Each test waits for the server to end the connection.

const limits = {
  headersMs: 400,
  requestMs: 800,
  keepAliveMs: 200,
  silentMs: 10_000,
  checkMs: 50,
  headerBytes: 2048,
  headerCount: 100,
};

const app = new Hono();
app.post("/length", async (c) => c.text(String((await c.req.arrayBuffer()).byteLength)));
app.get("/", (c) => c.text("well"));
const server = createHttpServer(app.fetch, limits);

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * Sends `pieces` on one connection. Resolves with everything received, once the server has ended
 * the connection.
 */
async function exchange(...pieces: readonly string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.setEncoding("latin1");
  let received = "";
  socket.on("data", (text: string) => {
    received += text;
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  for (const piece of pieces) socket.write(piece);
  await once(socket, "close");
  return received;
}

describe("the server ends", () => {
  it("a connection that sends nothing", async () => {
    expect(await exchange()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("a connection whose headers do not end", async () => {
    expect(await exchange("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("a request whose body does not end", async () => {
    const head = "POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n";
    expect(await exchange(head, "12345")).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("a request whose chunked body does not end", async () => {
    const head = "POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect(await exchange(head, "5\r\n12345\r\n")).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("a connection that stays idle after its answer", async () => {
    expect(await exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*well$/,
    );
  });

  it("a request with too large a header section", async () => {
    const head = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(3000)}\r\n\r\n`;
    expect(await exchange(head)).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("an answer without an end", () => {
  /** A server whose answers go on for ever, and the end of the first of them. */
  async function endless(
    silentMs: number,
    pull: (to: ReadableStreamDefaultController) => void | Promise<void>,
  ) {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const body = () => new ReadableStream({ pull, cancel: () => resolve() });
    const made = createHttpServer(() => new Response(body()), { ...limits, silentMs });
    made.listen(0, "127.0.0.1");
    await once(made, "listening");
    const socket = connect((made.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const stop = () => {
      socket.destroy();
      made.close();
    };
    return { socket, cancelled, stop };
  }

  it("is ended when its client stops reading", async () => {
    const piece = Buffer.alloc(64 * 1024);
    const { socket, cancelled, stop } = await endless(300, (to) => to.enqueue(piece));
    socket.pause();
    await cancelled;
    stop();
  });

  it("goes on for a client that reads it, however little there is", async () => {
    const { socket, cancelled, stop } = await endless(1_000, async (to) => {
      await pause(50);
      to.enqueue(Buffer.from("x"));
    });
    let ended = false;
    cancelled.then(() => {
      ended = true;
    });
    // 1.25 s at least.
    for (let count = 0; count < 25; count += 1) await once(socket, "data");
    expect(ended).toBe(false);
    stop();
    await cancelled;
  });
});

/**
 * Uploads 10 MiB to `to`, pausing `pauseMs` between pieces, until all is sent or the server ends
 * the connection.
 */
async function trickle(to: Server, pieceBytes: number, pauseMs: number) {
  const socket = connect((to.address() as AddressInfo).port, "127.0.0.1");
  socket.setEncoding("latin1");
  // `once` of events would reject at the error that a write after the server's end brings.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  let received = "";
  socket.on("data", (text: string) => {
    received += text;
  });
  socket.on("error", () => {});
  socket.write(
    `POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: ${UPLOAD_BYTES}\r\nConnection: close\r\n\r\n`,
  );
  let sent = 0;
  while (sent < UPLOAD_BYTES && socket.writable) {
    const piece = Buffer.alloc(Math.min(pieceBytes, UPLOAD_BYTES - sent), "x");
    socket.write(piece);
    sent += piece.length;
    await pause(pauseMs);
  }
  await closed;
  return { received, sent };
}

describe("an upload", () => {
  it("of 10 MiB in many pieces is accepted well within the limit", async () => {
    const bytes = UPLOAD_BYTES;
    const piece = "x".repeat(64 * 1024);
    const head = `POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`;
    const pieces = Array.from({ length: bytes / piece.length }, () => piece);
    const patient = createHttpServer(app.fetch);
    patient.listen(0, "127.0.0.1");
    await once(patient, "listening");
    const socket = connect((patient.address() as AddressInfo).port, "127.0.0.1");
    socket.setEncoding("latin1");
    let received = "";
    socket.on("data", (text: string) => {
      received += text;
    });
    socket.write(head);
    for (const text of pieces) {
      if (!socket.write(text)) await once(socket, "drain");
    }
    await once(socket, "close");
    patient.close();
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received.endsWith(String(bytes))).toBe(true);
  });

  it("that is slow, but above the minimum pace, outlives every other limit", async () => {
    const patient = createHttpServer(app.fetch, { ...limits, requestMs: 60_000 });
    patient.listen(0, "127.0.0.1");
    await once(patient, "listening");
    // 160 KiB every 25 ms: 1.6 s at least, four times the limit for headers and eight times the
    // idle limit.
    const { received, sent } = await trickle(patient, 160 * 1024, 25);
    patient.close();
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received.endsWith(String(UPLOAD_BYTES))).toBe(true);
    expect(sent).toBe(UPLOAD_BYTES);
  });

  it("slower than the minimum pace is ended, though it never pauses", async () => {
    // 1 KiB every 5 ms would take 51 s: the limit is 0.8 s.
    const { received, sent } = await trickle(server, 1024, 5);
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(sent).toBeLessThan(UPLOAD_BYTES);
  });

  it("may take two minutes: 10 MiB at 87 KiB a second", () => {
    expect(CONNECTION_LIMITS).toEqual({
      headersMs: 15_000,
      requestMs: 120_000,
      keepAliveMs: 10_000,
      silentMs: 150_000,
      checkMs: 5_000,
      headerBytes: 16_384,
      headerCount: 100,
    });
  });
});
