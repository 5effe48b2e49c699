import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { assertSameDeployment } from "../../api/operations/deployment-check.store.ts";
import type { Deployment } from "../../api/platform/config/deployment.ts";
import { databaseStanding } from "../../api/platform/database/migrate.ts";
import { redactText } from "../../api/platform/log/log.ts";
import { createSecrets, UnsealError } from "../../api/platform/secrets/secrets.ts";
import { decodeCheckpoint, indexedUpTo } from "../../api/soul/index-views.store.ts";
import { SALT_PURPOSE } from "../../api/soul/soul-salt.ts";
import { indexerSchemaName } from "../lib/indexer-command.ts";
import { MAX_BLOCKS_BEHIND, newestHead } from "./chain.ts";
import { type Finding, fault, ok, reason, warning } from "./finding.ts";
import type { Settings } from "./settings.ts";

const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
const OLDEST_VERSION = 15;
/** Of one process: the pool, and the connection that watches the database. */
const CONNECTIONS = 21;
/** Tokens and signatures have time limits of minutes. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

interface DatabaseQuestion {
  readonly settings: Settings;
  readonly deployment: Deployment | null;
}

/** Whether PostgreSQL answers, may be used as the service needs, and holds what belongs together. */
export async function checkDatabase(question: DatabaseQuestion): Promise<Finding[]> {
  const { DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl } = question.settings;
  if (url === undefined) return [];
  const findings = await withClient("DATABASE_URL", url, (client) => inspect(client, question));
  findings.push(...(await replicaFindings(url, question.settings)));
  if (ownerUrl === undefined) return findings;
  const owner = await withClient("MIGRATION_DATABASE_URL", ownerUrl, async (client) => {
    const same = await isSameDatabase(client, url);
    return same
      ? [ok("MIGRATION_DATABASE_URL names the same database.")]
      : [
          fault(
            "MIGRATION_DATABASE_URL and DATABASE_URL name different databases.",
            "Let both name one database; only the role differs.",
          ),
        ];
  });
  return [...findings, ...owner];
}

async function withClient(
  name: string,
  url: string,
  work: (client: pg.Client) => Promise<Finding[]>,
): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS,
  });
  client.on("error", () => {
    // A connection that breaks also rejects its statement.
  });
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    return [connectFault(name, error)];
  }
  try {
    return await work(client);
  } catch (error) {
    return [
      fault(
        `A check of the database at ${name} failed: ${reason(error, redactText)}.`,
        "Mend what the message names, and run the command again.",
      ),
    ];
  } finally {
    await client.end().catch(() => {});
  }
}

/** What to do about SQLSTATEs with which a server that answers refuses a connection. */
const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "Correct role and password in the variable.",
  "28000": "Correct the role in the variable, or let pg_hba.conf of PostgreSQL admit it.",
  "3D000": "Create the database, or correct its name in the variable.",
};

function connectFault(name: string, error: unknown): Finding {
  const cause = reason(error, redactText);
  const remedy = REFUSALS[String((error as { readonly code?: unknown }).code)];
  if (remedy !== undefined) return fault(`PostgreSQL refuses ${name}: ${cause}.`, remedy);
  return fault(
    `PostgreSQL does not answer at ${name}: ${cause}.`,
    "Start PostgreSQL, and correct host, port, role, password and database in the variable.",
  );
}

async function isSameDatabase(owner: pg.Client, url: string): Promise<boolean> {
  const other = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  other.on("error", () => {});
  const identity = `select current_database() as name, system_identifier::text as cluster from pg_control_system()`;
  try {
    await other.connect();
    const [a, b] = await Promise.all([owner.query(identity), other.query(identity)]);
    return JSON.stringify(a.rows) === JSON.stringify(b.rows);
  } finally {
    await other.end().catch(() => {});
  }
}

/** Whether reads can go to DATABASE_READ_URL. The service runs without it. */
async function replicaFindings(
  url: string,
  { DATABASE_READ_URL: readUrl }: Settings,
): Promise<Finding[]> {
  if (readUrl === undefined) return [];
  const findings = await withClient("DATABASE_READ_URL", readUrl, async (client) => {
    const { rows } = await client.query<{ replaying: boolean; streams: boolean }>(`
      select pg_is_in_recovery() as replaying,
        exists (select from pg_stat_wal_receiver) as streams`);
    const [state] = rows;
    if (state?.replaying !== true) {
      return [
        fault(
          "DATABASE_READ_URL names a server that is no replica.",
          "Name a streaming replica of DATABASE_URL, or remove the variable. After a failover let DATABASE_URL name the new primary.",
        ),
      ];
    }
    if (!(await isSameDatabase(client, url))) {
      return [
        fault(
          "DATABASE_READ_URL names a replica of another database.",
          "Name a replica of the server and the database of DATABASE_URL.",
        ),
      ];
    }
    return state.streams
      ? [ok("DATABASE_READ_URL names a replica that follows DATABASE_URL.")]
      : [
          warning(
            "The replica of DATABASE_READ_URL does not follow its primary.",
            "Check primary_conninfo and the log of the replica. Reads go to DATABASE_URL meanwhile.",
          ),
        ];
  });
  // Reads go to the primary while the replica is away.
  return findings.map((finding) =>
    finding.level === "fault" && /^PostgreSQL (does not answer|refuses)/.test(finding.what)
      ? warning(finding.what, finding.remedy)
      : finding,
  );
}

