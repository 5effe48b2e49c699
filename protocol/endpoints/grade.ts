import type { CheckedEndpoint } from "./check.ts";
import type { FileFacts } from "./file-facts.ts";

/** From the best to the worst. */
export const GRADES = ["A", "B", "C", "D", "E", "F"] as const;

export type Grade = (typeof GRADES)[number];

/** The least share of the points, in percent, that each grade takes. */
const GRADE_FROM: Readonly<Record<Grade, number>> = {
  A: 90,
  B: 75,
  C: 60,
  D: 40,
  E: 20,
  F: 0,
};

/** The best grade while a soul is suspended: nothing says that it is still the same agent. */
const SUSPENDED_AT_BEST: Grade = "D";

/** A certificate that ends sooner is to be renewed. */
const CERTIFICATE_DAYS = 14;

/** What the chain and the service say of an agent's soul. Null: it could not be found out. */
export interface SoulFacts {
  /** `none`: the passport has no soul. */
  readonly state: "none" | "provisional" | "suspended" | "valid";
  /** Whether the `svc*` metadata on the passport is that of the soul. */
  readonly metadataCurrent: boolean | null;
  /** Whether its owner published a DID document in this epoch. */
  readonly didPublished: boolean | null;
  /** Whether its owner published a public identity. */
  readonly identityPublished: boolean | null;
}

/** Everything that the grade follows from. */
export interface AgentFacts {
  readonly file: FileFacts;
  readonly endpoints: readonly Pick<
    CheckedEndpoint,
    "kind" | "endpoint" | "answers" | "domainProven" | "quotesPayment" | "certificateEnds"
  >[];
  /** Whether the registry has an `agentWallet` for the passport. */
  readonly hasWallet: boolean;
  /** Null where no soul registry is known. */
  readonly soul: SoulFacts | null;
  /** The time of the grade: certificates end at a time. */
  readonly now: Date;
}

export const CHECK_IDS = [
  "registration-file",
  "soul-valid",
  "endpoints-answer",
  "domain-proven",
  "services",
  "file-names-passport",
  "soul-sealed",
  "file-type",
  "description",
  "name",
  "image",
  "agent-wallet",
  "certificates",
  "service-metadata",
  "did-document",
  "public-identity",
  "payment-quote",
] as const;

export type CheckId = (typeof CHECK_IDS)[number];

interface Check {
  readonly title: string;
  readonly points: number;
  /** What must hold before it can be mended. */
  readonly after: readonly CheckId[];
  /** From 0 to 1; null where it does not apply or is not known. */
  readonly share: (facts: AgentFacts) => number | null;
  /** What it is about, as the owner wrote it: untrusted. */
  readonly about?: (facts: AgentFacts) => readonly string[];
}

/** The result of one check. */
export interface CheckResult {
  readonly id: CheckId;
  readonly title: string;
  readonly points: number;
  /** Points that it gave. Null: left out of the sum. */
  readonly reached: number | null;
}

/** One thing to mend. */
export interface Fix {
  readonly id: CheckId;
  readonly title: string;
  /** What to do. */
  readonly action: string;
  /** Endpoints that it is about: untrusted. */
  readonly about: readonly string[];
  /** Points that it adds. */
  readonly adds: number;
  /** What has to be mended before it. */
  readonly after: readonly CheckId[];
}

export interface GradeReport {
  readonly grade: Grade;
  /** Points of the checks that apply, and how many of them were reached. */
  readonly reached: number;
  readonly of: number;
  readonly checks: readonly CheckResult[];
  /** In the order in which to carry them out. Empty: nothing is left to mend. */
  readonly fixes: readonly Fix[];
}

const yes = (holds: boolean) => (holds ? 1 : 0);
const known = (holds: boolean | null | undefined) => (holds == null ? null : yes(holds));
const IS_READ: readonly CheckId[] = ["registration-file"];
const IS_VALID: readonly CheckId[] = ["soul-sealed", "soul-valid"];

