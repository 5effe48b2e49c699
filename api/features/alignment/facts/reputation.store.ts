import { type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { LEAST_PAYMENT, RATING_TAGS } from "../../../../protocol/alignment/external-trust.ts";
import type { OnChainFact } from "../../../../protocol/index.ts";
import { MONTH_SECONDS, YEAR_SECONDS } from "../../../../protocol/index.ts";
import type { Executor } from "../../../platform/database/connect.ts";
import { chainViews, isValidSoul } from "../../../soul/index-views.store.ts";
import type { FactsByAgent } from "./decisions.store.ts";
import { type EventRow, type PageSoul, placeOf } from "./page.store.ts";

const {
  feedback,
  membership,
  membershipChange,
  organizationAdmin,
  passport,
  soul,
  soulRevision,
  spend,
  validation,
  validationResponse,
} = chainViews;

/**
 * What others say about agents, and what their word rests on. An account's newest statement of each
 * kind is enough, and only accounts with a valid soul are read: free wallets can write without end.
 */
export async function readReputation(
  tx: Executor,
  page: SQL,
  souls: readonly PageSoul[],
  now: bigint,
): Promise<FactsByAgent> {
  const statements = [
    ...(await readFeedback(tx, page, now)),
    ...(await readValidations(tx, page, now)),
  ];
  const reviewers = await readReviewers(
    tx,
    statements.map(([, { account }]) => account),
    now,
  );
  const memberships = await readMemberships(tx, [
    ...souls.map(({ tokenId }) => tokenId),
    ...[...reviewers.values()].map(({ tokenId }) => tokenId),
  ]);
  const payments = await readPayments(tx, souls, statements);
  const about = (tokenId: bigint) => memberships.get(tokenId) ?? [];
  return [
    ...statements,
    ...statements.flatMap(([tokenId, { account }]): FactsByAgent => {
      const reviewer = reviewers.get(account);
      if (reviewer === undefined) return [];
      return [reviewer, ...about(reviewer.tokenId)].map((fact) => [tokenId, fact]);
    }),
    ...souls.flatMap(({ tokenId }): FactsByAgent => about(tokenId).map((fact) => [tokenId, fact])),
    ...payments,
  ];
}

type Statement = Extract<OnChainFact, { kind: "feedback" | "validation" }>;
type Statements = readonly (readonly [tokenId: bigint, fact: Statement])[];

/** Whether an account sealed a soul that is valid now. */
const hasValidSoul = (account: SQL) => sql`exists (
  select from ${soul} join ${passport} on ${passport.id} = ${soul.passportId}
  where ${soul.sealer} = ${account} and ${isValidSoul(soul, passport)})`;

async function readFeedback(tx: Executor, page: SQL, now: bigint): Promise<Statements> {
  const { rows } = await tx.execute<
    EventRow & {
      readonly token_id: string;
      readonly client: Hex;
      readonly feedback_index: string;
      readonly value: string;
      readonly value_decimals: number;
      readonly tag1: string;
    }
  >(sql`
    select distinct on (page.token_id, ${feedback.client}) page.token_id,
      ${feedback.client} as client, ${feedback.feedbackIndex} as feedback_index,
      ${feedback.value} as value, ${feedback.valueDecimals} as value_decimals,
      ${feedback.tag1} as tag1, ${feedback.givenAt} as timestamp, ${feedback.givenBlock} as block,
      ${feedback.giveTx} as tx, ${feedback.giveLogIndex} as log_index
    from ${page} join ${feedback} on ${feedback.passportId} = page.passport_id
    where ${feedback.revokedAt} is null and ${feedback.givenAt} > ${now - YEAR_SECONDS}
      and (${feedback.givenBlock}, ${feedback.giveLogIndex}) > (page.start_block, page.start_log)
      and ${feedback.tag1} = any(${sql.param([...RATING_TAGS])}::text[])
      and ${feedback.value} between 0 and 100 * power(10::numeric, ${feedback.valueDecimals})
      and ${hasValidSoul(sql`${feedback.client}`)}
    order by page.token_id, ${feedback.client}, ${feedback.givenBlock} desc,
      ${feedback.giveLogIndex} desc`);
  return rows.map((row) => [
    BigInt(row.token_id),
    {
      kind: "feedback",
      ...placeOf(row),
      account: row.client,
      feedbackIndex: BigInt(row.feedback_index),
      value: BigInt(row.value),
      valueDecimals: row.value_decimals,
      tag1: row.tag1,
    },
  ]);
}

async function readValidations(tx: Executor, page: SQL, now: bigint): Promise<Statements> {
  const { rows } = await tx.execute<
    EventRow & {
      readonly token_id: string;
      readonly validator: Hex;
      readonly request_hash: Hex;
      readonly response: number;
    }
  >(sql`
    select distinct on (page.token_id, ${validationResponse.validator}) page.token_id,
      ${validationResponse.validator} as validator,
      ${validationResponse.requestHash} as request_hash,
      ${validationResponse.response} as response, ${validationResponse.timestamp} as timestamp,
      ${validationResponse.block} as block, ${validationResponse.tx} as tx,
      ${validationResponse.logIndex} as log_index
    from ${page} join ${validation} on ${validation.passportId} = page.passport_id
    join ${validationResponse} on ${validationResponse.requestHash} = ${validation.requestHash}
    where ${validationResponse.passportId} = page.passport_id
      and ${validationResponse.timestamp} > ${now - YEAR_SECONDS}
      and (${validationResponse.block}, ${validationResponse.logIndex})
        > (page.start_block, page.start_log)
      and ${hasValidSoul(sql`${validationResponse.validator}`)}
    order by page.token_id, ${validationResponse.validator}, ${validationResponse.block} desc,
      ${validationResponse.logIndex} desc`);
  return rows.map((row) => [
    BigInt(row.token_id),
    {
      kind: "validation",
      ...placeOf(row),
      account: row.validator,
      requestHash: row.request_hash,
      response: row.response,
    },
  ]);
}

type Reviewer = Extract<OnChainFact, { kind: "reviewer" }>;

/** Each account's best seal: with a human attestation, else the oldest that is old enough. */
async function readReviewers(
  tx: Executor,
  accounts: readonly Hex[],
  now: bigint,
): Promise<ReadonlyMap<Hex, Reviewer>> {
  if (accounts.length === 0) return new Map();
  const isAttested = sql`(${soulRevision.verifier} is not null)`;
  const { rows } = await tx.execute<
    EventRow & {
      readonly account: Hex;
      readonly token_id: string;
      readonly kind: "SEAL" | "RESEAL";
      readonly human_verified: boolean;
    }
  >(sql`
    select distinct on (${soul.sealer}) ${soul.sealer} as account, ${soul.tokenId} as token_id,
      ${soulRevision.kind} as kind, ${isAttested} as human_verified,
      ${soulRevision.timestamp} as timestamp, ${soulRevision.block} as block,
      ${soulRevision.tx} as tx, ${soulRevision.logIndex} as log_index
    from ${soul} join ${passport} on ${passport.id} = ${soul.passportId}
    join ${soulRevision} on ${soulRevision.tokenId} = ${soul.tokenId}
      and ${soulRevision.epoch} = ${soul.epoch} and ${soulRevision.kind} in ('SEAL', 'RESEAL')
    where ${soul.sealer} = any(${sql.param([...new Set(accounts)])}::text[])
      and ${isValidSoul(soul, passport)}
      and (${isAttested} or ${soulRevision.timestamp} <= ${now - MONTH_SECONDS})
    order by ${soul.sealer}, ${isAttested} desc, ${soulRevision.block}, ${soulRevision.logIndex}`);
  return new Map(
    rows.map((row): [Hex, Reviewer] => [
      row.account,
      {
        kind: "reviewer",
        ...placeOf(row),
        account: row.account,
        tokenId: BigInt(row.token_id),
        event: row.kind === "SEAL" ? "sealed" : "resealed",
        humanVerified: row.human_verified,
      },
    ]),
  );
}

/** The recorded membership of each soul, and who administers its organization. */
async function readMemberships(
  tx: Executor,
  tokenIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly OnChainFact[]>> {
  const { rows } = await tx.execute<
    EventRow & { readonly token_id: string; readonly organization_id: string }
  >(sql`
    select distinct on (${membership.tokenId}) ${membership.tokenId} as token_id,
      ${membership.organizationId} as organization_id, ${membershipChange.timestamp} as timestamp,
      ${membershipChange.block} as block, ${membershipChange.tx} as tx,
      ${membershipChange.logIndex} as log_index
    from ${membership} join ${soul} on ${soul.tokenId} = ${membership.tokenId}
    join ${membershipChange} on ${membershipChange.tokenId} = ${membership.tokenId}
      and ${membershipChange.version} = ${membership.version} and ${membershipChange.kind} = 'JOINED'
    where ${membership.tokenId} = any(${sql.param([...new Set(tokenIds)].map(String))}::numeric[])
      and ${membership.organizationId} is not null and ${membership.epoch} = ${soul.epoch}
    order by ${membership.tokenId}, ${membershipChange.block} desc`);
  const admins = await readAdmins(
    tx,
    rows.map(({ organization_id }) => organization_id),
  );
  return new Map(
    rows.map((row) => {
      const tokenId = BigInt(row.token_id);
      const organizationId = BigInt(row.organization_id);
      const joined: OnChainFact = { kind: "membership", ...placeOf(row), tokenId, organizationId };
      const admin = admins.get(row.organization_id);
      return [tokenId, admin === undefined ? [joined] : [joined, admin]];
    }),
  );
}

async function readAdmins(
  tx: Executor,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, OnChainFact>> {
  if (organizationIds.length === 0) return new Map();
  const { rows } = await tx.execute<
    EventRow & { readonly organization_id: string; readonly admin: Hex }
  >(sql`
    select distinct on (${organizationAdmin.organizationId})
      ${organizationAdmin.organizationId} as organization_id, ${organizationAdmin.admin} as admin,
      ${organizationAdmin.timestamp} as timestamp, ${organizationAdmin.block} as block,
      ${organizationAdmin.tx} as tx, ${organizationAdmin.logIndex} as log_index
    from ${organizationAdmin}
    where ${organizationAdmin.organizationId} = any(${sql.param([...new Set(organizationIds)])}::numeric[])
    order by ${organizationAdmin.organizationId}, ${organizationAdmin.block} desc,
      ${organizationAdmin.logIndex} desc`);
  return new Map(
    rows.map((row) => [
      row.organization_id,
      {
        kind: "organization",
        ...placeOf(row),
        organizationId: BigInt(row.organization_id),
        admin: row.admin,
      },
    ]),
  );
}

/** The first payment that each reviewer's allowance made to the agent before its feedback. */
async function readPayments(
  tx: Executor,
  souls: readonly PageSoul[],
  statements: Statements,
): Promise<FactsByAgent> {
  const byToken = new Map(souls.map((of) => [of.tokenId, of]));
  const asked = statements.flatMap(([tokenId, { kind, account, place }]) =>
    kind === "feedback"
      ? (byToken.get(tokenId)?.ownAccounts ?? []).map((recipient) => ({
          tokenId,
          account,
          place,
          recipient,
        }))
      : [],
  );
  if (asked.length === 0) return [];
  const list = (values: readonly unknown[]) => sql.param([...values]);
  const { rows } = await tx.execute<
    EventRow & {
      readonly asked_id: string;
      readonly account: Hex;
      readonly token_id: string;
      readonly recipient: Hex;
      readonly amount: string;
    }
  >(sql`
    select distinct on (asked.token_id, asked.account) asked.token_id as asked_id, asked.account,
      ${spend.tokenId} as token_id, ${spend.recipient} as recipient, ${spend.amount} as amount,
      ${spend.timestamp} as timestamp, ${spend.block} as block, ${spend.tx} as tx,
      ${spend.logIndex} as log_index
    from unnest(
      ${list(asked.map(({ tokenId }) => tokenId.toString()))}::numeric[],
      ${list(asked.map(({ account }) => account))}::text[],
      ${list(asked.map(({ recipient }) => recipient))}::text[],
      ${list(asked.map(({ place }) => place.blockNumber.toString()))}::numeric[],
      ${list(asked.map(({ place }) => place.logIndex))}::integer[],
      ${list(asked.map(({ tokenId }) => startOf(byToken, tokenId).blockNumber.toString()))}::numeric[],
      ${list(asked.map(({ tokenId }) => startOf(byToken, tokenId).logIndex))}::integer[]
    ) as asked (token_id, account, recipient, block, log_index, start_block, start_log)
    join ${spend} on ${spend.recipient} = asked.recipient and ${spend.owner} = asked.account
    where ${spend.kind} = 'ALLOWED' and ${spend.amount} >= ${LEAST_PAYMENT}
      and (${spend.block}, ${spend.logIndex}) < (asked.block, asked.log_index)
      and (${spend.block}, ${spend.logIndex}) > (asked.start_block, asked.start_log)
    order by asked.token_id, asked.account, ${spend.block}, ${spend.logIndex}`);
  return rows.map((row) => [
    BigInt(row.asked_id),
    {
      kind: "payment",
      ...placeOf(row),
      account: row.account,
      tokenId: BigInt(row.token_id),
      recipient: row.recipient,
      amount: BigInt(row.amount),
    },
  ]);
}

function startOf(souls: ReadonlyMap<bigint, PageSoul>, tokenId: bigint) {
  const of = souls.get(tokenId);
  if (of === undefined) throw new Error(`Agent ${tokenId} is not of this page.`);
  return of.start.place;
}
