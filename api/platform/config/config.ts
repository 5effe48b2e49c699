import type { Address, Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { z } from "zod";
import type { Network } from "../../kernel/networks.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { LogLevel } from "../log/log.ts";
import type { AddressPolicy } from "../outbound/addresses.ts";
import { checkUrl, createAddressPolicy } from "../outbound/addresses.ts";
import { OUTBOUND_REASONS, OutboundError } from "../outbound/ports.ts";
import type { SponsorshipLimits } from "../sponsorship/gas-budget.ts";
import type { ReadOrder } from "../storage/settings.ts";
import { uploadUrl } from "../storage/settings.ts";
import type { TracingSettings } from "../tracing/settings.ts";
import { Environment } from "./environment.ts";
import { TEST_ACCOUNT_COUNT, testAccount } from "./test-accounts.ts";
import type { JwtSecret, MasterKey, ProcessRole } from "./values.ts";
import { LOOPBACK } from "./values.ts";

export interface Config {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly databaseUrl: string;
  /**
   * Milliseconds for which PostgreSQL may be silent before requests that wait for it are answered
   * 503.
   */
  readonly databaseSilenceMs: number;
  /** A streaming replica that may answer reads of public lists. */
  readonly databaseRead: {
    readonly url: string | undefined;
    /** Milliseconds by which it may be behind. */
    readonly maxLagMs: number;
    /** Longest wait in milliseconds until it shows what its caller wrote. */
    readonly waitMs: number;
  };
  /**
   * The same database under the role that owns the tables: migrations run under it, and the API's
   * own role may less.
   */
  readonly migrationDatabaseUrl: string | undefined;
  /** Nodes in the order of preference. */
  readonly rpcUrls: readonly [string, ...string[]];
  readonly rpcWsUrl: string | undefined;
  /** Path of the file that names chain, contracts and start block. */
  readonly deploymentPath: string;
  /** Public origin of this server. */
  readonly publicUrl: URL;
  /** Domain named in sign-in messages, and the tokens' issuer. */
  readonly domain: string;
  readonly relayerPrivateKey: Hex;
  /** Further keys that send what is no registration. */
  readonly relayerPrivateKeys: readonly Hex[];
  /** Signs what goes to permanent storage. */
  readonly storagePrivateKey: Hex;
  /** The first encrypts new data, the others only read old data. Never empty. */
  readonly masterKeys: readonly MasterKey[];
  /** The first signs, all verify. One or two. */
  readonly jwtSecrets: readonly JwtSecret[];
  /** Blocks until a transaction is final; 1 means included. */
  readonly confirmations: number;
  /** Longest time in milliseconds that a write waits for the index to show it. */
  readonly indexerWaitMs: number;
  /** Longest time in milliseconds that facts about ownership may be behind the chain's head. */
  readonly maxIndexAgeMs: number;
  readonly logLevel: LogLevel;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly Network[];
  readonly rateLimits: RateLimits;
  /** Organizations whose members have the organization tier. */
  readonly rateLimitOrganizations: ReadonlySet<bigint>;
  /** Redis for limits shared by all processes; undefined counts in this one. */
  readonly redisUrl: string | undefined;
  /** How many processes share the limits. */
  readonly replicas: number;
  readonly sponsorship: SponsorshipLimits;
  /** How many names one address may reserve without an owner's signature. */
  readonly pendingLimits: { readonly challenges: number; readonly registrations: number };
  /** Bounds on reading private texts. */
  readonly parsing: {
    readonly threads: number;
    readonly timeoutMs: number;
    readonly queue: number;
    readonly waitMs: number;
  };
  /** Private address ranges that webhooks may reach: CIDR blocks. */
  readonly outboundAllow: readonly string[];
  /**
   * Whether webhooks and endpoints of disclosures may also be loopback addresses over http. Only
   * when `publicUrl` is on loopback itself.
   */
  readonly outboundLoopbackHttp: boolean;
  /** Where audit packages are sent to, by the DID of the regulator. */
  readonly regulatorEndpoints: ReadonlyMap<string, string>;
  /** SMTP server for mail to owners; undefined sends none. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined;
  /** The work of this process. */
  readonly roles: ReadonlySet<ProcessRole>;
  readonly storage: StorageConfig;
  /** Token of operators for `/metrics`; undefined admits only requests from this machine. */
  readonly metricsToken: string | undefined;
  /** Where traces are sent; undefined traces nothing. */
  readonly tracing: TracingSettings | undefined;
}

/** Upload and download addresses of permanent storage. */
export interface StorageConfig {
  /** Address at which a bundler takes items; undefined keeps them in the database alone. */
  readonly uploadUrl: string | undefined;
  /** Gateways in the order of preference: origins, or addresses with `{id}`. */
  readonly gatewayUrls: readonly string[];
  readonly readOrder: ReadOrder;
  /** Milliseconds for one request to a gateway, and for one try to upload. */
  readonly gatewayTimeoutMs: number;
  readonly bundlerTimeoutMs: number;
}

/** The environment is invalid. The message lists every wrong variable, and never a value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
  }
}

/** Such as `process.env`. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * The values of an environment that a schema names. An empty variable counts as absent.
 *
 * @throws ConfigError naming every variable that is missing or malformed.
 */
export function parseEnvironment<Schema extends z.ZodObject>(
  schema: Schema,
  environment: EnvironmentVariables,
): z.infer<Schema> {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(present);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map((issue) => {
      const name = issue.path.map(String).join(".");
      return present[name] === undefined ? `${name} is missing` : `${name} ${issue.message}`;
    }),
  );
}

