import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { assertSameDeployment } from "../../api/operations/deployment-check.store.ts";
import type { Deployment } from "../../api/platform/config/deployment.ts";
import { databaseStanding } from "../../api/platform/database/migrate.ts";
import { redactText } from "../../api/platform/log/log.ts";
import { indexerSchemaName } from "../lib/indexer-command.ts";
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
    return await work(client);
  } catch (error) {
    return [
      fault(
        `PostgreSQL does not answer at ${name}: ${reason(error, redactText)}.`,
        "Start PostgreSQL, and correct host, port, role, password and database in the variable.",
      ),
    ];
  } finally {
    await client.end().catch(() => {});
  }
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
    finding.level === "fault" && finding.what.startsWith("PostgreSQL does not answer")
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
    ...(await indexFindings(client, settings)),
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
  if (missing.length === 0) return [ok("MASTER_KEYS has the version of every stored salt.")];
  return [
    fault(
      `MASTER_KEYS lacks v${missing.sort((a, b) => a - b).join(", v")}, with which stored salts are encrypted.`,
      "Add these versions again from the backup. Without them the salts are lost for ever.",
    ),
  ];
}

async function indexFindings(client: pg.Client, settings: Settings): Promise<Finding[]> {
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
  if (used.includes(schema)) return [ok(`The views show the index ${schema}.`)];
  return [
    warning(
      `The views show ${used.join(", ") || "nothing"}, and this version's index is ${schema}.`,
      "Start npm run indexer of this version: it changes the views when it has caught up.",
    ),
  ];
}
