import { type SQL, sql } from "drizzle-orm";
import type {
  DisclosurePolicy,
  Field,
  OffChainFact,
  PublicCapabilities,
  RequesterCount,
} from "../../../../protocol/index.ts";
import {
  chronicleFits,
  DAY_SECONDS,
  decideField,
  MONTH_SECONDS,
  NAMED_VALUES,
} from "../../../../protocol/index.ts";
import type { Executor } from "../../../platform/database/connect.ts";
import { chainViews, isValidSoul } from "../../../soul/index-views.store.ts";
import { chronicle, chronicleBatch, chronicleState } from "../../chronicles/index.ts";
import { disclosure, disclosurePolicy, disclosureRequest } from "../../disclosure/index.ts";
import { documentVersion } from "../../documents/index.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { PageSoul } from "./page.store.ts";

const { bindingChange, membershipChange, operatorChange, passport, soul, soulRevision } =
  chainViews;

type CountsOf<Kind extends OffChainFact["kind"]> = ReadonlyMap<
  bigint,
  Extract<OffChainFact, { kind: Kind }>
>;

/** What only the service's own records know of agents, by token id. */
export type RecordCounts = Awaited<ReturnType<typeof readRecords>>;

/** The counts of a page of agents, up to the time of the block that is scored. */
export async function readRecords(
  tx: Executor,
  page: SQL,
  souls: readonly PageSoul[],
  now: bigint,
) {
  const yearAgo = sql`to_timestamp(${now.toString()}::numeric) - interval '365 days'`;
  return {
    /** Chronicles that name a skill or a type of work, and how many of them fit. */
    chronicles: await countTasks(tx, page, souls, yearAgo),
    records: await countRecords(tx, page, now),
    documents: await countDocuments(tx, page),
    requests: await countRequests(tx, page, souls, now, yearAgo),
  };
}

async function countTasks(tx: Executor, page: SQL, souls: readonly PageSoul[], yearAgo: SQL) {
  // Equal work is compared once, however often it is recorded.
  const { rows } = await tx.execute<{
    readonly token_id: string;
    readonly named: Record<string, unknown>;
    readonly times: number;
  }>(sql`
    select page.token_id, count(*)::integer as times,
      jsonb_build_object('skill', ${chronicle.data} -> 'skill',
        'skills', ${chronicle.data} -> 'skills', 'taskType', ${chronicle.data} -> 'taskType') as named
    from ${page}
    join ${chronicle} on ${chronicle.tokenId} = page.token_id::bigint
      and ${chronicle.epoch} = page.epoch
    join ${chronicleState} on ${chronicleState.tokenId} = ${chronicle.tokenId}
      and ${chronicleState.chronicleId} = ${chronicle.chronicleId}
    left join ${chronicleBatch} on ${chronicleBatch.id} = ${chronicleState.batchId}
    where ${chronicle.recordedAt} > ${yearAgo}
      and ${chronicle.data} ?| array['skill', 'skills', 'taskType']
      and (${chronicleState.txHash} is not null or ${chronicleBatch.stage} = 'confirmed')
    group by page.token_id, named`);
  const published = new Map<bigint, PublicCapabilities>(
    souls.map(({ tokenId, publicFields }) => [tokenId, capabilitiesOf(publicFields)]),
  );
  const counts = new Map<bigint, { counted: number; fitting: number }>();
  for (const { token_id, named, times } of rows) {
    const tokenId = BigInt(token_id);
    const capabilities = published.get(tokenId);
    const fits = capabilities === undefined ? null : chronicleFits(named, capabilities);
    if (fits === null) continue;
    const { counted, fitting } = counts.get(tokenId) ?? { counted: 0, fitting: 0 };
    counts.set(tokenId, { counted: counted + times, fitting: fitting + (fits ? times : 0) });
  }
  return counts;
}

/**
 * Only chronicles of decisions that are a day old: that of a newer one must not hide that an older
 * one has none.
 */
