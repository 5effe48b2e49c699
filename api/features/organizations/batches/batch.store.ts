import { and, eq, inArray } from "drizzle-orm";
import { storedKeyOf } from "../../../kernel/api-keys.ts";
import { ApiError } from "../../../kernel/errors.ts";
import type { Database, Executor } from "../../../platform/database/connect.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import { registration, soulSecret } from "../../../soul/tables.ts";
import { apiKey } from "../../keys/index.ts";
import { assertNameFree, assertNameNotKept } from "../../names/index.ts";
import { API_KEY_PURPOSE, type BatchStore, keyOf, saltOf } from "./batch.ts";

export interface BatchStoreOptions {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: () => Date;
}

/** What is kept with an agent of a batch, beside its request. */
interface Payload {
  readonly operationKey: string;
}

/** Agents of batches among the registrations, in Postgres. */
export function createBatchStore({
  db,
  secrets,
  clock,
}: BatchStoreOptions): BatchStore<Executor> & {
  /**
   * The keys of a batch's agents in their order, for the answer that shows them once.
   *
   * @throws ApiError IDEMPOTENCY_CONFLICT for any request but the first one's repetition, and when it is too late to ask.
   */
  apiKeys(ids: readonly string[], operationKey: string): Promise<string[]>;
} {
  const free = { holder: null, registrationId: null } as const;
  return {
    assertNameFree: (name) => assertNameNotKept(db, name, clock(), free),

    async accept(tx, { agents }, { operationKey, secrets: own }) {
      const at = clock();
      // Names are locked in one order, so that two batches never wait for each other.
      const ordered = agents
        .map((agent, index) => ({ agent, index }))
        .sort((one, other) =>
          one.agent.request.agentName < other.agent.request.agentName ? -1 : 1,
        );
      for (const { agent, index } of ordered) {
        const { merkleLeaves, ...request } = agent.request;
        const { agentName, ownerAddress } = request;
        const payload = { origin: { kind: "owner" }, operationKey, request };
        const inserted = await tx
          .insert(registration)
          .values({
            id: agent.id,
            name: agentName,
            owner: ownerAddress,
            state: "pending",
            payload,
            leaves: merkleLeaves,
            apiKeyEncrypted: secretOf(own, keyOf(agent.id)),
            createdAt: at,
            updatedAt: at,
          })
          .onConflictDoNothing()
          .returning({ id: registration.id });
        if (inserted.length === 0) throw nameTaken(index, agentName);
        try {
          await assertNameFree(tx, agentName, at, { holder: null, registrationId: agent.id });
        } catch (error) {
          throw error instanceof ApiError ? nameTaken(index, agentName) : error;
        }
      }
    },

    async complete(tx, { agents }, registered, own) {
      const at = clock();
      for (const agent of agents) {
        const soul = registered.find(({ id }) => id === agent.id);
        if (soul === undefined) throw new Error(`Agent ${agent.id} was not registered.`);
        const { tokenId, epoch } = soul;
        const { archiveId } = agent;
        await tx
          .update(registration)
          .set({ state: "complete", archiveId, updatedAt: at })
          .where(and(eq(registration.id, agent.id), eq(registration.state, "pending")));
        const key = secrets.decrypt(API_KEY_PURPOSE, secretOf(own, keyOf(agent.id)), agent.id);
        await tx.insert(apiKey).values({
          ...storedKeyOf(key.toString()),
          kind: "live",
          holder: "owner",
          tokenId,
          epoch,
          createdAt: at,
        });
        await tx.insert(soulSecret).values({
          tokenId,
          epoch,
          soulHash: agent.request.soulHash,
          saltEncrypted: secretOf(own, saltOf(agent.id)),
          leaves: agent.request.merkleLeaves,
        });
      }
    },

    async remove(tx, { agents }) {
      const ids = agents.map(({ id }) => id);
      await tx
        .delete(registration)
        .where(and(inArray(registration.id, ids), eq(registration.state, "pending")));
    },

    async apiKeys(ids, operationKey) {
      const rows = await db
        .select()
        .from(registration)
        .where(inArray(registration.id, [...ids]));
      return ids.map((id) => {
        const row = rows.find((one) => one.id === id);
        const isOwn = row && (row.payload as Payload).operationKey === operationKey;
        if (!isOwn || row.apiKeyEncrypted === null) throw alreadySubmitted();
        return secrets.decrypt(API_KEY_PURPOSE, row.apiKeyEncrypted, id).toString();
      });
    },
  };
}

function secretOf(own: Readonly<Record<string, Buffer>>, name: string): Buffer {
  const secret = own[name];
  if (secret === undefined) throw new Error(`The batch has no secret ${name}.`);
  return secret;
}

/** The answer holds keys that are shown once: a caller that copied a signature must not read it. */
function alreadySubmitted(): ApiError {
  return new ApiError("IDEMPOTENCY_CONFLICT", {
    message:
      "This signed batch was already submitted. Repeat it with its own Idempotency-Key to read its answer.",
  });
}

function nameTaken(index: number, name: string): ApiError {
  return new ApiError("NAME_TAKEN", {
    message: `Agent ${index} of the batch: The name ${name} is being registered.`,
    details: { index, name },
  });
}
