import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runFaults } from "../../scripts/faults/run.ts";
import { silentProgress } from "../../scripts/lib/progress.ts";

// Five kills of `npm run test:faults`, on a small topology of the built service.

/** Many times what a quiet machine needs. */
const LONGEST_MS = 1_200_000;
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kills-e2e-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it.runIf(process.platform === "linux")(
  "the built service loses and doubles nothing while its processes are killed",
  async () => {
    const { rows, broken, recoveries } = await runFaults({
      size: "small",
      kills: 5,
      seed: 20_261_126,
      rate: 5,
      minutes: 0,
      only: [],
      directory,
      progress: silentProgress,
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    expect(broken).toEqual([]);
    expect(rows.filter(({ held }) => !held)).toEqual([]);
    expect(recoveries).toHaveLength(1);
    expect(rows.find(({ what }) => what === "kills at random moments")?.found).toBe(
      "api-1 2, worker-1 2, indexer 1, postgres 1",
    );
  },
  LONGEST_MS,
);
