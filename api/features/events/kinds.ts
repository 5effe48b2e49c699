import { type Address, getAddress, type Hex, zeroAddress } from "viem";
import { eachAmount } from "../../../protocol/allowance.ts";
import { AGENT_TYPES, NAMED_VALUES } from "../../../protocol/index.ts";
import { shortHex } from "../../../protocol/short-hex.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { formatAmount } from "../allowances/index.ts";

// Everything that the index has a history of, one entry for each kind of event: what is said of it,
// and its fields. The API, its document and the pages are made from this list.

/** How a field is read from the index and answered. A `?` may be null. */
interface FieldTypes {
  readonly address: Address;
  /** Null for the zero address too. */
  readonly "address?": Address | null;
  readonly hash: Hex;
  readonly "hash?": Hex | null;
  /** Base units, as a decimal string. */
  readonly amount: string;
  readonly "amount?": string | null;
  readonly integer: number;
  readonly "integer?": number | null;
  /** An id as a decimal string: ERC-8004 ids have up to 256 bits. */
  readonly id: string;
  readonly boolean: boolean;
  readonly text: string;
  /** Of any account: untrusted. */
  readonly "text?": string | null;
  /** ISO 8601. */
  readonly "time?": string | null;
  readonly trust: string;
}

export type FieldType = keyof FieldTypes;
type Fields = Readonly<Record<string, FieldType>>;
type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: FieldTypes[F[Name]] };

/** What an event is about, in words. */
export interface EventNames {
  /** The agent's name, or "passport 7" without an agent. */
  readonly agent: string;
  /** "The passport of aurora", or "Passport 7". */
  readonly passport: string;
  /** The second agent of a binding. */
  readonly other: string;
}

/** What is said of one kind of event. */
export interface KindOfEvent<F extends Fields = Fields> {
  /** A few words. */
  readonly title: string;
  /** What it means for a reader who considers using the agent. */
  readonly meaning: string;
  readonly fields: F;
  /** What happened, in one sentence. */
  sentence(values: ValuesOf<F>, names: EventNames): string;
}

const kind = <const F extends Fields>(of: KindOfEvent<F>) => of;

const account = (address: Address | null, otherwise: string) =>
  address === null ? otherwise : shortHex(address);
const money = (amount: string) => `${formatAmount(BigInt(amount))} USDC`;

const payment = {
  recipient: "address?",
  operator: "address",
  amount: "amount",
  withinLimits: "boolean",
  reason: "text",
  paymentRef: "hash",
} as const;
const seal = {
  owner: "address",
  soulHash: "hash",
  soulMerkleRoot: "hash",
  previousSoulHash: "hash?",
} as const;

