import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig, redactedConfig } from "../../../../api/platform/config/config.ts";
import { DEFAULT_RATE_LIMITS } from "../../../../api/platform/limits/rate-limits.ts";

const base64 = (bytes: number) => randomBytes(bytes).toString("base64");
const HARDHAT_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

const valid = {
  PUBLIC_URL: "https://id.example",
  TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::1",
  DATABASE_URL: "postgres://user:dbpass@db.internal:5432/app",
  RPC_URL: "https://rpc.example/v2/rpcsecret",
  SVC_DEPLOYMENT: "deployments/base.json",
  RELAYER_PRIVATE_KEY: `0x${randomBytes(32).toString("hex")}`,
  STORAGE_PRIVATE_KEY: `0x${randomBytes(32).toString("hex")}`,
  MASTER_KEYS: `v2:${base64(32)},v1:${base64(32)}`,
  JWT_SECRETS: `b:${base64(32)},a:${base64(48)}`,
};

const FURTHER_KEY = `0x${randomBytes(32).toString("hex")}`;

function problemsOf(changes: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig({ ...valid, ...changes });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("the configuration", () => {
  it("reads several nodes in their order, and refuses a repeated or a wrong one", () => {
    const two = "https://one.example/key, https://two.example";
    expect(readConfig({ ...valid, RPC_URL: two }).rpcUrls).toEqual([
      "https://one.example/key",
      "https://two.example",
    ]);
    expect(problemsOf({ RPC_URL: "https://one.example,https://one.example" })).toEqual([
      "RPC_URL repeats a URL",
    ]);
    expect(problemsOf({ RPC_URL: "https://one.example,two.example" })).toEqual([
      "RPC_URL entry 2 must be a URL starting with http:// or https://",
    ]);
  });

  it("refuses a token secret that is also a master key", () => {
    const key = base64(32);
    expect(
      problemsOf({
        MASTER_KEYS: `v2:${base64(32)},v1:${key}`,
        JWT_SECRETS: `b:${base64(32)},a:${key}`,
      }),
    ).toEqual(["JWT_SECRETS entry 2 repeats v1 of MASTER_KEYS"]);
  });

  it("reads a full environment with its defaults", () => {
    const config = readConfig({ ...valid, RPC_WS_URL: "" });
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8787,
      domain: "id.example",
      rpcWsUrl: undefined,
      confirmations: 1,
      indexerWaitMs: 5000,
      logLevel: "info",
      rateLimits: DEFAULT_RATE_LIMITS,
      rateLimitOrganizations: new Set(),
      redisUrl: undefined,
      replicas: 1,
      sponsorship: {
        gasPerDay: 2_000_000_000n,
        reservePercent: 50,
        networkPercent: 5,
        registrationsPerMonth: 20,
      },
      pendingLimits: { challenges: 10, registrations: 10 },
      roles: new Set(["api", "jobs"]),
      metricsToken: undefined,
      outboundAllow: [],
      outboundLoopbackHttp: false,
      smtp: undefined,
    });
    expect(config.trustedProxies.map(([address, bits]) => `${address}/${bits}`)).toEqual([
      "10.0.0.0/8",
      "2001:db8::1/128",
    ]);
    expect(readConfig({ ...valid, SVC_ROLES: " jobs" }).roles).toEqual(new Set(["jobs"]));
    expect(config.masterKeys.map(({ version, key }) => [version, key.length])).toEqual([
      [2, 32],
      [1, 32],
    ]);
    expect(config.jwtSecrets.map(({ kid, secret }) => [kid, secret.length])).toEqual([
      ["b", 32],
      ["a", 48],
    ]);
  });

  it("lists every missing variable", () => {
    expect(() => readConfig({})).toThrow(
      new ConfigError(Object.keys(valid).map((name) => `${name} is missing`)),
    );
  });

  it.each([
    [
      { PUBLIC_URL: "http://id.example" },
      "PUBLIC_URL must be https (http only on a loopback address)",
    ],
    [
      { PUBLIC_URL: "https://id.example/path" },
      "PUBLIC_URL must be an origin: no path, query, fragment or credentials",
    ],
    [{ SVC_API_PORT: "65536" }, "SVC_API_PORT must be between 0 and 65535"],
    [{ SVC_API_PORT: "8o8o" }, "SVC_API_PORT must be a whole number"],
    [{ SVC_ROLES: "api,web" }, "SVC_ROLES must be api, jobs or api,jobs"],
    [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN must have at least 22 characters"],
    [
      { METRICS_TOKEN: "a token with spaces in it, long" },
      "METRICS_TOKEN must be visible ASCII characters without spaces",
    ],
    [{ CONFIRMATIONS: "0" }, "CONFIRMATIONS must be between 1 and 1000"],
    [
      { RELAYER_PRIVATE_KEY: `0x${"00".repeat(32)}` },
      "RELAYER_PRIVATE_KEY must be a private key: 0x and 64 hex digits",
    ],
    [
      { RELAYER_PRIVATE_KEYS: `${FURTHER_KEY},0x12` },
      "RELAYER_PRIVATE_KEYS entry 2 must be a private key: 0x and 64 hex digits",
    ],
    [
      { RELAYER_PRIVATE_KEYS: `${FURTHER_KEY}, ${FURTHER_KEY.toUpperCase().replace("0X", "0x")}` },
      "RELAYER_PRIVATE_KEYS repeats a key",
    ],
    [
      { RELAYER_PRIVATE_KEYS: valid.RELAYER_PRIVATE_KEY },
      "RELAYER_PRIVATE_KEYS repeats RELAYER_PRIVATE_KEY",
    ],
    [
      { RELAYER_PRIVATE_KEYS: `${FURTHER_KEY},${HARDHAT_KEY}` },
      "RELAYER_PRIVATE_KEYS entry 2 is a published test key",
    ],
    [{ RELAYER_PRIVATE_KEY: HARDHAT_KEY }, "RELAYER_PRIVATE_KEY is a published test key"],
    [{ MASTER_KEYS: `v1:${base64(31)}` }, "MASTER_KEYS entry 1 must be 32 bytes"],
    [{ MASTER_KEYS: `v0:${base64(32)}` }, "MASTER_KEYS entry 1 must be written label:base64"],
    [{ MASTER_KEYS: `v1:${"A".repeat(43)}=` }, "MASTER_KEYS entry 1 is not random"],
    [{ MASTER_KEYS: `v1:${base64(32)}!` }, "MASTER_KEYS entry 1 is not padded base64"],
    [{ MASTER_KEYS: `v1:${base64(32)},v1:${base64(32)}` }, "MASTER_KEYS entry 2 repeats a label"],
    [{ JWT_SECRETS: `a:${base64(31)}` }, "JWT_SECRETS entry 1 must be at least 32 bytes"],
    [
      { JWT_SECRETS: ["a", "b", "c"].map((kid) => `${kid}:${base64(32)}`).join() },
      "JWT_SECRETS may have at most 2 entries",
    ],
    [
      { TRUSTED_PROXIES: "none,10.0.0.1" },
      "TRUSTED_PROXIES entry 1 is neither an address nor a network (none: no proxy)",
    ],
    [
      { TRUSTED_PROXIES: "10.0.0.0/33" },
      "TRUSTED_PROXIES entry 1 is neither an address nor a network (none: no proxy)",
    ],
    [{ RATE_LIMITS: "free.minute=1.5" }, "RATE_LIMITS entry 1 must be a whole number"],
    [
      { RATE_LIMITS: "free.minute=1,free.day=0" },
      "RATE_LIMITS entry 2 must be written name=number, above 0",
    ],
    [
      { RATE_LIMITS: "minute=1" },
      `RATE_LIMITS entry 1 names no limit (${Object.keys(DEFAULT_RATE_LIMITS).join(", ")})`,
    ],
    [{ RATE_LIMIT_ORGANIZATIONS: "0" }, "RATE_LIMIT_ORGANIZATIONS must be ids separated by commas"],
    [{ REDIS_URL: "http://cache" }, "REDIS_URL must be a URL starting with redis:// or rediss://"],
    [{ REPLICAS: "0" }, "REPLICAS must be between 1 and 1000"],
    [{ SPONSORED_GAS_PER_DAY: "-1" }, "SPONSORED_GAS_PER_DAY must be a whole number"],
    [
      { SPONSORED_GAS_RESERVE_PERCENT: "101" },
      "SPONSORED_GAS_RESERVE_PERCENT must be between 0 and 100",
    ],
    [
      { SPONSORED_GAS_NETWORK_PERCENT: "0" },
      "SPONSORED_GAS_NETWORK_PERCENT must be between 1 and 100",
    ],
    [
      { DATABASE_URL: "mysql://db" },
      "DATABASE_URL must be a URL starting with postgres:// or postgresql://",
    ],
    [
      { OUTBOUND_ALLOW: "10.0.0.0/8,hooks.internal" },
      "OUTBOUND_ALLOW must be CIDR blocks inside private ranges, such as 10.1.2.0/24, separated by commas",
    ],
    [
      { OUTBOUND_ALLOW: "0.0.0.0/0" },
      "OUTBOUND_ALLOW must be CIDR blocks inside private ranges, such as 10.1.2.0/24, separated by commas",
    ],
    [{ SMTP_URL: "smtps://mail.example" }, "SMTP_URL and SMTP_FROM are needed together"],
    [{ SMTP_FROM: "a@mail.example" }, "SMTP_URL and SMTP_FROM are needed together"],
    [
      { SMTP_URL: "https://mail.example", SMTP_FROM: "a@mail.example" },
      "SMTP_URL must be a URL starting with smtp:// or smtps://",
    ],
    [
      { SMTP_URL: "smtps://mail.example", SMTP_FROM: "A <a@mail.example>, b@mail.example" },
      "SMTP_FROM must be one mail address",
    ],
  ])("refuses %j", (changes, problem) => {
    expect(problemsOf(changes)).toEqual([problem]);
  });

  it("reads limits over the defaults", () => {
    const config = readConfig({
      ...valid,
      TRUSTED_PROXIES: "none",
      RATE_LIMITS: "free.minute=5, write.multiplier=0.25",
      RATE_LIMIT_ORGANIZATIONS: "3, 40",
      REDIS_URL: "rediss://user:redispass@cache.internal:6380",
      REPLICAS: "4",
      SPONSORED_GAS_PER_DAY: "0",
      SPONSORED_GAS_RESERVE_PERCENT: "0",
      SPONSORED_GAS_NETWORK_PERCENT: "100",
      REGISTRATIONS_PER_MONTH: "7",
      CHALLENGES_PER_ADDRESS: "8",
      UNCLAIMED_PER_ADDRESS: "9",
    });
    expect(config).toMatchObject({
      trustedProxies: [],
      rateLimits: { ...DEFAULT_RATE_LIMITS, "free.minute": 5, "write.multiplier": 0.25 },
      rateLimitOrganizations: new Set([3n, 40n]),
      redisUrl: "rediss://user:redispass@cache.internal:6380",
      replicas: 4,
      sponsorship: {
        gasPerDay: 0n,
        reservePercent: 0,
        networkPercent: 100,
        registrationsPerMonth: 7,
      },
      pendingLimits: { challenges: 8, registrations: 9 },
    });
    expect(JSON.stringify(redactedConfig(config))).not.toContain("redispass");
  });

  it("reads the allowed outbound ranges and the mail server", () => {
    const mail = {
      SMTP_URL: "smtps://user:mailpass@mail.example:465",
      SMTP_FROM: "a@mail.example",
    };
    const config = readConfig({ ...valid, ...mail, OUTBOUND_ALLOW: "10.1.2.0/24, fd12::/16" });
    expect(config.outboundAllow).toEqual(["10.1.2.0/24", "fd12::/16"]);
    expect(config.smtp).toEqual({ url: mail.SMTP_URL, from: mail.SMTP_FROM });
    expect(redactedConfig(config)).toMatchObject({ smtp: "mail.example:465" });
    expect(JSON.stringify(redactedConfig(config))).not.toContain("mailpass");
  });

  it("reads where traces are sent, and traces nothing by default", () => {
    expect(readConfig(valid).tracing).toBeUndefined();
    const config = readConfig({
      ...valid,
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://traces.example/collectorsecret",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20headersecret, x-team=a",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    });
    expect(config.tracing).toEqual({
      endpoint: "https://traces.example/collectorsecret",
      headers: { authorization: "Basic headersecret", "x-team": "a" },
      serviceName: "agent-identity",
      ratio: 0.25,
      delayMs: 5_000,
    });
    expect(redactedConfig(config)).toMatchObject({ traces: "traces.example" });
    expect(JSON.stringify(redactedConfig(config))).not.toMatch(/collectorsecret|headersecret/);
    expect(
      problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: "no-value", OTEL_TRACES_SAMPLER_ARG: "1.5" }),
    ).toEqual([
      "OTEL_EXPORTER_OTLP_HEADERS must be <name>=<value>, percent-encoded",
      "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1",
    ]);
    expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: "a=%C3" })).toHaveLength(1);
  });

  it("reads regulators' endpoints, which are under the address rules of webhooks", () => {
    const url = "https://93.184.216.34/audits?token=secret";
    const config = readConfig({
      ...valid,
      REGULATOR_ENDPOINTS: `did:web:a.example=${url}, did:web:b.example=https://b.example/`,
    });
    expect([...config.regulatorEndpoints]).toEqual([
      ["did:web:a.example", url],
      ["did:web:b.example", "https://b.example/"],
    ]);
    expect(JSON.stringify(redactedConfig(config))).not.toContain("secret");
    const problemOf = (text: string) => problemsOf({ REGULATOR_ENDPOINTS: text });
    expect(problemOf("https://a.example/")).toEqual([
      "REGULATOR_ENDPOINTS entry 1 must be written did=url",
    ]);
    expect(problemOf("did:web:a=https://a.example,did:web:a=https://b.example")).toEqual([
      "REGULATOR_ENDPOINTS entry 2 repeats a DID",
    ]);
    const unusable = "REGULATOR_ENDPOINTS has an address for did:web:a that cannot be used";
    expect(problemOf("did:web:a=http://a.example/")).toEqual([
      `${unusable}: it is not an https URL`,
    ]);
    expect(problemOf("did:web:a=https://10.0.0.1/")).toEqual([
      `${unusable}: its host is not, or does not only resolve to, public unicast addresses`,
    ]);
  });

  it("allows http on loopback only where the service itself is on loopback", () => {
    const opened = { OUTBOUND_LOOPBACK_HTTP: "true" };
    const local = { ...opened, PUBLIC_URL: "http://127.0.0.1:8787" };
    expect(readConfig({ ...valid, ...local }).outboundLoopbackHttp).toBe(true);
    expect(problemsOf({ ...opened, PUBLIC_URL: "https://api.example" })).toEqual([
      "OUTBOUND_LOOPBACK_HTTP is only for a service whose PUBLIC_URL is on loopback",
    ]);
    expect(problemsOf({ OUTBOUND_LOOPBACK_HTTP: "yes" })).toEqual([
      "OUTBOUND_LOOPBACK_HTTP must be true or false",
    ]);
  });

  it("stores items in the database unless a bundler is named", () => {
    expect(readConfig(valid).storage).toEqual({
      uploadUrl: undefined,
      gatewayUrls: [],
      readOrder: "copy",
      gatewayTimeoutMs: 5_000,
      bundlerTimeoutMs: 15_000,
    });
    const config = readConfig({
      ...valid,
      STORAGE_DRIVER: "bundler",
      BUNDLER_URL: "https://upload.example/?key=bundlersecret",
      BUNDLER_KIND: "/v1/tx",
      BUNDLER_TIMEOUT_MS: "30000",
      GATEWAY_URLS: "https://one.example, https://two.example/ar/{id}/item,http://127.0.0.1:1984",
      GATEWAY_TIMEOUT_MS: "2000",
      STORAGE_READ_ORDER: "gateways",
    });
    expect(config.storage).toEqual({
      uploadUrl: "https://upload.example/v1/tx?key=bundlersecret",
      gatewayUrls: [
        ...["https://one.example", "https://two.example/ar/{id}/item", "http://127.0.0.1:1984"],
      ],
      readOrder: "gateways",
      gatewayTimeoutMs: 2_000,
      bundlerTimeoutMs: 30_000,
    });
    expect(redactedConfig(config)).toMatchObject({
      bundler: "upload.example",
      gateways: ["one.example", "two.example", "127.0.0.1:1984"],
      readOrder: "gateways",
    });
    expect(JSON.stringify(redactedConfig(config))).not.toContain("bundlersecret");
  });

  it.each([
    ["irys", "https://upload.example/tx/ethereum"],
    ["turbo", "https://upload.example/v1/tx"],
    ["/own/path", "https://upload.example/own/path"],
  ])("knows the upload URL of a bundler of kind %s", (kind, uploadUrl) => {
    const named = { STORAGE_DRIVER: "bundler", BUNDLER_URL: "https://upload.example/" };
    expect(readConfig({ ...valid, ...named, BUNDLER_KIND: kind }).storage.uploadUrl).toBe(
      uploadUrl,
    );
  });

  it("refuses incomplete or invalid storage settings", () => {
    const bundler = { STORAGE_DRIVER: "bundler", BUNDLER_URL: "https://upload.example" };
    const https = "must be an https URL (http only on a loopback address)";
    const gateways =
      "GATEWAY_URLS must be https URLs (http only on a loopback address), each an origin or with {id}, separated by commas";
    expect(problemsOf({ STORAGE_DRIVER: "cloud" })).toEqual([
      "STORAGE_DRIVER must be local or bundler",
    ]);
    expect(problemsOf(bundler)).toEqual([
      "STORAGE_DRIVER=bundler needs BUNDLER_URL and BUNDLER_KIND",
    ]);
    expect(problemsOf({ BUNDLER_KIND: "turbo" })).toEqual([
      "BUNDLER_URL and BUNDLER_KIND are for STORAGE_DRIVER=bundler",
    ]);
    expect(problemsOf({ ...bundler, BUNDLER_KIND: "arweave" })).toEqual([
      "BUNDLER_KIND must be irys, turbo or the path at which it takes items",
    ]);
    expect(
      problemsOf({ ...bundler, BUNDLER_KIND: "irys", BUNDLER_URL: "http://upload.example" }),
    ).toEqual([`BUNDLER_URL ${https}`]);
    for (const wrong of [
      "http://one.example",
      "one.example",
      "https://one.example,",
      "https://a.b/{x}",
      "https://one.example/?key=1",
    ]) {
      expect(problemsOf({ GATEWAY_URLS: wrong })).toEqual([gateways]);
    }
    expect(problemsOf({ STORAGE_READ_ORDER: "gateways" })).toEqual([
      "STORAGE_READ_ORDER=gateways needs GATEWAY_URLS",
    ]);
    expect(problemsOf({ STORAGE_READ_ORDER: "local" })).toEqual([
      "STORAGE_READ_ORDER must be copy or gateways",
    ]);
    expect(problemsOf({ GATEWAY_TIMEOUT_MS: "5" })).toEqual([
      "GATEWAY_TIMEOUT_MS must be between 100 and 60000",
    ]);
  });

  it("accepts http and test keys on loopback", () => {
    const local = { PUBLIC_URL: "http://127.0.0.1:8787", RELAYER_PRIVATE_KEY: HARDHAT_KEY };
    expect(readConfig({ ...valid, ...local }).domain).toBe("127.0.0.1:8787");
  });

  it("shows no secret when it is logged or refused", () => {
    const logged = JSON.stringify(
      redactedConfig(readConfig({ ...valid, RELAYER_PRIVATE_KEYS: FURTHER_KEY })),
    );
    const refused = problemsOf({ MASTER_KEYS: `v1:${valid.JWT_SECRETS}` }).join();
    const secrets = ["dbpass", "rpcsecret", valid.RELAYER_PRIVATE_KEY, valid.STORAGE_PRIVATE_KEY];
    secrets.push(FURTHER_KEY);
    for (const list of [valid.MASTER_KEYS, valid.JWT_SECRETS]) {
      secrets.push(...list.split(",").map((entry) => entry.slice(entry.indexOf(":") + 1)));
    }
    for (const secret of secrets) {
      expect(logged).not.toContain(secret);
      expect(refused).not.toContain(secret);
    }
    expect(refused).toContain("MASTER_KEYS");
  });
});
