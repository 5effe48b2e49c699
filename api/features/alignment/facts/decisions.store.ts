import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type {
  BindingFact,
  OnChainFact,
  OverspendingReason,
  RevisedFact,
  SealedFact,
} from "../../../../protocol/index.ts";
import { DAY_SECONDS, OVERSPENDING_REASONS, SPENDING_DAYS } from "../../../../protocol/index.ts";
import type { Executor } from "../../../platform/database/connect.ts";
import { chainViews } from "../../../soul/index-views.store.ts";
import { type EventRow, eventColumns, placed, placeOf } from "./page.store.ts";

const { bindingChange, soulRevision, spend } = chainViews;

/** Facts by the token id of the agent that they are about. */
export type FactsByAgent = readonly (readonly [tokenId: bigint, fact: OnChainFact])[];

/** What agents and their owners did on chain in their current epochs. */
export async function readDecisions(tx: Executor, page: SQL, now: bigint): Promise<FactsByAgent> {
  return [
    ...(await readRevisions(tx, page)),
    ...(await readOverspending(tx, page, now)),
    ...(await readBindings(tx, page)),
  ];
}

async function readRevisions(tx: Executor, page: SQL): Promise<FactsByAgent> {
  const rows = await tx
    .select({
      tokenId: soulRevision.tokenId,
      kind: soulRevision.kind,
      epoch: soulRevision.epoch,
      owner: soulRevision.owner,
      dataHash: soulRevision.dataHash,
      ...eventColumns(soulRevision),
    })
    .from(soulRevision)
    .innerJoin(
      page,
      sql`page.token_id = ${soulRevision.tokenId} and page.epoch = ${soulRevision.epoch}`,
    )
    .where(inArray(soulRevision.kind, ["SEAL", "REVISION"]));
  return rows.map(({ tokenId, kind, epoch, owner, dataHash, ...event }) => {
    if (kind === "SEAL" || dataHash === null) {
      return [
        tokenId,
        { kind: "sealed", ...placed(event), epoch, sealer: owner } satisfies SealedFact,
      ];
    }
    return [tokenId, { kind: "revised", ...placed(event), epoch, dataHash } satisfies RevisedFact];
  });
}

/** One payment outside the allowance for each UTC day: more of a day change nothing. */
async function readOverspending(tx: Executor, page: SQL, now: bigint): Promise<FactsByAgent> {
  // Written out: two parameters would be two different expressions.
  const day = sql`div(${spend.timestamp}, 86400)`;
  const { rows } = await tx.execute<
    EventRow & {
      readonly token_id: string;
      readonly kind: "REFUSED" | "REPORTED";
      readonly epoch: number;
      readonly recipient: Hex;
      readonly amount: string;
      readonly reason: OverspendingReason;
    }
  >(sql`
    select distinct on (${spend.tokenId}, ${day}) ${spend.tokenId} as token_id,
      ${spend.kind} as kind, ${spend.epoch} as epoch, ${spend.recipient} as recipient,
      ${spend.amount} as amount, ${spend.reason} as reason, ${spend.timestamp} as timestamp,
      ${spend.block} as block, ${spend.tx} as tx, ${spend.logIndex} as log_index
    from ${page} join ${spend} on ${spend.tokenId} = page.token_id and ${spend.epoch} = page.epoch
    where ${spend.reason} = any(${sql.param([...OVERSPENDING_REASONS])}::text[])
      and ${spend.timestamp} > ${now - SPENDING_DAYS * DAY_SECONDS}
    order by ${spend.tokenId}, ${day}, ${spend.block}, ${spend.logIndex}`);
  return rows.map((row) => [
    BigInt(row.token_id),
    {
      kind: "overspending",
      ...placeOf(row),
      epoch: row.epoch,
      event: row.kind === "REPORTED" ? "reported" : "refused",
      recipient: row.recipient,
      amount: BigInt(row.amount),
      reason: row.reason,
    },
  ]);
}

async function readBindings(tx: Executor, page: SQL): Promise<FactsByAgent> {
  const rows = await tx
    .select({
      tokenId: bindingChange.fromTokenId,
      epoch: bindingChange.epoch,
      toTokenId: bindingChange.toTokenId,
      trustLevel: bindingChange.trustLevel,
      authority: bindingChange.authority,
      ...eventColumns(bindingChange),
    })
    .from(bindingChange)
    .innerJoin(
      page,
      and(
        eq(sql`page.token_id`, bindingChange.fromTokenId),
        eq(sql`page.epoch`, bindingChange.epoch),
      ),
    );
  return rows.map(({ tokenId, epoch, toTokenId, trustLevel, authority, ...event }) => [
    tokenId,
    {
      kind: "binding",
      ...placed(event),
      epoch,
      toTokenId,
      trustLevel,
      authority: authority === "OWNER" ? "OWNER" : "SERVICE",
    } satisfies BindingFact,
  ]);
}
