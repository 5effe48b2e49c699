import type { AccessRule, Effect } from "../../kernel/access.ts";
import type { RateCategory } from "../limits/rate-limits.ts";
import type { CacheRule } from "./caching.ts";

/** The rules of one operation. Everything here is enforced by one middleware and shown in the OpenAPI document. */
export interface OperationRules {
  /** Who may call it. */
  readonly access: AccessRule;
  /** Whether it changes something. A key whose passport has moved may only use what does not. */
  readonly effect: Effect;
  /** Its name under `/v1/typed-data/`; given exactly where an owner's signature is taken. */
  readonly typedData?: string;
  /** Which limit it counts on. */
  readonly rate: RateCategory;
  /** What caches may do with a successful answer. Errors are never kept. */
  readonly cache: CacheRule;
  /** Bytes its body may have. 0: it takes none. */
  readonly bodyBytes: number;
  /** Whether an Idempotency-Key makes a repetition answer the same without acting again. */
  readonly idempotent: boolean;
  /** Who may read its answers in a browser: pages of any origin, or the service's own. */
  readonly origins: "any" | "own";
  /** What a browser loads, a page or a file of one, instead of JSON. Neither is in the OpenAPI document. */
  readonly answers?: "page" | "asset";
  /**
   * What becomes of an integer in the body that a JavaScript number would round: refused, or read as its digits where a schema
   * takes 256-bit integers.
   */
  readonly largeIntegers?: "refuse" | "text";
  /** Query parameters that the operation does not know are ignored instead of refused, as those of pages are. */
  readonly ignoresParameters?: boolean;
  /** Former paths, in the router's spelling, that still work until `SUNSET`. */
  readonly legacyPaths?: readonly string[];
}

export type OperationTable = Readonly<Record<string, OperationRules>>;

/** When this interface was first released. Its legacy names are older, so they were deprecated from the beginning. */
export const FIRST_RELEASE = new Date("2026-12-01T00:00:00Z");
/** When legacy names stop working: one year after the first release. */
export const SUNSET = new Date("2027-12-01T00:00:00Z");

const KIBIBYTE = 1024;
/** Largest body of an ordinary request. */
export const BODY_BYTES = 1024 * KIBIBYTE;
/** Largest body of an upload: soul documents and audit files. */
export const UPLOAD_BYTES = 10 * 1024 * KIBIBYTE;

/** A public read of what is on chain or published. */
const publicRead = {
  access: "none",
  effect: "reads",
  rate: "read",
  cache: "profile",
  bodyBytes: 0,
  idempotent: false,
  origins: "any",
} as const satisfies OperationRules;

/** A public read whose answer is only true now. */
const freshRead = { ...publicRead, cache: "never" } as const satisfies OperationRules;

/** A page for people. */
const page = {
  ...publicRead,
  cache: "revalidate",
  origins: "own",
  answers: "page",
} as const satisfies OperationRules;

/** A page that whoever knows its URL may see: no cache keeps it. */
const unlistedPage = { ...page, cache: "never" } as const satisfies OperationRules;

/** What operators ask. Load balancers and uptime monitors add parameters of their own to it. */
const probe = {
  ...freshRead,
  rate: "probe",
  origins: "own",
  ignoresParameters: true,
} as const satisfies OperationRules;

/** A step of a sign-in: the signature in it is the credential. */
const signIn = {
  access: "none",
  effect: "writes",
  rate: "sign-in",
  cache: "never",
  bodyBytes: BODY_BYTES,
  idempotent: false,
  origins: "own",
} as const satisfies OperationRules;

/** What an owner signs, submitted by anybody. */
const ownerSigned = {
  access: "signature",
  effect: "writes",
  rate: "write",
  cache: "never",
  bodyBytes: BODY_BYTES,
  idempotent: true,
  origins: "own",
} as const satisfies OperationRules;

/** What an agent's full key or its owner's session does. */
const agentWrite = {
  access: "agent",
  effect: "writes",
  rate: "write",
  cache: "never",
  bodyBytes: BODY_BYTES,
  idempotent: true,
  origins: "own",
} as const satisfies OperationRules;

/** What only an agent and its owner see. */
const agentRead = {
  ...agentWrite,
  effect: "reads",
  rate: "read",
  bodyBytes: 0,
  idempotent: false,
} as const satisfies OperationRules;

/**
 * Every operation of both services by its `operationId`. A route without a row cannot be mounted, and a test refuses rows
 * without a route.
 */
