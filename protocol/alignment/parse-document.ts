import { canonicalJson, isPlainObject, parseJsonStrict } from "../json.ts";
import { isValidName } from "../names.ts";
import { alignmentDocument } from "./document.ts";
import { InvalidAlignmentDocumentError } from "./errors.ts";
import {
  ALIGNMENT_FORMAT,
  ALIGNMENT_WEIGHTS,
  type AlignmentBreakdown,
  type AlignmentDocument,
  type OffChainFact,
  type OnChainFact,
  OVERSPENDING_REASONS,
} from "./facts.ts";
import { bigintsAsText, canonicalFacts } from "./order.ts";

/** Most bytes of a document. Only decisions of the agent's own owner, which cost gas, can exceed it. */
export const ALIGNMENT_DOCUMENT_BYTES = 16 * 1024 * 1024;

const LIMITS = { maxDepth: 6, maxBytes: ALIGNMENT_DOCUMENT_BYTES } as const;

type Read = (value: unknown) => unknown;
type Shape = Readonly<Record<string, Read>>;

/** A value that does not fit. The path is added on the way out. */
class Misfit extends Error {
  constructor(readonly path: string) {
    super(path);
  }
}

/**
 * Reads a snapshot document of any author. It must be canonical: its facts in order and once each,
 * its JSON as RFC 8785 writes it. Whether its score follows from its facts is another question:
 * see {@link recomputedDocument}.
 *
 * @throws InvalidAlignmentDocumentError
 */
export function parseAlignmentDocument(bytes: Uint8Array): AlignmentDocument {
  const text = decoded(bytes);
  const document = shaped(text);
  if (canonicalJson(bigintsAsText(document)) !== text) {
    throw new InvalidAlignmentDocumentError("its JSON is not canonical");
  }
  const { facts, offChain } = document;
  const ordered = canonicalFacts([...facts, ...offChain]);
  if (
    canonicalJson(bigintsAsText(ordered)) !== canonicalJson(bigintsAsText([...facts, ...offChain]))
  ) {
    throw new InvalidAlignmentDocumentError("its facts are not in order, or not once each");
  }
  const later = facts.find(({ place }) => place.blockNumber > document.block.number);
  if (later !== undefined) {
    throw new InvalidAlignmentDocumentError(
      `its ${later.kind} fact is of block ${later.place.blockNumber}, after the snapshot's block ${document.block.number}`,
    );
  }
  return document;
}

/** What the formula makes of a document's own facts: equal to the document when it is true to them. */
export function recomputedDocument(document: AlignmentDocument): AlignmentDocument {
  return alignmentDocument(document, [...document.facts, ...document.offChain]);
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InvalidAlignmentDocumentError("it is not UTF-8");
  }
}

