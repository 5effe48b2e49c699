import { and, desc, eq, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { unionAll } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import type { Hex } from "viem";
import { readInBatches } from "../../kernel/batches.ts";
import { arrayParameter } from "../../platform/database/array-parameter.ts";
import type { SoulStatus } from "../../soul/index-reads.ts";
import {
  chainViews,
  indexedPointAbout,
  mayBeOfAnItem,
  pointOf,
  readable,
  serviceTokenId,
} from "../../soul/index-views.store.ts";
import { registration } from "../../soul/tables.ts";
import type { DetailsIndex, PublicIdentityRecord } from "../profile/index.ts";
import { publicIdentity } from "../profile/index.ts";
import { revokedToken } from "./tables.ts";
import type { ReadTokenStanding } from "./tokens/introspection.ts";

const { soul, passport, soulRevision, operatorChange } = chainViews;

const param = sql.placeholder;

/** What sign-in and introspection read of the index, as prepared statements over `pool`. */
export function createSignInReads(pool: Pool) {
  const db = drizzle(pool);
  const standingOf = standings(db);
  const detailsOf = details(db);
  const chronicles = chroniclesStatement(db);
  const tokenStanding: ReadTokenStanding = async (token) => {
    const { point, ...known } = await standingOf(token);
    return { at: pointOf(point), ...known };
  };
  const index: DetailsIndex = {
    async agentDetails(passportId, tokenId) {
      const { passportUri, soul, publicIdentity } = await detailsOf({ passportId, tokenId });
      return {
        passportUri,
        soul: soul && { ...soul, publicIdentity: identityRecord(publicIdentity) },
      };
    },
    chroniclesOf: (tokenId, limit) =>
      readable(() => chronicles.execute({ tokenId: tokenId.toString(), limit })),
  };
  return { tokenStanding, ...index };
}

function standings(db: NodePgDatabase) {
  // Three reads by primary key: introspection is asked far more often than anything else.
  const statement = db
    .select({
      point: indexedPointAbout(db, sql`wanted.passport_id`),
      owner: passport.owner,
      ownerSinceBlock: passport.ownerSinceBlock,
      soulStatus: sql<SoulStatus | null>`(select ${soul.status} from ${soul}
        where ${soul.tokenId} = wanted.token_id)`,
      revoked: sql<boolean>`exists (select from ${revokedToken}
        where ${revokedToken.jti} = wanted.jti)`,
    })
    .from(
      sql`unnest(${arrayParameter("jtis", "text")}, ${arrayParameter("passportIds", "numeric")}, ${arrayParameter("tokenIds", "numeric")})
        with ordinality as wanted(jti, passport_id, token_id, place)`,
    )
    .leftJoin(passport, sql`${passport.id} = wanted.passport_id`)
    .orderBy(sql`wanted.place`)
    .prepare("sign_in_token_standings");
  return readInBatches(
    (tokens: readonly Parameters<ReadTokenStanding>[0][]) =>
      readable(() =>
        statement.execute({
          jtis: tokens.map(({ jti }) => jti),
          passportIds: tokens.map(({ agentId }) => agentId.toString()),
          tokenIds: tokens.map(({ tokenId }) => tokenId?.toString() ?? null),
        }),
      ),
    mayBeOfAnItem,
  );
}

function details(db: NodePgDatabase) {
  const statement = db
    .select({
      passportUri: passport.uri,
      soul: {
        epoch: soul.epoch,
        alignmentScore: soul.alignmentScore,
        sealedAt: soul.sealedAt,
        mintTx: soul.mintTx,
        sealTx: soul.sealTx,
        archiveId: soul.archiveId,
      },
      publicIdentity: sql<Partial<PublicIdentityRecord> | null>`coalesce(${publicIdentity.identity},
          ${registration.payload} #> '{request,publicIdentity}')`.as("public_identity"),
    })
    .from(
      sql`unnest(${arrayParameter("passportIds", "numeric")}, ${arrayParameter("tokenIds", "numeric")})
        with ordinality as wanted(passport_id, token_id, place)`,
    )
    .leftJoin(passport, sql`${passport.id} = wanted.passport_id`)
    .leftJoin(soul, sql`${soul.tokenId} = wanted.token_id and ${soul.passportId} = ${passport.id}`)
    // A name is given once. What a previous owner published is not the present one's.
    .leftJoin(
      registration,
      and(
        eq(registration.name, soul.name),
        eq(registration.state, "complete"),
        sql`lower(${registration.owner}) = ${soul.sealer}`,
      ),
    )
    .leftJoin(
      publicIdentity,
      and(
        eq(publicIdentity.tokenId, serviceTokenId(soul.tokenId)),
        eq(publicIdentity.epoch, soul.epoch),
      ),
    )
    .orderBy(sql`wanted.place`)
    .prepare("sign_in_agents_details");
  return readInBatches(
    (agents: readonly { readonly passportId: bigint; readonly tokenId: bigint | null }[]) =>
      readable(() =>
        statement.execute({
          passportIds: agents.map(({ passportId }) => passportId.toString()),
          tokenIds: agents.map(({ tokenId }) => tokenId?.toString() ?? null),
        }),
      ),
    mayBeOfAnItem,
  );
}

function chroniclesStatement(db: NodePgDatabase) {
  return unionAll(
    db
      .select({
        changeType: sql<"soul_revision" | "operator_change">`'soul_revision'`.as("change_type"),
        newSoulHash: sql<Hex | null>`${soulRevision.soulHash}`.as("new_soul_hash"),
        timestamp: sql<bigint>`${soulRevision.timestamp}`.mapWith(BigInt).as("at"),
        txHash: sql<Hex>`${soulRevision.tx}`.as("tx_hash"),
      })
      .from(soulRevision)
      .where(and(eq(soulRevision.tokenId, param("tokenId")), eq(soulRevision.kind, "REVISION"))),
    db
      .select({
        changeType: sql<"soul_revision" | "operator_change">`'operator_change'`.as("change_type"),
        newSoulHash: sql<Hex | null>`null::text`.as("new_soul_hash"),
        timestamp: sql<bigint>`${operatorChange.timestamp}`.mapWith(BigInt).as("at"),
        txHash: sql<Hex>`${operatorChange.tx}`.as("tx_hash"),
      })
      .from(operatorChange)
      .where(eq(operatorChange.tokenId, param("tokenId"))),
  )
    .orderBy(desc(sql`at`))
    .limit(param("limit"))
    .prepare("sign_in_chronicles");
}

/** As validated by the schemas of registrations and of changes, which alone write these columns. */
function identityRecord(stored: Partial<PublicIdentityRecord> | null): PublicIdentityRecord | null {
  if (stored === null) return null;
  const { bio, category, tags, contacts } = stored;
  return {
    bio: bio ?? null,
    category: category ?? null,
    tags: tags ?? [],
    contacts: contacts ?? [],
  };
}
