import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createAuditStore } from "../../api/features/audits/audits.store.ts";
import { createAuditUploads } from "../../api/features/audits/uploads.ts";
import { createDisclosureStore } from "../../api/features/disclosure/index.ts";
import { createMessageSignatures } from "../../api/platform/chain/signatures.ts";
import type { DatabaseConnection } from "../../api/platform/database/connect.ts";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { createLocalStorage } from "../../api/platform/storage/local.ts";
import { createPermanentStorage } from "../../api/platform/storage/permanent.ts";
import { createChainSouls } from "../../api/soul/chain-soul.chain.ts";
import { auditUploadText } from "../../protocol/index.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { sharedBuild } from "../../scripts/service/shared-build.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import {
  type AuditableAgent,
  auditableAgent,
  auditVerbs,
  fileHash,
  fileOf,
  type KeptSoul,
  keptSoul,
  uploadForm,
} from "../fixtures/audits.ts";
import { createKeptTables, keptJobs, sentJobs } from "../fixtures/chronicles.ts";
import { Killed, Life, mortal } from "../fixtures/mortal.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { connectTo } from "../fixtures/owner-operations.ts";
import { idempotencyKey, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";
import { directSoulReader } from "../fixtures/soul-reader.ts";

// Processes that carry audits out: killed at every step, and measured with many agents.

let service: Service;
let audits: ReturnType<typeof auditVerbs>;
let connection: DatabaseConnection;
beforeAll(async () => {
  service = await sharedService();
  audits = auditVerbs(service);
  connection = await connectTo(service);
  await createKeptTables(connection);
});
afterAll(async () => {
  await connection?.close();
  await service?.stop();
});

/** The uploads of one process, with what it has sent to regulators. */
function uploadProcess(life = new Life(() => false)) {
  const { client, contracts } = service.chain;
  const clock = () => new Date();
  const { db } = connection;
  const storage = createLocalStorage(db, clock);
  const archive = createPermanentStorage(
    createItemSigner(stackAccounts().storage.privateKey),
    storage,
  );
  const sent: string[] = [];
  const regulator = {
    deliver: async (_did: string, { auditId }: { auditId: string }) => {
      sent.push(auditId);
      return "https://river.example";
    },
  };
  const own = mortal({ store: createAuditStore({ db, jobs: keptJobs }), archive, regulator }, life);
  const uploads = createAuditUploads({
    store: own.store,
    disclosures: createDisclosureStore(db),
    souls: createChainSouls({ client, soulView: contracts.soulView }),
    chain: { organization: () => Promise.reject(new Error("No organization is audited.")) },
    membersOf: async () => [],
    history: {
      archivedClaim: async () => null,
      chronicles: async () => ({ valid: 0, invalid: 0, pending: 0 }),
    },
    secrets: { salt: async () => null, policy: async () => null },
    reader: directSoulReader,
    signatures: createMessageSignatures({ client, timeoutMs: 5_000 }),
    archive: own.archive,
    deliver: own.regulator.deliver,
    place: {
      chainId: 31337,
      soulRegistry: contracts.soulRegistry,
      soulView: contracts.soulView,
    },
    log: { warn: () => undefined },
    clock,
    newId: randomUUID,
  });
  const upload = async (auditId: string, agent: AuditableAgent) => {
    const { text } = fileOf(agent);
    const signature = await agent.owner.signMessage({
      message: auditUploadText(auditId, [fileHash(text)]),
    });
    return uploads.regulatory(
      auditId,
      (async function* () {
        yield { kind: "signature", value: signature } as const;
        yield { kind: "salt", value: agent.salt } as const;
        yield { kind: "file", bytes: new TextEncoder().encode(text) } as const;
      })(),
    );
  };
  return { uploads, upload, sent };
}

async function stateOf(auditId: string, agent: AuditableAgent) {
  const { rows } = await service.pool.query(
    `select completed_at is not null as completed, record is not null as recorded, archive_id,
       (select count(*)::int from app.disclosure where token_id = $2 and trigger = 'regulatory_audit') as disclosures,
       (select count(*)::int from app.storage_item
        where position(convert_to($1::text, 'UTF8') in bytes) > 0) as items
     from app.audit where id = $1::uuid`,
    [auditId, agent.tokenId],
  );
  const jobs = (await sentJobs(connection)).filter(({ data }) => data.auditId === auditId);
  return { ...rows[0], jobs: jobs.length };
}

describe("an upload whose process is killed", () => {
  it("leaves its audit open or completed once, with one record", async () => {
    const agent = await auditableAgent(service);
    let completed = 0;
    const outcomes = new Set<string>();
    for (let step = 1; ; step += 1) {
      const auditId = await audits.request(agent);
      const life = new Life((at) => at === step);
      const killed = uploadProcess(life);
      // After its commit an upload answers even if a later step fails: its package is not lost.
      await killed.upload(auditId, agent).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      const end = life.isDead ? "killed" : "finished";
      const left = await stateOf(auditId, agent);
      expect([left.completed, left.recorded, left.jobs]).toEqual(
        left.completed ? [true, true, 1] : [false, false, 0],
      );
      expect(left.disclosures).toBe(completed + (left.completed ? 1 : 0));
      outcomes.add(`${end} ${left.completed ? "completed" : "open"} ${left.items}`);

      const next = uploadProcess();
      // What the client and the queue do after a restart.
      if (left.completed) await next.uploads.archiveRecord(auditId);
      else await next.upload(auditId, agent);
      completed += 1;
      expect(await stateOf(auditId, agent)).toEqual({
        completed: true,
        recorded: true,
        archive_id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
        disclosures: completed,
        items: 1,
        jobs: 1,
      });
      expect(killed.sent.length + next.sent.length).toBeLessThanOrEqual(1);
      if (end === "finished") break;
    }
    expect([...outcomes].sort()).toEqual([
      "finished completed 1",
      "killed completed 0",
      "killed completed 1",
      "killed open 0",
    ]);
  }, 180_000);
});

/** The API in a process of its own, over the chain and database of the service. */
async function startApi() {
  const place = inject("service");
  const child = spawn(process.execPath, [join(await sharedBuild(), "scripts/api.js")], {
    env: { PATH: process.env.PATH, ...place.environment, SVC_API_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    printed += text;
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const address = async (): Promise<string> => {
    for (;;) {
      const port = /"port":(\d+)/.exec(printed)?.[1];
      const url = `http://127.0.0.1:${port}`;
      if (port !== undefined && (await fetch(`${url}/ready`)).ok) return url;
      if (child.exitCode !== null) throw new Error(`The API ended: ${printed}`);
      await delay(50);
    }
  };
  return {
    url: await address(),
    /** Resident memory in KiB: now, and at most since the last reset of the peak. */
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      const kib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]);
      return { now: kib("VmRSS"), peak: kib("VmHWM") };
    },
    resetPeak: () => writeFile(`/proc/${child.pid}/clear_refs`, "5"),
    log: () => printed,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

// SVC_SOAK=1 tests the promised number and its memory: what the process collects, and when, differs
// from run to run. Without it, more agents than a call of the node can answer at once.
const SOAK = process.env.SVC_SOAK === "1";
const AGENTS = SOAK ? 200 : 50;
const BATCH = 50;
/** Of each file. */
const TEXT_KIB = 25;
const MAX_ABOVE_IDLE_KIB = 100 * 1024;

/** An organization of which the admin owns all agents, each with a long soul. */
async function largeOrganization() {
  const world = organizationVerbs(service);
  const admin = newAccount();
  const organizationId = await world.found(admin);
  const souls: KeptSoul[] = [];
  while (souls.length < AGENTS) {
    const some = Array.from({ length: BATCH }, (_, index) =>
      keptSoul(`${souls.length + index} herons. `.padEnd(TEXT_KIB * 1024, "Counted again. ")),
    );
    const agents = some.map(({ name, hashes }) => {
      const { ownerAddress: _owner, ...agent } = registrationBody(name, admin);
      return { ...agent, ...hashes };
    });
    const body = { organizationId, agents, ownerAddress: admin.address };
    const signed = await world.signedAs("org-batch", body, admin);
    const path = `/v1/org/${organizationId}/batch-register`;
    const answer = await world.send("POST", path, signed, { "Idempotency-Key": idempotencyKey() });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    souls.push(...some);
  }
  return { admin, organizationId, souls };
}

describe(`an organization of ${AGENTS} agents`, () => {
  it("is audited whole, within 100 MiB above the idle service", async () => {
    const { admin, organizationId, souls } = await largeOrganization();
    const auditId = await audits.requestOrganization(organizationId, admin);
    const form = await uploadForm(auditId, souls.map(fileOf), admin, "files[]");
    const api = await startApi();
    try {
      const idle = await api.memory();
      await api.resetPeak();
      const answer = await fetch(`${api.url}/v1/disclose/org-audit/${auditId}/upload`, {
        method: "POST",
        body: form,
      });
      const body = (await answer.json()) as { verifiedCount: number };
      const { peak } = await api.memory();
      expect(answer.status, JSON.stringify(body).slice(0, 1_000)).toBe(200);
      expect(body.verifiedCount).toBe(AGENTS);
      if (SOAK) {
        console.log({ idleKiB: idle.now, peakKiB: peak });
        expect(peak - idle.now).toBeLessThan(MAX_ABOVE_IDLE_KIB);
      }
      expect(api.log()).not.toContain("Counted again.");
    } finally {
      await api.stop();
    }
  }, 300_000);
});
