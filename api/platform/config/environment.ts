import { z } from "zod";
import { DEFAULT_RATE_LIMITS } from "../limits/rate-limits.ts";
import { LOG_LEVELS } from "../log/log.ts";
import { READ_ORDERS } from "../storage/settings.ts";
import {
  BundlerKind,
  Gas,
  GatewayUrls,
  Ids,
  integer,
  JwtSecrets,
  MasterKeys,
  OtlpHeaders,
  OutboundAllow,
  PROCESS_ROLES,
  PrivateKey,
  PrivateKeys,
  PublicUrl,
  RateLimitSettings,
  RegulatorEndpoints,
  Roles,
  ServiceUrl,
  Share,
  TrustedProxies,
  urlOf,
  urlsOf,
} from "./values.ts";

/** About 1,600 registrations. */
const GAS_PER_DAY = 2_000_000_000n;
/** As many letters as 16 random bytes need in base64. */
const MIN_TOKEN_LENGTH = 22;

// Each description is a comment of .env.example, which `npm run generate` writes. A `sample` stands
// there in place of a default that has no short form, or of none.

const service = z.object({
  PUBLIC_URL: PublicUrl.meta({
    description: "Origin under which the world reaches the API: https, or http on loopback.",
    sample: "https://id.example.com",
  }),
  SVC_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+(?::[0-9]{1,5})?$/, "must be a host, with a port if needed")
    .optional()
    .meta({
      description: "Domain in sign-in messages, and issuer of tokens. Default: host of PUBLIC_URL.",
      sample: "id.example.com",
    }),
  SVC_HOST: z.string().default("127.0.0.1").meta({
    description: "Address at which the API listens.",
  }),
  SVC_API_PORT: integer(0, 65_535).default(8787).meta({
    description: "Port at which the API listens; 0 takes any free one.",
  }),
  SVC_ROLES: Roles.default(new Set(PROCESS_ROLES)).meta({
    description:
      "Work of the process: api, jobs or api,jobs. npm run api and npm run worker set it themselves.",
    sample: "api,jobs",
  }),
  // Without a default: behind an unnamed proxy all callers would share one limit, and trusting all
  // proxies would disable limits.
  TRUSTED_PROXIES: TrustedProxies.meta({
    description:
      "Proxies in front of the API: none, or their addresses and networks separated by commas.",
    sample: "none",
  }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default("info")
    .meta({
      description: `Least level that is logged: ${LOG_LEVELS.join(", ")}.`,
    }),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters without spaces")
    .min(MIN_TOKEN_LENGTH, `must have at least ${MIN_TOKEN_LENGTH} characters`)
    .optional()
    .meta({
      description: `Token that readers of /metrics send as a bearer token, at least ${MIN_TOKEN_LENGTH} characters. Without it, /metrics answers this machine only.`,
      secret: true,
    }),
});

const database = z.object({
  DATABASE_URL: urlOf("postgres:", "postgresql:").meta({
    description: "PostgreSQL 15 or newer. API, workers and indexer use one database.",
    sample: "postgresql://svc:password@127.0.0.1:5432/svc",
  }),
  MIGRATION_DATABASE_URL: urlOf("postgres:", "postgresql:").optional().meta({
    description:
      "The same database under the role that owns the tables. Migrations run under it, and the API's own role is granted only what it needs.",
    sample: "postgresql://svc_owner:password@127.0.0.1:5432/svc",
  }),
  DATABASE_READ_URL: urlOf("postgres:", "postgresql:").optional().meta({
    description:
      "A streaming replica of it, which may answer reads of public lists. Everything else, and everything while it is away or behind, goes to DATABASE_URL.",
    sample: "postgresql://svc:password@127.0.0.1:5433/svc",
  }),
  DATABASE_READ_MAX_LAG_MS: integer(100, 60_000).default(1_000).meta({
    description: "How far the replica may be behind before nothing is read from it.",
  }),
  DATABASE_READ_WAIT_MS: integer(0, 5_000).default(300).meta({
    description:
      "Longest wait until the replica shows what its caller has just written; then DATABASE_URL answers.",
  }),
  DATABASE_SILENCE_MS: integer(100, 60_000).default(1_000).meta({
    description:
      "How long PostgreSQL may be silent before requests that wait for it are answered 503 SERVICE_UNAVAILABLE.",
  }),
});