interface ServerFacts {
  readonly version: number;
  readonly encoding: string;
  readonly isReplica: boolean;
  readonly connections: number;
  readonly mayCreate: boolean;
  readonly mayWrite: boolean | null;
  readonly mayChangeChronicles: boolean | null;
  readonly clock: string;
}

async function inspect(
  client: pg.Client,
  { settings, deployment }: DatabaseQuestion,
): Promise<Finding[]> {
  const asked = Date.now();
  const { rows } = await client.query<ServerFacts>(`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isReplica",
      current_setting('max_connections')::int as connections,
      has_database_privilege(current_database(), 'CREATE') as "mayCreate",
      case when to_regclass('app.operation') is not null
        then has_table_privilege('app.operation', 'INSERT') end as "mayWrite",
      case when to_regclass('app.chronicle') is not null
        then has_table_privilege('app.chronicle', 'UPDATE') end as "mayChangeChronicles",
      (extract(epoch from clock_timestamp()) * 1000)::text as clock`);
  const [facts] = rows;
  if (facts === undefined) throw new Error("The server answered without a row");
  const middle = (asked + Date.now()) / 2;
  return [
    ...serverFindings(facts, settings, Number(facts.clock) - middle),
    ...(await tableFindings(client, deployment)),
    ...(await keyFindings(client, settings)),
    ...(await indexFindings(client, settings, deployment)),
  ];
}

function serverFindings(facts: ServerFacts, settings: Settings, ahead: number): Finding[] {
  const findings: Finding[] = [];
  if (facts.version < OLDEST_VERSION) {
    findings.push(
      fault(`PostgreSQL is version ${facts.version}.`, `Use version ${OLDEST_VERSION} or newer.`),
    );
  }
  if (facts.encoding !== "UTF8") {
    findings.push(
      fault(
        `The database stores text as ${facts.encoding}.`,
        "Create it with ENCODING 'UTF8' (and TEMPLATE template0), and move nothing over.",
      ),
    );
  }
  if (facts.isReplica) {
    findings.push(
      fault("DATABASE_URL names a replica, which takes no writes.", "Name the primary server."),
    );
  }
  const needed = CONNECTIONS * (settings.REPLICAS ?? 1);
  if (facts.connections < needed) {
    findings.push(
      warning(
        `PostgreSQL takes ${facts.connections} connections, and ${settings.REPLICAS ?? 1} processes use up to ${needed}.`,
        "Raise max_connections, or start fewer processes.",
      ),
    );
  }
  if (!facts.mayCreate) {
    findings.push(
      fault(
        "The role of DATABASE_URL may not create schemas, which the indexer and the job queue need.",
        "Run as the database's owner: grant create on database <name> to <role>.",
      ),
    );
  }
  if (facts.mayWrite === false) {
    findings.push(
      fault(
        "The role of DATABASE_URL may not write to the tables.",
        "Use the role that owns them, or set MIGRATION_DATABASE_URL to that role and run npm run migrate, which grants what is needed.",
      ),
    );
  }
  if (settings.MIGRATION_DATABASE_URL !== undefined && facts.mayChangeChronicles === true) {
    findings.push(
      warning(
        "The role of DATABASE_URL may change chronicles, although migrations have a role of their own.",
        "Run npm run migrate, which takes this right away; then check that the roles differ.",
      ),
    );
  }
  if (Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS) {
    const seconds = Math.round(Math.abs(ahead) / 1000);
    findings.push(
      fault(
        `The clock of this machine and that of the database differ by ${seconds} s.`,
        "Synchronise both with NTP: tokens and signatures end after minutes.",
      ),
    );
  }
  return findings.length > 0 ? findings : [ok("PostgreSQL answers, with the rights it needs.")];
}

async function tableFindings(client: pg.Client, deployment: Deployment | null): Promise<Finding[]> {
  const db = drizzle(client);
  const standing = await databaseStanding(db);
  if (standing === "contracted") {
    return [
      fault(
        "This version is too old for the database.",
        "Start the version that migrated the database, or a later one.",
      ),
    ];
  }
  if (standing === "behind") {
    return [fault("The tables of the database are not up to date.", "Run npm run migrate.")];
  }
  if (deployment === null) return [ok("The tables are up to date.")];
  try {
    await assertSameDeployment(db, deployment);
    return [ok("The tables are up to date, and belong to this deployment.")];
  } catch (error) {
    return [
      fault(
        reason(error, redactText),
        "Set DATABASE_URL to the database of this deployment, or SVC_DEPLOYMENT to that of the database.",
      ),
    ];
  }
}

