import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { getAddress, type Hex, zeroAddress } from "viem";
import { dateOf } from "../../api/kernel/chain-time.ts";
import { pageOf } from "../../api/kernel/list-pages.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedUpTo,
  listedValidity,
  passportColumns,
  passportsOwnedBy,
  readable,
} from "../../api/soul/index-views.store.ts";
import { passportRecord } from "../../api/soul/indexed-agent.store.ts";
import { MOST_ENTRIES, type NamedSoul, type PassportTrust, type RecordReads } from "./records.ts";

const { soul, soulEpoch, passport, passportOwner, passportMetadata, passportTrust } = chainViews;
const { certificate, organization } = chainViews;
const { checkpoint, point } = indexedUpTo;

const NO_TRUST: PassportTrust = {
  feedback: 0,
  feedbackRevoked: 0,
  feedbackClients: 0,
  feedbackResponses: 0,
  validationRequests: 0,
  validationResponses: 0,
};

/** Numbers as text: JSON has none of this size. */
interface NamedRow {
  readonly tokenId: string;
  readonly agentName: string;
  readonly genesisStatus: NamedSoul["genesisStatus"];
  readonly soulValidity: NamedSoul["soulValidity"];
}

interface TransferRow {
  readonly from: Hex;
  readonly to: Hex;
  readonly timestamp: string;
  readonly block: string;
  readonly logIndex: number;
  readonly tx: Hex;
}

interface EpochRow {
  readonly epoch: number;
  readonly sealer: Hex;
  readonly isHumanVerified: boolean;
  readonly startedAt: string;
  readonly startTx: Hex;
  readonly endedAt: string | null;
}

/** The rows of an ordered and limited select, as one JSON array. */
const listOf = <Row>(rows: SQL, name: string) =>
  sql<readonly Row[]>`(select coalesce(json_agg(listed), '[]') from (${rows}) as listed)`.as(name);

const NAMED = sql`token_id::text as "tokenId", name as "agentName", status as "genesisStatus",
  ${listedValidity(soul)} as "soulValidity"`;

