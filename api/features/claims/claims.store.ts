import { and, desc, eq, gte, inArray, ne, notInArray } from "drizzle-orm";
import { getAddress } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import { networkBlock } from "../../kernel/networks.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { PermanentStorage } from "../../platform/storage/permanent.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import type { DocumentUploads } from "../documents/index.ts";
import { apiKeyStore, EXCHANGE_MS, keepForExchange, type WasStopped } from "../keys/index.ts";
import { freeName } from "../names/index.ts";
import type { CompletedRegistration, FollowUp, RegistrationRecord } from "../registration/index.ts";
import type { EventSink, WebhookEpochs } from "../webhooks/index.ts";
import { alreadyClaimed, gone } from "./claim/errors.ts";
import type { AgentRegistration, ClaimDraft, ClaimOrigin, DraftLimits } from "./claim/stored.ts";
import { ARCHIVE_DOCUMENT_JOB, documentContent } from "./documents.ts";
import { agentRegistration, claimDraft } from "./tables.ts";

export type ClaimStore = ReturnType<typeof createClaimStore>;

/** Claims of agents' registrations, in Postgres. */
export function createClaimStore(db: Database) {
  return {
    async find(tokenHash: Buffer): Promise<AgentRegistration | null> {
      const [row] = await db
        .select()
        .from(agentRegistration)
        .where(eq(agentRegistration.tokenHash, tokenHash));
      return row === undefined ? null : toRegistration(row);
    },

    /**
     * Stores a draft within the limits. Does nothing when the registration can no longer be claimed.
     *
     * @param requester the caller, as limits count callers.
     * @throws ApiError RATE_LIMIT_EXCEEDED when it exceeds the requester's limit, or its network
     * block's share of a full registration.
     */
    async insertDraft(
      { request, message, ...draft }: ClaimDraft,
      requester: string,
      limits: DraftLimits,
    ): Promise<void> {
      const { merkleLeaves, ...rest } = request;
      const { registrationId } = draft;
      await db.transaction(async (tx) => {
        // Drafts of one registration are counted one at a time. A registration that ends meanwhile
        // waits, and its drafts are deleted with it.
        const [open] = await tx
          .select({ expiresAt: agentRegistration.expiresAt })
          .from(agentRegistration)
          .where(
            and(eq(agentRegistration.id, registrationId), eq(agentRegistration.state, "pending")),
          )
          .for("update");
        if (open === undefined) return;
        await makeRoom(tx, { registrationId, owner: message.owner, requester }, limits);
        const drafts = await tx
          .select({ nonce: claimDraft.nonce, requester: claimDraft.requester })
          .from(claimDraft)
          .where(eq(claimDraft.registrationId, registrationId))
          .orderBy(claimDraft.createdAt, claimDraft.nonce);
        const own = drafts.filter((other) => other.requester === requester);
        if (own.length >= limits.perRequester) throw tooManyDrafts(open.expiresAt, draft.createdAt);
        if (drafts.length >= limits.perRegistration) {
          const displaced = displacedDraft(drafts, requester);
          if (displaced === null) throw tooManyDrafts(open.expiresAt, draft.createdAt);
          await tx
            .delete(claimDraft)
            .where(
              and(
                eq(claimDraft.registrationId, registrationId),
                eq(claimDraft.nonce, displaced.nonce),
              ),
            );
        }
        await tx.insert(claimDraft).values({
          ...draft,
          nonce: message.nonce,
          owner: message.owner,
          requester,
          request: rest,
          message,
          leaves: merkleLeaves,
        });
      });
    },

    async findDraft(registrationId: string, nonce: bigint): Promise<ClaimDraft | null> {
      const [row] = await db
        .select()
        .from(claimDraft)
        .where(and(eq(claimDraft.registrationId, registrationId), eq(claimDraft.nonce, nonce)));
      return row === undefined ? null : toDraft(row);
    },

    /** Whether a claimed agent itself holds a live key at `at`: a key rotation ends it. */
    hasAgentKey: (tokenId: bigint, at: Date) => apiKeyStore(db).hasAgentKey(tokenId, at),
  };
}

/**
 * Removes the oldest drafts that the same requester made for the same owner, so that one more can
 * be stored.
 */
async function makeRoom(
  tx: Executor,
  of: { readonly registrationId: string; readonly owner: string; readonly requester: string },
  { perOwner }: DraftLimits,
): Promise<void> {
  const isOfThem = and(
    eq(claimDraft.registrationId, of.registrationId),
    eq(claimDraft.owner, of.owner),
    eq(claimDraft.requester, of.requester),
  );
  const newest = tx
    .select({ nonce: claimDraft.nonce })
    .from(claimDraft)
    .where(isOfThem)
    .orderBy(desc(claimDraft.createdAt), desc(claimDraft.nonce))
    .limit(perOwner - 1);
  await tx.delete(claimDraft).where(and(isOfThem, notInArray(claimDraft.nonce, newest)));
}

