import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createSecrets } from "../../api/platform/secrets/secrets.ts";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { doctorCommand } from "../../scripts/doctor/command.ts";
import type { Finding } from "../../scripts/doctor/finding.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { startBundler, startGateway } from "../fixtures/bundler.ts";
import {
  asAdmin,
  createDatabase,
  createEmptyDatabase,
  type TestDatabase,
} from "../fixtures/postgres.ts";
import { type SignInChain, startSignInChain } from "../fixtures/sign-in-chain.ts";
import { startTraceCollector } from "../fixtures/trace-collector.ts";

// Each test plants one fault into a service that is otherwise sound.

const { relayer, storage, users } = stackAccounts();

let chain: SignInChain;
let database: TestDatabase;
let directory: string;
let indexerPort: number;

beforeAll(async () => {
  [chain, database, directory, indexerPort] = await Promise.all([
    startSignInChain(),
    createDatabase(),
    mkdtemp(join(tmpdir(), "svc-doctor-")),
    closedPort(),
  ]);
});
afterAll(async () => {
  await chain?.stop();
  await database?.drop();
  await rm(directory, { recursive: true, force: true });
});

/** The environment of a sound service, with changes. */
function environment(changes: Record<string, string> = {}): Record<string, string> {
  return {
    PUBLIC_URL: "http://127.0.0.1:1",
    SVC_API_PORT: "0",
    SVC_INDEXER_PORT: String(indexerPort),
    DATABASE_URL: database.url,
    RPC_URL: chain.rpcUrl,
    SVC_DEPLOYMENT: chain.deploymentPath,
    RELAYER_PRIVATE_KEY: relayer.privateKey,
    STORAGE_PRIVATE_KEY: storage.privateKey,
    MASTER_KEYS: `v2:${randomBytes(32).toString("base64")}`,
    JWT_SECRETS: `k1:${randomBytes(32).toString("base64")}`,
    TRUSTED_PROXIES: "none",
    ...changes,
  };
}

type Reported = Finding & { readonly area: string; readonly remedy?: string };

async function examine(changes: Record<string, string> = {}) {
  let text = "";
  const code = await doctorCommand(["--json"], {
    environment: environment(changes),
    print: (more) => {
      text += more;
    },
    complain: (more) => {
      throw new Error(more);
    },
  });
  const { findings }: { findings: Reported[] } = JSON.parse(text);
  return { code, text, findings };
}

/** The faults of a service with one change, each as "what → remedy". */
async function faults(changes: Record<string, string> = {}): Promise<string[]> {
  const { code, findings } = await examine(changes);
  const bad = findings.filter(({ level }) => level === "fault");
  expect(code).toBe(bad.length > 0 ? 1 : 0);
  return bad.map(({ what, remedy }) => `${what} → ${remedy}`);
}

async function warnings(changes: Record<string, string> = {}): Promise<string[]> {
  const { findings } = await examine(changes);
  return findings.filter(({ level }) => level === "warning").map(({ what }) => what);
}

/** A deployment file with changes. */
async function deployment(
  change: (file: {
    chainId: number;
    startBlock: number;
    contracts: Record<string, string>;
  }) => void,
) {
  const file = JSON.parse(await readFile(chain.deploymentPath, "utf8"));
  change(file);
  const path = join(directory, `${randomBytes(6).toString("hex")}.json`);
  await writeFile(path, JSON.stringify(file));
  return path;
}

/**
 * A server before the chain's node that answers in its place.
 *
 * @param answer undefined lets the node answer; null refuses every request with status 401.
 */
