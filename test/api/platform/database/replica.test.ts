import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import {
  parsePositionToken,
  type WalPosition,
} from "../../../../api/platform/database/positions.ts";
import { createReads, type Reads } from "../../../../api/platform/database/reads.ts";
import { watchReplica } from "../../../../api/platform/database/replica.ts";
import { listReplicas } from "../../../../api/platform/database/replicas.store.ts";
import { firingAlerts, hasPromtool } from "../../../fixtures/alert-rules.ts";
import {
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from "../../../fixtures/replicated-postgres.ts";
import { processPhase } from "../../../fixtures/watched-process.ts";
import { capturedLog } from "../../helpers.ts";

// A real streaming replica, whose replay a test can pause.

let servers: ReplicatedPostgres;
let primary: DatabaseConnection;
const { log } = capturedLog("silent");

beforeAll(async () => {
  servers = await startReplicatedPostgres();
  primary = connectDatabase(servers.primaryUrl, log);
  await primary.pool.query("create table written (id int primary key)");
}, 120_000);
afterAll(async () => {
  await primary?.close();
  await servers?.stop();
});

/** Reads that wait a minute for what is to come, unless a test says otherwise. */
async function openReads(setting: { maxLagMs?: number; waitMs?: number } = {}): Promise<Reads> {
  const reads = createReads({
    primary: primary.pool,
    readUrl: servers.replicaUrl,
    maxLagMs: setting.maxLagMs ?? 60_000,
    waitMs: setting.waitMs ?? 60_000,
    silenceMs: 10_000,
    log,
  });
  onTestFinished(reads.close);
  await vi.waitUntil(() => reads.replica?.standing().fault === null, { timeout: 30_000 });
  return reads;
}

async function serverOf({ pool }: Pick<Reads, "pool">): Promise<string> {
  const { rows } = await pool.query<{ port: number }>("select inet_server_port() as port");
  return rows[0]?.port === servers.replicaPort ? "replica" : "primary";
}

async function countOf({ pool }: Pick<Reads, "pool">, id: number): Promise<string> {
  const { rows } = await pool.query("select id from written where id = $1", [id]);
  return `${rows.length} of ${await serverOf({ pool })}`;
}

const insert = (id: number) => primary.pool.query("insert into written values ($1)", [id]);

async function positionOf(reads: Reads): Promise<WalPosition> {
  const position = parsePositionToken((await reads.position()) ?? "");
  if (position === null) throw new Error("No position was answered.");
  return position;
}

describe("reads", () => {
  it("go to the replica within an operation that may read it, and nowhere else", async () => {
    const reads = await openReads();
    expect(await reads.within("recent", () => serverOf(reads))).toBe("replica");
    expect(await serverOf(reads)).toBe("primary");
    expect(await reads.within("recent", () => serverOf(primary))).toBe("primary");
  });

  it("go to the primary without a replica, and name no position", async () => {
    const reads = createReads({
      primary: primary.pool,
      readUrl: undefined,
      maxLagMs: 1,
      waitMs: 1,
      silenceMs: 1,
      log,
    });
    expect(await reads.within("recent", () => serverOf(reads))).toBe("primary");
    expect(await reads.position()).toBeNull();
    expect(reads.replica).toBeNull();
  });

  it("in a transaction go to the primary", async () => {
    const reads = await openReads();
    const port = await reads.within("recent", async () => {
      const client = await reads.pool.connect();
      try {
        const { rows } = await client.query("select inet_server_port() as port");
        return rows[0].port;
      } finally {
        client.release();
      }
    });
    expect(port).toBe(servers.primaryPort);
  });

  it("cannot write", async () => {
    const reads = await openReads();
    const writing = reads.within("recent", () =>
      reads.pool.query("insert into written values (-1)"),
    );
    await expect(writing).rejects.toMatchObject({ code: "25006" });
  });
});

describe("what a caller has just written", () => {
  afterEach(() => servers.resumeReplay());

  it("is read from the replica as soon as it is there", async () => {
    const reads = await openReads();
    await servers.pauseReplay();
    await insert(1);
    const position = await positionOf(reads);
    let isAnswered = false;
    const read = reads
      .within({ position }, () => countOf(reads, 1))
      .finally(() => {
        isAnswered = true;
      });
    // Without the position an older state is answered.
    expect(await reads.within("recent", () => countOf(reads, 1))).toBe("0 of replica");
    expect(isAnswered).toBe(false);
    await servers.resumeReplay();
    expect(await read).toBe("1 of replica");
  });

  it("is read from the primary after a bounded wait", async () => {
    const reads = await openReads({ waitMs: 40 });
    await servers.pauseReplay();
    await insert(2);
    const position = await positionOf(reads);
    expect(await reads.within({ position }, () => countOf(reads, 2))).toBe("1 of primary");
  });

  it("is read at once from the primary when the position is of another server", async () => {
    // A wait would last longer than the test may.
    const reads = await openReads({ waitMs: 600_000 });
    const position = (await positionOf(reads)) + (1n << 40n);
    expect(await reads.within({ position }, () => serverOf(reads))).toBe("primary");
  });
});

describe("a replica that is too far behind", () => {
  afterEach(() => servers.resumeReplay());

  it("is left alone until it has caught up", async () => {
    const reads = await openReads({ maxLagMs: 1_500 });
    await servers.pauseReplay();
    await insert(3);
    await vi.waitUntil(() => reads.replica?.standing().fault === "behind", { timeout: 30_000 });
    expect(reads.replica?.standing().lagMs).toBeGreaterThan(1_500);
    expect(await reads.within("recent", () => countOf(reads, 3))).toBe("1 of primary");
    await servers.resumeReplay();
    await vi.waitUntil(() => reads.replica?.standing().fault === null, { timeout: 30_000 });
  });

  it("is not one in which nothing was written", async () => {
    const connection = connectDatabase(servers.replicaUrl, log);
    onTestFinished(connection.close);
    let time = 0;
    const watch = watchReplica({
      primary: primary.pool,
      replica: connection.pool,
      maxLagMs: 1_000,
      waitMs: 0,
      log,
      now: () => time,
      pollMs: 5,
    });
    onTestFinished(watch.stop);
    await vi.waitUntil(() => watch.standing().fault === null, { timeout: 30_000 });
    await servers.pauseReplay();
    time = 3_600_000;
    expect(await watch.mayRead("recent")).toBe(false);
    // The next look finds that nothing is missing.
    await vi.waitUntil(() => watch.standing().lagMs === 0, { timeout: 30_000 });
    expect(await watch.mayRead("recent")).toBe(true);
  });
});

describe("a replica that is away", () => {
  it("loses no read, and is used again when it is back", async () => {
    const reads = await openReads();
    expect(await reads.within("recent", () => serverOf(reads))).toBe("replica");
    // The first statement is on its way when the replica ends: the same operation is answered.
    const answers = await reads.within("recent", async () => {
      await servers.stopReplica();
      return [await serverOf(reads), await serverOf(reads)];
    });
    expect(answers).toEqual(["primary", "primary"]);
    expect(reads.replica?.standing().fault).toBe("unreachable");
    expect(await reads.within("recent", () => serverOf(reads))).toBe("primary");

    await servers.startReplica();
    await vi.waitUntil(() => reads.replica?.standing().fault === null, { timeout: 60_000 });
    expect(await reads.within("recent", () => serverOf(reads))).toBe("replica");
  }, 120_000);
});

describe.skipIf(!hasPromtool)("the alerts that fire", () => {
  /** What a process with these reads answers at /metrics. */
  const phase = (reads: Reads, work?: () => unknown, growing?: readonly RegExp[]) =>
    processPhase({
      sources: {
        readReplica: () => reads.replica && { isUsable: reads.replica.standing().fault === null },
        replicas: () => listReplicas(primary.db),
      },
      work,
      growing,
    });
  const shows = (replicas: readonly unknown[]) =>
    vi.waitFor(async () => expect(await listReplicas(primary.db)).toEqual(replicas), {
      timeout: 60_000,
    });
  const CAUGHT_UP = [{ replica: expect.any(String), lagSeconds: 0 }];

  it("when a replica does not show what is written", async () => {
    const reads = await openReads({ maxLagMs: 1_500 });
    await shows(CAUGHT_UP);
    const healthy = await phase(reads);
    await servers.pauseReplay();
    onTestFinished(() => servers.resumeReplay());
    let id = 100;
    await insert(id);
    await vi.waitUntil(() => reads.replica?.standing().fault === "behind", { timeout: 30_000 });
    const write = () => {
      id += 1;
      return insert(id);
    };
    const lagging = await phase(reads, write, [/^svc_database_replication_lag_seconds/]);
    expect(firingAlerts(healthy, lagging)).toEqual(["ReadReplicaUnused", "ReplicationLag"]);
  });

  it("when a replica is away", async () => {
    const reads = await openReads();
    await shows(CAUGHT_UP);
    const healthy = await phase(reads);
    await servers.stopReplica();
    onTestFinished(() => servers.startReplica());
    await vi.waitUntil(() => reads.replica?.standing().fault === "unreachable", {
      timeout: 30_000,
    });
    await shows([]);
    const away = await phase(reads);
    expect(firingAlerts(healthy, away)).toEqual(["ReadReplicaUnused", "ReplicaLost"]);
  });
});

// The last one: a promoted server never follows again.
describe("a replica that was promoted", () => {
  it("is left alone, also while it answers", async () => {
    const reads = await openReads();
    await servers.promote();
    await vi.waitUntil(() => reads.replica?.standing().fault === "promoted", { timeout: 30_000 });
    expect(await reads.within("recent", () => serverOf(reads))).toBe("primary");
    const client = new pg.Client({ connectionString: servers.replicaUrl });
    await client.connect();
    const { rows } = await client.query("select pg_is_in_recovery() as replaying");
    await client.end();
    expect(rows).toEqual([{ replaying: false }]);
  });
});