interface KeptDraft {
  readonly nonce: bigint;
  readonly requester: string;
}

/**
 * The draft that one more draft of this requester may displace: the oldest one of the requester
 * with the most drafts, in the network block with the most drafts. Null when that block has no more
 * drafts than the requester's own block would have.
 *
 * @param drafts oldest first.
 */
function displacedDraft(drafts: readonly KeptDraft[], requester: string): KeptDraft | null {
  const block = networkBlock(requester);
  const blockOf = (draft: KeptDraft) => networkBlock(draft.requester);
  const most = largestGroup(drafts, blockOf);
  const own = drafts.filter((draft) => blockOf(draft) === block);
  if (most.length <= own.length + 1) return null;
  return largestGroup(most, (draft) => draft.requester)[0] ?? null;
}

/** The largest group of drafts that share a key. */
function largestGroup(
  drafts: readonly KeptDraft[],
  keyOf: (draft: KeptDraft) => string,
): readonly KeptDraft[] {
  const groups = new Map<string, KeptDraft[]>();
  let most: KeptDraft[] = [];
  for (const draft of drafts) {
    const group = groups.get(keyOf(draft)) ?? [];
    group.push(draft);
    groups.set(keyOf(draft), group);
    if (group.length > most.length) most = group;
  }
  return most;
}

function tooManyDrafts(expiresAt: Date, at: Date): ApiError {
  return new ApiError("RATE_LIMIT_EXCEEDED", {
    message:
      "Too many claims of this registration have been prepared. Sign one of them, or register the agent again.",
    details: { resetAt: expiresAt.toISOString() },
    retryAfter: Math.max(1, Math.ceil((expiresAt.getTime() - at.getTime()) / 1000)),
  });
}

/** The changes of a claim, made in the transactions of the registration that it creates. */
export function claimFollowUp(parts: {
  readonly archive: Pick<PermanentStorage, "idOf">;
  readonly uploads: Pick<DocumentUploads, "recordStored">;
  readonly jobs: Pick<JobQueue, "send">;
  readonly events: EventSink;
  readonly webhooks: Pick<WebhookEpochs, "claimed" | "stopped">;
  readonly wasStopped: WasStopped;
  readonly clock: () => Date;
}): FollowUp<ClaimOrigin> {
  const { archive, uploads, jobs, events, webhooks, wasStopped, clock } = parts;
  return {
    /**
     * One statement decides which of two claims gets the registration, and whether it was in time.
     */
    async accepted(tx, { id, origin, request }) {
      const updated = await tx
        .update(agentRegistration)
        .set({ state: "claiming", claimId: id })
        .where(
          and(
            eq(agentRegistration.id, origin.registrationId),
            eq(agentRegistration.state, "pending"),
            gte(agentRegistration.expiresAt, clock()),
          ),
        )
        .returning({ id: agentRegistration.id });
      if (updated.length === 1) return;
      const [row] = await tx
        .select({ state: agentRegistration.state })
        .from(agentRegistration)
        .where(eq(agentRegistration.id, origin.registrationId));
      throw row?.state === "claiming" || row?.state === "claimed"
        ? alreadyClaimed(request.agentName)
        : gone();
    },

    /** It can be claimed again, until its deadline. */
    async ended(tx, { id }) {
      await tx
        .update(agentRegistration)
        .set({ state: "pending", claimId: null })
        .where(and(eq(agentRegistration.claimId, id), eq(agentRegistration.state, "claiming")));
    },

    async completed(tx, begun, completed) {
      const { origin, request, message } = begun;
      const { registrationId } = origin;
      const { tokenId } = completed;
      const at = clock();
      const ended = await endClaim(tx, begun, tokenId, at);
      // They may publish values that its owner decided to keep private.
      await tx
        .delete(claimDraft)
        .where(
          and(eq(claimDraft.registrationId, registrationId), ne(claimDraft.nonce, message.nonce)),
        );
      const [document] = request.soulDocuments ?? [];
      if (document !== undefined && ended.document !== null) {
        const archiveId = await archive.idOf(documentContent(ended.document));
        await uploads.recordStored(tx, { tokenId, epoch: completed.epoch, document, archiveId });
        // It was stored before the transaction. The job verifies that, and then deletes the text.
        await jobs.send(tx, ARCHIVE_DOCUMENT_JOB, { registrationId });
      }
      // From here on the registration itself reserves the name.
      await freeName(tx, registrationId);
      const { epoch } = completed;
      // The owner's key was issued under the lock that a stop takes: a later one sees all of this.
      const isStopped = await wasStopped(tx, { tokenId, epoch });
      const mayKeep = origin.agentKeeps && !isStopped;
      const exchangeUntil = await keptUntil(tx, mayKeep, { registrationId, tokenId, epoch, at });
      await webhooks.claimed(tx, { registrationId, tokenId, epoch, owner: request.ownerAddress });
      if (isStopped) await webhooks.stopped(tx, { tokenId, epoch, registrationId: null, at });
      await events.emit(tx, {
        event: "owner.claimed",
        tokenId,
        registrationId,
        key: registrationId,
        data: claimedEvent(begun, completed, at, exchangeUntil),
      });
    },
  };
}

