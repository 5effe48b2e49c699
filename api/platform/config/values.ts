import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { type Network, parseNetwork } from "../../kernel/networks.ts";
import type { RateLimitName, RateLimits } from "../limits/rate-limits.ts";
import { DEFAULT_RATE_LIMITS } from "../limits/rate-limits.ts";
import { parseOpenedRanges } from "../outbound/addresses.ts";
import {
  BUNDLER_PATHS,
  GATEWAY_URLS_RULE,
  gatewayUrls,
  isServiceUrl,
} from "../storage/settings.ts";

// How the values of environment variables are written. Each message completes "NAME ...".

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

/** `api` answers requests, `jobs` runs jobs. */
export const PROCESS_ROLES = ["api", "jobs"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** Hosts of URLs that only this machine reaches. */
export const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Distinct byte values that 32 random bytes reach with all but certainty (the odds against are
 * below 10^-20).
 */
const MIN_DISTINCT_BYTES = 16;

export const urlOf = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL starting with ${protocols.map((name) => `${name}//`).join(" or ")}`,
  });

/** One URL or several, separated by commas. Never empty. */
export const urlsOf = (...protocols: string[]) => {
  const one = urlOf(...protocols);
  return z.string().transform((text, context): readonly [string, ...string[]] => {
    const [first = "", ...more] = text.split(",").map((part) => part.trim());
    const urls = [first, ...more] as const;
    const wrong = urls.findIndex((url) => !one.safeParse(url).success);
    if (wrong < 0 && new Set(urls).size === urls.length) return urls;
    const entry = urls.length === 1 ? "" : `entry ${wrong + 1} `;
    const message =
      wrong < 0
        ? "repeats a URL"
        : `${entry}must be a URL starting with ${protocols.map((name) => `${name}//`).join(" or ")}`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
};

export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, {
      error: `must be between ${minimum} and ${maximum}`,
    });

export const PublicUrl = z.string().transform((text, context): URL => {
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

export const PrivateKey = z.string().transform((text, context): Hex => {
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

/** Keys separated by commas, each once. */
export const PrivateKeys = z.string().transform((text, context): readonly Hex[] => {
  const keys = text.split(",").map((part) => PrivateKey.safeParse(part.trim()));
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const wrong = keys.findIndex(({ success }) => !success);
  if (wrong >= 0) return refuse(`entry ${wrong + 1} must be a private key: 0x and 64 hex digits`);
  const values = keys.flatMap(({ data }) => (data === undefined ? [] : [data]));
  // One account can be written in several ways.
  const accounts = new Set(values.map((key) => privateKeyToAccount(key).address));
  return accounts.size === values.length ? values : refuse("repeats a key");
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

export const MasterKeys = secretList({
  label: /^v(?:[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$/,
  maxCount: 255,
  sizeProblem: (bytes) => (bytes === 32 ? undefined : "must be 32 bytes"),
}).transform((entries): MasterKey[] =>
  entries.map(({ label, bytes }) => ({ version: Number(label.slice(1)), key: bytes })),
);

export const JwtSecrets = secretList({
  label: /^[A-Za-z0-9_-]{1,32}$/,
  maxCount: 2,
  sizeProblem: (bytes) => (bytes >= 32 ? undefined : "must be at least 32 bytes"),
}).transform((entries): JwtSecret[] =>
  entries.map(({ label, bytes }) => ({ kid: label, secret: bytes })),
);

/** `none`, or addresses and networks separated by commas. */
export const TrustedProxies = z.string().transform((text, context): Network[] => {
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
export const RateLimitSettings = z.string().transform((text, context): RateLimits => {
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

export const Ids = z
  .string()
  .regex(/^[1-9][0-9]{0,15}(?:\s*,\s*[1-9][0-9]{0,15})*$/, "must be ids separated by commas")
  .transform((text) => new Set(text.split(",").map((id) => BigInt(id.trim()))));

export const Gas = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,17})$/, "must be a whole number")
  .transform(BigInt);

/**
 * Blocks as they are checked and used by the outbound client. An entry that is not exactly right
 * opens nothing.
 */
export const OutboundAllow = z.string().transform((text, context): readonly string[] => {
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
export const RegulatorEndpoints = z
  .string()
  .transform((text, context): ReadonlyMap<string, string> => {
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

export const ServiceUrl = z
  .string()
  .refine(isServiceUrl, { error: "must be an https URL (http only on a loopback address)" });

/** A number from 0 to 1. */
export const Share = z
  .string()
  .regex(/^(?:0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?)$/, "must be a number from 0 to 1")
  .transform(Number);

/** Headers as OpenTelemetry's variables have them: `name=value`, percent-encoded. */
export const OtlpHeaders = z.string().transform((text, context): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const entry of text.split(",")) {
    const [, name, value] = /^\s*([A-Za-z0-9-]+)\s*=\s*([\x21-\x7e]+)\s*$/.exec(entry) ?? [];
    if (name === undefined || value === undefined || !isPercentEncoded(value)) {
      context.addIssue({ code: "custom", message: "must be <name>=<value>, percent-encoded" });
      return z.NEVER;
    }
    headers[name] = decodeURIComponent(value);
  }
  return headers;
});

function isPercentEncoded(text: string): boolean {
  return /^(?:[^%]|%[0-7][0-9a-f])*$/i.test(text);
}

export const GatewayUrls = z.string().transform((text, context): readonly string[] => {
  const urls = gatewayUrls(text);
  if (urls !== null) return urls;
  context.addIssue({ code: "custom", message: GATEWAY_URLS_RULE });
  return z.NEVER;
});

export const BundlerKind = z
  .string()
  .refine((text) => Object.hasOwn(BUNDLER_PATHS, text) || /^\/[\w./-]+$/.test(text), {
    error: `must be ${Object.keys(BUNDLER_PATHS).join(", ")} or the path at which it takes items`,
  });

export const Roles = z.string().transform((text, context): ReadonlySet<ProcessRole> => {
  const roles = new Set<ProcessRole>();
  for (const part of text.split(",")) {
    const role = PROCESS_ROLES.find((known) => known === part.trim());
    if (role) roles.add(role);
    else context.addIssue({ code: "custom", message: "must be api, jobs or api,jobs" });
  }
  return roles;
});