/**
 * The configuration of an environment.
 *
 * @throws ConfigError naming every variable that is missing, malformed or too weak.
 */
export function readConfig(environment: EnvironmentVariables): Config {
  const values = parseEnvironment(Environment, environment);
  const { SMTP_URL, SMTP_FROM } = values;
  const problems = wellKnownKeys(values.PUBLIC_URL, {
    RELAYER_PRIVATE_KEY: values.RELAYER_PRIVATE_KEY,
    ...Object.fromEntries(
      values.RELAYER_PRIVATE_KEYS.map((key, index) => [
        `RELAYER_PRIVATE_KEYS entry ${index + 1}`,
        key,
      ]),
    ),
    STORAGE_PRIVATE_KEY: values.STORAGE_PRIVATE_KEY,
  });
  const addressOf = (key: Hex) => privateKeyToAccount(key).address;
  if (values.RELAYER_PRIVATE_KEYS.map(addressOf).includes(addressOf(values.RELAYER_PRIVATE_KEY))) {
    problems.push("RELAYER_PRIVATE_KEYS repeats RELAYER_PRIVATE_KEY");
  }
  problems.push(...sharedSecrets(values));
  if ((SMTP_URL === undefined) !== (SMTP_FROM === undefined)) {
    problems.push("SMTP_URL and SMTP_FROM are needed together");
  }
  const outboundLoopbackHttp = values.OUTBOUND_LOOPBACK_HTTP === "true";
  if (outboundLoopbackHttp && !LOOPBACK.has(values.PUBLIC_URL.hostname)) {
    problems.push("OUTBOUND_LOOPBACK_HTTP is only for a service whose PUBLIC_URL is on loopback");
  }
  const addresses = createAddressPolicy(values.OUTBOUND_ALLOW, outboundLoopbackHttp);
  problems.push(...endpointProblems(values.REGULATOR_ENDPOINTS, addresses));
  problems.push(...storageProblems(values));
  if (problems.length > 0) throw new ConfigError(problems);

  return {
    host: values.SVC_HOST,
    port: values.SVC_API_PORT,
    databaseUrl: values.DATABASE_URL,
    databaseSilenceMs: values.DATABASE_SILENCE_MS,
    databaseRead: {
      url: values.DATABASE_READ_URL,
      maxLagMs: values.DATABASE_READ_MAX_LAG_MS,
      waitMs: values.DATABASE_READ_WAIT_MS,
    },
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL,
    rpcUrls: values.RPC_URL,
    rpcWsUrl: values.RPC_WS_URL,
    deploymentPath: values.SVC_DEPLOYMENT,
    publicUrl: values.PUBLIC_URL,
    domain: values.SVC_DOMAIN ?? values.PUBLIC_URL.host,
    relayerPrivateKey: values.RELAYER_PRIVATE_KEY,
    relayerPrivateKeys: values.RELAYER_PRIVATE_KEYS,
    storagePrivateKey: values.STORAGE_PRIVATE_KEY,
    masterKeys: values.MASTER_KEYS,
    jwtSecrets: values.JWT_SECRETS,
    confirmations: values.CONFIRMATIONS,
    indexerWaitMs: values.INDEXER_WAIT_MS,
    maxIndexAgeMs: values.MAX_INDEX_AGE_MS,
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUSTED_PROXIES,
    rateLimits: values.RATE_LIMITS,
    rateLimitOrganizations: values.RATE_LIMIT_ORGANIZATIONS,
    redisUrl: values.REDIS_URL,
    replicas: values.REPLICAS,
    sponsorship: {
      gasPerDay: values.SPONSORED_GAS_PER_DAY,
      reservePercent: values.SPONSORED_GAS_RESERVE_PERCENT,
      networkPercent: values.SPONSORED_GAS_NETWORK_PERCENT,
      registrationsPerMonth: values.REGISTRATIONS_PER_MONTH,
    },
    pendingLimits: {
      challenges: values.CHALLENGES_PER_ADDRESS,
      registrations: values.UNCLAIMED_PER_ADDRESS,
    },
    parsing: {
      threads: values.PARSE_THREADS,
      timeoutMs: values.PARSE_TIMEOUT_MS,
      queue: values.PARSE_QUEUE,
      waitMs: values.PARSE_WAIT_MS,
    },
    outboundAllow: values.OUTBOUND_ALLOW ?? [],
    outboundLoopbackHttp,
    regulatorEndpoints: values.REGULATOR_ENDPOINTS,
    smtp:
      SMTP_URL === undefined || SMTP_FROM === undefined
        ? undefined
        : { url: SMTP_URL, from: SMTP_FROM },
    roles: values.SVC_ROLES,
    storage: {
      uploadUrl: uploadUrlOf(values),
      gatewayUrls: values.GATEWAY_URLS,
      readOrder: values.STORAGE_READ_ORDER,
      gatewayTimeoutMs: values.GATEWAY_TIMEOUT_MS,
      bundlerTimeoutMs: values.BUNDLER_TIMEOUT_MS,
    },
    metricsToken: values.METRICS_TOKEN,
    tracing: tracingOf(values),
  };
}