const CHECKS: Readonly<Record<CheckId, Check>> = {
  "registration-file": {
    title: "The passport points at a registration file that can be read",
    points: 15,
    after: [],
    share: ({ file }) => yes(file.reading === "read"),
  },
  "soul-valid": {
    title: "The soul is valid: its passport is with the owner who sealed it",
    points: 15,
    after: ["soul-sealed"],
    share: ({ soul }) => (soul === null ? null : yes(soul.state === "valid")),
  },
  "endpoints-answer": {
    title: "Its endpoints answer",
    points: 15,
    after: ["registration-file", "services"],
    share: (facts) => shareOf(facts, ({ answers }) => answers),
    about: (facts) => endpointsWhere(facts, ({ answers }) => answers === false),
  },
  "domain-proven": {
    title: "The domains of its endpoints name the passport",
    points: 10,
    after: ["registration-file", "services"],
    share: (facts) => shareOf(facts, ({ domainProven }) => domainProven),
    about: (facts) => endpointsWhere(facts, ({ domainProven }) => domainProven === false),
  },
  services: {
    title: "The file names an endpoint that can be checked",
    points: 8,
    after: IS_READ,
    share: ({ endpoints }) => yes(endpoints.some(({ kind }) => kind !== null)),
  },
  "file-names-passport": {
    title: "The file names its own passport",
    points: 7,
    after: IS_READ,
    share: ({ file }) => yes(file.namesPassport),
  },
  "soul-sealed": {
    title: "A soul is sealed for the passport",
    points: 5,
    after: [],
    share: ({ soul }) =>
      soul === null ? null : yes(soul.state === "valid" || soul.state === "suspended"),
  },
  "file-type": {
    title: "The file has the type of ERC-8004",
    points: 4,
    after: IS_READ,
    share: ({ file }) => yes(file.hasType),
  },
  description: {
    title: "The file describes the agent",
    points: 4,
    after: IS_READ,
    share: ({ file }) => yes(file.hasDescription),
  },
  name: {
    title: "The file names the agent",
    points: 3,
    after: IS_READ,
    share: ({ file }) => yes(file.hasName),
  },
  image: {
    title: "The file has an image",
    points: 3,
    after: IS_READ,
    share: ({ file }) => yes(file.hasImage),
  },
  "agent-wallet": {
    title: "The passport says where the agent takes payments",
    points: 3,
    after: [],
    share: ({ hasWallet }) => yes(hasWallet),
  },
  certificates: {
    title: `No certificate of its endpoints ends within ${CERTIFICATE_DAYS} days`,
    points: 1,
    after: [],
    share: (facts) => certificateShare(facts),
    about: (facts) => endpointsWhere(facts, (endpoint) => endsSoon(endpoint, facts.now)),
  },
  "service-metadata": {
    title: "The metadata on the passport is that of the soul",
    points: 2,
    after: IS_VALID,
    share: ({ soul }) => known(soul?.metadataCurrent),
  },
  "did-document": {
    title: "A DID document is published",
    points: 2,
    after: IS_VALID,
    share: ({ soul }) => known(soul?.didPublished),
  },
  "public-identity": {
    title: "A public identity is published",
    points: 2,
    after: IS_VALID,
    share: ({ soul }) => known(soul?.identityPublished),
  },
  "payment-quote": {
    title: "An endpoint quotes a price, as x402Support promises",
    points: 1,
    after: ["registration-file", "services"],
    share: ({ file, endpoints }) =>
      file.offersPayment
        ? yes(endpoints.some(({ quotesPayment }) => quotesPayment === true))
        : null,
  },
};

/** What to do for each check, for people who read nothing else. */
const ACTIONS: Readonly<Record<CheckId, (facts: AgentFacts) => string>> = {
  "registration-file": ({ file }) => FILE_ACTIONS[file.reading],
  "soul-valid": ({ soul }) =>
    soul?.state === "suspended"
      ? "The passport left the owner who sealed the soul. As the passport's owner, reseal it: POST /v1/reseal/{tokenId}."
      : "Seal the soul, so that it is valid: POST /v1/seal.",
  "endpoints-answer": () =>
    "Start these endpoints, or correct or remove them in the registration file. An A2A endpoint answers with its card, an MCP endpoint to initialize and tools/list over Streamable HTTP, and an x402 endpoint with 402 and a quote. Each is asked over https with a valid certificate.",
  "domain-proven": () =>
    "Publish the file /.well-known/agent-registration.json on the origin of each of these endpoints. It lists the passport: GET /v1/domain-verification/{name} answers exactly that file.",
  services: () =>
    "Add a service with an https address to the registration file, such as A2A, MCP or web: PUT /v1/registration-file/{tokenId}.",
  "file-names-passport": () =>
    "Add the passport to `registrations` of the file, as {agentId, agentRegistry}, and let the passport point at the new file: POST /v1/agent-uri/update, or setAgentURI on the identity registry.",
  "soul-sealed": ({ soul }) =>
    soul?.state === "provisional"
      ? "Seal the soul: POST /v1/seal."
      : "Register a soul for this passport and seal it: POST /v1/register with its id as erc8004AgentId.",
  "file-type": () =>
    "Set `type` of the file to https://eips.ethereum.org/EIPS/eip-8004#registration-v1, and let the passport point at the new file.",
  description: () =>
    "Add a `description` to the file: POST /v1/agent-uri/update with description, or setAgentURI on the identity registry.",
  name: () => "Add a `name` to the file, and let the passport point at the new file.",
  image: () =>
    "Add an `image` to the file: POST /v1/agent-uri/update with imageUrl, or setAgentURI on the identity registry.",
  "agent-wallet": () =>
    "Name the agent's wallet: setAgentWallet on the identity registry, signed by that wallet.",
  certificates: () => "Renew the certificates of these endpoints.",
  "service-metadata": () =>
    "Have the metadata of the soul written on the passport: send the transactions of checks.passport that GET /v1/verify/{name} answers. They approve the passport writer on the passport, and call its sync(tokenId).",
  "did-document": () => "Publish a DID document: PUT /v1/did/{name}.",
  "public-identity": () => "Publish a public identity: PUT /v1/public-identity/{tokenId}.",
  "payment-quote": () =>
    "Let an endpoint answer 402 with a valid x402 quote, and declare it as a service named x402; or set x402Support to false.",
};