async function nodeBefore(answer: (method: string) => string | null | undefined): Promise<string> {
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { id, method } = JSON.parse(body);
    const result = answer(method);
    response.setHeader("content-type", "application/json");
    if (result === null) response.statusCode = 401;
    if (result !== undefined) return response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    const headers = { "content-type": "application/json" };
    const real = await fetch(chain.rpcUrl, { method: "POST", headers, body });
    return response.end(await real.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

/** A web server that answers every request alike. */
async function webServer(status: number, body = ""): Promise<string> {
  const server = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

/** A server that refuses to speak, on a free port. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the doctor", () => {
  it("finds no fault in a sound service, and says what it checked", async () => {
    const { code, findings } = await examine();
    expect(code).toBe(0);
    expect(findings.filter(({ level }) => level !== "warning")).toEqual([
      { area: "settings", level: "ok", what: "The configuration is complete." },
      { area: "settings", level: "ok", what: `${chain.deploymentPath} names the contracts.` },
      { area: "database", level: "ok", what: "PostgreSQL answers, with the rights it needs." },
      {
        area: "database",
        level: "ok",
        what: "The tables are up to date, and belong to this deployment.",
      },
      {
        area: "database",
        level: "ok",
        what: "MASTER_KEYS has the version of every stored salt.",
      },
      {
        area: "chain",
        level: "ok",
        what: `The node ${new URL(chain.rpcUrl).host} answers, on chain 31337.`,
      },
      { area: "chain", level: "ok", what: "17 contracts have code." },
      {
        area: "relayer",
        level: "ok",
        what: `The relayer ${relayer.address} has its four roles, and money.`,
      },
      {
        area: "neighbours",
        level: "ok",
        what: `The indexer can listen on 127.0.0.1:${indexerPort}.`,
      },
    ]);
    expect(findings.filter(({ level }) => level === "warning").map(({ what }) => what)).toEqual([
      "There is no index yet.",
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 is not reached from here: /),
    ]);
  });

  it("names every wrong variable, and still checks the others", async () => {
    const found = await faults({ MASTER_KEYS: "", JWT_SECRETS: "nonsense" });
    const remedy =
      "Correct it in the environment or in .env; .env.example explains every variable.";
    expect(found).toEqual([
      `MASTER_KEYS is missing. → ${remedy}`,
      `JWT_SECRETS entry 1 must be written label:base64. → ${remedy}`,
    ]);
  });

  it("names a token secret that is also a master key", async () => {
    const key = randomBytes(32).toString("base64");
    const other = randomBytes(32).toString("base64");
    expect(await faults({ MASTER_KEYS: `v3:${other},v2:${key}`, JWT_SECRETS: `b:${key}` })).toEqual(
      [
        "JWT_SECRETS entry 1 repeats v2 of MASTER_KEYS. → Correct it in the environment or in .env; .env.example explains every variable.",
      ],
    );
  });

  it.each([
    ["0.0.0.0/0", ["0.0.0.0/0"]],
    ["::/0, 10.0.0.0/8", ["::/0"]],
    ["0.0.0.0/1,128.0.0.0/1", ["0.0.0.0/1", "128.0.0.0/1"]],
    ["10.0.0.0/8, fc00::/7, 203.0.113.7", []],
  ])("warns of networks of proxies that hold clients: %s", async (list, wide) => {
    const found = await warnings({ TRUSTED_PROXIES: list });
    expect(found.filter((what) => what.startsWith("TRUSTED_PROXIES"))).toEqual(
      wide.map(
        (network) =>
          `TRUSTED_PROXIES has ${network}, in which clients are too: each can name any address in X-Forwarded-For, so limits by address have no effect.`,
      ),
    );
  });

  it("prints no secret of a wrong URL", async () => {
    const password = "unguessable-database-password";
    const { text } = await examine({
      DATABASE_URL: `postgresql://svc:${password}@127.0.0.1:1/svc`,
      RPC_URL: `http://127.0.0.1:1/v2/${password}`,
      RPC_WS_URL: `ws://127.0.0.1:1/v2/${password}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:${password}@127.0.0.1:1/${password}`,
      SMTP_URL: `smtp://user:${password}@127.0.0.1:1`,
      SMTP_FROM: "agents@example.com",
      REDIS_URL: `redis://:${password}@127.0.0.1:1`,
    });
    expect(text).not.toContain(password);
    expect(text).not.toContain(relayer.privateKey.slice(2));
  });

  it("refuses an argument that it does not know", async () => {
    let complaint = "";
    const code = await doctorCommand(["--fix"], {
      environment: {},
      print: () => {},
      complain: (text) => {
        complaint += text;
      },
    });
    expect(code).toBe(2);
    expect(complaint).toMatch(/^Unknown option '--fix'.*See --help\.\n$/s);
  });
});

describe("faults of the deployment file and the contracts", () => {
  it("are found when the file does not exist", async () => {
    expect(await faults({ SVC_DEPLOYMENT: "absent.json" })).toEqual([
      "SVC_DEPLOYMENT: absent.json cannot be read. → Set SVC_DEPLOYMENT to the file that npm run deploy wrote.",
    ]);
  });

  it("are found when it is of another chain", async () => {
    const path = await deployment((file) => {
      file.chainId = 84_532;
    });
    expect(await faults({ SVC_DEPLOYMENT: path })).toEqual([
      `${new URL(chain.rpcUrl).host} of RPC_URL is a node of chain 31337, and the deployment is on chain 84532. → Set RPC_URL to a node of chain 84532, or SVC_DEPLOYMENT to the file of chain 31337.`,
    ]);
  });

  it("are found when a contract has no code", async () => {
    const nowhere = privateKeyToAccount(generatePrivateKey()).address;
    const path = await deployment(({ contracts }) => {
      contracts.agentKeys = nowhere;
    });
    expect(await faults({ SVC_DEPLOYMENT: path })).toEqual([
      `agentKeys has no code at ${nowhere}. → Set SVC_DEPLOYMENT to the file that npm run deploy wrote for this chain.`,
    ]);
  });

  it("are found when a contract belongs to another soul registry", async () => {
    const path = await deployment(({ contracts }) => {
      contracts.agentKeys = contracts.humanVerifierRegistry ?? "";
    });
    expect(await faults({ SVC_DEPLOYMENT: path })).toEqual([
      `agentKeys at ${chain.contracts.humanVerifierRegistry} does not answer SOUL_REGISTRY(), and the deployment names soulRegistry ${chain.contracts.soulRegistry}. → Do not edit deployment files by hand: take the one that npm run deploy wrote.`,
    ]);
  });
});

describe("faults of two exchanged addresses", () => {
  it.each([
    ["soulCertificate", "organizationRegistry"],
    ["agentKeys", "allowanceVault"],
    ["stablecoin", "soulView"],
    ["identityRegistry", "reputationRegistry"],
    ["humanVerifierRegistry", "chronicleAnchor"],
    ["reputationRegistry", "validationRegistry"],
  ])("are found for %s and %s", async (one, other) => {
    const path = await deployment(({ contracts }) => {
      [contracts[one], contracts[other]] = [contracts[other] ?? "", contracts[one] ?? ""];
    });
    const found = await faults({ SVC_DEPLOYMENT: path });
    expect(found.join("\n")).toMatch(new RegExp(`\\b(${one}|${other})\\b`));
  });
});

describe("faults of the node and the relayer", () => {
  it("are found when the deployment begins after the node's newest block", async () => {
    const path = await deployment((file) => {
      file.startBlock = 9_999_999;
    });
    expect(await faults({ SVC_DEPLOYMENT: path })).toEqual([
      expect.stringMatching(
        /^The deployment's first block 9999999 is after the node's newest, \d+\. → Set SVC_DEPLOYMENT /,
      ),
    ]);
  });

  it("are found when a node refuses the key", async () => {
    const url = await nodeBefore(() => null);
    expect(await faults({ RPC_URL: url })).toEqual([
      `The node ${new URL(url).host} of RPC_URL does not answer: HTTP status 401 → Correct address and key in RPC_URL, or use another node.`,
    ]);
  });

  it("are warnings when one of several nodes is behind", async () => {
    const behind = await nodeBefore((method) => (method === "eth_blockNumber" ? "0x1" : undefined));
    const found = await warnings({ RPC_URL: `${behind},${chain.rpcUrl}` });
    expect(found).toContainEqual(
      expect.stringMatching(
        /^The node 127\.0\.0\.1:\d+ of RPC_URL is at block 1, \d+ blocks behind the newest of the nodes\.$/,
      ),
    );
  });

  it("are found when the node does not answer", async () => {
    const port = await closedPort();
    const found = await faults({ RPC_URL: `http://127.0.0.1:${port}` });
    expect(found).toEqual([
      expect.stringMatching(
        /^The node 127\.0\.0\.1:\d+ of RPC_URL does not answer: connect ECONNREFUSED .* → Correct address and key in RPC_URL, or use another node\.$/,
      ),
    ]);
  });

  it("are found when the socket does not answer", async () => {
    const port = await closedPort();
    const found = await faults({ RPC_WS_URL: `ws://127.0.0.1:${port}` });
    expect(found).toEqual([
      `The node 127.0.0.1:${port} does not answer at RPC_WS_URL: connect ECONNREFUSED 127.0.0.1:${port} → Correct it, or remove it: the index is then up to date within a second or two.`,
    ]);
  });

  it("are found when another server is at the socket's address", async () => {
    const { host } = new URL(await webServer(404));
    expect(await faults({ RPC_WS_URL: `ws://${host}` })).toEqual([
      expect.stringMatching(
        `^The node ${host} does not answer at RPC_WS_URL: HTTP status 404, and no websocket →`,
      ),
    ]);
  });

  it("are found when the relayer lacks its roles", async () => {
    const [user] = users;
    if (user === undefined) throw new Error("No account");
    const found = await faults({ RELAYER_PRIVATE_KEY: user.privateKey });
    expect(found.map((text) => text.split(" →", 1)[0])).toEqual([
      `The relayer ${user.address} does not have REGISTRAR_ROLE on registrars.`,
      `The relayer ${user.address} does not have BINDER_ROLE on bindingRegistry.`,
      `The relayer ${user.address} does not have ANCHOR_ROLE on chronicleAnchor.`,
      `The relayer ${user.address} does not have ALIGNMENT_ROLE on alignmentRegistry.`,
    ]);
    expect(found[0]).toContain(`For a new deployment give --registrar ${user.address}.`);
  });

  it("are found when the relayer has no money", async () => {
    const { client } = chain;
    const value = await client.getBalance({ address: relayer.address });
    onTestFinished(() => client.setBalance({ address: relayer.address, value }));
    await client.setBalance({ address: relayer.address, value: 0n });
    expect(await faults()).toEqual([
      `The relayer ${relayer.address} has 0 ether, which pays for 0 registrations at the present gas price. → Send ether to ${relayer.address}.`,
    ]);
  });

  it("are no faults when a further key of the relayer is not used", async () => {
    const [user] = users;
    if (user === undefined) throw new Error("No account");
    const further = { RELAYER_PRIVATE_KEYS: user.privateKey };
    expect(await faults(further)).toEqual([]);
    const about = (await warnings(further)).filter((what) => what.startsWith("The relayer"));
    expect(about).toEqual([
      `The relayer ${user.address} does not have REGISTRAR_ROLE on registrars, and is not used.`,
      `The relayer ${user.address} does not have BINDER_ROLE on bindingRegistry, and is not used.`,
      `The relayer ${user.address} does not have ANCHOR_ROLE on chronicleAnchor, and is not used.`,
      `The relayer ${user.address} does not have ALIGNMENT_ROLE on alignmentRegistry, and is not used.`,
    ]);
  });

  it("are found when one key has two uses", async () => {
    expect(await warnings({ STORAGE_PRIVATE_KEY: relayer.privateKey })).toContain(
      "RELAYER_PRIVATE_KEY and STORAGE_PRIVATE_KEY are one key.",
    );
  });
});

describe("faults of the database", () => {
  it("are found when it does not answer", async () => {
    const port = await closedPort();
    const found = await faults({ DATABASE_URL: `postgresql://svc@127.0.0.1:${port}/svc` });
    expect(found).toEqual([
      `PostgreSQL does not answer at DATABASE_URL: connect ECONNREFUSED 127.0.0.1:${port}. → Start PostgreSQL, and correct host, port, role, password and database in the variable.`,
    ]);
  });

  it("are found when the replica for reads is no replica", async () => {
    expect(await faults({ DATABASE_READ_URL: database.url })).toEqual([
      "DATABASE_READ_URL names a server that is no replica. → Name a streaming replica of DATABASE_URL, or remove the variable. After a failover let DATABASE_URL name the new primary.",
    ]);
  });

  it("are no faults when the replica for reads does not answer", async () => {
    const port = await closedPort();
    const change = { DATABASE_READ_URL: `postgresql://svc@127.0.0.1:${port}/svc` };
    expect(await faults(change)).toEqual([]);
    expect(await warnings(change)).toContain(
      `PostgreSQL does not answer at DATABASE_READ_URL: connect ECONNREFUSED 127.0.0.1:${port}.`,
    );
  });

  it("are found when it refuses the database's name", async () => {
    const url = new URL(database.url);
    url.pathname = "/absent";
    expect(await faults({ DATABASE_URL: url.href })).toEqual([
      'PostgreSQL refuses DATABASE_URL: database "absent" does not exist. → Create the database, or correct its name in the variable.',
    ]);
  });

  it("are found when another master key has the version of stored salts", async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    const key = randomBytes(32);
    const soulHash = `0x${"ab".repeat(32)}`;
    const sealed = createSecrets([{ version: 2, key }]).encrypt(
      "soul-salt",
      randomBytes(32),
      soulHash,
    );
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    await client.query("insert into app.soul_secret values (1, 1, $1, $2, '[]')", [
      soulHash,
      sealed,
    ]);
    await client.end();
    const right = `v2:${key.toString("base64")}`;
    expect(await faults({ DATABASE_URL: own.url, MASTER_KEYS: right })).toEqual([]);
    expect(await faults({ DATABASE_URL: own.url })).toEqual([
      "MASTER_KEYS has another v2 than the one with which stored salts are encrypted: it does not decrypt them. → Set these versions to the keys from the backup. Do not start the service before: it would encrypt with a second key of the same version.",
    ]);
  });

  it("are found when it has no tables", async () => {
    const empty = await createEmptyDatabase();
    onTestFinished(() => empty.drop());
    expect(await faults({ DATABASE_URL: empty.url })).toEqual([
      "The tables of the database are not up to date. → Run npm run migrate.",
    ]);
  });

  it("are found when the role may not create schemas", async () => {
    const role = `doctor_${randomBytes(4).toString("hex")}`;
    await asAdmin(`create role ${role} login password 'doctor'`);
    // The database goes first: what it grants to a role keeps the role.
    onTestFinished(() => asAdmin(`drop role ${role}`));
    const own = await createDatabase();
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    await client.query(`grant usage on schema app, app_migrations to ${role};
      grant select on all tables in schema app, app_migrations to ${role}`);
    await client.end();
    onTestFinished(() => own.drop());
    const url = new URL(own.url);
    url.username = role;
    url.password = "doctor";
    expect(await faults({ DATABASE_URL: url.href })).toEqual([
      "The role of DATABASE_URL may not create schemas, which the indexer and the job queue need. → Run as the database's owner: grant create on database <name> to <role>.",
      "The role of DATABASE_URL may not write to the tables. → Use the role that owns them, or set MIGRATION_DATABASE_URL to that role and run npm run migrate, which grants what is needed.",
    ]);
  });

  it("are found when migrations go to another database", async () => {
    const other = await createDatabase();
    onTestFinished(() => other.drop());
    expect(await faults({ MIGRATION_DATABASE_URL: other.url })).toEqual([
      "MIGRATION_DATABASE_URL and DATABASE_URL name different databases. → Let both name one database; only the role differs.",
    ]);
  });

  it("are found when a master key of stored salts is missing", async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    const sealed = createSecrets([{ version: 1, key: randomBytes(32) }]).encrypt(
      "salt",
      randomBytes(32),
    );
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    // Only the salt is asked for: the row's other columns have no meaning here.
    await client.query("create table app.old_salt (salt_encrypted bytea not null)");
    await client.query("insert into app.old_salt values ($1)", [sealed]);
    await client.end();
    expect(await faults({ DATABASE_URL: own.url })).toEqual([
      "MASTER_KEYS lacks v1, with which stored salts are encrypted. → Add these versions again from the backup. Without them the salts are lost for ever.",
    ]);
  });
});

describe("faults of permanent storage", () => {
  const bundler = (url: string) => ({
    STORAGE_DRIVER: "bundler",
    BUNDLER_URL: url,
    BUNDLER_KIND: "turbo",
  });
  const aboutStorage = async (changes: Record<string, string>) => {
    const { findings } = await examine(changes);
    return findings
      .filter(({ area }) => area === "storage")
      .map(({ level, what }) => `${level}: ${what}`);
  };

  it("are found when another web server is named as the bundler", async () => {
    const [page, absent, broken] = [
      await webServer(200, "{}"),
      await webServer(404),
      await webServer(503),
    ];
    expect(await aboutStorage(bundler(page))).toEqual([
      `fault: ${page} (BUNDLER_URL) is not a bundler: it answers 200 to an upload at /v1/tx.`,
    ]);
    expect(await aboutStorage(bundler(absent))).toEqual([
      `fault: ${absent} (BUNDLER_URL) is not a bundler: it answers 404 to an upload at /v1/tx.`,
    ]);
    expect(await aboutStorage(bundler(broken))).toEqual([
      `warning: ${broken} (BUNDLER_URL) answers 503 at /v1/tx: whether it is a bundler is not known.`,
    ]);
  });

  it("are not found in a bundler, of which is said what is not known", async () => {
    const real = await startBundler();
    onTestFinished(() => real.stop());
    expect(await aboutStorage(bundler(real.url))).toEqual([
      `ok: ${real.url} (BUNDLER_URL) refuses at /v1/tx what is no item, as a bundler does. Only an upload shows that it keeps items.`,
    ]);
    expect(real.kept.size).toBe(0);
  });

  it("are found when another web server is named as a gateway", async () => {
    const [page, refusing, absent] = [
      await webServer(200, "{}"),
      await webServer(403),
      await webServer(404),
    ];
    expect(await aboutStorage({ GATEWAY_URLS: [page, refusing, absent].join() })).toEqual([
      `fault: ${page} (GATEWAY_URLS) is not a gateway: it serves an item that does not exist.`,
      `fault: ${refusing} (GATEWAY_URLS) cannot be asked for items: ${new URL(refusing).host} answered 403.`,
      `warning: ${absent} (GATEWAY_URLS) answers, but nothing shows yet that it is a gateway: other web servers answer 404 for an unknown item too.`,
    ]);
  });

  it("are looked for with an item that a gateway has served", async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    const item = await createItemSigner(storage.privateKey).sign({
      data: Buffer.from("an item"),
      contentType: "text/plain",
    });
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    await client.query(
      "insert into app.storage_item values ($1, $2, sha256('an item'), 'text/plain', now())",
      [item.id, item.bytes],
    );
    await client.query(
      `insert into app.storage_upload (id, open_tries, tries, touched_at, next_look_at, acknowledged_at, seen_at)
       values ($1, 0, 1, now(), now(), now(), now())`,
      [item.id],
    );
    await client.end();
    const gateways = [
      await startGateway(new Map([[item.id, item.bytes]])),
      await startGateway(new Map()),
      await startGateway(new Map()),
    ] as const;
    onTestFinished(async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
    });
    const [good, empty, other] = gateways;
    other.answer((path) =>
      path.includes(item.id) ? { status: 200, body: Buffer.from("another item") } : undefined,
    );
    const change = {
      DATABASE_URL: own.url,
      GATEWAY_URLS: gateways.map(({ url }) => url).join(),
    };
    expect(await aboutStorage(change)).toEqual([
      `ok: ${good.url} (GATEWAY_URLS) serves what the service uploaded.`,
      `warning: ${empty.url} (GATEWAY_URLS) does not have the item ${item.id}, which a gateway has served.`,
      `fault: ${other.url} (GATEWAY_URLS) serves other bytes than those of the item ${item.id}.`,
    ]);
  });
});

describe("faults of what the service talks to", () => {
  it("are found when Redis, the mail server and a gateway do not answer", async () => {
    const port = await closedPort();
    const found = await faults({
      REDIS_URL: `redis://127.0.0.1:${port}`,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SMTP_FROM: "agents@example.com",
      GATEWAY_URLS: `http://127.0.0.1:${port}`,
    });
    expect(found).toEqual([
      `http://127.0.0.1:${port} (GATEWAY_URLS) does not answer: connect ECONNREFUSED 127.0.0.1:${port} → Correct the address in GATEWAY_URLS, or use another gateway.`,
      `Redis cannot be used at REDIS_URL: connect ECONNREFUSED 127.0.0.1:${port} → Start it, and correct host, port, user and password. Meanwhile each process counts limits alone.`,
      `The mail server refuses SMTP_URL: connect ECONNREFUSED 127.0.0.1:${port} → Correct host, port, account and password. Until then owners get no mail about failing webhooks.`,
    ]);
  });

  it("are found when another program has the API's port", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await faults({ SVC_API_PORT: String(port) })).toEqual([
      `The API cannot listen on 127.0.0.1:${port}: another program does. → Set SVC_API_PORT to a free port and SVC_HOST to an address of this machine, or end that program.`,
    ]);
  });

  it("are found when another program has the indexer's port", async () => {
    const { port } = new URL(await webServer(200, "{}"));
    expect(await faults({ SVC_INDEXER_PORT: port })).toEqual([
      `The indexer cannot listen on 127.0.0.1:${port}: another program does. → Set SVC_INDEXER_PORT to a free port and SVC_INDEXER_HOST to an address of this machine, or end that program.`,
    ]);
  });

  /** What `/v1/status` of an API on this chain answers. */
  const apiStatus = (changes: object = {}) =>
    JSON.stringify({ chainId: 31_337, contracts: chain.contracts, ...changes });

  /** A process of the service on that database, as PostgreSQL sees it. */
  async function connected(applicationName: string, databaseUrl = database.url): Promise<void> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: applicationName,
    });
    await client.connect();
    onTestFinished(() => client.end());
  }

  /** What is said of a program that answers everything with `body`, on the API's port and at PUBLIC_URL. */
  async function aboutApi(body: string, status = 200) {
    const url = await webServer(status, body);
    const { port } = new URL(url);
    const { findings } = await examine({ SVC_API_PORT: port, PUBLIC_URL: url });
    return findings
      .filter(({ what }) => what.includes(port))
      .map(({ level, what }) => `${level}: ${what.replaceAll(port, "PORT")}`);
  }

  const foreignApi = (whose: string) => [
    `fault: The API cannot listen on 127.0.0.1:PORT: ${whose} does.`,
    `fault: http://127.0.0.1:PORT (PUBLIC_URL) is answered by ${whose}.`,
  ];

  it("are found when a service of another chain, other contracts or another database has the API's port", async () => {
    await connected("agent-identity-api");
    expect(await aboutApi(apiStatus())).toEqual([
      "ok: The API runs on 127.0.0.1:PORT.",
      "ok: http://127.0.0.1:PORT answers.",
    ]);
    const contracts = { ...chain.contracts, soulRegistry: relayer.address };
    expect(await aboutApi(apiStatus({ chainId: 8453 }))).toEqual(
      foreignApi("a service of chain 8453"),
    );
    expect(await aboutApi(apiStatus({ contracts }))).toEqual(
      foreignApi("a service of other contracts"),
    );
    expect(await aboutApi('{"status":"ok"}')).toEqual(foreignApi("another program"));
    const pending = '{"error":{"code":503,"type":"REGISTRY_PENDING"}}';
    expect(await aboutApi(pending, 503)).toEqual([
      "warning: A program listens on 127.0.0.1:PORT, and whether it is this service's API is not known: it answers REGISTRY_PENDING at /v1/status.",
      "warning: http://127.0.0.1:PORT/health answers 503.",
    ]);
  });

  it("are found when a service of the same contracts works on another database", async () => {
    const other = await createDatabase();
    onTestFinished(() => other.drop());
    await connected("agent-identity-api", other.url);
    expect(await aboutApi(apiStatus())).toEqual(foreignApi("a service of another database"));
  });

  it.each([
    [
      "is this service's",
      "indexer_0123456789ab_internal",
      31_337,
      "ok: The indexer runs on 127.0.0.1:PORT.",
    ],
    [
      "is of another chain",
      "indexer_0123456789ab_internal",
      8453,
      "fault: The indexer cannot listen on 127.0.0.1:PORT: an indexer of chain 8453 does.",
    ],
    [
      "is of another database",
      "psql",
      31_337,
      "fault: The indexer cannot listen on 127.0.0.1:PORT: an indexer of another database does.",
    ],
  ])("tell an indexer that %s", async (_which, applicationName, id, expected) => {
    await connected(applicationName);
    const { port } = new URL(
      await webServer(200, JSON.stringify({ svc: { id, block: { number: 1, timestamp: 1 } } })),
    );
    const { findings } = await examine({ SVC_INDEXER_PORT: port });
    const about = findings.filter(({ what }) => what.includes(port));
    expect(about.map(({ level, what }) => `${level}: ${what.replace(port, "PORT")}`)).toEqual([
      expected,
    ]);
  });

  it("do not include an indexer that names no chain yet", async () => {
    const { port } = new URL(await webServer(200, "# HELP ponder_sync_block Closest block\n"));
    expect(await faults({ SVC_INDEXER_PORT: port })).toEqual([]);
    expect(await warnings({ SVC_INDEXER_PORT: port })).toContain(
      `A program listens on 127.0.0.1:${port}, and whether it is this service's indexer is not known: it names no chain at /status yet.`,
    );
  });

  it("are all that is reported without any configuration: nothing is ok", async () => {
    let text = "";
    const code = await doctorCommand(["--json"], {
      environment: {},
      print: (more) => {
        text += more;
      },
      complain: (more) => {
        throw new Error(more);
      },
    });
    const { findings }: { findings: Reported[] } = JSON.parse(text);
    expect([code, findings.filter(({ level }) => level === "ok")]).toEqual([1, []]);
  });

  it("are warnings when traces have no collector", async () => {
    const closed = `127.0.0.1:${await closedPort()}`;
    const [page, collector] = [await webServer(404), await startTraceCollector()];
    onTestFinished(() => collector.stop());
    const about = async (endpoint: string) => {
      const { code, findings } = await examine({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
      expect(code).toBe(0);
      return findings
        .filter(({ what }) => /trace/.test(what))
        .map(({ level, what }) => [level, what]);
    };
    expect(await about(`http://${closed}`)).toEqual([
      [
        "warning",
        `The collector of traces ${closed} does not answer: connect ECONNREFUSED ${closed}`,
      ],
    ]);
    expect(await about(page)).toEqual([
      ["warning", `${new URL(page).host}/v1/traces does not take traces: HTTP status 404`],
    ]);
    expect(await about(collector.url)).toEqual([["ok", "The collector takes traces."]]);
  });

  it("are named as warnings on a public service with local storage, no proxy and no Redis", async () => {
    const found = await warnings({
      PUBLIC_URL: "https://127.0.0.1:1",
      REPLICAS: "2",
      RELAYER_PRIVATE_KEY: generatePrivateKey(),
      STORAGE_PRIVATE_KEY: generatePrivateKey(),
    });
    expect(found).toEqual([
      "PUBLIC_URL is https, which a proxy in front of the API serves, but TRUSTED_PROXIES names no proxy: all clients share one rate limit.",
      "There is no index yet.",
      "STORAGE_DRIVER is local: what agents are promised to be permanent is in this database alone.",
      "REPLICAS is 2 without REDIS_URL: each process counts limits alone, so clients get 2 times as much.",
      expect.stringMatching(/^https:\/\/127\.0\.0\.1:1 is not reached from here: /),
    ]);
  });
});