async function countRecords(tx: Executor, page: SQL, now: bigint): Promise<CountsOf<"records">> {
  const dayAgo = sql`${(now - DAY_SECONDS).toString()}::numeric`;
  const signed = (name: string) => sql`${chronicle.message} ->> ${name}`;
  const of = (changeType: string) =>
    sql`(count(*) filter (where ${chronicle.changeType} = ${changeType}))::integer`;
  const { rows } = await tx.execute<{
    readonly token_id: string;
    readonly operator_change: number;
    readonly soul_revision: number;
  }>(sql`
    select page.token_id, ${of("operator_change")} as operator_change,
      ${of("soul_revision")} as soul_revision
    from ${page} join ${chronicle} on ${chronicle.tokenId} = page.token_id::bigint
      and ${chronicle.epoch} = page.epoch
    where ${chronicle.changeType} in ('operator_change', 'soul_revision')
      and not exists (select from ${operatorChange}
        where ${operatorChange.tokenId} = page.token_id and ${operatorChange.epoch} = page.epoch
          and ${chronicle.changeType} = 'operator_change' and ${operatorChange.timestamp} > ${dayAgo}
          and ${operatorChange.version} = (${signed("version")})::bigint + 1)
      and not exists (select from ${soulRevision}
        where ${soulRevision.tokenId} = page.token_id and ${soulRevision.epoch} = page.epoch
          and ${chronicle.changeType} = 'soul_revision' and ${soulRevision.timestamp} > ${dayAgo}
          and ${soulRevision.dataHash} = ${signed("dataHash")})
    group by page.token_id`);
  return new Map(
    rows.map((row) => [
      BigInt(row.token_id),
      {
        kind: "records",
        operatorChange: row.operator_change,
        soulRevision: row.soul_revision,
      },
    ]),
  );
}

async function countDocuments(tx: Executor, page: SQL): Promise<CountsOf<"documents">> {
  const { rows } = await tx.execute<{ readonly token_id: string; readonly changed: number }>(sql`
    select page.token_id, count(distinct ${documentVersion.documentId})::integer as changed
    from ${page} join ${documentVersion} on ${documentVersion.tokenId} = page.token_id::bigint
      and ${documentVersion.epoch} = page.epoch
    where ${documentVersion.breaksImmutability} group by page.token_id`);
  return new Map(
    rows.map(({ token_id, changed }) => [
      BigInt(token_id),
      { kind: "documents", immutableChanged: changed },
    ]),
  );
}

async function countRequests(
  tx: Executor,
  page: SQL,
  souls: readonly PageSoul[],
  now: bigint,
  yearAgo: SQL,
): Promise<CountsOf<"requests">> {
  const requesters = await countRequesters(tx, page, souls, now, yearAgo);
  const beyond = await countBeyondPolicy(tx, page, souls, yearAgo);
  return new Map(
    souls.map(({ tokenId }) => {
      const { humanVerified, others } = requesters.get(tokenId) ?? NO_REQUESTERS;
      const beyondPolicy = beyond.get(tokenId) ?? 0;
      return [tokenId, { kind: "requests", humanVerified, others, beyondPolicy }];
    }),
  );
}

interface Requesters {
  readonly humanVerified: RequesterCount;
  readonly others: RequesterCount;
}

const NO_REQUESTERS: Requesters = {
  humanVerified: { asked: 0, missed: 0 },
  others: { asked: 0, missed: 0 },
};

/** Owners of agents with a valid seal that is attested or 30 days old, each counted once. */
async function countRequesters(
  tx: Executor,
  page: SQL,
  souls: readonly PageSoul[],
  now: bigint,
  yearAgo: SQL,
): Promise<ReadonlyMap<bigint, Requesters>> {
  // The seal's own attestation, as for reviewers: that of an account outlasts a reseal without one.
  const isAttested = sql`(${soulRevision.verifier} is not null)`;
  const { rows } = await tx.execute<{
    readonly token_id: string;
    readonly owner: string;
    readonly human: boolean;
    readonly missed: boolean;
  }>(sql`
    select page.token_id, ${soul.sealer} as owner, bool_or(${isAttested}) as human,
      bool_or(${disclosureRequest.state} = 'expired') as missed
    from ${page}
    join ${disclosureRequest} on ${disclosureRequest.targetTokenId} = page.token_id::bigint
      and ${disclosureRequest.targetEpoch} = page.epoch
    join ${soul} on ${soul.tokenId} = ${disclosureRequest.requesterTokenId}::numeric
      and ${soul.epoch} = ${disclosureRequest.requesterEpoch}
    join ${passport} on ${passport.id} = ${soul.passportId}
    join ${soulRevision} on ${soulRevision.tokenId} = ${soul.tokenId}
      and ${soulRevision.epoch} = ${soul.epoch} and ${soulRevision.kind} in ('SEAL', 'RESEAL')
    where ${isValidSoul(soul, passport)}
      and (${isAttested}
        or ${soulRevision.timestamp} <= ${(now - MONTH_SECONDS).toString()}::numeric)
      and ((${disclosureRequest.state} = 'fulfilled' and ${disclosureRequest.answeredAt} > ${yearAgo})
        or (${disclosureRequest.state} = 'expired' and ${disclosureRequest.expiresAt} > ${yearAgo}))
    group by page.token_id, ${soul.sealer}`);
  const own = new Map(souls.map(({ tokenId, ownAccounts }) => [tokenId, ownAccounts]));
  const counts = new Map<bigint, Requesters>();
  for (const { token_id, owner, human, missed } of rows) {
    const tokenId = BigInt(token_id);
    if (own.get(tokenId)?.some((account) => account === owner)) continue;
    const before = counts.get(tokenId) ?? NO_REQUESTERS;
    const plusOne = ({ asked, missed: earlier }: RequesterCount): RequesterCount => ({
      asked: asked + 1,
      missed: earlier + (missed ? 1 : 0),
    });
    counts.set(
      tokenId,
      human
        ? { humanVerified: plusOne(before.humanVerified), others: before.others }
        : { humanVerified: before.humanVerified, others: plusOne(before.others) },
    );
  }
  return counts;
}