/** Endpoints that no package could ever be sent to. */
function endpointProblems(
  endpoints: ReadonlyMap<string, string>,
  addresses: AddressPolicy,
): string[] {
  return [...endpoints].flatMap(([did, url]) => {
    try {
      checkUrl(url, addresses);
      return [];
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const why = OUTBOUND_REASONS[error.reason];
      return [`REGULATOR_ENDPOINTS has an address for ${did} that cannot be used: ${why}`];
    }
  });
}

type StorageValues = Pick<
  z.infer<typeof Environment>,
  "STORAGE_DRIVER" | "BUNDLER_URL" | "BUNDLER_KIND" | "GATEWAY_URLS" | "STORAGE_READ_ORDER"
>;

/** A half-configured bundler must not look like an absent one: items would exist only here. */
function storageProblems(values: StorageValues): string[] {
  const { STORAGE_DRIVER, BUNDLER_URL, BUNDLER_KIND, GATEWAY_URLS, STORAGE_READ_ORDER } = values;
  const problems: string[] = [];
  const count = [BUNDLER_URL, BUNDLER_KIND].filter((value) => value !== undefined).length;
  if (STORAGE_DRIVER === "bundler" && count < 2) {
    problems.push("STORAGE_DRIVER=bundler needs BUNDLER_URL and BUNDLER_KIND");
  }
  if (STORAGE_DRIVER === "local" && count > 0) {
    problems.push("BUNDLER_URL and BUNDLER_KIND are for STORAGE_DRIVER=bundler");
  }
  if (STORAGE_READ_ORDER === "gateways" && GATEWAY_URLS.length === 0) {
    problems.push("STORAGE_READ_ORDER=gateways needs GATEWAY_URLS");
  }
  return problems;
}

function uploadUrlOf({ STORAGE_DRIVER, BUNDLER_URL, BUNDLER_KIND }: StorageValues) {
  return STORAGE_DRIVER === "bundler" && BUNDLER_URL !== undefined && BUNDLER_KIND !== undefined
    ? uploadUrl(BUNDLER_URL, BUNDLER_KIND)
    : undefined;
}

