import { and, desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { unionAll } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import type { Hex } from "viem";
import type { IndexedPoint, SoulStatus } from "../../soul/index-reads.ts";
import { chainViews, indexedPointText, pointOf, readable } from "../../soul/index-views.store.ts";
import { registration } from "../../soul/tables.ts";
import type { DetailsIndex, PublicIdentityRecord } from "../profile/index.ts";
import { publicIdentity } from "../profile/index.ts";
import { revokedToken } from "./tables.ts";
import type { StandingIndex, TokenStanding } from "./tokens/introspection.ts";

const { soul, passport, soulRevision, operatorChange } = chainViews;

const param = sql.placeholder;

export interface SignInReads extends StandingIndex, DetailsIndex {
  /** As the index knew it at `at`. */
  tokenStanding(
    token: Parameters<StandingIndex["tokenStanding"]>[0],
  ): Promise<TokenStanding & { readonly at: IndexedPoint }>;
}

/**
 * What sign-in, introspection and key verification read of the index, as prepared statements over
 * `pool`.
 */
export function createSignInReads(pool: Pool): SignInReads {
  const db = drizzle(pool);
  /** One row, to which anything can be joined. */
  const one = sql`(values (1)) as one(n)`;

  // Three reads by primary key: introspection is asked far more often than anything else.
  const standing = db
    .select({
      point: indexedPointText(db),
      ownerSinceBlock: sql<bigint | null>`(select ${passport.ownerSinceBlock} from ${passport}
        where ${passport.id} = ${param("passportId")})`.mapWith(BigInt),
      soulStatus: sql<SoulStatus | null>`(select ${soul.status} from ${soul}
        where ${soul.tokenId} = ${param("tokenId")})`,
      revoked: sql<boolean>`exists (select from ${revokedToken}
        where ${revokedToken.jti} = ${param("jti")})`,
    })
    .from(one)
    .prepare("sign_in_token_standing");

  const details = db
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
    .from(one)
    .leftJoin(passport, eq(passport.id, param("passportId")))
    .leftJoin(soul, and(eq(soul.tokenId, param("tokenId")), eq(soul.passportId, passport.id)))
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
      and(eq(publicIdentity.tokenId, soul.tokenId), eq(publicIdentity.epoch, soul.epoch)),
    )
    .prepare("sign_in_agent_details");

  const chronicles = unionAll(
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

  return {
    async tokenStanding({ jti, agentId, tokenId }) {
      const ids = { passportId: agentId.toString(), tokenId: tokenId?.toString() ?? null };
      const [row] = await readable(() => standing.execute({ jti, ...ids }));
      const { point = null, ownerSinceBlock = null, soulStatus = null, revoked = true } = row ?? {};
      return { at: pointOf(point), ownerSinceBlock, soulStatus, revoked };
    },

    async agentDetails(passportId, tokenId) {
      const ids = { passportId: passportId.toString(), tokenId: tokenId?.toString() ?? null };
      const [row] = await readable(() => details.execute(ids));
      return {
        passportUri: row?.passportUri ?? null,
        soul: row?.soul
          ? { ...row.soul, publicIdentity: identityRecord(row.publicIdentity) }
          : null,
      };
    },

    chroniclesOf: (tokenId, limit) =>
      readable(() => chronicles.execute({ tokenId: tokenId.toString(), limit })),
  };
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
