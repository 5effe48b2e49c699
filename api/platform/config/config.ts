import type { Address, Hex } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import type { Network } from "../limits/client-address.ts";
import { parseNetwork } from "../limits/client-address.ts";
import type { RateLimitName, RateLimits } from "../limits/rate-limits.ts";
import { DEFAULT_RATE_LIMITS } from "../limits/rate-limits.ts";
import type { LogLevel } from "../log/log.ts";
import { LOG_LEVELS } from "../log/log.ts";
import type { AddressPolicy } from "../outbound/addresses.ts";
import { checkUrl, createAddressPolicy, parseOpenedRanges } from "../outbound/addresses.ts";
import { OUTBOUND_REASONS, OutboundError } from "../outbound/ports.ts";
import type { SponsorshipLimits } from "../sponsorship/gas-budget.ts";
import type { ReadOrder } from "../storage/settings.ts";
import {
  BUNDLER_PATHS,
  GATEWAY_URLS_RULE,
  gatewayUrls,
  isServiceUrl,
  READ_ORDERS,
  uploadUrl,
} from "../storage/settings.ts";

/** One version of the key that every other secret is derived from or encrypted with. */
export interface MasterKey {
  /** 1 to 255: stored beside everything made with it. */
  readonly version: number;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** One secret that access tokens are signed with. */
export interface JwtSecret {
  /** Names the secret in a token's header. */
  readonly kid: string;
  /** At least 32 bytes. */
  readonly secret: Buffer;
}

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
  /**
   * The same database under the role that owns the tables: migrations run under it, and the API's
   * own role may less.
   */
  readonly migrationDatabaseUrl: string | undefined;
  readonly rpcUrl: string;
  readonly rpcWsUrl: string | undefined;
  /** Path of the file that names chain, contracts and start block. */
  readonly deploymentPath: string;
  /** Public origin of this server. */
  readonly publicUrl: URL;
  /** Domain named in sign-in messages, and the tokens' issuer. */
  readonly domain: string;
  readonly relayerPrivateKey: Hex;
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

/** `api` answers requests, `jobs` runs jobs. */
export const PROCESS_ROLES = ["api", "jobs"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** The environment is invalid. The message lists every wrong variable, and never a value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
  }
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Distinct byte values that 32 random bytes reach with all but certainty (the odds against are
 * below 10^-20).
 */
const MIN_DISTINCT_BYTES = 16;

const urlOf = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL starting with ${protocols.map((name) => `${name}//`).join(" or ")}`,
  });

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, {
      error: `must be between ${minimum} and ${maximum}`,
    });

const PublicUrl = z.string().transform((text, context): URL => {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (!URL.canParse(text)) return refuse("must be a URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.has(url.hostname))) {
    return refuse("must be https (http only on a loopback address)");
  }
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password) {
    return refuse("must be an origin: no path, query, fragment or credentials");
  }
  return url;
});

const PrivateKey = z.string().transform((text, context): Hex => {
  try {
    if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Error("form");
    // Zero and values beyond the curve's order are refused by the curve itself.
    privateKeyToAccount(text as Hex);
  } catch {
    context.addIssue({ code: "custom", message: "must be a private key: 0x and 64 hex digits" });
    return z.NEVER;
  }
  return text as Hex;
});

interface LabelledSecret {
  readonly label: string;
  readonly bytes: Buffer;
}

/** `label:<base64>` entries, separated by commas. */
const secretList = (rules: {
  readonly label: RegExp;
  readonly maxCount: number;
  readonly sizeProblem: (bytes: number) => string | undefined;
}) =>
  z.string().transform((text, context): LabelledSecret[] => {
    const entries: LabelledSecret[] = [];
    for (const [index, part] of text.split(",").entries()) {
      const problem = (message: string) =>
        context.addIssue({ code: "custom", message: `entry ${index + 1} ${message}` });
      const colon = part.indexOf(":");
      const label = part.slice(0, Math.max(colon, 0)).trim();
      const encoded = part.slice(colon + 1).trim();
      const bytes = Buffer.from(encoded, "base64");
      if (!rules.label.test(label)) problem("must be written label:base64");
      // Node skips invalid base64; a secret shorter than intended would pass unnoticed.
      else if (bytes.toString("base64") !== encoded) problem("is not padded base64");
      else if (entries.some((entry) => entry.label === label)) problem("repeats a label");
      else {
        const size = rules.sizeProblem(bytes.length);
        if (size !== undefined) problem(size);
        else if (new Set(bytes).size < MIN_DISTINCT_BYTES) problem("is not random");
        else entries.push({ label, bytes });
      }
    }
    if (entries.length > rules.maxCount) {
      context.addIssue({ code: "custom", message: `may have at most ${rules.maxCount} entries` });
    }
    return entries;
  });

const MasterKeys = secretList({
  label: /^v(?:[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$/,
  maxCount: 255,
  sizeProblem: (bytes) => (bytes === 32 ? undefined : "must be 32 bytes"),
}).transform((entries): MasterKey[] =>
  entries.map(({ label, bytes }) => ({ version: Number(label.slice(1)), key: bytes })),
);

const JwtSecrets = secretList({
  label: /^[A-Za-z0-9_-]{1,32}$/,
  maxCount: 2,
  sizeProblem: (bytes) => (bytes >= 32 ? undefined : "must be at least 32 bytes"),
}).transform((entries): JwtSecret[] =>
  entries.map(({ label, bytes }) => ({ kid: label, secret: bytes })),
);

/** `none`, or addresses and networks separated by commas. */
const TrustedProxies = z.string().transform((text, context): Network[] => {
  if (text === "none") return [];
  return text.split(",").flatMap((part, index) => {
    const network = parseNetwork(part.trim());
    if (network !== null) return [network];
    context.addIssue({
      code: "custom",
      message: `entry ${index + 1} is neither an address nor a network (none: no proxy)`,
    });
    return [];
  });
});

/** `name=number` entries, separated by commas, over the defaults. */
const RateLimitSettings = z.string().transform((text, context): RateLimits => {
  const limits: Record<RateLimitName, number> = { ...DEFAULT_RATE_LIMITS };
  for (const [index, part] of text.split(",").entries()) {
    const problem = (message: string) =>
      context.addIssue({ code: "custom", message: `entry ${index + 1} ${message}` });
    const [name = "", value = ""] = part.trim().split("=", 2);
    const number = Number(value);
    if (!Object.hasOwn(limits, name)) {
      problem(`names no limit (${Object.keys(limits).join(", ")})`);
    } else if (!/^[0-9]{1,12}(?:\.[0-9]{1,6})?$/.test(value) || !(number > 0)) {
      problem("must be written name=number, above 0");
    } else if (!name.endsWith(".multiplier") && !Number.isInteger(number)) {
      problem("must be a whole number");
    } else limits[name as RateLimitName] = number;
  }
  return limits;
});

const Ids = z
  .string()
  .regex(/^[1-9][0-9]{0,15}(?:\s*,\s*[1-9][0-9]{0,15})*$/, "must be ids separated by commas")
  .transform((text) => new Set(text.split(",").map((id) => BigInt(id.trim()))));

const Gas = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,17})$/, "must be a whole number")
  .transform(BigInt);

/** About 1,600 registrations. */
const DEFAULT_GAS_PER_DAY = 2_000_000_000n;
/** Of the day's gas. */
const DEFAULT_RESERVE_PERCENT = 25;
/** Of the day's gas: about 80 registrations. */
const DEFAULT_NETWORK_PERCENT = 5;
/**
 * Blocks as they are checked and used by the outbound client. An entry that is not exactly right
 * opens nothing.
 */
const OutboundAllow = z.string().transform((text, context): readonly string[] => {
  try {
    return parseOpenedRanges(text);
  } catch {
    context.addIssue({
      code: "custom",
      message:
        "must be CIDR blocks inside private ranges, such as 10.1.2.0/24, separated by commas",
    });
    return z.NEVER;
  }
});

/** `<did>=<url>` entries, separated by commas. */
const RegulatorEndpoints = z.string().transform((text, context): ReadonlyMap<string, string> => {
  const endpoints = new Map<string, string>();
  for (const [index, part] of text.split(",").entries()) {
    const problem = (message: string) =>
      context.addIssue({ code: "custom", message: `entry ${index + 1} ${message}` });
    const [, did = "", url = ""] = /^([^=]+)=(.+)$/.exec(part.trim()) ?? [];
    if (!/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/.test(did)) problem("must be written did=url");
    else if (endpoints.has(did)) problem("repeats a DID");
    else endpoints.set(did, url);
  }
  return endpoints;
});

const ServiceUrl = z
  .string()
  .refine(isServiceUrl, { error: "must be an https URL (http only on a loopback address)" });

const GatewayUrls = z.string().transform((text, context): readonly string[] => {
  const urls = gatewayUrls(text);
  if (urls !== null) return urls;
  context.addIssue({ code: "custom", message: GATEWAY_URLS_RULE });
  return z.NEVER;
});

const BundlerKind = z
  .string()
  .refine((text) => Object.hasOwn(BUNDLER_PATHS, text) || /^\/[\w./-]+$/.test(text), {
    error: `must be ${Object.keys(BUNDLER_PATHS).join(", ")} or the path at which it takes items`,
  });

const Roles = z.string().transform((text, context): ReadonlySet<ProcessRole> => {
  const roles = new Set<ProcessRole>();
  for (const part of text.split(",")) {
    const role = PROCESS_ROLES.find((known) => known === part.trim());
    if (role) roles.add(role);
    else context.addIssue({ code: "custom", message: "must be api, jobs or api,jobs" });
  }
  return roles;
});

/** As many letters as 16 random bytes need in base64. */
const MIN_TOKEN_LENGTH = 22;

const Environment = z.object({
  SVC_HOST: z.string().default("127.0.0.1"),
  SVC_API_PORT: integer(0, 65_535).default(8787),
  DATABASE_URL: urlOf("postgres:", "postgresql:"),
  DATABASE_SILENCE_MS: integer(100, 60_000).default(1_000),
  MIGRATION_DATABASE_URL: urlOf("postgres:", "postgresql:").optional(),
  RPC_URL: urlOf("http:", "https:"),
  RPC_WS_URL: urlOf("ws:", "wss:").optional(),
  SVC_DEPLOYMENT: z.string(),
  PUBLIC_URL: PublicUrl,
  SVC_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+(?::[0-9]{1,5})?$/, "must be a host, with a port if needed")
    .optional(),
  RELAYER_PRIVATE_KEY: PrivateKey,
  STORAGE_PRIVATE_KEY: PrivateKey,
  MASTER_KEYS: MasterKeys,
  JWT_SECRETS: JwtSecrets,
  CONFIRMATIONS: integer(1, 1000).default(1),
  INDEXER_WAIT_MS: integer(0, 60_000).default(5000),
  MAX_INDEX_AGE_MS: integer(1_000, 600_000).default(10_000),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  // Without a default: behind an unnamed proxy all callers would share one limit, and trusting all
  // proxies would disable limits.
  TRUSTED_PROXIES: TrustedProxies,
  RATE_LIMITS: RateLimitSettings.default(DEFAULT_RATE_LIMITS),
  RATE_LIMIT_ORGANIZATIONS: Ids.default(new Set<bigint>()),
  REDIS_URL: urlOf("redis:", "rediss:").optional(),
  REPLICAS: integer(1, 1000).default(1),
  SPONSORED_GAS_PER_DAY: Gas.default(DEFAULT_GAS_PER_DAY),
  SPONSORED_GAS_RESERVE_PERCENT: integer(0, 100).default(DEFAULT_RESERVE_PERCENT),
  SPONSORED_GAS_NETWORK_PERCENT: integer(1, 100).default(DEFAULT_NETWORK_PERCENT),
  REGISTRATIONS_PER_MONTH: integer(1, 1_000_000).default(20),
  CHALLENGES_PER_ADDRESS: integer(1, 1_000_000).default(10),
  UNCLAIMED_PER_ADDRESS: integer(1, 1_000_000).default(10),
  PARSE_THREADS: integer(1, 64).default(2),
  PARSE_TIMEOUT_MS: integer(10, 60_000).default(1000),
  PARSE_QUEUE: integer(1, 10_000).default(64),
  OUTBOUND_ALLOW: OutboundAllow.optional(),
  OUTBOUND_LOOPBACK_HTTP: z.enum(["true", "false"], { error: "must be true or false" }).optional(),
  REGULATOR_ENDPOINTS: RegulatorEndpoints.default(new Map<string, string>()),
  SMTP_URL: urlOf("smtp:", "smtps:").optional(),
  SMTP_FROM: z
    .string()
    .regex(/^[^\s<>@,;]+@[a-z0-9.-]+$/i, "must be one mail address")
    .optional(),
  STORAGE_DRIVER: z
    .enum(["local", "bundler"], { error: "must be local or bundler" })
    .default("local"),
  BUNDLER_URL: ServiceUrl.optional(),
  BUNDLER_KIND: BundlerKind.optional(),
  BUNDLER_TIMEOUT_MS: integer(100, 120_000).default(15_000),
  GATEWAY_URLS: GatewayUrls.default([]),
  GATEWAY_TIMEOUT_MS: integer(100, 60_000).default(5_000),
  STORAGE_READ_ORDER: z
    .enum(READ_ORDERS, { error: `must be ${READ_ORDERS.join(" or ")}` })
    .default("copy"),
  SVC_ROLES: Roles.default(new Set(PROCESS_ROLES)),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters without spaces")
    .min(MIN_TOKEN_LENGTH, `must have at least ${MIN_TOKEN_LENGTH} characters`)
    .optional(),
});

/**
 * The configuration of an environment. An empty variable counts as absent.
 *
 * @throws ConfigError naming every variable that is missing, malformed or too weak.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => {
        const name = issue.path.map(String).join(".");
        return present[name] === undefined ? `${name} is missing` : `${name} ${issue.message}`;
      }),
    );
  }
  const values = parsed.data;
  const { SMTP_URL, SMTP_FROM } = values;
  const problems = wellKnownKeys(values.PUBLIC_URL, {
    RELAYER_PRIVATE_KEY: values.RELAYER_PRIVATE_KEY,
    STORAGE_PRIVATE_KEY: values.STORAGE_PRIVATE_KEY,
  });
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
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL,
    rpcUrl: values.RPC_URL,
    rpcWsUrl: values.RPC_WS_URL,
    deploymentPath: values.SVC_DEPLOYMENT,
    publicUrl: values.PUBLIC_URL,
    domain: values.SVC_DOMAIN ?? values.PUBLIC_URL.host,
    relayerPrivateKey: values.RELAYER_PRIVATE_KEY,
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

/** Every local node prints the test accounts' keys: a public server that uses one can be robbed. */
function wellKnownKeys(publicUrl: URL, keys: Readonly<Record<string, Hex>>): string[] {
  if (LOOPBACK.has(publicUrl.hostname)) return [];
  const known = new Set<Address>();
  for (let index = 0; index < 20; index += 1) {
    const phrase = "test test test test test test test test test test test junk";
    known.add(mnemonicToAccount(phrase, { addressIndex: index }).address);
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
    migrations: config.migrationDatabaseUrl === undefined ? "same role" : "own role",
    rpc: whereTo(config.rpcUrl),
    rpcWs: config.rpcWsUrl === undefined ? null : whereTo(config.rpcWsUrl),
    deployment: config.deploymentPath,
    publicOrigin: config.publicUrl.host,
    domain: config.domain,
    relayer: privateKeyToAccount(config.relayerPrivateKey).address,
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
    metrics: config.metricsToken === undefined ? "this machine" : "with a token",
  };
}

/** A provider's key is in the path as often as in the query: only host and port are safe. */
function whereTo(url: string): string {
  return new URL(url).host;
}
