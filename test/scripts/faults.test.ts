import { expect, it } from "vitest";
import { ApiError } from "../../kit/client/index.ts";
import { killsOf } from "../../scripts/faults/faults.ts";
import { Ledger } from "../../scripts/faults/ledger.ts";
import { PARTS, type PartName, type Topology } from "../../scripts/faults/topology.ts";
import { randomNumbers } from "../../scripts/lib/random-numbers.ts";

/** A topology whose parts only note what happens to them. */
function notedTopology(left: number) {
  const noted: string[] = [];
  const parts = Object.fromEntries(
    PARTS.map((name) => [
      name,
      {
        kill: async () => {
          noted.push(`${name} killed`);
          return left;
        },
        start: async () => noted.push(`${name} started`),
        ready: async () => {},
      },
    ]),
  );
  return { noted, topology: { parts } as unknown as Topology };
}

const kills = (topology: Topology, ledger: Ledger, seed: number, count = 100) =>
  killsOf(topology, ledger, count, randomNumbers(seed), async () => {});

it("plans the same kills for the same seed", () => {
  const { topology } = notedTopology(0);
  const titles = (seed: number) => kills(topology, new Ledger(), seed).map(({ what }) => what);
  expect(titles(7)).toEqual(titles(7));
  expect(titles(7)).not.toEqual(titles(8));
});

it("kills each kind of process at least 25 times of 100, and restarts PostgreSQL 20 times", async () => {
  const { topology, noted } = notedTopology(0);
  const ledger = new Ledger();
  for (const fault of kills(topology, ledger, 7)) await fault.happen();
  const count = (kind: string) =>
    [...ledger.kills].reduce((sum, [name, of]) => sum + (name.startsWith(kind) ? of : 0), 0);
  expect(["api", "worker", "indexer", "postgres"].map(count)).toEqual([34, 33, 33, 20]);
  const both: readonly PartName[] = ["api-1", "api-2", "worker-1", "worker-2"];
  for (const name of both) expect(noted).toContain(`${name} killed`);
  expect(noted.filter((what) => what === "postgres started")).toHaveLength(20);
  expect(ledger.broken).toEqual([]);
});

it("counts processes that a killed one leaves behind as a broken promise", async () => {
  const ledger = new Ledger();
  await kills(notedTopology(2).topology, ledger, 7, 1)[0]?.happen();
  expect(ledger.broken).toEqual([
    expect.stringMatching(/^api-[12] left 2 processes behind its kill\.$/),
  ]);
});

it("counts the time of a valid answer from the sale that is still in the chain", () => {
  const ledger = new Ledger();
  expect(ledger.longestValid).toBeUndefined();
  const now = performance.now();
  const kept = { at: now - 9_000, valid: { at: now - 7_000, operation: "getProfile" } };
  const leftOut = { at: now - 8_000, valid: { at: now - 1_000, operation: "introspectToken" } };
  ledger.sales.push(kept, leftOut, { at: now - 3_000 });
  expect(ledger.longestValid).toEqual({ ms: 7_000, operation: "introspectToken" });
  ledger.reorganized(leftOut.at);
  expect(ledger.longestValid).toEqual({ ms: 2_000, operation: "getProfile" });
});

it("counts a write that is lost or there twice, and completes one without an answer", async () => {
  const ledger = new Ledger();
  const write = (what: string, shown: number, send = async () => {}) =>
    ledger.write("chronicle", { what, send, shown: async () => shown });
  await write("Kept", 1);
  await write("Lost", 0);
  await write("Doubled", 2);
  let tries = 0;
  const unanswered = write("Unanswered", 1, async () => {
    tries += 1;
    if (tries === 1) throw new ApiError("NETWORK_ERROR", "No answer.");
  });
  await expect(unanswered).rejects.toThrow("No answer.");
  await ledger.settle();
  await ledger.verify();
  expect(ledger.counts).toEqual({ done: 4, completed: 1, refused: 0 });
  expect(ledger.broken).toEqual([
    "Lost is there 0 times instead of 1.",
    "Doubled is there 2 times instead of 1.",
  ]);
});