function shaped(text: string): AlignmentDocument {
  try {
    return DOCUMENT(parseJsonStrict(text, LIMITS)) as AlignmentDocument;
  } catch (error) {
    if (error instanceof Misfit) {
      throw new InvalidAlignmentDocumentError(`${error.path || "the whole"} does not fit`);
    }
    throw new InvalidAlignmentDocumentError(
      `it cannot be read (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

/* SHAPES */

function check(isRight: (value: unknown) => boolean): Read {
  return (value) => {
    if (!isRight(value)) throw new Misfit("");
    return value;
  };
}

function nullable(read: Read): Read {
  return (value) => (value === null ? null : read(value));
}

function oneOf(...words: readonly unknown[]): Read {
  return check((value) => words.includes(value));
}

function object(shape: Shape): Read {
  return (value) => {
    if (!isPlainObject(value)) throw new Misfit("");
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(shape, key));
    if (unknown !== undefined) throw new Misfit(unknown);
    return Object.fromEntries(
      Object.entries(shape).map(([key, read]) => [key, at(key, () => read(value[key]))]),
    );
  };
}

function list(read: Read): Read {
  return (value) => {
    if (!Array.isArray(value)) throw new Misfit("");
    return value.map((item, index) => at(`[${index}]`, () => read(item)));
  };
}

/** One of several shapes, distinguished by `kind`. */
function byKind(shapes: Readonly<Record<string, Read>>): Read {
  return (value) => {
    const kind = isPlainObject(value) ? value.kind : undefined;
    if (typeof kind !== "string" || !Object.hasOwn(shapes, kind)) throw new Misfit("kind");
    return shapes[kind]?.(value);
  };
}

function at(key: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw new Misfit(
      error.path === "" || error.path.startsWith("[")
        ? `${key}${error.path}`
        : `${key}.${error.path}`,
    );
  }
}

function integer(bits: number, signed = false): Read {
  const pattern = signed ? /^(0|-?[1-9][0-9]{0,77})$/ : /^(0|[1-9][0-9]{0,77})$/;
  return (value) => {
    if (typeof value !== "string" || !pattern.test(value)) throw new Misfit("");
    const parsed = BigInt(value);
    const fits = signed ? BigInt.asIntN(bits, parsed) : BigInt.asUintN(bits, parsed);
    if (fits !== parsed) throw new Misfit("");
    return parsed;
  };
}

function upTo(most: number): Read {
  return check(
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most,
  );
}

const ADDRESS = check((value) => typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value));
const HASH = check((value) => typeof value === "string" && /^0x[0-9a-f]{64}$/.test(value));
const BOOLEAN = check((value) => typeof value === "boolean");
const TEXT = check((value) => typeof value === "string" && value.length <= 64);
const ID = integer(256);
const TIME = integer(64);
const EPOCH = upTo(0xffff);
const COUNT = upTo(0x7fff_ffff);
const PERCENT = upTo(100);

const PLACE = object({ blockNumber: TIME, transactionHash: HASH, logIndex: COUNT });

function chainFact<Kind extends OnChainFact["kind"]>(
  kind: Kind,
  shape: Readonly<
    Record<
      Exclude<keyof Extract<OnChainFact, { kind: Kind }>, "kind" | "place" | "timestamp">,
      Read
    >
  >,
): Read {
  return object({ kind: oneOf(kind), place: PLACE, timestamp: TIME, ...(shape as Shape) });
}

function count<Kind extends OffChainFact["kind"]>(
  kind: Kind,
  shape: Readonly<Record<Exclude<keyof Extract<OffChainFact, { kind: Kind }>, "kind">, Read>>,
): Read {
  return object({ kind: oneOf(kind), ...(shape as Shape) });
}

const FACTS: Readonly<Record<OnChainFact["kind"], Read>> = {
  registered: chainFact("registered", { owner: ADDRESS, operator: ADDRESS }),
  sealed: chainFact("sealed", { epoch: EPOCH, sealer: ADDRESS }),
  resealed: chainFact("resealed", { epoch: EPOCH, sealer: ADDRESS, operator: ADDRESS }),
  operator: chainFact("operator", { epoch: EPOCH, operator: ADDRESS }),
  revised: chainFact("revised", { epoch: EPOCH, dataHash: HASH }),
  overspending: chainFact("overspending", {
    epoch: EPOCH,
    event: oneOf("refused", "reported"),
    recipient: ADDRESS,
    amount: ID,
    reason: oneOf(...OVERSPENDING_REASONS),
  }),
  binding: chainFact("binding", {
    epoch: EPOCH,
    toTokenId: ID,
    trustLevel: oneOf(1, 2, 3, 4),
    authority: oneOf("SERVICE", "OWNER"),
  }),
  feedback: chainFact("feedback", {
    account: ADDRESS,
    feedbackIndex: TIME,
    value: integer(128, true),
    valueDecimals: upTo(18),
    tag1: TEXT,
  }),
  validation: chainFact("validation", { account: ADDRESS, requestHash: HASH, response: PERCENT }),
  reviewer: chainFact("reviewer", {
    account: ADDRESS,
    tokenId: ID,
    event: oneOf("sealed", "resealed"),
    humanVerified: BOOLEAN,
  }),
  membership: chainFact("membership", { tokenId: ID, organizationId: ID }),
  organization: chainFact("organization", { organizationId: ID, admin: ADDRESS }),
  payment: chainFact("payment", { account: ADDRESS, tokenId: ID, recipient: ADDRESS, amount: ID }),
};

const FITTING = atMost("fitting", "counted");
const REQUESTERS = atMost("missed", "asked");

const COUNTS: Readonly<Record<OffChainFact["kind"], Read>> = {
  tasks: count("tasks", { chronicles: FITTING, skills: FITTING }),
  records: count("records", { operatorChange: COUNT, soulRevision: COUNT }),
  documents: count("documents", { immutableChanged: COUNT }),
  registrationFile: count("registrationFile", { uriHash: nullable(HASH), consistent: BOOLEAN }),
  requests: count("requests", {
    humanVerified: REQUESTERS,
    others: REQUESTERS,
    beyondPolicy: COUNT,
  }),
};

/** Two counts, the first of them a part of the second. */
function atMost(part: string, whole: string): Read {
  const read = object({ [part]: COUNT, [whole]: COUNT });
  return (value) => {
    const counts = read(value) as Record<string, number>;
    if (Number(counts[part]) > Number(counts[whole])) throw new Misfit(part);
    return counts;
  };
}

const DOCUMENT = object({
  format: oneOf(ALIGNMENT_FORMAT),
  chainId: check((value) => Number.isSafeInteger(value) && (value as number) > 0),
  contracts: object({
    soulRegistry: ADDRESS,
    identityRegistry: ADDRESS,
    reputationRegistry: ADDRESS,
    validationRegistry: nullable(ADDRESS),
    allowanceVault: ADDRESS,
    bindingRegistry: ADDRESS,
    organizationRegistry: ADDRESS,
    alignmentRegistry: ADDRESS,
  } satisfies Record<keyof AlignmentDocument["contracts"], Read>),
  tokenId: ID,
  passportId: ID,
  agentName: check((value) => typeof value === "string" && isValidName(value)),
  epoch: EPOCH,
  block: object({ number: TIME, hash: HASH, timestamp: TIME }),
  facts: list(byKind(FACTS)),
  offChain: list(byKind(COUNTS)),
  score: nullable(PERCENT),
  isNewAgent: BOOLEAN,
  isProvisional: BOOLEAN,
  breakdown: object(
    Object.fromEntries(Object.keys(ALIGNMENT_WEIGHTS).map((name) => [name, PERCENT])) as Record<
      keyof AlignmentBreakdown,
      Read
    >,
  ),
  issuer: ADDRESS,
} satisfies Record<keyof AlignmentDocument, Read>);
