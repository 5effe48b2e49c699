import { eq, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type {
  EventPlace,
  OperatorFact,
  RegisteredFact,
  ResealedFact,
} from "../../../../protocol/index.ts";
import type { Executor } from "../../../platform/database/connect.ts";
import type { IndexedPoint } from "../../../soul/index-reads.ts";
import {
  chainViews,
  indexedPointText,
  isHeldBySealer,
  pointOf,
} from "../../../soul/index-views.store.ts";
import { isOfSoul, publishedFields } from "../../../soul/indexed-agent.store.ts";
import { registration } from "../../../soul/tables.ts";
import type { ScoredAgent } from "./facts.ts";

const { operatorChange, passport, soul, soulEpoch } = chainViews;

/** A soul of the page, with the event that started its epoch. */
export interface PageSoul extends ScoredAgent {
  /** Where its passport points: untrusted. */
  readonly uri: string | null;
  readonly publicFields: Readonly<Record<string, unknown>>;
  readonly start: RegisteredFact | ResealedFact;
  readonly operators: readonly OperatorFact[];
  /** Owner and operators of the epoch, in lower case. */
  readonly ownAccounts: readonly Hex[];
}

/** The souls whose facts are read together, as SQL joins them. */
export function pageOf(souls: readonly PageSoul[]): SQL {
  const list = (values: readonly unknown[]) => sql.param([...values]);
  return sql`unnest(
    ${list(souls.map(({ tokenId }) => tokenId.toString()))}::numeric[],
    ${list(souls.map(({ epoch }) => epoch))}::integer[],
    ${list(souls.map(({ passportId }) => passportId.toString()))}::numeric[],
    ${list(souls.map(({ start }) => start.place.blockNumber.toString()))}::numeric[],
    ${list(souls.map(({ start }) => start.place.logIndex))}::integer[]
  ) as page (token_id, epoch, passport_id, start_block, start_log)`;
}

/** The souls with these token ids, and the block that all of the page is of. */
export async function readSouls(
  tx: Executor & Pick<Parameters<typeof indexedPointText>[0], "select">,
  tokenIds: readonly bigint[],
): Promise<{ readonly at: IndexedPoint; readonly souls: readonly PageSoul[] }> {
  const ids = sql`${sql.param(tokenIds.map(String))}::numeric[]`;
  const [[progress], rows, changes] = [
    await tx.select({ point: indexedPointText(tx) }).from(sql`(values (1)) as one`),
    await tx
      .select({
        tokenId: soul.tokenId,
        agentName: soul.name,
        passportId: soul.passportId,
        epoch: soul.epoch,
        status: soul.status,
        recordedScore: soul.alignmentScore,
        recordedBlock: soul.alignmentBlock,
        isHeldBySealer: sql<boolean>`coalesce(${isHeldBySealer(soul, passport)}, false)`,
        uri: passport.uri,
        publicFields: publishedFields,
        owner: soulEpoch.sealer,
        operator: soulEpoch.operator,
        timestamp: soulEpoch.startedAt,
        block: soulEpoch.startBlock,
        tx: soulEpoch.startTx,
        logIndex: soulEpoch.startLogIndex,
      })
      .from(soul)
      .innerJoin(
        soulEpoch,
        sql`${soulEpoch.tokenId} = ${soul.tokenId} and ${soulEpoch.epoch} = ${soul.epoch}`,
      )
      .leftJoin(passport, eq(passport.id, soul.passportId))
      .leftJoin(registration, isOfSoul)
      .where(sql`${soul.tokenId} = any(${ids})`),
    await tx
      .select({
        tokenId: operatorChange.tokenId,
        epoch: operatorChange.epoch,
        operator: operatorChange.operator,
        ...eventColumns(operatorChange),
      })
      .from(operatorChange)
      .innerJoin(soul, eq(soul.tokenId, operatorChange.tokenId))
      .where(
        sql`${operatorChange.tokenId} = any(${ids}) and ${operatorChange.epoch} = ${soul.epoch}`,
      ),
  ];
  const byToken = Map.groupBy(changes, ({ tokenId }) => tokenId);
  const souls = new Map(
    rows.map((row) => [row.tokenId, soulOf(row, byToken.get(row.tokenId) ?? [])]),
  );
  return { at: pointOf(progress?.point ?? null), souls: [...souls.values()] };
}

interface SoulRow extends PlacedRow, ScoredAgent {
  readonly uri: string | null;
  readonly publicFields: Record<string, unknown> | null;
  readonly owner: Hex;
  readonly operator: Hex;
}

function soulOf(
  row: SoulRow,
  changes: readonly (PlacedRow & { readonly epoch: number; readonly operator: Hex })[],
): PageSoul {
  const { owner, operator, epoch } = row;
  const start: PageSoul["start"] =
    epoch === 1
      ? { kind: "registered", ...placed(row), owner, operator }
      : { kind: "resealed", ...placed(row), epoch, sealer: owner, operator };
  const operators = changes.map(
    (change): OperatorFact => ({
      kind: "operator",
      ...placed(change),
      epoch: change.epoch,
      operator: change.operator,
    }),
  );
  return {
    ...row,
    publicFields: row.publicFields ?? {},
    start,
    operators,
    ownAccounts: [...new Set([owner, operator, ...operators.map((change) => change.operator)])].map(
      (account) => account.toLowerCase() as Hex,
    ),
  };
}

/** The columns of a row about its event. */
export interface PlacedRow {
  readonly timestamp: bigint;
  readonly block: bigint;
  readonly tx: Hex;
  readonly logIndex: number;
}

/** These columns of a view of events. */
export const eventColumns = <View extends Record<keyof PlacedRow, unknown>>(
  view: View,
): Pick<View, keyof PlacedRow> => {
  const { timestamp, block, tx, logIndex } = view;
  return { timestamp, block, tx, logIndex };
};

/** What every fact from the chain has of its event. */
export function placed({ timestamp, block, tx, logIndex }: PlacedRow): {
  readonly place: EventPlace;
  readonly timestamp: bigint;
} {
  return { place: { blockNumber: block, transactionHash: tx, logIndex }, timestamp };
}

/** The same as a statement in raw SQL returns it. */
export interface EventRow extends Record<string, unknown> {
  readonly timestamp: string;
  readonly block: string;
  readonly tx: Hex;
  readonly log_index: number;
}

/** As {@link placed}, of raw SQL. */
export const placeOf = ({ timestamp, block, tx, log_index }: EventRow) =>
  placed({ timestamp: BigInt(timestamp), block: BigInt(block), tx, logIndex: log_index });