export const EVENT_KINDS = {
  "soul.registered": kind({
    title: "Registered",
    meaning:
      "The agent got its certificate, which cannot be sold, and its name for ever. It is proven once it is sealed.",
    fields: {
      owner: "address",
      operator: "address?",
      agentType: "integer",
      newPassport: "boolean",
      parentTokenId: "id",
    },
    sentence: ({ owner, agentType, parentTokenId }, { agent }) =>
      `${shortHex(owner)} registered ${agent}, of type ${AGENT_TYPES[agentType] ?? "other"}${
        parentTokenId === "0" ? "" : `, as the successor of certificate ${parentTokenId}`
      }.`,
  }),
  "soul.sealed": kind({
    title: "Sealed",
    meaning:
      "The owner vouched by signature for what the agent is made of. It is valid as long as the owner keeps the passport.",
    fields: seal,
    sentence: ({ owner }, { agent }) => `${shortHex(owner)} sealed the soul of ${agent}.`,
  }),
  "soul.revised": kind({
    title: "Revised",
    meaning: "The owner changed what the agent is made of. Proofs of the old soul no longer hold.",
    fields: { ...seal, dataHash: "hash?" },
    sentence: ({ owner }, { agent }) => `${shortHex(owner)} gave ${agent} a new soul.`,
  }),
  "soul.resealed": kind({
    title: "Resealed",
    meaning:
      "A new epoch began: the passport's owner vouched for the agent, and everything granted before has ended.",
    fields: seal,
    sentence: ({ owner }, { agent }) => `${shortHex(owner)} resealed ${agent} as its owner.`,
  }),
  "soul.suspended": kind({
    title: "Suspended",
    meaning:
      "The passport had left the owner who sealed the soul. Nothing about the agent is proven until a reseal, even if the passport comes back.",
    fields: { observedOwner: "address", sealer: "address" },
    sentence: ({ observedOwner, sealer }, { agent }) =>
      observedOwner === sealer
        ? `The passport of ${agent} was seen back with ${shortHex(sealer)}. ${agent} stays suspended.`
        : `${agent} was suspended: its passport was seen with ${shortHex(observedOwner)}.`,
  }),
  "soul.released": kind({
    title: "Released",
    meaning:
      "The passport's new owner ended the agent instead of resealing it. It cannot act again.",
    fields: { by: "address" },
    sentence: ({ by }, { agent }) =>
      `${shortHex(by)} released the passport of ${agent}, which ended it.`,
  }),
  "soul.burned": kind({
    title: "Burned",
    meaning: "The owner ended the agent. It cannot act again; what it did stays on record.",
    fields: { by: "address", reasonHash: "hash?" },
    sentence: ({ by }, { agent }) => `${shortHex(by)} burned ${agent}.`,
  }),
  "passport.transferred": kind({
    title: "Passport sold or moved",
    meaning:
      "The ERC-8004 passport has another owner. Nothing that the old one granted counts, and the agent is not valid until a reseal.",
    fields: { from: "address", to: "address?" },
    sentence: ({ from, to }, { passport }) =>
      `${passport} went from ${shortHex(from)} to ${account(to, "no one")}.`,
  }),
  "operator.changed": kind({
    title: "Operator changed",
    meaning: "Another account acts for the agent. The earlier one no longer does.",
    fields: { previousOperator: "address?", operator: "address?" },
    sentence: ({ operator }, { agent }) =>
      operator === null
        ? `The owner of ${agent} acts for it again.`
        : `${shortHex(operator)} acts for ${agent} now.`,
  }),
  "did.updated": kind({
    title: "DID document changed",
    meaning: "The owner published another DID document, or withdrew it when there is no archive.",
    fields: { archiveId: "hash", previousArchiveId: "hash" },
    sentence: ({ archiveId }, { agent }) =>
      /^0x0+$/.test(archiveId)
        ? `The DID document of ${agent} was withdrawn.`
        : `${agent} has a new DID document.`,
  }),
  "keys.updated": kind({
    title: "Public keys changed",
    meaning: "Signatures are checked against these keys from now on. No keys: they were withdrawn.",
    fields: { owner: "address", keysHash: "hash?" },
    sentence: ({ keysHash }, { agent }) =>
      keysHash === null
        ? `The public keys of ${agent} were withdrawn.`
        : `${agent} has new public keys.`,
  }),
  "binding.changed": kind({
    title: "Trust changed",
    meaning:
      "How far one agent trusts another. It counts for the present owners of both, and says more when the owner made it than when the service did.",
    fields: {
      toTokenId: "id",
      previousTrustLevel: "trust",
      trustLevel: "trust",
      authority: "text",
      setBy: "address",
      context: "text?",
    },
    sentence: ({ trustLevel }, { agent, other }) =>
      trustLevel === "revoked"
        ? `${agent} no longer trusts ${other}.`
        : `${agent} set its trust in ${other} to ${trustLevel}.`,
  }),
  "membership.joined": kind({
    title: "Joined an organization",
    meaning: "The agent's owner and the organization's admin agreed to the membership.",
    fields: { by: "address?", admin: "address?" },
    sentence: (_, { agent, other }) => `${agent} joined ${other}.`,
  }),
  "membership.left": kind({
    title: "Left an organization",
    meaning: "The membership was ended by the agent's owner or the organization's admin.",
    fields: { by: "address?" },
    sentence: (_, { agent, other }) => `${agent} left ${other}.`,
  }),
  "membership.pruned": kind({
    title: "Membership removed",
    meaning: "The membership was inactive already, and its record was removed.",
    fields: {},
    sentence: (_, { agent, other }) => `${agent} was removed from the records of ${other}.`,
  }),
  "organization.founded": kind({
    title: "Organization founded",
    meaning: "Its name is the founder's own claim.",
    fields: { admin: "address" },
    sentence: ({ admin }, { other }) => `${shortHex(admin)} founded ${other}.`,
  }),
  "organization.handed-over": kind({
    title: "Organization handed over",
    meaning: "Another account is its admin now, and accepted it.",
    fields: { admin: "address" },
    sentence: ({ admin }, { other }) => `${shortHex(admin)} is the admin of ${other} now.`,
  }),
  "allowance.set": kind({
    title: "Allowance set",
    meaning: "The owner allows its agent to pay within these limits, until they end or change.",
    fields: { owner: "address", ...eachAmount(() => "amount?" as const), validUntil: "time?" },
    sentence: ({ dailyLimit }, { agent }) =>
      `${agent} may pay up to ${money(dailyLimit ?? "0")} a day.`,
  }),
  "allowance.ended": kind({
    title: "Allowance ended",
    meaning: "The owner ended it: the agent may pay nothing.",
    fields: { owner: "address" },
    sentence: (_, { agent }) => `${agent} may pay nothing any more.`,
  }),
  "payment.made": kind({
    title: "Paid",
    meaning: "The contract moved the money within the owner's limits.",
    fields: payment,
    sentence: ({ amount, recipient }, { agent }) =>
      `${agent} paid ${money(amount)} to ${account(recipient, "no one")}.`,
  }),
  "payment.refused": kind({
    title: "Payment refused",
    meaning: "The agent tried to pay more than it may, or its owner's money did not suffice.",
    fields: payment,
    sentence: ({ amount, recipient }, { agent }) =>
      `${agent} could not pay ${money(amount)} to ${account(recipient, "no one")}.`,
  }),
  "payment.reported": kind({
    title: "Payment reported",
    meaning: "The operator says that it paid elsewhere. Only it vouches for that.",
    fields: payment,
    sentence: ({ amount }, { agent }) =>
      `${agent} reported a payment of ${money(amount)} elsewhere.`,
  }),
  "feedback.given": kind({
    title: "Feedback",
    meaning: "Any account may leave feedback on any passport: look at who gave it.",
    fields: {
      client: "address",
      feedbackIndex: "id",
      value: "amount?",
      valueDecimals: "integer?",
      tag1: "text?",
      tag2: "text?",
    },
    sentence: ({ client }, { agent }) => `${shortHex(client)} left feedback on ${agent}.`,
  }),
  "feedback.revoked": kind({
    title: "Feedback revoked",
    meaning: "The account that left the feedback took it back.",
    fields: { client: "address", feedbackIndex: "id" },
    sentence: ({ client }, { agent }) => `${shortHex(client)} took back its feedback on ${agent}.`,
  }),
  "feedback.answered": kind({
    title: "Feedback answered",
    meaning: "Any account may answer feedback: look at who did.",
    fields: { client: "address", feedbackIndex: "id", responder: "address" },
    sentence: ({ responder, client }, { agent }) =>
      `${shortHex(responder)} answered the feedback of ${shortHex(client)} on ${agent}.`,
  }),
  "validation.requested": kind({
    title: "Validation requested",
    meaning: "A validator was asked to check the agent's work. It need not answer.",
    fields: { requestHash: "hash", validator: "address" },
    sentence: ({ validator }, { agent }) =>
      `${shortHex(validator)} was asked to validate ${agent}.`,
  }),
  "validation.answered": kind({
    title: "Validation answered",
    meaning: "From 0, failed, to 100, passed, in the words of this validator alone.",
    fields: { requestHash: "hash", validator: "address", response: "integer", tag: "text?" },
    sentence: ({ validator, response }, { agent }) =>
      `${shortHex(validator)} validated ${agent} with ${response} of 100.`,
  }),
  "human.proven": kind({
    title: "Owner proven human",
    meaning: "A proof of personhood was used for this seal. It ends with the owner's epoch.",
    fields: { verifier: "address", nullifier: "hash" },
    sentence: (_, { agent }) => `The owner of ${agent} proved to be a person.`,
  }),
  "alignment.scored": kind({
    title: "Alignment scored",
    meaning:
      "The service measured how far the agent keeps to what it states. Anyone can recompute it.",
    fields: { score: "integer", previousScore: "integer", scoredBlock: "id", archiveId: "hash" },
    sentence: ({ score }, { agent }) => `${agent} scored ${score} of 100 in alignment.`,
  }),
  "chronicles.anchored": kind({
    title: "Chronicles anchored",
    meaning: "A batch of records is on chain. Each of them can be proven from here on.",
    fields: { batchId: "id", root: "hash", leafCount: "id", leavesArchiveId: "hash" },
    sentence: ({ batchId, leafCount }) =>
      `Batch ${batchId} put ${leafCount} ${leafCount === "1" ? "record" : "records"} on chain.`,
  }),
} as const;