interface OwnDisclosure extends Record<string, unknown> {
  readonly token_id: string;
  readonly fields: readonly Field[];
  readonly did: string;
  readonly policy: DisclosurePolicy;
  readonly trust_level: number | null;
  readonly authority: "OWNER" | "SERVICE" | null;
  readonly target_organization: string | null;
  readonly requester_organization: string | null;
}

/**
 * Disclosures of the owner's own accord that the policy of that moment would have refused to the
 * recipient. What answers a request is checked when it is given.
 */
async function countBeyondPolicy(
  tx: Executor,
  page: SQL,
  souls: readonly PageSoul[],
  yearAgo: SQL,
): Promise<ReadonlyMap<bigint, number>> {
  const organizationAt = (tokenId: SQL) => sql`(
    select case when ${membershipChange.kind} = 'JOINED' then ${membershipChange.organizationId} end
    from ${membershipChange}
    where ${membershipChange.tokenId} = ${tokenId}
      and to_timestamp(${membershipChange.timestamp}) <= ${disclosure.issuedAt}
    order by ${membershipChange.block} desc, ${membershipChange.logIndex} desc limit 1)`;
  const { rows } = await tx.execute<OwnDisclosure>(sql`
    select page.token_id, ${disclosure.fields} as fields, ${disclosure.recipientDid} as did,
      policy.policy, bound.trust_level, bound.authority,
      ${organizationAt(sql`page.token_id`)} as target_organization,
      ${organizationAt(sql`${disclosure.recipientTokenId}::numeric`)} as requester_organization
    from ${page} join ${disclosure} on ${disclosure.tokenId} = page.token_id::bigint
      and ${disclosure.epoch} = page.epoch
    join lateral (
      select ${disclosurePolicy.policy} as policy from ${disclosurePolicy}
      where ${disclosurePolicy.tokenId} = ${disclosure.tokenId}
        and ${disclosurePolicy.epoch} = ${disclosure.epoch}
        and ${disclosurePolicy.createdAt} <= ${disclosure.issuedAt}
        and (${disclosurePolicy.endedAt} is null or ${disclosurePolicy.endedAt} > ${disclosure.issuedAt})
      order by ${disclosurePolicy.createdAt} desc limit 1) as policy on true
    left join lateral (
      select ${bindingChange.trustLevel} as trust_level, ${bindingChange.authority} as authority
      from ${bindingChange}
      where ${bindingChange.fromTokenId} = page.token_id and ${bindingChange.epoch} = page.epoch
        and ${bindingChange.toTokenId} = ${disclosure.recipientTokenId}::numeric
        and to_timestamp(${bindingChange.timestamp}) <= ${disclosure.issuedAt}
      order by ${bindingChange.block} desc, ${bindingChange.logIndex} desc limit 1) as bound on true
    where ${disclosure.recipientTokenId} is not null and ${disclosure.trigger} = 'manual'
      and ${disclosure.issuedAt} > ${yearAgo}`);
  const published = new Map(souls.map(({ tokenId, publicFields }) => [tokenId, publicFields]));
  const counts = new Map<bigint, number>();
  for (const row of rows) {
    const tokenId = BigInt(row.token_id);
    const fields = published.get(tokenId) ?? {};
    if (!isRefused(row, (field) => Object.hasOwn(fields, field))) continue;
    counts.set(tokenId, (counts.get(tokenId) ?? 0) + 1);
  }
  return counts;
}

function isRefused(row: OwnDisclosure, isPublished: (field: Field) => boolean): boolean {
  const facts = {
    purpose: "request",
    requester: { did: row.did, valid: true },
    binding: {
      trustLevel: NAMED_VALUES.trustLevel[row.trust_level ?? 0] ?? "none",
      authority: row.authority ?? "NONE",
      live: true,
    },
    targetOrganization: BigInt(row.target_organization ?? 0),
    requesterOrganization: BigInt(row.requester_organization ?? 0),
    hasEndpoint: true,
  } as const;
  return row.fields.some(
    (field) =>
      decideField(row.policy, { field, published: isPublished(field) }, facts).outcome ===
      "refused",
  );
}
