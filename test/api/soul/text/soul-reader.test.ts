import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import type { ApiError } from "../../../../api/kernel/errors.ts";
import { afterProcessorTime } from "../../../../api/soul/text/processor-time.ts";
import { createSoulReader, type ParsingLimits } from "../../../../api/soul/text/soul-reader.ts";
import { soulTasks } from "../../../../api/soul/text/soul-tasks.ts";
import { capturedLog } from "../../helpers.ts";

const SALT = `0x${"5a".repeat(32)}` as const;
const FILE = { part: "file", caller: "192.0.2.1" };
const SECRET = "Listens to the weir at night.";
const { log, lines } = capturedLog();

const PATIENT: ParsingLimits = { threads: 1, timeoutMs: 60_000, queue: 4, waitMs: 60_000 };
const readers: { close(): Promise<void> }[] = [];
function reader(limits: ParsingLimits) {
  const reader = createSoulReader(limits, log);
  readers.push(reader);
  return reader;
}
afterAll(async () => {
  for (const made of readers) await made.close();
});

/** Starting a thread takes a moment: tests that need no other limits share one. */
const patient = reader(PATIENT);

const markdown = (text: string) => ({
  format: "soul_md",
  source: new TextEncoder().encode(text),
  defaults: {},
  soulSalt: SALT,
});
/** Takes many milliseconds on any machine. */
const LONG = markdown(
  `---\n${Array.from({ length: 30_000 }, (_, n) => `k${n}: ${SECRET}`)
    .join("\n")
    .slice(0, 500_000)}\n---\n`,
);
const refusalOf = (run: Promise<unknown>) =>
  run.then(
    () => "not refused",
    ({ type, message, details, retryAfter }: ApiError) => ({ type, message, details, retryAfter }),
  );

it("answers as the tasks themselves do, refusals included", async () => {
  const { run } = patient;
  const source = markdown(`# Ada\n## Purpose\n${SECRET}`);
  expect(await run("normaliseSource", source, FILE)).toEqual(soulTasks.normaliseSource(source));
  const document = { identity: { name: "Ada", agent_type: "other" } };
  expect(await run("hashDocument", { document, soulSalt: SALT }, FILE)).toBe(
    soulTasks.hashDocument({ document, soulSalt: SALT }),
  );
  expect(await refusalOf(run("normaliseSource", { ...source, format: "toml" }, FILE))).toEqual({
    type: "INVALID_REQUEST",
    message: "The request is not valid.",
    details: {
      issues: [{ path: "format", message: expect.stringContaining("A source format is one of") }],
    },
  });
});

it("lets other work continue while a text is read", async () => {
  const { run } = patient;
  const order: string[] = [];
  const long = refusalOf(run("normaliseSource", LONG, FILE)).then(() => order.push("long text"));
  await new Promise((resolve) => setImmediate(resolve));
  order.push("other work");
  await long;
  expect(order).toEqual(["other work", "long text"]);
});

it("refuses a text that takes too long, and keeps a spare thread for the next one", async () => {
  let started = 0;
  const count = () => {
    started += 1;
  };
  process.on("worker", count);
  onTestFinished(() => void process.off("worker", count));
  const { run } = reader({ ...PATIENT, timeoutMs: 5 });
  await vi.waitFor(() => expect(started).toBe(2));
  expect(await refusalOf(run("normaliseSource", LONG, FILE))).toEqual({
    type: "INVALID_REQUEST",
    message: "The request is not valid.",
    details: {
      issues: [{ path: "file", message: "It takes too long to read. Simplify or shorten it." }],
    },
  });
  await vi.waitFor(() => expect(started).toBe(3));
  // The first text of a new thread may still take longer than this limit.
  let answer: unknown;
  while (typeof answer !== "string") {
    answer = await run(
      "hashDocument",
      { document: { identity: { name: "Ada", agent_type: 4 } }, soulSalt: SALT },
      FILE,
    ).catch((error: unknown) => error);
  }
  expect(answer).toMatch(/^0x[0-9a-f]{64}$/);
});

it("counts the processor time of a thread, and not the time in which it does nothing", async () => {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    parentPort.postMessage("started");
    Atomics.wait(workerData, 0, 0);
    parentPort.postMessage("woke");
    for (;;) Math.sqrt(2);`,
    { eval: true, workerData: lock },
  );
  onTestFinished(() => void thread.terminate());
  const order: unknown[] = [];
  thread.on("message", (message) => order.push(message));
  await vi.waitFor(() => expect(order).toEqual(["started"]));
  const asked = vi.spyOn(thread, "cpuUsage");
  const used = afterProcessorTime(thread, 50, new AbortController().signal);
  void used.then(() => order.push("over"));
  // Each time the limit has passed, and the thread has used none of it.
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(3), 10_000);
  expect(order).toEqual(["started"]);
  Atomics.store(lock, 0, 1);
  Atomics.notify(lock, 0);
  await used;
  expect(order).toEqual(["started", "woke", "over"]);
});

it("stops counting when the text has been read", async () => {
  const thread = new Worker("setInterval(() => {}, 1000)", { eval: true });
  onTestFinished(() => void thread.terminate());
  await once(thread, "online");
  const ended = new AbortController();
  const used = afterProcessorTime(thread, 60_000, ended.signal);
  ended.abort();
  await expect(used).rejects.toMatchObject({ name: "AbortError" });
});

it("refuses texts beyond the queue limit, and accepts them again afterwards", async () => {
  const { run } = reader({ ...PATIENT, queue: 2 });
  const small = () => refusalOf(run("normaliseSource", markdown("# Ada"), FILE));
  const answers = await Promise.all(Array.from({ length: 5 }, small));
  const busy = {
    type: "SERVICE_UNAVAILABLE",
    message: "Too many texts are being read. Retry after a moment.",
    details: undefined,
    retryAfter: 1,
  };
  expect(answers).toEqual(["not refused", "not refused", "not refused", busy, busy]);
  expect(await small()).toBe("not refused");
});

it("names an unexpected failure without quoting the text, and logs none of it", async () => {
  const { run } = patient;
  const document = { identity: { name: SECRET, agent_type: "other" } };
  await expect(run("hashDocument", { document, soulSalt: "0x5a" }, FILE)).rejects.toEqual(
    new Error("A parsing thread failed: InvalidSaltError."),
  );
  expect(lines.join("\n")).not.toContain(SECRET);
});