/** Versions of the master key that stored salts need: a missing one loses them. */
async function keyFindings(client: pg.Client, settings: Settings): Promise<Finding[]> {
  if (settings.MASTER_KEYS === undefined) return [];
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.columns
    where table_schema = 'app' and column_name = 'salt_encrypted'`);
  if (tables.length === 0) return [];
  const versions = tables
    .map(
      ({ name }) =>
        `select distinct get_byte(salt_encrypted, 0) as version from ${name} where salt_encrypted is not null`,
    )
    .join(" union ");
  const { rows } = await client.query<{ version: number }>(versions);
  const known = new Set(settings.MASTER_KEYS.map(({ version }) => version));
  const missing = rows.map(({ version }) => version).filter((version) => !known.has(version));
  const wrong = await wrongKeys(client, settings.MASTER_KEYS);
  if (wrong.length > 0) {
    return [
      fault(
        `MASTER_KEYS has another v${wrong.join(", v")} than the one with which stored salts are encrypted: it does not decrypt them.`,
        "Set these versions to the keys from the backup. Do not start the service before: it would encrypt with a second key of the same version.",
      ),
    ];
  }
  if (missing.length === 0) return [ok("MASTER_KEYS has the version of every stored salt.")];
  return [
    fault(
      `MASTER_KEYS lacks v${missing.sort((a, b) => a - b).join(", v")}, with which stored salts are encrypted.`,
      "Add these versions again from the backup. Without them the salts are lost for ever.",
    ),
  ];
}

/** @returns versions of the key of which no sample of the stored salts opens. One altered row does not count. */
async function wrongKeys(
  client: pg.Client,
  keys: NonNullable<Settings["MASTER_KEYS"]>,
): Promise<number[]> {
  const { rows } = await client.query<{ version: number; bound: string; sealed: Buffer }>(`
    select version, bound, sealed from (
      select get_byte(salt_encrypted, 0) as version, soul_hash as bound, salt_encrypted as sealed,
        row_number() over (partition by get_byte(salt_encrypted, 0) order by token_id desc) as place
      from app.soul_secret) as salts
    where place <= 5`);
  const secrets = createSecrets(keys);
  const opens = ({ bound, sealed }: (typeof rows)[number]) => {
    try {
      secrets.decrypt(SALT_PURPOSE, sealed, bound);
      return true;
    } catch (error) {
      if (error instanceof UnsealError) return false;
      throw error;
    }
  };
  return secrets.versions.filter((version) => {
    const samples = rows.filter((row) => row.version === version);
    return samples.length > 0 && !samples.some(opens);
  });
}

async function indexFindings(
  client: pg.Client,
  settings: Settings,
  deployment: Deployment | null,
): Promise<Finding[]> {
  // The index is named after the deployment.
  if (deployment === null) return [];
  const { rows } = await client.query<{ views: string | null }>(
    "select to_regclass('chain._ponder_meta')::text as views",
  );
  if (rows[0]?.views === null || settings.SVC_DEPLOYMENT === undefined) {
    return [
      warning(
        "There is no index yet.",
        "Start npm run indexer, and wait until /ready of it is 200.",
      ),
    ];
  }
  const schema = indexerSchemaName(settings.SVC_DEPLOYMENT);
  const { rows: sources } = await client.query<{ schema: string }>(`
    select distinct view_schema || '.' || table_schema as schema from information_schema.view_table_usage
    where view_schema = 'chain'`);
  const used = sources.map((row) => row.schema.slice("chain.".length));
  // An index that was built without a fault has the fault's number behind its name.
  const own = used.find((name) => name === schema || name.startsWith(`${schema}_`));
  if (own !== undefined) {
    const late = await lateFindings(client, settings);
    return late.length > 0 ? late : [ok(`The views show the index ${own}.`)];
  }
  return [
    warning(
      `The views show ${used.join(", ") || "nothing"}, and this version's index is ${schema}.`,
      "Start npm run indexer of this version: it changes the views when it has caught up.",
    ),
  ];
}

/** An index that is behind the chain. It also is while it catches up after a pause. */
async function lateFindings(client: pg.Client, { RPC_URL: urls }: Settings): Promise<Finding[]> {
  const head = await newestHead(urls ?? []);
  const { point, checkpoint } = indexedUpTo;
  const [row] = await drizzle(client).select({ point }).from(checkpoint);
  if (head === null || row === undefined) return [];
  const { block } = decodeCheckpoint(row.point);
  const behind = head - BigInt(block);
  if (behind <= MAX_BLOCKS_BEHIND) return [];
  return [
    warning(
      `The index is at block ${block}, ${behind} blocks behind the chain's head. Until it has caught up, /ready answers 503.`,
      "Check that npm run indexer runs, and read its log. If it stands still, end it and start it again.",
    ),
  ];
}