const chain = z.object({
  RPC_URL: urlsOf("http:", "https:").meta({
    description:
      "JSON-RPC of the chain's nodes, separated by commas, in the order of preference. The next one is asked when one does not answer.",
    sample: "https://sepolia.base.org",
  }),
  RPC_WS_URL: urlOf("ws:", "wss:").optional().meta({
    description:
      "The same node over a socket: with it a mined event is visible within milliseconds, without it within a second or two.",
    sample: "wss://base-sepolia.example.com",
  }),
  SVC_DEPLOYMENT: z.string().meta({
    description: "File that names chain, contracts and first block; npm run deploy writes it.",
    sample: "deployments/base-sepolia.json",
  }),
  CONFIRMATIONS: integer(1, 1000).default(1).meta({
    description: "Blocks until a transaction counts; 1 means included.",
  }),
  INDEXER_WAIT_MS: integer(0, 60_000).default(5000).meta({
    description: "Longest wait for the index after a write.",
  }),
  MAX_INDEX_AGE_MS: integer(1_000, 600_000).default(10_000).meta({
    description:
      "How far the index may be behind the chain's head before answers about ownership stop relying on it.",
  }),
});

const secrets = z.object({
  RELAYER_PRIVATE_KEY: PrivateKey.meta({
    description:
      "Key that pays for and submits transactions, and holds the service's roles. No other program may use it.",
    secret: true,
  }),
  RELAYER_PRIVATE_KEYS: PrivateKeys.default([]).meta({
    description:
      "Further keys, separated by commas, which send everything but registrations. Each needs ether and the same roles; one that lacks either is not used.",
    secret: true,
  }),
  STORAGE_PRIVATE_KEY: PrivateKey.meta({
    description: "Key that signs what goes to permanent storage.",
    secret: true,
  }),
  MASTER_KEYS: MasterKeys.meta({
    description:
      "v<n>:<base64 of 32 bytes>, separated by commas. The first encrypts, all decrypt. Back it up with the database: without it encrypted salts are lost for ever.",
    secret: true,
  }),
  JWT_SECRETS: JwtSecrets.meta({
    description:
      "<kid>:<base64 of at least 32 bytes>, at most two, separated by commas. The first signs tokens, both verify.",
    secret: true,
  }),
});

const storage = z.object({
  STORAGE_DRIVER: z
    .enum(["local", "bundler"], { error: "must be local or bundler" })
    .default("local")
    .meta({
      description:
        "Where permanent items are kept: local (in this database alone) or bundler (on permanent storage).",
    }),
  BUNDLER_URL: ServiceUrl.optional().meta({
    description: "Address of the bundler; needed with STORAGE_DRIVER=bundler.",
    sample: "https://upload.example.com",
  }),
  BUNDLER_KIND: BundlerKind.optional().meta({
    description:
      "Kind of the bundler, or the path at which it takes items; needed with STORAGE_DRIVER=bundler.",
    sample: "turbo",
  }),
  BUNDLER_TIMEOUT_MS: integer(100, 120_000).default(15_000).meta({
    description: "Time limit for one try to upload.",
  }),
  GATEWAY_URLS: GatewayUrls.default([]).meta({
    description:
      "Gateways in the order of preference, separated by commas: origins, or addresses with {id}.",
    sample: "https://arweave.net",
  }),
  GATEWAY_TIMEOUT_MS: integer(100, 60_000).default(5_000).meta({
    description: "Time limit for one request to a gateway.",
  }),
  STORAGE_READ_ORDER: z
    .enum(READ_ORDERS, { error: `must be ${READ_ORDERS.join(" or ")}` })
    .default("copy")
    .meta({
      description: `What is asked first for an item: ${READ_ORDERS.join(" or ")}.`,
    }),
});

