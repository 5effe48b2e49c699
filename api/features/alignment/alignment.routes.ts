import { badRequest } from "../../kernel/errors.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { authorise } from "../../platform/http/guard.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import {
  agentRead,
  agentWrite,
  BODY_BYTES,
  publicList,
  publicRead,
} from "../../platform/http/operations.ts";
import { AGENT_READ_ERRORS } from "../../platform/http/router.ts";
import { agentIds, NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import type { Alignment } from "./build.ts";
import {
  AlignmentSchema,
  alignmentBody,
  CalculatedSchema,
  CalculateQuery,
  CalculateSchema,
  calculatedBody,
  FreshnessAnswerSchema,
  FreshnessRequestSchema,
  refOf,
  SnapshotRequestSchema,
  SnapshotSchema,
  StoredAlignmentSchema,
  storedBody,
} from "./schemas.ts";

const STORED = "The score that is on chain, with everything that it rests on.";

export const getStoredAlignment = endpoint({
  operationId: "getStoredAlignment",
  rules: agentRead,
  method: "get",
  path: "/alignment/calculate",
  tag: "Alignment",
  summary: "The agent's own view of its recorded alignment score",
  description:
    "For the agent and its owner. `agentName` or `tokenId` names the agent. `snapshot` says how far its last snapshot has come.",
  query: CalculateQuery.shape,
  done: STORED,
  answer: StoredAlignmentSchema,
  errors: [...AGENT_READ_ERRORS, "STORAGE_UNAVAILABLE"],
  async run(query, { alignments }: Alignment, c) {
    const ref = named(refOf(query));
    const tokenId = await alignments.tokenIdOf(ref);
    await authorise(c, tokenId);
    const { at, value } = await alignments.stored(ref);
    reflectsBlock(c, at);
    return storedBody(value, await alignments.progress(tokenId));
  },
});

export const calculateAlignment = endpoint({
  operationId: "calculateAlignment",
  rules: { ...agentRead, bodyBytes: BODY_BYTES },
  method: "post",
  path: "/alignment/calculate",
  tag: "Alignment",
  summary: "The alignment score as it would be now",
  description:
    "For the agent and its owner: `agentName` or `tokenId` names the agent. Nothing is stored or recorded; `POST /v1/snapshot` does that.",
  body: CalculateSchema,
  done: "The score, and the facts that each component used.",
  answer: CalculatedSchema,
  errors: [...AGENT_READ_ERRORS, "UNSUPPORTED_MEDIA_TYPE", "BURNED", "STORAGE_UNAVAILABLE"],
  async run({ body }, { alignments }: Alignment, c) {
    const tokenId = await alignments.tokenIdOf(named(refOf(body)));
    await authorise(c, tokenId);
    const { at, value } = await alignments.calculate(tokenId);
    reflectsBlock(c, at);
    return calculatedBody(value);
  },
});

export const getAlignment = endpoint({
  operationId: "getAlignment",
  // A score can be recorded at any time: a copy is always revalidated.
  rules: publicList,
  method: "get",
  path: "/alignment/{name}",
  tag: "Alignment",
  summary: "An agent's recorded alignment score",
  description:
    "With the six components, the facts that each used, and the archived item that holds all of them: anyone can recompute the score from the chain and that item.",
  params: { name: NameOrTokenIdParam },
  waitsForBlock: true,
  done: STORED,
  answer: AlignmentSchema,
  errors: [...AGENT_READ_ERRORS, "STORAGE_UNAVAILABLE"],
  async run({ name }, { alignments }: Alignment, c) {
    const { at, value } = await alignments.stored(name);
    reflectsBlock(c, at);
    return alignmentBody(value);
  },
});

export const requestSnapshot = endpoint({
  operationId: "requestSnapshot",
  rules: agentWrite,
  method: "post",
  path: "/snapshot",
  tag: "Alignment",
  summary: "Compute, archive and record an agent's alignment score",
  description:
    "With the agent's key or its owner's session, at most five times a day (UTC). While a snapshot of the agent is under way, the answer is about that one. `GET /v1/alignment/calculate` says how far it has come, and `GET /v1/alignment/{name}` has the score once it is on chain.",
  body: SnapshotRequestSchema,
  status: 202,
  done: "The snapshot is being computed.",
  answer: SnapshotSchema,
  errors: [
    "INVALID_REQUEST",
    "UNSUPPORTED_MEDIA_TYPE",
    "FORBIDDEN",
    "NOT_FOUND",
    "BURNED",
    "SUSPENDED",
    "REGISTRY_PENDING",
  ],
  async run({ body: { tokenId } }, { snapshotOpening }: Alignment, c) {
    await authorise(c, tokenId);
    const opened = await snapshotOpening.request(tokenId, c.get("operationKey"));
    return {
      ...agentIds({ tokenId, passportId: opened.passportId }),
      snapshotId: opened.id,
      status: "computing" as const,
      estimatedCompletion: opened.estimatedCompletion.toISOString(),
    };
  },
});

export const verifyFreshness = endpoint({
  operationId: "verifyFreshness",
  // Public. All that it writes is the event for the agent.
  rules: {
    ...publicRead,
    effect: "writes",
    rate: "verify",
    cache: "never",
    bodyBytes: BODY_BYTES,
    origins: "own",
  },
  method: "post",
  path: "/verify/freshness",
  tag: "Verification",
  summary: "Whether an agent's last alignment snapshot is young enough",
  description:
    "Anyone may ask. When the snapshot is too old, the agent's webhooks are sent `freshness.requested`, at most once a day (UTC).",
  body: FreshnessRequestSchema,
  done: "The age of the last snapshot, and whether it is within the limit.",
  answer: FreshnessAnswerSchema,
  errors: [...AGENT_READ_ERRORS, "UNSUPPORTED_MEDIA_TYPE"],
  async run({ body: { agentName, maxAgeDays } }, { freshness }: Alignment, c) {
    const { at, value } = await freshness.verify(agentName, maxAgeDays);
    reflectsBlock(c, at);
    return { ...value, lastSnapshot: value.lastSnapshot?.toISOString() ?? null };
  },
});

/** @throws ApiError INVALID_REQUEST */
function named(ref: SoulRef | null): SoulRef {
  if (ref === null) throw badRequest("", "Give either agentName or tokenId");
  return ref;
}