export type EventKind = keyof typeof EVENT_KINDS;
export type FieldsOf<Kind extends EventKind> = (typeof EVENT_KINDS)[Kind]["fields"];
export type DetailsOf<Kind extends EventKind> = ValuesOf<FieldsOf<Kind>>;

/** Every kind, in the order in which filters list them. */
export const KINDS = Object.keys(EVENT_KINDS) as [EventKind, ...EventKind[]];

/** The fields of an event, from the text in which the index answers each of them. */
export function detailsOf<Kind extends EventKind>(
  of: Kind,
  raw: Readonly<Record<string, string | null>>,
): DetailsOf<Kind> {
  const entries = Object.entries(EVENT_KINDS[of].fields as Fields).map(([name, type]) => [
    name,
    READERS[type](raw[name] ?? null),
  ]);
  return Object.fromEntries(entries) as DetailsOf<Kind>;
}

/** What happened, in one sentence. */
export function sentenceOf<Kind extends EventKind>(
  of: Kind,
  details: DetailsOf<Kind>,
  names: EventNames,
): string {
  const { sentence } = EVENT_KINDS[of] as unknown as KindOfEvent;
  return sentence(details, names);
}

type Reader = (raw: string | null) => string | number | boolean | null;

const orNull =
  (read: (raw: string) => string | number | null): Reader =>
  (raw) =>
    raw === null ? null : read(raw);
const present =
  (read: (raw: string) => string | number | boolean): Reader =>
  (raw) => {
    if (raw === null) throw new Error("A field of an event is missing in the index.");
    return read(raw);
  };
const unchanged = (raw: string) => raw;

const READERS: Readonly<Record<FieldType, Reader>> = {
  address: present((raw) => getAddress(raw)),
  "address?": orNull((raw) => (raw === zeroAddress ? null : getAddress(raw))),
  hash: present(unchanged),
  "hash?": orNull(unchanged),
  amount: present(unchanged),
  "amount?": orNull(unchanged),
  integer: present(Number),
  "integer?": orNull(Number),
  id: present(unchanged),
  boolean: present((raw) => raw === "true"),
  text: present(unchanged),
  "text?": orNull(unchanged),
  "time?": orNull((raw) => dateOf(BigInt(raw)).toISOString()),
  trust: present((raw) => NAMED_VALUES.trustLevel[Number(raw)] ?? "none"),
};