type TracingValues = Pick<
  z.infer<typeof Environment>,
  | "OTEL_EXPORTER_OTLP_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_HEADERS"
  | "OTEL_SERVICE_NAME"
  | "OTEL_TRACES_SAMPLER_ARG"
  | "OTEL_BSP_SCHEDULE_DELAY"
>;

function tracingOf(values: TracingValues): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
  };
}

/** A token secret is changed when it leaks. A master key cannot be: it is what backups open with. */
function sharedSecrets({
  MASTER_KEYS,
  JWT_SECRETS,
}: Pick<z.infer<typeof Environment>, "MASTER_KEYS" | "JWT_SECRETS">): string[] {
  return JWT_SECRETS.flatMap(({ secret }, index) => {
    const same = MASTER_KEYS.find(({ key }) => key.equals(secret));
    return same === undefined
      ? []
      : [`JWT_SECRETS entry ${index + 1} repeats v${same.version} of MASTER_KEYS`];
  });
}

/** Every local node prints the test accounts' keys: a public server that uses one can be robbed. */
function wellKnownKeys(publicUrl: URL, keys: Readonly<Record<string, Hex>>): string[] {
  if (LOOPBACK.has(publicUrl.hostname)) return [];
  const known = new Set<Address>();
  for (let index = 0; index < TEST_ACCOUNT_COUNT; index += 1) {
    known.add(testAccount(index).account.address);
  }
  return Object.entries(keys)
    .filter(([, key]) => known.has(privateKeyToAccount(key).address))
    .map(([name]) => `${name} is a published test key`);
}

/**
 * The parts of a configuration that may be logged: no secret, and only hosts of URLs with
 * credentials.
 */
export function redactedConfig(config: Config): Record<string, unknown> {
  return {
    listen: `${config.host}:${config.port}`,
    database: whereTo(config.databaseUrl),
    databaseSilenceMs: config.databaseSilenceMs,
    databaseRead: config.databaseRead.url === undefined ? null : whereTo(config.databaseRead.url),
    migrations: config.migrationDatabaseUrl === undefined ? "same role" : "own role",
    rpc: config.rpcUrls.map(whereTo),
    rpcWs: config.rpcWsUrl === undefined ? null : whereTo(config.rpcWsUrl),
    deployment: config.deploymentPath,
    publicOrigin: config.publicUrl.host,
    domain: config.domain,
    relayer: privateKeyToAccount(config.relayerPrivateKey).address,
    furtherRelayers: config.relayerPrivateKeys.map((key) => privateKeyToAccount(key).address),
    bundler: config.storage.uploadUrl === undefined ? null : whereTo(config.storage.uploadUrl),
    gateways: config.storage.gatewayUrls.map((url) => whereTo(url.replace("{id}", "id"))),
    readOrder: config.storage.readOrder,
    storageSigner: privateKeyToAccount(config.storagePrivateKey).address,
    masterVersions: config.masterKeys.map(({ version }) => version),
    jwtKids: config.jwtSecrets.map(({ kid }) => kid),
    confirmations: config.confirmations,
    redis: config.redisUrl === undefined ? null : whereTo(config.redisUrl),
    replicas: config.replicas,
    trustedProxies: config.trustedProxies.map(([address, bits]) => `${address}/${bits}`),
    indexerWaitMs: config.indexerWaitMs,
    maxIndexAgeMs: config.maxIndexAgeMs,
    logLevel: config.logLevel,
    parsing: config.parsing,
    outboundAllow: config.outboundAllow,
    outboundLoopbackHttp: config.outboundLoopbackHttp,
    regulators: [...config.regulatorEndpoints.keys()],
    smtp: config.smtp === undefined ? null : whereTo(config.smtp.url),
    roles: [...config.roles],
    traces: config.tracing === undefined ? null : whereTo(config.tracing.endpoint),
    metrics: config.metricsToken === undefined ? "this machine" : "with a token",
  };
}

/** A provider's key is in the path as often as in the query: only host and port are safe. */
function whereTo(url: string): string {
  return new URL(url).host;
}
