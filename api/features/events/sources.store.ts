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

type Rest<Kind extends EventKind> = Partial<Omit<EventSource, "kind" | "details">> & {
  readonly details: Readonly<Record<keyof FieldsOf<Kind>, SQLWrapper>>;
};

function source<Kind extends EventKind>(
  kind: Kind,
  from: SQLWrapper,
  { block, logIndex, timestamp, tx }: Occurrence,
  rest: Rest<Kind>,
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
const ofToken = (column: AnyPgColumn) => ({
  tokenId: column,
  ofAgent: [eq(column, tokenId)],
});

/** The events of a passport: an agent's while the passport carried it. */
const ofPassport = (column: AnyPgColumn) => ({
  passportId: column,
  ofAgent: [eq(column, passportId)],
  isOfLife: true,
});

const sealed = {
  owner: soulRevision.owner,
  soulHash: soulRevision.soulHash,
  soulMerkleRoot: soulRevision.soulMerkleRoot,
  previousSoulHash: soulRevision.previousSoulHash,
};
const paid = {
  recipient: spend.recipient,
  operator: spend.operator,
  amount: spend.amount,
  withinLimits: spend.withinLimits,
  reason: spend.reason,
  paymentRef: spend.paymentRef,
};
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
    source("soul.registered", soulEpoch, begun, {
      where: eq(soulEpoch.epoch, 1),
      ...ofToken(soulEpoch.tokenId),
      details: {
        owner: soulEpoch.sealer,
        operator: soulEpoch.operator,
        agentType: registered(soul.agentType),
        newPassport: registered(soul.newPassport),
        parentTokenId: registered(soul.parentTokenId),
      },
    }),
    source("soul.sealed", soulRevision, soulRevision, {
      where: eq(soulRevision.kind, "SEAL"),
      ...ofToken(soulRevision.tokenId),
      details: sealed,
    }),
    source("soul.revised", soulRevision, soulRevision, {
      where: eq(soulRevision.kind, "REVISION"),
      ...ofToken(soulRevision.tokenId),
      details: { ...sealed, dataHash: soulRevision.dataHash },
    }),
    source("soul.resealed", soulRevision, soulRevision, {
      where: eq(soulRevision.kind, "RESEAL"),
      ...ofToken(soulRevision.tokenId),
      details: sealed,
    }),
    source("soul.suspended", suspension, suspension, {
      ...ofToken(suspension.tokenId),
      details: { observedOwner: suspension.observedOwner, sealer: suspension.sealer },
    }),
    source("soul.released", soulEnd, soulEnd, {
      where: eq(soulEnd.kind, "RELEASED"),
      ...ofToken(soulEnd.tokenId),
      details: { by: soulEnd.by },
    }),
    source("soul.burned", soulEnd, soulEnd, {
      where: eq(soulEnd.kind, "BURNED"),
      ...ofToken(soulEnd.tokenId),
      details: { by: soulEnd.by, reasonHash: soulEnd.reasonHash },
    }),
    source("passport.transferred", passportOwner, passportOwner, {
      where: eq(passportOwner.kind, "TRANSFERRED"),
      ...ofPassport(passportOwner.passportId),
      details: { from: passportOwner.from, to: passportOwner.to },
    }),
    source("operator.changed", operatorChange, operatorChange, {
      ...ofToken(operatorChange.tokenId),
      details: {
        previousOperator: operatorChange.previousOperator,
        operator: operatorChange.operator,
      },
    }),
    source("did.updated", didArchive, didArchive, {
      ...ofToken(didArchive.tokenId),
      details: {
        archiveId: didArchive.archiveId,
        previousArchiveId: didArchive.previousArchiveId,
      },
    }),
    source("keys.updated", agentKeysChange, agentKeysChange, {
      ...ofToken(agentKeysChange.tokenId),
      details: { owner: agentKeysChange.owner, keysHash: agentKeysChange.keysHash },
    }),
    source("binding.changed", bindingChange, bindingChange, {
      tokenId: bindingChange.fromTokenId,
      otherTokenId: bindingChange.toTokenId,
      ofAgent: [eq(bindingChange.fromTokenId, tokenId), eq(bindingChange.toTokenId, tokenId)],
      details: {
        toTokenId: bindingChange.toTokenId,
        previousTrustLevel: bindingChange.previousTrustLevel,
        trustLevel: bindingChange.trustLevel,
        authority: bindingChange.authority,
        setBy: bindingChange.setBy,
        context: bindingChange.context,
      },
    }),
    ...memberships(),
    ...organizations(),
    ...payments(),
    ...statements(),
    ...records(soulRegistry),
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
      details: { verifier: humanProof.verifier, nullifier: humanProof.nullifier },
    }),
    source("alignment.scored", alignment, alignment, {
      ...ofToken(alignment.tokenId),
      details: {
        score: alignment.score,
        previousScore: alignment.previousScore,
        scoredBlock: alignment.scoredBlock,
        archiveId: alignment.archiveId,
      },
    }),
    source("chronicles.anchored", batch, batch, {
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
  const { by, admin } = membershipChange;
  const common = {
    ...ofToken(membershipChange.tokenId),
    part: membershipChange.tokenId,
    organizationId: membershipChange.organizationId,
  };
  const kind = (of: "JOINED" | "LEFT" | "PRUNED") => eq(membershipChange.kind, of);
  return [
    source("membership.joined", membershipChange, membershipChange, {
      ...common,
      where: kind("JOINED"),
      details: { by, admin },
    }),
    source("membership.left", membershipChange, membershipChange, {
      ...common,
      where: kind("LEFT"),
      details: { by },
    }),
    source("membership.pruned", membershipChange, membershipChange, {
      ...common,
      where: kind("PRUNED"),
      details: {},
    }),
  ];
}

function organizations(): readonly EventSource[] {
  const { organizationId, admin, kind } = organizationAdmin;
  return [
    source("organization.founded", organizationAdmin, organizationAdmin, {
      where: eq(kind, "FOUNDED"),
      organizationId,
      details: { admin },
    }),
    source("organization.handed-over", organizationAdmin, organizationAdmin, {
      where: eq(kind, "HANDED_OVER"),
      organizationId,
      details: { admin },
    }),
  ];
}

function payments(): readonly EventSource[] {
  const { owner, perTransaction, dailyLimit, validUntil } = allowanceChange;
  return [
    source("allowance.set", allowanceChange, allowanceChange, {
      where: eq(allowanceChange.kind, "SET"),
      ...ofToken(allowanceChange.tokenId),
      details: { owner, perTransaction, dailyLimit, validUntil },
    }),
    source("allowance.ended", allowanceChange, allowanceChange, {
      where: eq(allowanceChange.kind, "DEACTIVATED"),
      ...ofToken(allowanceChange.tokenId),
      details: { owner },
    }),
    source("payment.made", spend, spend, {
      where: eq(spend.kind, "ALLOWED"),
      ...ofToken(spend.tokenId),
      details: paid,
    }),
    source("payment.refused", spend, spend, {
      where: eq(spend.kind, "REFUSED"),
      ...ofToken(spend.tokenId),
      details: paid,
    }),
    source("payment.reported", spend, spend, {
      where: eq(spend.kind, "REPORTED"),
      ...ofToken(spend.tokenId),
      details: paid,
    }),
  ];
}

/** What others say of a passport. */
function statements(): readonly EventSource[] {
  return [
    source("feedback.given", feedback, given, {
      ...ofPassport(feedback.passportId),
      details: {
        client: feedback.client,
        feedbackIndex: feedback.feedbackIndex,
        value: feedback.value,
        valueDecimals: feedback.valueDecimals,
        tag1: feedback.tag1,
        tag2: feedback.tag2,
      },
    }),
    source("feedback.revoked", feedback, revoked, {
      ...ofPassport(feedback.passportId),
      details: { client: feedback.client, feedbackIndex: feedback.feedbackIndex },
    }),
    source("feedback.answered", feedbackResponse, feedbackResponse, {
      ...ofPassport(feedbackResponse.passportId),
      details: {
        client: feedbackResponse.client,
        feedbackIndex: feedbackResponse.feedbackIndex,
        responder: feedbackResponse.responder,
      },
    }),
    source("validation.requested", validation, requested, {
      ...ofPassport(validation.passportId),
      details: { requestHash: validation.requestHash, validator: validation.validator },
    }),
    source("validation.answered", validationResponse, validationResponse, {
      ...ofPassport(validationResponse.passportId),
      details: {
        requestHash: validationResponse.requestHash,
        validator: validationResponse.validator,
        response: validationResponse.response,
        tag: validationResponse.tag,
      },
    }),
  ];
}
