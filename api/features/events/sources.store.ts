import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { chainViews } from "../../soul/index-views.store.ts";
import type { EventKind, FieldsOf } from "./kinds.ts";

const {
  agentKeysChange,
  alignment,
  allowanceChange,
  batch,
  bindingChange,
  didArchive,
  feedback,
  feedbackResponse,
  humanProof,
  membershipChange,
  operatorChange,
  organizationAdmin,
  passportOwner,
  soul,
  soulEnd,
  soulEpoch,
  soulRevision,
  spend,
  suspension,
  validation,
  validationResponse,
} = chainViews;

/** Where events of one kind are read from. */
export interface EventSource {
  readonly kind: EventKind;
  readonly from: SQLWrapper;
  readonly where: SQL | undefined;
  readonly block: AnyPgColumn;
  readonly logIndex: AnyPgColumn;
  /** Where one log says something of several agents. */
  readonly part: AnyPgColumn | null;
  readonly timestamp: AnyPgColumn;
  readonly tx: AnyPgColumn;
  readonly tokenId: SQLWrapper;
  readonly otherTokenId: SQLWrapper;
  readonly passportId: SQLWrapper;
  readonly organizationId: SQLWrapper;
  /** By the names of the kind's fields. */
  readonly details: Readonly<Record<string, SQLWrapper>>;
  /** What holds for the events of one agent. Each is read by itself, in the order of an index. */
  readonly ofAgent: readonly SQL[];
  /** Whether only events between the agent's first and last block are its own. */
  readonly isOfLife: boolean;
}

/** Of the agent whose events are read. */
const tokenId = sql.placeholder("tokenId");
const passportId = sql.placeholder("passportId");

interface Occurrence {
  readonly block: AnyPgColumn;
  readonly logIndex: AnyPgColumn;
  readonly timestamp: AnyPgColumn;
  readonly tx: AnyPgColumn;
}

const NONE = sql`null`;

type Rest = Partial<Omit<EventSource, "kind" | "details">>;
type Details<Kind extends EventKind> = Readonly<Record<keyof FieldsOf<Kind>, SQLWrapper>>;

/** A source whose columns have the names of the event's fields. */
function source<Kind extends EventKind>(
  kind: Kind,
  from: SQLWrapper & Details<Kind>,
  at: Occurrence,
  rest: Rest = {},
): EventSource {
  return namedSource(kind, from, at, { ...rest, details: from });
}

/** A source whose columns have other names. */
function namedSource<Kind extends EventKind>(
  kind: Kind,
  from: SQLWrapper,
  { block, logIndex, timestamp, tx }: Occurrence,
  rest: Rest & { readonly details: Details<Kind> },
): EventSource {
  return {
    kind,
    from,
    where: undefined,
    block,
    logIndex,
    part: null,
    timestamp,
    tx,
    tokenId: NONE,
    otherTokenId: NONE,
    passportId: NONE,
    organizationId: NONE,
    ofAgent: [],
    isOfLife: false,
    ...rest,
  };
}

/** The events of an agent, by its token id. */
const ofToken = (column: AnyPgColumn, where?: SQL) => ({
  where,
  tokenId: column,
  ofAgent: [eq(column, tokenId)],
});

/** The events of a passport: an agent's while the passport carried it. */
const ofPassport = (column: AnyPgColumn, where?: SQL) => ({
  where,
  passportId: column,
  ofAgent: [eq(column, passportId)],
  isOfLife: true,
});

const given: Occurrence = {
  block: feedback.givenBlock,
  logIndex: feedback.giveLogIndex,
  timestamp: feedback.givenAt,
  tx: feedback.giveTx,
};
const revoked: Occurrence = {
  block: feedback.revokedBlock,
  logIndex: feedback.revokeLogIndex,
  timestamp: feedback.revokedAt,
  tx: feedback.revokeTx,
};
const requested: Occurrence = {
  block: validation.requestedBlock,
  logIndex: validation.requestLogIndex,
  timestamp: validation.requestedAt,
  tx: validation.requestTx,
};
const begun: Occurrence = {
  block: soulEpoch.startBlock,
  logIndex: soulEpoch.startLogIndex,
  timestamp: soulEpoch.startedAt,
  tx: soulEpoch.startTx,
};

/** The soul that a proof of personhood was used for: its seal is the next one in the transaction. */
const provenSoul = sql`(
  select ${soulRevision.tokenId} from ${soulRevision}
  where ${soulRevision.block} = ${humanProof.block} and ${soulRevision.tx} = ${humanProof.tx}
    and ${soulRevision.verifier} = ${humanProof.verifier}
    and ${soulRevision.logIndex} > ${humanProof.logIndex}
  order by ${soulRevision.logIndex} limit 1)`;

/** A registration's own columns. */
const registered = (column: AnyPgColumn) =>
  sql`(select ${column} from ${soul} where ${soul.tokenId} = ${soulEpoch.tokenId})`;

/**
 * Where each kind of event is read from.
 *
 * @param soulRegistry The contract whose uses of proofs of personhood count.
 */
export function eventSources(soulRegistry: Address): readonly EventSource[] {
  return [
    ...souls(),
    ...changes(),
    ...memberships(),
    ...organizations(),
    ...payments(),
    ...statements(),
    ...records(soulRegistry),
  ];
}

