import { randomUUID } from "node:crypto";
import type { Secrets } from "../secrets/secrets.ts";
import { openWith, sealWith } from "../secrets/secrets.ts";
import type { IdempotencyStore } from "./idempotency.store.ts";

/** The identity of a request with an Idempotency-Key. */
export interface IdempotentRequest {
  readonly clientKey: string;
  /** Method and pattern of the route. */
  readonly route: string;
  /** Name of the caller; empty for anonymous ones. */
  readonly credential: string;
  readonly body: Uint8Array;
}

/** An answer stored for its repetition. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** What to do with a request. */
type IdempotencyDecision =
  | { readonly kind: "run"; readonly operationId: string; readonly lease: IdempotencyLease }
  | { readonly kind: "replay"; readonly answer: StoredAnswer }
  /** The key was used with another body. */
  | { readonly kind: "conflict" }
  /**
   * The same request is being answered, or its process died. After `retryAfter` seconds it is
   * answered, or may run again.
   */
  | { readonly kind: "in_flight"; readonly retryAfter: number };

/** Shortest Retry-After in seconds. */
const MIN_RETRY_SECONDS = 1;
/** A row can be freed between the lost claim and the read; a few attempts always settle it. */
const MAX_TURNS = 5;

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Runs a request once, however often it arrives. Only a hash of the client's key is stored, and an
 * answer can be decrypted only with the client's key and the master key together.
 *
 * @param leaseMs Milliseconds a request may take before the same request may run beside it. The time a client
 * waits after a crash; a handler must bear running twice under one operation id.
 * @param keepMs Milliseconds an answer is kept.
 */
export function createIdempotency({
  store,
  secrets,
  clock,
  leaseMs,
  keepMs,
}: {
  readonly store: IdempotencyStore;
  readonly secrets: Secrets;
  readonly clock: () => Date;
  readonly leaseMs: number;
  readonly keepMs: number;
}) {
  /** What to do with a request. */
  async function begin(request: IdempotentRequest): Promise<IdempotencyDecision> {
    const derived = await derivedFor(store, secrets, request, clock());
    const { keyHash, bodyHash, answerKey } = derived;
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const at = clock();
      const leaseId = randomUUID();
      const operationId = await store.claim({
        keyHash,
        bodyHash,
        operationId: randomUUID(),
        leaseId,
        at,
        lockedUntil: new Date(at.getTime() + leaseMs),
        expiresAt: new Date(at.getTime() + keepMs),
      });
      if (operationId !== null) {
        return { kind: "run", operationId, lease: leaseOf(store, clock, derived, leaseId) };
      }
      const row = await store.find(keyHash, at);
      if (row === null) continue;
      if (!row.bodyHash.equals(bodyHash)) return { kind: "conflict" };
      if (row.state === "done" && row.answerEncrypted !== null) {
        return { kind: "replay", answer: openAnswer(answerKey, keyHash, row.answerEncrypted) };
      }
      // The request in flight may have read its clock a moment after this one.
      const waitMs = Math.min(row.lockedUntil.getTime() - at.getTime(), leaseMs);
      const retryAfter = Math.max(Math.ceil(waitMs / 1000), MIN_RETRY_SECONDS);
      return { kind: "in_flight", retryAfter };
    }
    return { kind: "in_flight", retryAfter: MIN_RETRY_SECONDS };
  }

  return { begin };
}

/** A request from before the master key was rotated is still found under the key it was made with. */
async function derivedFor(
  store: IdempotencyStore,
  secrets: Secrets,
  request: IdempotentRequest,
  at: Date,
) {
  const [current, ...older] = secrets.versions.map((version) => derive(secrets, request, version));
  if (current === undefined) throw new Error("There is no master key.");
  for (const candidate of older) {
    if ((await store.find(candidate.keyHash, at)) !== null) return candidate;
  }
  return current;
}

/** Everything derived from a request under one version of the master key. */
function derive(secrets: Secrets, request: IdempotentRequest, version: number) {
  const scope = [request.clientKey, request.route, request.credential];
  return {
    keyHash: secrets.hmac("idempotency.key", scope, version),
    bodyHash: secrets.hmac("idempotency.body", [...scope, request.body], version),
    answerKey: secrets.hmac("idempotency.answer", scope, version),
  };
}

export type IdempotencyLease = ReturnType<typeof leaseOf>;

/** The right to answer a request. Exactly one of these is called. */
function leaseOf(
  store: IdempotencyStore,
  clock: () => Date,
  { keyHash, answerKey }: ReturnType<typeof derive>,
  leaseId: string,
) {
  return {
    /** Stores the answer for repetitions of the request. */
    finish: (answer: StoredAnswer) =>
      store.finish(keyHash, leaseId, answer.status, sealAnswer(answerKey, keyHash, answer)),
    /** The request was rejected and did nothing: deletes the row, and the key may be reused. */
    forget: () => store.forget(keyHash, leaseId),
    /** The request failed midway: the same request may run again at once, as the same operation. */
    release: () => store.release(keyHash, leaseId, clock()),
  };
}

interface AnswerRecord {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

function sealAnswer(answerKey: Buffer, keyHash: Buffer, answer: StoredAnswer): Buffer {
  const record: AnswerRecord = { ...answer, body: answer.body.toString("base64") };
  return sealWith(answerKey, Buffer.from(JSON.stringify(record), "utf8"), keyHash.toString("hex"));
}

function openAnswer(answerKey: Buffer, keyHash: Buffer, sealed: Buffer): StoredAnswer {
  const text = openWith(answerKey, sealed, keyHash.toString("hex")).toString("utf8");
  const record = JSON.parse(text) as AnswerRecord;
  return { ...record, body: Buffer.from(record.body, "base64") };
}
