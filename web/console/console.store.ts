import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lt,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { type Address, getAddress } from "viem";
import { chronicleRequest } from "../../api/features/chronicles/index.ts";
import { disclosureRequest } from "../../api/features/disclosure/index.ts";
import { webhook } from "../../api/features/webhooks/index.ts";
import { operation, operationParty, operationSignature } from "../../api/operations/tables.ts";
import type { Database } from "../../api/platform/database/connect.ts";
import {
  chainViews,
  isHeldBySealer,
  passportsOwnedBy,
  readable,
  serviceTokenId,
} from "../../api/soul/index-views.store.ts";
import type { ConsoleReads } from "./console.ts";

const { soul, passport, passportMetadata, organization } = chainViews;

/** The soul's hash among the metadata that the service writes on a passport. */
const HASH_KEY = "svcSoulHash";

const JOIN = "organization_join";

/** The agents of an account with what waits for it, in one statement each. */
export function createConsoleReads(db: Database): ConsoleReads {
  const requests = (at: Date) => sql<number>`(
    select count(*)::int from ${chronicleRequest} where ${and(
      eq(chronicleRequest.tokenId, serviceTokenId(soul.tokenId)),
      eq(chronicleRequest.epoch, soul.epoch),
      waits(at),
    )})`;
  const disclosures = (at: Date) => sql<number>`(
    select count(*)::int from ${disclosureRequest} where ${and(
      eq(disclosureRequest.targetTokenId, serviceTokenId(soul.tokenId)),
      eq(disclosureRequest.targetEpoch, soul.epoch),
      inArray(disclosureRequest.state, ["pending_approval", "partially_fulfilled"]),
      sql`${disclosureRequest.expiresAt} > ${at}`,
    )})`;
  const failing = sql<number>`(
    select count(*)::int from ${webhook} where ${and(
      eq(webhook.tokenId, serviceTokenId(soul.tokenId)),
      eq(webhook.epoch, soul.epoch),
      sql`${webhook.endedAt} is null`,
      or(sql`${webhook.failingSince} is not null`, eq(webhook.disabledReason, "failures")),
    )})`;
  const hashIsWritten = exists(
    db
      .select({ one: sql`1` })
      .from(passportMetadata)
      .where(
        and(
          eq(passportMetadata.passportId, soul.passportId),
          eq(passportMetadata.key, HASH_KEY),
          eq(passportMetadata.value, soul.soulHash),
        ),
      ),
  );

  return {
    async agentsOf(account, { limit, after }, at) {
      const rows = await readable(() =>
        db
          .select({
            tokenId: soul.tokenId,
            name: soul.name,
            status: soul.status,
            soulHash: soul.soulHash,
            isWithSealer: isHeldBySealer(soul, passport).mapWith(Boolean),
            chronicleRequests: requests(at),
            disclosureRequests: disclosures(at),
            failingWebhooks: failing,
            isWritten: sql<boolean>`${hashIsWritten}`,
          })
          .from(soul)
          .innerJoin(passport, eq(passport.id, soul.passportId))
          .where(
            and(
              sql`${passport.id} in ${passportsOwnedBy(spelled(account))}`,
              // A passport keeps the souls that ended on it: those of this account stay listed.
              or(sql`${soul.status} <> 'BURNED'`, eq(soul.sealer, spelled(account))),
              after === null ? undefined : lt(soul.tokenId, after),
            ),
          )
          .orderBy(desc(soul.tokenId))
          .limit(limit),
      );
      return rows.map(({ isWithSealer, isWritten, ...row }) => ({
        ...row,
        standing: row.status === "BURNED" ? "ended" : isWithSealer ? "owned" : "suspended",
        isMetadataPending: row.status === "SEALED" && isWithSealer && !isWritten,
      }));
    },

    async waitingChronicles(tokenId, epoch, at) {
      return db
        .select({
          id: chronicleRequest.id,
          category: chronicleRequest.category,
          changeType: chronicleRequest.changeType,
          description: chronicleRequest.description,
          expiresAt: chronicleRequest.expiresAt,
        })
        .from(chronicleRequest)
        .where(
          and(eq(chronicleRequest.tokenId, tokenId), eq(chronicleRequest.epoch, epoch), waits(at)),
        )
        .orderBy(desc(chronicleRequest.createdAt))
        .limit(WAITING_SHOWN);
    },

    async organizationsOf(account) {
      const rows = await readable(() =>
        db
          .select({
            id: organization.id,
            name: organization.name,
            isPending: sql<boolean>`${organization.pendingAdmin} = ${spelled(account)}`,
          })
          .from(organization)
          .where(
            or(
              eq(organization.admin, spelled(account)),
              eq(organization.pendingAdmin, spelled(account)),
            ),
          )
          .orderBy(desc(organization.id))
          .limit(WAITING_SHOWN),
      );
      return rows;
    },

    async invitationsFor(account) {
      const signer = getAddress(account);
      const isParty = and(
        eq(operationParty.operationId, operation.id),
        eq(operationParty.signer, signer),
      );
      const hasSigned = and(
        eq(operationSignature.operationId, operation.id),
        eq(operationSignature.signer, signer),
      );
      const [row] = await db
        .select({ count: sql<number>`count(*)::int` })
        .from(operation)
        .where(
          and(
            eq(operation.state, "waiting"),
            eq(operation.kind, JOIN),
            exists(db.select({ one: sql`1` }).from(operationParty).where(isParty)),
            notExists(db.select({ one: sql`1` }).from(operationSignature).where(hasSigned)),
          ),
        );
      return row?.count ?? 0;
    },
  };
}

/** Whether a chronicle still waits for its owner's signature. */
function waits(at: Date): SQL | undefined {
  return and(isNull(chronicleRequest.submittedAt), gt(chronicleRequest.expiresAt, at));
}

/** Most entries of a short list. */
const WAITING_SHOWN = 50;

function spelled(account: Address): Address {
  return account.toLowerCase() as Address;
}