const FILE_ACTIONS: Readonly<Record<FileFacts["reading"], string>> = {
  read: "",
  no_uri:
    "Let the passport point at a registration file: setAgentURI on the identity registry, with the address of a JSON file (https:, ipfs:, ar: or data:).",
  unavailable:
    "The registration file does not answer. Make it available again, or let the passport point at another one: setAgentURI on the identity registry.",
  unsupported:
    "The passport's URI has a form that cannot be read. Let it point at a JSON file (https:, ipfs:, ar: or data:): setAgentURI on the identity registry.",
  invalid:
    "What the passport points at is not a JSON object of at most 1 MiB. Correct the file, or let the passport point at another one: setAgentURI on the identity registry.",
};

/**
 * The grade of an agent and what to mend, from facts alone. Mending one fact never lowers it.
 */
export function gradeAgent(facts: AgentFacts): GradeReport {
  const checks = CHECK_IDS.map((id) => {
    const { title, points, share } = CHECKS[id];
    const reached = share(facts);
    return { id, title, points, reached: reached === null ? null : rounded(points * reached) };
  });
  const counted = checks.filter(({ reached }) => reached !== null);
  const reached = rounded(sum(counted.map((check) => check.reached ?? 0)));
  const of = sum(counted.map(({ points }) => points));
  return {
    grade: gradeOf((100 * reached) / of, facts.soul?.state === "suspended"),
    reached,
    of,
    checks,
    fixes: fixesOf(facts, checks),
  };
}

function gradeOf(percent: number, isSuspended: boolean): Grade {
  const grade = GRADES.find((one) => percent >= GRADE_FROM[one]) ?? "F";
  const isBetter = GRADES.indexOf(grade) < GRADES.indexOf(SUSPENDED_AT_BEST);
  return isSuspended && isBetter ? SUSPENDED_AT_BEST : grade;
}

/** First what nothing stands before, and of that what adds the most. */
function fixesOf(facts: AgentFacts, checks: readonly CheckResult[]): readonly Fix[] {
  const open = checks.filter(({ reached, points }) => reached !== null && reached < points);
  const isOpen = (id: CheckId) => open.some((check) => check.id === id);
  const fixes = open.map(({ id, title, points, reached }) => ({
    id,
    title,
    action: ACTIONS[id](facts),
    about: CHECKS[id].about?.(facts) ?? [],
    adds: rounded(points - (reached ?? 0)),
    after: CHECKS[id].after.filter(isOpen),
  }));
  return fixes.sort((a, b) => a.after.length - b.after.length || b.adds - a.adds);
}

function shareOf(
  { endpoints }: AgentFacts,
  holds: (endpoint: AgentFacts["endpoints"][number]) => boolean | null,
): number | null {
  const checkable = endpoints.filter(({ kind }) => kind !== null);
  // Without an endpoint nothing answers; an endpoint that could not be asked decides nothing.
  if (checkable.length === 0) return 0;
  const known = checkable.map(holds).filter((held) => held !== null);
  if (known.length === 0) return null;
  return known.filter(Boolean).length / known.length;
}

function certificateShare(facts: AgentFacts): number | null {
  const dated = facts.endpoints.filter(({ certificateEnds }) => certificateEnds !== null);
  if (dated.length === 0) return null;
  return dated.filter((endpoint) => !endsSoon(endpoint, facts.now)).length / dated.length;
}

function endsSoon(
  { certificateEnds }: Pick<CheckedEndpoint, "certificateEnds">,
  now: Date,
): boolean {
  if (certificateEnds === null) return false;
  const day = 24 * 60 * 60 * 1000;
  return new Date(certificateEnds).getTime() - now.getTime() < CERTIFICATE_DAYS * day;
}

function endpointsWhere(
  { endpoints }: AgentFacts,
  holds: (endpoint: AgentFacts["endpoints"][number]) => boolean,
): readonly string[] {
  return endpoints.filter(holds).map(({ endpoint }) => endpoint);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** To a tenth: shares of endpoints are no whole points. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