export function createRecordReads(pool: Pool): RecordReads {
  const db = drizzle(pool);
  return {
    async passport(id, { limit, after }) {
      const transfers = sql`select "from", "to", timestamp::text, block::text, log_index as "logIndex", tx
        from ${passportOwner} where passport_id = ${id.toString()} ${
          after
            ? sql`and (block, log_index) < (${after.block.toString()}, ${after.logIndex})`
            : sql``
        } order by block desc, log_index desc limit ${limit + 1}`;
      const row = firstOf(
        await readable(() =>
          db
            .select({
              point,
              passport: passportColumns,
              trust: getTableColumns(passportTrust),
              metadata: listOf<{ key: string; value: Hex | null }>(
                sql`select key, value from ${passportMetadata}
                  where passport_id = ${id.toString()} order by key limit ${MOST_ENTRIES}`,
                "metadata",
              ),
              souls: listOf<NamedRow>(
                sql`select ${NAMED} from ${soul} where passport_id = ${id.toString()}
                  order by ${soul.tokenId} desc limit ${MOST_ENTRIES}`,
                "souls",
              ),
              transfers: listOf<TransferRow>(transfers, "transfers"),
            })
            .from(checkpoint)
            .leftJoin(passport, eq(passport.id, id))
            .leftJoin(passportTrust, eq(passportTrust.passportId, passport.id)),
        ),
      );
      const at = decodeCheckpoint(row.point);
      if (row.passport === null) return { at, value: null };
      const { passportId: _its, ...trust } = row.trust ?? { passportId: id, ...NO_TRUST };
      const moves = row.transfers.map(({ from, to, timestamp, block, logIndex, tx }) => ({
        from: getAddress(from),
        to: getAddress(to),
        at: dateOf(BigInt(timestamp)),
        block: BigInt(block),
        logIndex,
        tx,
      }));
      return {
        at,
        value: {
          passport: passportRecord(row.passport),
          metadata: row.metadata,
          souls: row.souls.map(namedSoul),
          trust,
          transfers: pageOf(moves, limit, ({ block, logIndex }) => ({ block, logIndex })),
        },
      };
    },

    async certificate(tokenId, { limit, after }) {
      const id = tokenId.toString();
      const epochs = sql`select epoch, sealer, human_verifier is not null as "isHumanVerified",
          started_at::text as "startedAt", start_tx as "startTx", ended_at::text as "endedAt"
        from ${soulEpoch} where token_id = ${id} ${after ? sql`and epoch < ${after}` : sql``}
        order by ${soulEpoch.epoch} desc limit ${limit + 1}`;
      const row = firstOf(
        await readable(() =>
          db
            .select({
              point,
              certificate: getTableColumns(certificate),
              soul: {
                tokenId: soul.tokenId,
                agentName: soul.name,
                genesisStatus: soul.status,
                soulValidity: listedValidity(soul).as("soul_validity"),
                passportId: soul.passportId,
                epoch: soul.epoch,
                soulHash: soul.soulHash,
              },
              epochs: listOf<EpochRow>(epochs, "epochs"),
            })
            .from(checkpoint)
            .leftJoin(certificate, eq(certificate.tokenId, tokenId))
            .leftJoin(soul, eq(soul.tokenId, tokenId)),
        ),
      );
      const at = decodeCheckpoint(row.point);
      if (row.certificate === null || row.soul === null) return { at, value: null };
      const { holder, mintedAt, mintTx, burnedAt, burnTx } = row.certificate;
      const times = row.epochs.map(({ sealer, startedAt, endedAt, ...rest }) => ({
        ...rest,
        sealer: getAddress(sealer),
        startedAt: dateOf(BigInt(startedAt)),
        endedAt: endedAt === null ? null : dateOf(BigInt(endedAt)),
      }));
      return {
        at,
        value: {
          soul: row.soul,
          holder: holder === null ? null : getAddress(holder),
          mintedAt: dateOf(mintedAt),
          mintTx,
          burnedAt: burnedAt === null ? null : dateOf(burnedAt),
          burnTx,
          epochs: pageOf(times, limit, ({ epoch }) => epoch),
        },
      };
    },

    async account(address, { limit, after }) {
      const account = address.toLowerCase();
      const owned = sql`select held.id::text as "passportId", carried.token_id::text as "tokenId",
          carried.name as "agentName"
        from ${passportsOwnedBy(account, { after: after?.toString(), limit: limit + 1 })} as owned
        join ${passport} as held on held.id = owned.id
        left join ${soul} as carried on carried.token_id = held.soul_token_id
        order by held.id limit ${limit + 1}`;
      const row = firstOf(
        await readable(() =>
          db
            .select({
              point,
              passports: listOf<{ passportId: string; tokenId: string | null; agentName: string }>(
                owned,
                "passports",
              ),
              // The zero address is no operator: the owner acts for such agents.
              operates: listOf<NamedRow>(
                sql`select ${NAMED} from ${soul}
                  where operator = ${account} and ${account} <> ${zeroAddress}
                  order by ${soul.tokenId} limit ${MOST_ENTRIES}`,
                "operates",
              ),
              organizations: listOf<{ id: string; name: string | null }>(
                sql`select id::text, name from ${organization} where admin = ${account}
                  order by ${organization.id} limit ${MOST_ENTRIES}`,
                "organizations",
              ),
            })
            .from(checkpoint),
        ),
      );
      const passports = row.passports.map(({ passportId, tokenId, agentName }) => ({
        passportId: BigInt(passportId),
        soul: tokenId === null ? null : { tokenId: BigInt(tokenId), agentName },
      }));
      return {
        at: decodeCheckpoint(row.point),
        value: {
          passports: pageOf(passports, limit, ({ passportId }) => passportId),
          operates: row.operates.map(namedSoul),
          organizations: row.organizations.map(({ id, name }) => ({
            id: BigInt(id),
            name: name ?? "",
          })),
        },
      };
    },
  };
}

const namedSoul = ({ tokenId, ...rest }: NamedRow): NamedSoul => ({
  tokenId: BigInt(tokenId),
  ...rest,
});
