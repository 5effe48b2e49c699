import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import type { AppDeps } from "../../api/app.ts";
import { createApp, DEFAULT_LIMITS } from "../../api/app.ts";
import type { LogLevel } from "../../api/log.ts";
import { createLog } from "../../api/log.ts";
import type { Idempotency } from "../../api/services/idempotency.ts";

/** A logger whose lines are kept for the test to read. */
export function capturedLog(level: LogLevel = "trace") {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log: createLog(level, destination), lines, entries };
}

/** For tests that are not about repetition: no key is ever remembered. */
const everyRequestRuns: Idempotency = {
  begin: async () => ({
    kind: "run",
    operationId: randomUUID(),
    lease: { finish: async () => {}, forget: async () => {}, release: async () => {} },
  }),
};

/** For services that a test is not about: whoever reaches one has taken a wrong turn. */
const notHere = async (): Promise<never> => {
  throw new Error("This test has no such service.");
};

/** Dependencies of an app in which everything is ready; a test replaces what it is about. */
export function testDeps(overrides: Partial<AppDeps> = {}): AppDeps {
  return {
    log: createLog("silent"),
    clock: () => new Date(),
    publicUrl: new URL("http://127.0.0.1:8787"),
    limits: DEFAULT_LIMITS,
    readiness: { check: async () => ({ postgres: { ready: true } }) },
    idempotency: everyRequestRuns,
    signIn: {
      challengeWallet: notHere,
      challengeAgent: notHere,
      verifyWallet: notHere,
      verifyAgent: notHere,
      redeemCode: notHere,
    },
    introspection: { introspect: notHere },
    ...overrides,
  };
}

/** The whole app on `testDeps`. */
export function testApp(overrides: Partial<AppDeps> = {}) {
  return createApp(testDeps(overrides));
}