const limits = z.object({
  RATE_LIMITS: RateLimitSettings.default(DEFAULT_RATE_LIMITS).meta({
    description: "name=number, separated by commas, over the defaults in docs/operations.md.",
    sample: "free.minute=60",
  }),
  RATE_LIMIT_ORGANIZATIONS: Ids.default(new Set<bigint>()).meta({
    description: "Ids of the organizations whose members have the organization tier.",
    sample: "1,2",
  }),
  REDIS_URL: urlOf("redis:", "rediss:").optional().meta({
    description:
      "Redis or Valkey that counts rate limits for all processes together. Without it each counts alone.",
    sample: "redis://127.0.0.1:6379",
  }),
  REPLICAS: integer(1, 1000).default(1).meta({
    description: "How many processes share the limits. Used while Redis is away.",
  }),
  SPONSORED_GAS_PER_DAY: Gas.default(GAS_PER_DAY).meta({
    description:
      "Gas set aside for sponsored transactions in a UTC day. The default is about 1,600 registrations.",
  }),
  SPONSORED_GAS_RESERVE_PERCENT: integer(0, 100).default(50).meta({
    description:
      "Part of it, and of each network's share, that only known owners can use: those with an agent that they sealed more than seven days ago, and attested persons.",
  }),
  SPONSORED_GAS_NETWORK_PERCENT: integer(1, 100).default(5).meta({
    description:
      "Part of it that one network (IPv4 /24, IPv6 /64) can use; an IPv6 /48 can use twice as much, and a /32 four times. 100 does not limit a network. The default is about 80 registrations.",
  }),
  REGISTRATIONS_PER_MONTH: integer(1, 1_000_000).default(20).meta({
    description: "Registrations of one wallet in a UTC month.",
  }),
  CHALLENGES_PER_ADDRESS: integer(1, 1_000_000).default(10).meta({
    description: "Names that one network address can reserve by challenges.",
  }),
  UNCLAIMED_PER_ADDRESS: integer(1, 1_000_000).default(10).meta({
    description: "Names that one network address can reserve by unclaimed registrations.",
  }),
  PARSE_THREADS: integer(1, 64).default(2).meta({
    description:
      "Private texts that are parsed at once, each in a thread of its own and one at a time of each client. One thread more is kept ready.",
  }),
  PARSE_TIMEOUT_MS: integer(10, 60_000).default(1000).meta({
    description:
      "Most processor time to parse one private text; a slower one is answered 400 INVALID_REQUEST, and its thread is replaced.",
  }),
  PARSE_QUEUE: integer(1, 10_000).default(64).meta({
    description: "Private texts that wait to be parsed; more are answered 503 SERVICE_UNAVAILABLE.",
  }),
  PARSE_WAIT_MS: integer(10, 60_000).default(10_000).meta({
    description:
      "Longest time that a private text waits to be parsed, before it is answered 503 SERVICE_UNAVAILABLE.",
  }),
});

const outbound = z.object({
  OUTBOUND_ALLOW: OutboundAllow.optional().meta({
    description: "Private ranges that webhooks may reach, as CIDR blocks separated by commas.",
    sample: "10.1.2.0/24",
  }),
  OUTBOUND_LOOPBACK_HTTP: z
    .enum(["true", "false"], { error: "must be true or false" })
    .optional()
    .meta({
      description:
        "true lets webhooks and endpoints of disclosures be http on loopback. Only for a PUBLIC_URL on loopback.",
      sample: "false",
    }),
  REGULATOR_ENDPOINTS: RegulatorEndpoints.default(new Map<string, string>()).meta({
    description: "Where audit packages are sent: <did>=<url>, separated by commas.",
    sample: "did:web:regulator.example=https://regulator.example/audits",
  }),
  SMTP_URL: urlOf("smtp:", "smtps:").optional().meta({
    description:
      "Server for mail to owners whose webhook fails or was disabled; none is sent without it. Needs SMTP_FROM.",
    sample: "smtps://user:password@mail.example.com",
    secret: true,
  }),
  SMTP_FROM: z
    .string()
    .regex(/^[^\s<>@,;]+@[a-z0-9.-]+$/i, "must be one mail address")
    .optional()
    .meta({ description: "Sender of that mail.", sample: "agents@example.com" }),
});

const tracing = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf("http:", "https:").optional().meta({
    description:
      "Base address of an OpenTelemetry collector (OTLP over HTTP). Without it nothing is traced, and OpenTelemetry is not loaded.",
    sample: "http://127.0.0.1:4318",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: OtlpHeaders.default({}).meta({
    description:
      "Headers of every request to the collector: <name>=<value>, percent-encoded, separated by commas.",
    secret: true,
  }),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default("agent-identity").meta({
    description: "Name of the service in traces.",
  }),
  OTEL_TRACES_SAMPLER_ARG: Share.default(1).meta({
    description: "Share of requests that are traced, from 0 to 1.",
  }),
  OTEL_BSP_SCHEDULE_DELAY: integer(10, 600_000).default(5_000).meta({
    description: "Milliseconds that spans are collected before they are sent.",
  }),
});

/** The variables of an API or worker process, in the order in which an operator meets them. */
export const ENVIRONMENT_SECTIONS = {
  "The service": service,
  Database: database,
  Chain: chain,
  Secrets: secrets,
  "Permanent storage": storage,
  Limits: limits,
  "Outgoing requests and mail": outbound,
  Traces: tracing,
} as const;

export const Environment = z.object({
  ...service.shape,
  ...database.shape,
  ...chain.shape,
  ...secrets.shape,
  ...storage.shape,
  ...limits.shape,
  ...outbound.shape,
  ...tracing.shape,
});

declare module "zod" {
  interface GlobalMeta {
    /** A value to show instead of a default that has no short form, or for a variable without a default. */
    sample?: string;
    /** Never printed, and made by `npm run secrets` where it is needed. */
    secret?: boolean;
  }
}