/** Souls and their passports, from beginning to end. */
function souls(): readonly EventSource[] {
  return [
    namedSource("soul.registered", soulEpoch, begun, {
      ...ofToken(soulEpoch.tokenId, eq(soulEpoch.epoch, 1)),
      details: {
        owner: soulEpoch.sealer,
        operator: soulEpoch.operator,
        agentType: registered(soul.agentType),
        newPassport: registered(soul.newPassport),
        parentTokenId: registered(soul.parentTokenId),
      },
    }),
    source(
      "soul.sealed",
      soulRevision,
      soulRevision,
      ofToken(soulRevision.tokenId, eq(soulRevision.kind, "SEAL")),
    ),
    source(
      "soul.revised",
      soulRevision,
      soulRevision,
      ofToken(soulRevision.tokenId, eq(soulRevision.kind, "REVISION")),
    ),
    source(
      "soul.resealed",
      soulRevision,
      soulRevision,
      ofToken(soulRevision.tokenId, eq(soulRevision.kind, "RESEAL")),
    ),
    source("soul.suspended", suspension, suspension, ofToken(suspension.tokenId)),
    source(
      "soul.released",
      soulEnd,
      soulEnd,
      ofToken(soulEnd.tokenId, eq(soulEnd.kind, "RELEASED")),
    ),
    source("soul.burned", soulEnd, soulEnd, ofToken(soulEnd.tokenId, eq(soulEnd.kind, "BURNED"))),
    source(
      "passport.transferred",
      passportOwner,
      passportOwner,
      ofPassport(passportOwner.passportId, eq(passportOwner.kind, "TRANSFERRED")),
    ),
  ];
}

/** What owners decide about their agents. */
function changes(): readonly EventSource[] {
  return [
    source("operator.changed", operatorChange, operatorChange, ofToken(operatorChange.tokenId)),
    source("did.updated", didArchive, didArchive, ofToken(didArchive.tokenId)),
    source("keys.updated", agentKeysChange, agentKeysChange, ofToken(agentKeysChange.tokenId)),
    source("binding.changed", bindingChange, bindingChange, {
      tokenId: bindingChange.fromTokenId,
      otherTokenId: bindingChange.toTokenId,
      ofAgent: [eq(bindingChange.fromTokenId, tokenId), eq(bindingChange.toTokenId, tokenId)],
    }),
  ];
}

/** What the service records, and proofs of personhood. */
function records(soulRegistry: Address): readonly EventSource[] {
  return [
    source("human.proven", humanProof, humanProof, {
      where: eq(humanProof.consumer, soulRegistry.toLowerCase() as Address),
      tokenId: provenSoul,
      ofAgent: [
        sql`${humanProof.block} in (select ${soulRevision.block} from ${soulRevision}
          where ${soulRevision.tokenId} = ${tokenId} and ${soulRevision.verifier} is not null)
          and ${provenSoul} = ${tokenId}`,
      ],
    }),
    source("alignment.scored", alignment, alignment, ofToken(alignment.tokenId)),
    namedSource("chronicles.anchored", batch, batch, {
      details: {
        batchId: batch.id,
        root: batch.root,
        leafCount: batch.leafCount,
        leavesArchiveId: batch.leavesArchiveId,
      },
    }),
  ];
}

function memberships(): readonly EventSource[] {
  const { organizationId } = membershipChange;
  const ofKind = (kind: "JOINED" | "LEFT" | "PRUNED") => ({
    ...ofToken(membershipChange.tokenId, eq(membershipChange.kind, kind)),
    part: membershipChange.tokenId,
    organizationId,
  });
  return [
    source("membership.joined", membershipChange, membershipChange, ofKind("JOINED")),
    source("membership.left", membershipChange, membershipChange, ofKind("LEFT")),
    source("membership.pruned", membershipChange, membershipChange, ofKind("PRUNED")),
  ];
}

function organizations(): readonly EventSource[] {
  const { organizationId, kind } = organizationAdmin;
  return [
    source("organization.founded", organizationAdmin, organizationAdmin, {
      where: eq(kind, "FOUNDED"),
      organizationId,
    }),
    source("organization.handed-over", organizationAdmin, organizationAdmin, {
      where: eq(kind, "HANDED_OVER"),
      organizationId,
    }),
  ];
}

function payments(): readonly EventSource[] {
  const changed = (kind: "SET" | "DEACTIVATED") =>
    ofToken(allowanceChange.tokenId, eq(allowanceChange.kind, kind));
  const spent = (kind: "ALLOWED" | "REFUSED" | "REPORTED") =>
    ofToken(spend.tokenId, eq(spend.kind, kind));
  return [
    source("allowance.set", allowanceChange, allowanceChange, changed("SET")),
    source("allowance.ended", allowanceChange, allowanceChange, changed("DEACTIVATED")),
    source("payment.made", spend, spend, spent("ALLOWED")),
    source("payment.refused", spend, spend, spent("REFUSED")),
    source("payment.reported", spend, spend, spent("REPORTED")),
  ];
}

/** What others say of a passport. */
function statements(): readonly EventSource[] {
  return [
    source("feedback.given", feedback, given, ofPassport(feedback.passportId)),
    source("feedback.revoked", feedback, revoked, ofPassport(feedback.passportId)),
    source(
      "feedback.answered",
      feedbackResponse,
      feedbackResponse,
      ofPassport(feedbackResponse.passportId),
    ),
    source("validation.requested", validation, requested, ofPassport(validation.passportId)),
    source(
      "validation.answered",
      validationResponse,
      validationResponse,
      ofPassport(validationResponse.passportId),
    ),
  ];
}