export const operations = {
  // Operation
  getHealth: probe,
  getReady: probe,
  getOpenApiDocument: { ...publicRead, cache: "published" },

  // Permanent storage
  getArchivedContent: { ...publicRead, cache: "immutable", ignoresParameters: true },
  getArchivedItem: { ...publicRead, cache: "immutable", ignoresParameters: true },

  // Sign-in
  signInChallenge: { ...signIn, rate: "challenge" },
  signInVerify: signIn,
  signInToken: signIn,
  agentSignInChallenge: { ...signIn, rate: "challenge" },
  agentSignInVerify: signIn,
  introspectToken: { ...signIn, effect: "reads", rate: "token-check" },
  revokeToken: { ...signIn, rate: "token-check" },
  verifyApiKey: { ...signIn, effect: "reads", rate: "token-check" },
  getAuthorizationServerMetadata: { ...publicRead, cache: "published" },
  getRegistrationStatus: freshRead,

  // Keys
  rotateKeys: { ...agentWrite, access: "session" },
  listKeys: { ...agentRead, access: "session" },
  revokeKey: { ...agentWrite, access: "session", bodyBytes: 0, idempotent: false },
  exchangeKey: { ...signIn, access: "provisional-key", idempotent: true },

  // Registration
  checkName: freshRead,
  nameAvailable: freshRead,
  prepareRegistration: {
    ...freshRead,
    bodyBytes: BODY_BYTES,
    origins: "own",
    largeIntegers: "text",
  },
  registerAgent: {
    ...ownerSigned,
    typedData: "register",
    rate: "register",
    largeIntegers: "text",
  },
  // Its id is a secret between agent and owner.
  getClaimDraft: { ...freshRead, origins: "own" },
  prepareClaim: {
    ...freshRead,
    effect: "writes",
    rate: "write",
    bodyBytes: BODY_BYTES,
    origins: "own",
    largeIntegers: "text",
  },
  claimAgent: {
    ...ownerSigned,
    typedData: "claim",
    rate: "register",
    largeIntegers: "text",
    legacyPaths: ["/claim"],
  },

  sealAgent: { ...ownerSigned, typedData: "seal", largeIntegers: "text" },
  prepareSeal: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own", largeIntegers: "text" },

  // Profile
  getProfile: publicRead,
  getProfileStatus: publicRead,
  getSoulValidity: { ...publicRead, rate: "validity", cache: "revalidate" },
  getRegistrationFile: publicRead,
  updateRegistrationFile: { ...ownerSigned, typedData: "registration-file" },
  prepareRegistrationFile: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
  updateAgentUri: { ...ownerSigned, typedData: "agent-uri-update" },
  prepareAgentUri: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },

  // Chronicle
  recordChronicle: {
    ...agentWrite,
    access: "agent-or-signature",
    typedData: "chronicle",
    legacyPaths: ["/evolution"],
  },
  requestChronicle: agentWrite,
  getChronicleRequest: freshRead,
  getChronicleProof: { ...publicRead, cache: "revalidate" },
  listChronicles: { ...publicRead, cache: "revalidate", legacyPaths: ["/evolution/{name}"] },
  prepareChronicle: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },

  // Public identity and display
  putPublicIdentity: agentWrite,
  getDisplaySettings: { ...publicRead, cache: "revalidate" },
  putDisplaySettings: agentWrite,

  // Soul documents. The URL of an upload holds its own credential.
  listSoulDocuments: publicRead,
  requestDocumentUpload: agentWrite,
  uploadSoulDocument: { ...agentWrite, access: "none", bodyBytes: UPLOAD_BYTES },

  // Verification
  validateAgent: { ...agentWrite, access: "agent-or-signature", typedData: "validate" },
  prepareValidation: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
  verifyAgent: { ...publicRead, rate: "verify", cache: "verification" },

  // DID
  getDidDocument: { ...publicRead, cache: "verification" },
  getAgentKeySet: { ...publicRead, cache: "verification" },
  updateDidDocument: { ...ownerSigned, typedData: "did" },
  prepareDidUpdate: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },

  // Finding agents, and proving what is theirs
  listAgents: { ...publicRead, cache: "revalidate" },
  getDomainProof: publicRead,
  getServiceDomainProof: { ...publicRead, cache: "published" },
  getStaticRegistrationFile: publicRead,

  // Webhooks
  createWebhook: { ...agentWrite, access: "any-key" },
  listWebhooks: agentRead,
  deleteWebhook: { ...agentWrite, bodyBytes: 0, idempotent: false },
  updateWebhook: { ...agentWrite, idempotent: false },
  rotateWebhook: agentWrite,
  testWebhook: agentWrite,
  listWebhookDeliveries: agentRead,
  recoverWebhook: agentWrite,
  resendWebhookDelivery: agentWrite,

  // Tools
  normaliseSource: {
    ...freshRead,
    rate: "normalise",
    bodyBytes: BODY_BYTES,
  },
  verifyHash: { ...freshRead, rate: "verify", bodyBytes: BODY_BYTES },

  // Service
  getStatus: freshRead,

  // Pages
  getPageAsset: { ...publicRead, cache: "immutable", origins: "own", answers: "asset" },
  showHomePage: page,
  findAgentPage: { ...page, cache: "never" },
  showProfilePage: page,
  showReferencePage: page,
  showClaimPage: unlistedPage,
  showSignPage: unlistedPage,
} as const satisfies OperationTable;

export type OperationId = keyof typeof operations;

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
 * OpenAPI's form of an access rule. An owner's signature is part of the request, and no scheme of its own. What a scheme lists is
 * the scope that its token must hold.
 */
export function securityOf(access: AccessRule): Record<string, string[]>[] {
  const apiKey = { apiKey: [] };
  const ownerSession = { ownerSession: ["manage"] };
  if (access === "session") return [ownerSession];
  if (access === "provisional-key") return [apiKey];
  if (access === "any-key" || access === "agent") return [apiKey, ownerSession];
  return [{}, apiKey, ownerSession];
}
