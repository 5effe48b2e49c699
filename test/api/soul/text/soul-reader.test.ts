import { afterAll, expect, it } from "vitest";
import type { ApiError } from "../../../../api/kernel/errors.ts";
import { createSoulReader, type ParsingLimits } from "../../../../api/soul/text/soul-reader.ts";
import { soulTasks } from "../../../../api/soul/text/soul-tasks.ts";
import { capturedLog } from "../../helpers.ts";

const SALT = `0x${"5a".repeat(32)}` as const;
const SECRET = "Listens to the weir at night.";
const { log, lines } = capturedLog();

const PATIENT: ParsingLimits = { threads: 1, timeoutMs: 60_000, queue: 4 };
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
  expect(await run("normaliseSource", source, "file")).toEqual(soulTasks.normaliseSource(source));
  const document = { identity: { name: "Ada", agent_type: "other" } };
  expect(await run("hashDocument", { document, soulSalt: SALT }, "normalisedCcsf")).toBe(
    soulTasks.hashDocument({ document, soulSalt: SALT }),
  );
  expect(await refusalOf(run("normaliseSource", { ...source, format: "toml" }, "file"))).toEqual({
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
  const long = refusalOf(run("normaliseSource", LONG, "file")).then(() => order.push("long text"));
  await new Promise((resolve) => setImmediate(resolve));
  order.push("other work");
  await long;
  expect(order).toEqual(["other work", "long text"]);
});

it("refuses a text that takes too long, and reads the next one in a new thread", async () => {
  const { run } = reader({ ...PATIENT, timeoutMs: 5 });
  expect(await refusalOf(run("normaliseSource", LONG, "file"))).toEqual({
    type: "INVALID_REQUEST",
    message: "The request is not valid.",
    details: {
      issues: [{ path: "file", message: "It takes too long to read. Simplify or shorten it." }],
    },
  });
  // The first text of a new thread may still take longer than this limit.
  let answer: unknown;
  while (typeof answer !== "string") {
    answer = await run(
      "hashDocument",
      { document: { identity: { name: "Ada", agent_type: 4 } }, soulSalt: SALT },
      "ccsf",
    ).catch((error: unknown) => error);
  }
  expect(answer).toMatch(/^0x[0-9a-f]{64}$/);
});

it("refuses texts beyond the queue limit, and accepts them again afterwards", async () => {
  const { run } = reader({ ...PATIENT, queue: 2 });
  const small = () => refusalOf(run("normaliseSource", markdown("# Ada"), "file"));
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
  await expect(run("hashDocument", { document, soulSalt: "0x5a" }, "ccsf")).rejects.toEqual(
    new Error("A parsing thread failed: InvalidSaltError."),
  );
  expect(lines.join("\n")).not.toContain(SECRET);
});
