import { createServer } from "node:net";
import pg from "pg";
import { z } from "zod";
import type { Deployment } from "../../api/platform/config/deployment.ts";
import { APPLICATION_NAME } from "../../api/platform/database/connect.ts";
import { redactText } from "../../api/platform/log/log.ts";
import { type Finding, fault, ok, reason, warning } from "./finding.ts";
import type { Settings } from "./settings.ts";

const TIMEOUT_MS = 5_000;

/** What tells this service's processes from those of another one that is on the same machine. */
interface Service {
  readonly deployment: Deployment;
  readonly databaseUrl: string;
}

/** Who answers at an address: a process of this service, another program, or it is not known. */
type Standing =
  | { readonly is: "own" }
  | { readonly is: "foreign"; readonly what: string }
  | { readonly is: "unknown"; readonly why: string };

const OTHER_PROGRAM: Standing = { is: "foreign", what: "another program" };

/** Whether API and indexer can listen, or listen already, and whether the world reaches the API. */
export async function checkPorts(
  settings: Settings,
  deployment: Deployment | null,
): Promise<Finding[]> {
  const { DATABASE_URL: databaseUrl } = settings;
  // Without these nothing tells whose a program is.
  if (deployment === null || databaseUrl === undefined) return [];
  const service = { deployment, databaseUrl };
  const indexer = portFindings({
    name: "indexer",
    host: settings.SVC_INDEXER_HOST,
    port: settings.SVC_INDEXER_PORT,
    variables: ["SVC_INDEXER_PORT", "SVC_INDEXER_HOST"],
    standing: (origin) => indexerStanding(origin, service),
  });
  const api = await portFindings({
    name: "API",
    host: settings.SVC_HOST,
    port: settings.SVC_API_PORT,
    variables: ["SVC_API_PORT", "SVC_HOST"],
    standing: (origin) => apiStanding(origin, service),
  });
  // Afterwards: it would reach the port that the check before tries out.
  const world = await publicUrlFindings(settings, service);
  return [...(await indexer), ...api, ...world];
}

interface Listener {
  readonly name: string;
  readonly host: string | undefined;
  /** 0 takes any free one. */
  readonly port: number | undefined;
  readonly variables: readonly [port: string, host: string];
  readonly standing: (origin: string) => Promise<Standing>;
}

async function portFindings(listener: Listener): Promise<Finding[]> {
  const { name, host, port, variables } = listener;
  if (host === undefined || port === undefined || port === 0) return [];
  const at = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const problem = await listenProblem(host, port);
  if (problem === null) return [ok(`The ${name} can listen on ${at}.`)];
  const standing: Standing =
    problem === "EADDRINUSE"
      ? await listener.standing(`http://${at}`)
      : { is: "foreign", what: problem };
  if (standing.is === "own") return [ok(`The ${name} runs on ${at}.`)];
  if (standing.is === "unknown") {
    return [
      warning(
        `A program listens on ${at}, and whether it is this service's ${name} is not known: ${standing.why}.`,
        "Run the command again when the program is ready, or end it.",
      ),
    ];
  }
  const why = problem === "EADDRINUSE" ? `${standing.what} does` : standing.what;
  return [
    fault(
      `The ${name} cannot listen on ${at}: ${why}.`,
      `Set ${variables[0]} to a free port and ${variables[1]} to an address of this machine, or end that program.`,
    ),
  ];
}

function listenProblem(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

const ApiStatus = z.object({
  chainId: z.int(),
  contracts: z.looseObject({ soulRegistry: z.string() }),
});
const ApiProblem = z.object({ error: z.object({ type: z.string() }) });

/** By what `/v1/status` says of chain and contracts, and by the database that it works on. */
async function apiStanding(origin: string, service: Service): Promise<Standing> {
  const answer = await ask(`${origin}/v1/status`);
  const problem = ApiProblem.safeParse(answer?.body);
  if (problem.success) {
    return { is: "unknown", why: `it answers ${problem.data.error.type} at /v1/status` };
  }
  const status = ApiStatus.safeParse(answer?.body);
  if (!status.success) return OTHER_PROGRAM;
  const { chainId, contracts } = status.data;
  const { deployment } = service;
  if (chainId !== deployment.chainId) {
    return { is: "foreign", what: `a service of chain ${chainId}` };
  }
  if (contracts.soulRegistry.toLowerCase() !== deployment.contracts.soulRegistry.toLowerCase()) {
    return { is: "foreign", what: "a service of other contracts" };
  }
  return worksOn(service, APPLICATION_NAME, "a service");
}

const IndexerStatus = z.record(z.string(), z.object({ id: z.int() }));

/** By the chain that Ponder names, and by the database that it writes. */
async function indexerStanding(origin: string, service: Service): Promise<Standing> {
  const answer = await ask(`${origin}/status`);
  const status = IndexerStatus.safeParse(answer?.body);
  const [chain] = Object.values(status.data ?? {});
  if (chain === undefined) {
    const metrics = await ask(`${origin}/metrics`);
    if (!/^# HELP ponder_/m.test(metrics?.text ?? "")) return OTHER_PROGRAM;
    return { is: "unknown", why: "it names no chain at /status yet" };
  }
  if (chain.id !== service.deployment.chainId) {
    return { is: "foreign", what: `an indexer of chain ${chain.id}` };
  }
  return worksOn(service, "indexer_%", "an indexer");
}

/** Whether a process of that kind is connected to the database. */
async function worksOn(service: Service, applicationName: string, kind: string): Promise<Standing> {
  const client = new pg.Client({
    connectionString: service.databaseUrl,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A connection that breaks also rejects its statement.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name like $1 limit 1",
      [applicationName],
    );
    return rows.length > 0 ? { is: "own" } : { is: "foreign", what: `${kind} of another database` };
  } catch {
    return { is: "unknown", why: "PostgreSQL does not answer at DATABASE_URL" };
  } finally {
    await client.end().catch(() => {});
  }
}

/** An answer, and its JSON where it has some; null when nothing speaks HTTP there. */
async function ask(url: string) {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    const text = await answer.text();
    return { text, body: jsonOf(text) };
  } catch {
    return null;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the world reaches the API, once it runs. */
async function publicUrlFindings(
  { PUBLIC_URL: url }: Settings,
  service: Service,
): Promise<Finding[]> {
  if (url === undefined) return [];
  try {
    const answer = await fetch(new URL("/health", url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) {
      return [
        warning(
          `${url.origin}/health answers ${answer.status}.`,
          "Start the API, and let the proxy pass every path to it.",
        ),
      ];
    }
    const standing = await apiStanding(url.origin, service);
    if (standing.is === "own") return [ok(`${url.origin} answers.`)];
    return [
      standing.is === "unknown"
        ? warning(
            `${url.origin} answers, and whether it is this service is not known: ${standing.why}.`,
            "Run the command again when it is ready.",
          )
        : fault(
            `${url.origin} (PUBLIC_URL) is answered by ${standing.what}.`,
            "Correct PUBLIC_URL, or let its proxy pass every path to this service.",
          ),
    ];
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    return [
      warning(
        `${url.origin} is not reached from here: ${reason(cause ?? error, redactText)}`,
        "Before the first start this is expected. Then check name, proxy and certificate.",
      ),
    ];
  }
}