function claimedEvent(
  { origin, request, message }: Parameters<FollowUp<ClaimOrigin>["completed"]>[1],
  { tokenId, passportId, txHash }: CompletedRegistration,
  at: Date,
  exchangeUntil: Date | null,
) {
  return {
    tokenId: Number(tokenId),
    agentName: request.agentName,
    registrationId: origin.publicId,
    ownerAddress: request.ownerAddress,
    erc8004AgentId: Number(passportId),
    keyStatus: "full",
    agentKeeps: exchangeUntil !== null,
    exchangeUntil: exchangeUntil?.toISOString() ?? null,
    genesisStatus: message.seal ? "SEALED" : "PROVISIONAL",
    txHash,
    claimedAt: at.toISOString(),
  };
}

/** Marks the registration of a claim as claimed. Returns the text of its document. */
async function endClaim(
  tx: Transaction,
  { id, origin, request }: RegistrationRecord<ClaimOrigin>,
  tokenId: bigint,
  at: Date,
): Promise<{ readonly document: string | null }> {
  const [ended] = await tx
    .update(agentRegistration)
    .set({
      state: "claimed",
      tokenId,
      owner: request.ownerAddress,
      endedAt: at,
      // Its public part belongs to the registration now, and the salt to the soul.
      content: null,
      saltEncrypted: null,
      leaves: null,
    })
    .where(
      and(
        eq(agentRegistration.id, origin.registrationId),
        eq(agentRegistration.claimId, id),
        eq(agentRegistration.state, "claiming"),
      ),
    )
    .returning({ document: agentRegistration.document });
  if (ended === undefined) throw new Error(`Claim ${id} has lost its registration.`);
  return ended;
}

/** Until when the agent may exchange its provisional key; null, with the key revoked, when it keeps none. */
async function keptUntil(
  tx: Transaction,
  mayKeep: boolean,
  of: {
    readonly registrationId: string;
    readonly tokenId: bigint;
    readonly epoch: number;
    readonly at: Date;
  },
): Promise<Date | null> {
  const keys = apiKeyStore(tx);
  const until = new Date(of.at.getTime() + EXCHANGE_MS);
  if (mayKeep && (await keepForExchange(tx, { ...of, until }))) return until;
  await keys.revokeAllOfRegistration(of.registrationId, of.at);
  return null;
}

/** The registration of this name whose claim is accepted and not finished; null without one. */
export async function unfinishedClaim(tx: Executor, name: string): Promise<string | null> {
  const [row] = await tx
    .select({ id: agentRegistration.id })
    .from(agentRegistration)
    .where(and(eq(agentRegistration.name, name), eq(agentRegistration.state, "claiming")));
  return row?.id ?? null;
}

/** Unclaimed agents as profile, status and verification show them. */
export function createUnclaimedAgents(db: Database, clock: () => Date): UnclaimedReads {
  return {
    async unclaimed(name: string) {
      const [row] = await db
        .select({ content: agentRegistration.content })
        .from(agentRegistration)
        .where(
          and(
            eq(agentRegistration.name, name),
            inArray(agentRegistration.state, ["pending", "claiming"]),
            gte(agentRegistration.expiresAt, clock()),
          ),
        );
      if (row === undefined || row.content === null) return null;
      return { name, agentType: row.content.agentType };
    },
  };
}

function toRegistration(row: typeof agentRegistration.$inferSelect): AgentRegistration {
  const { id, name, state, saltEncrypted, createdAt, expiresAt, tokenId, content, leaves } = row;
  const owner = row.owner === null ? null : getAddress(row.owner);
  return {
    id,
    name,
    state,
    content,
    saltEncrypted,
    leaves,
    documentText: row.document,
    createdAt,
    expiresAt,
    tokenId,
    owner,
  };
}

function toDraft(row: typeof claimDraft.$inferSelect): ClaimDraft {
  const { nonce: _, owner: _owner, requester: _requester, leaves, ...draft } = row;
  return { ...draft, request: { ...row.request, merkleLeaves: leaves } };
}
