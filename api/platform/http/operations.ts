import type { AccessRule, Effect } from "../../kernel/access.ts";
import type { RateCategory } from "../limits/rate-limits.ts";
import type { CacheRule } from "./cache-rules.ts";

/**
 * The rules of one operation. Everything here is enforced by one middleware and shown in the
 * OpenAPI document.
 */
export interface OperationRules {
  /** Who may call it. */
  readonly access: AccessRule;
  /** Whether it changes anything. After a transfer of the passport a key may use only reads. */
  readonly effect: Effect;
  /** Its name under `/v1/typed-data/`; set exactly where an owner's signature is accepted. */
  readonly typedData?: string;
  /**
   * `replica`: a replica may answer it, with a state that can be a second old. Only for public lists
   * that decide nothing. Default: `primary`.
   */
  readonly reads?: "primary" | "replica";
  /**
   * `database`: the answer to a caller without a credential depends on path, query, `Accept` and
   * rows of PostgreSQL alone, so it is kept until a row changes that such answers are made from. An answer for which the time,
   * the chain or storage was read all the same is not kept. Default: nothing is kept.
   */
  readonly madeFrom?: "database";
  /** The limit it counts on. */
  readonly rate: RateCategory;
  /** How caches may store a successful answer. Errors are never cached. */
  readonly cache: CacheRule;
  /**
   * Whether the console's cookie is a credential of it, as a session of the owner. Default: the
   * cookie is ignored.
   */
  readonly console?: boolean;
  /** Size limit of its body in bytes. 0: no body. */
  readonly bodyBytes: number;
  /**
   * Set where the handler reads the body itself as it arrives: a part of an upload is in memory at
   * a time, and the whole never is.
   */
  readonly streamsBody?: boolean;
  /** Whether an Idempotency-Key makes a repetition return the same answer without acting again. */
  readonly idempotent: boolean;
  /**
   * Set where a write takes or answers values that must not be stored, as an Idempotency-Key would
   * require: a repetition acts again.
   */
  readonly holdsValues?: boolean;
  /** Who may read its answers in a browser: pages of any origin, or the service's own. */
  readonly origins: "any" | "own";
  /**
   * What a browser loads, a page or a file of one, instead of JSON. Neither is in the OpenAPI
   * document.
   */
  readonly answers?: "page" | "asset";
  /**
   * What becomes of an integer in the body that a JavaScript number would round: refused, or read
   * as its digits where a schema takes 256-bit integers.
   */
  readonly largeIntegers?: "refuse" | "text";
  /**
   * Query parameters that the operation does not know are ignored instead of refused, as those of
   * pages are.
   */
  readonly ignoresParameters?: boolean;
  /** Former paths, in the router's spelling, that still work until `SUNSET`. */
  readonly legacyPaths?: readonly string[];
}

export type OperationTable = Readonly<Record<string, OperationRules>>;

/**
 * When this interface was first released. Its legacy names are older, so they were deprecated from
 * the beginning.
 */
export const FIRST_RELEASE = new Date("2026-12-01T00:00:00Z");
/** When legacy names stop working: one year after the first release. */
export const SUNSET = new Date("2027-12-01T00:00:00Z");

const KIBIBYTE = 1024;
/** Largest body of an ordinary request. */
export const BODY_BYTES = 1024 * KIBIBYTE;
/** Largest body of an upload: soul documents and audit files. */
export const UPLOAD_BYTES = 10 * 1024 * KIBIBYTE;

/** A public read of what is on chain or published. */
export const publicRead = {
  access: "none",
  effect: "reads",
  rate: "read",
  cache: "profile",
  bodyBytes: 0,
  idempotent: false,
  origins: "any",
} as const satisfies OperationRules;

/**
 * A public list or history, which a replica may answer. Its facts never decide what a caller may do.
 */
export const publicList = {
  ...publicRead,
  cache: "revalidate",
  reads: "replica",
} as const satisfies OperationRules;

/** A public read that must never be cached. */
export const freshRead = { ...publicRead, cache: "never" } as const satisfies OperationRules;

/** A public answer that goes on while the client reads it. */
export const publicStream = { ...publicRead, cache: "stream" } as const satisfies OperationRules;

/** A page for people. */
export const page = {
  ...publicRead,
  cache: "revalidate",
  origins: "own",
  answers: "page",
} as const satisfies OperationRules;

/** A page that the database alone fills. */
export const listedPage = { ...page, madeFrom: "database" } as const satisfies OperationRules;

/** A page of the console: what it shows depends on who is signed in. */
export const consolePage = {
  ...page,
  cache: "never",
  console: true,
} as const satisfies OperationRules;

/** A page for callers that know its URL: never cached. */
export const unlistedPage = { ...page, cache: "never" } as const satisfies OperationRules;

/** What operators ask. Load balancers and uptime monitors add parameters of their own to it. */
export const probe = {
  ...freshRead,
  rate: "probe",
  origins: "own",
  ignoresParameters: true,
} as const satisfies OperationRules;

/** A step of a sign-in: the signature in it is the credential. */
export const signIn = {
  access: "none",
  effect: "writes",
  rate: "sign-in",
  cache: "never",
  bodyBytes: BODY_BYTES,
  idempotent: false,
  origins: "own",
} as const satisfies OperationRules;

/** An operation with the owner's signature, submitted by any caller. */
export const ownerSigned = {
  access: "signature",
  effect: "writes",
  rate: "write",
  cache: "never",
  bodyBytes: BODY_BYTES,
  idempotent: true,
  origins: "own",
} as const satisfies OperationRules;

/** An operation of an agent's full key or its owner's session. */
export const agentWrite = {
  access: "agent",
  console: true,
  effect: "writes",
  rate: "write",
  cache: "never",
  bodyBytes: BODY_BYTES,
  idempotent: true,
  origins: "own",
} as const satisfies OperationRules;

/** A read for the agent and its owner only. */
export const agentRead = {
  ...agentWrite,
  effect: "reads",
  rate: "read",
  bodyBytes: 0,
  idempotent: false,
} as const satisfies OperationRules;

/** Names of the credentials in the OpenAPI document. */
export const SECURITY_SCHEMES = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "An agent's API key, `svc_live_…`, or a provisional one, `svc_provisional_…`.",
  },
  ownerSession: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "An access token of the sign-in service with scope `manage`, whose subject owns the agent's passport. Every other access token only identifies: 403 `MANAGE_SCOPE_REQUIRED`.",
  },
} as const;

/**
 * OpenAPI's form of an access rule. An owner's signature is part of the request, and no scheme of
 * its own. What a scheme lists is the scope that its token must hold.
 */
export function securityOf(access: AccessRule): Record<string, string[]>[] {
  const apiKey = { apiKey: [] };
  const ownerSession = { ownerSession: ["manage"] };
  if (access === "session") return [ownerSession];
  if (access === "session-or-signature") return [{}, ownerSession];
  if (access === "provisional-key") return [apiKey];
  if (access === "any-key" || access === "agent") return [apiKey, ownerSession];
  return [{}, apiKey, ownerSession];
}
