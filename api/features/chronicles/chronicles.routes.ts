import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { CHRONICLE_CATEGORIES } from "../../../protocol/index.ts";
import type { Links } from "../../kernel/links.ts";
import type { TypedDataOf } from "../../operations/typed-data/typed-data.http.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import { type EndpointDeps, endpoint } from "../../platform/endpoint.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { IdPart, listCursors } from "../../platform/http/lists/cursors.ts";
import {
  limitParam,
  pageBy,
  pageNumber,
  pageParam,
  skippedBy,
} from "../../platform/http/lists/pages.ts";
import { agentWrite, freshRead, publicRead } from "../../platform/http/operations.ts";
import { createRouter } from "../../platform/http/router.ts";
import { idNumber, idNumberOrNull, NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import type { Reading } from "../../soul/index-reads.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import type { PassportUpdateService } from "../passports/index.ts";
import { type ChronicleProofs, commonBody } from "./batches/proofs.http.ts";
import type { ChronicleService, RecordedChronicle } from "./chronicles.ts";
import { evolutionMessageJson } from "./content.ts";
import type { ChronicleRequestService } from "./requests.ts";
import {
  ChronicleBodySchema,
  ChronicleListSchema,
  ChronicleProofSchema,
  ChronicleRequestId,
  ChronicleRequestSchema,
  OpenRequestSchema,
  RecordedSchema,
  RequestedSchema,
} from "./schemas.ts";

/** What the operations need of the service. */
interface ChronicleRoutes {
  readonly chronicles: ChronicleService;
  readonly chronicleRequests: ChronicleRequestService;
  readonly passportUpdates: PassportUpdateService;
  readonly chronicleProofs: ChronicleProofs;
  readonly profiles: {
    /** @throws ApiError NOT_FOUND */
    status(
      agent: SoulRef,
    ): Promise<
      Reading<{ readonly tokenId: bigint | null; readonly erc8004AgentId: bigint | null }>
    >;
  };
  readonly typedDataOf: TypedDataOf;
  readonly links: Links;
}

const tag = "Chronicle";
const readFromDatabase = { ...publicRead, cache: "revalidate", madeFrom: "database" } as const;

const recordChronicle = endpoint({
  operationId: "recordChronicle",
  rules: {
    ...agentWrite,
    access: "agent-or-signature",
    typedData: "chronicle",
    legacyPaths: ["/evolution"],
  },
  method: "post",
  path: "/chronicle",
  tag,
  summary: "Record what happened in an agent's life",
  description:
    "With the agent's API key or its owner's session, or with the owner's EIP-712 signature (`signature`, `message`, `signer`), which `soul_revision` and `operator_change` require. Those two take effect on chain before the answer; every other record is queued for the next hourly batch. At most 5 a day and agent, and 5 of those two.",
  body: ChronicleBodySchema,
  status: 201,
  done: "Recorded: confirmed at once, or queued.",
  answer: RecordedSchema,
  errors: [
    "NOT_OWNER",
    "NOT_FOUND",
    "BURNED",
    "INVALID_SIGNATURE",
    "NONCE_EXPIRED",
    "NONCE_USED",
    "WALLET_NOT_DEPLOYED",
    "GONE",
    "INVALID_MERKLE_DATA",
    "STORAGE_UNAVAILABLE",
    "GAS_BUDGET_EXHAUSTED",
    "REGISTRY_PENDING",
  ],
  async run({ body }, deps: ChronicleRoutes, c) {
    const chronicle = await recorded(body, deps, c);
    const { tokenId, newSoulHash: soulHash, archiveId } = chronicle;
    const updates =
      soulHash === null
        ? null
        : await deps.passportUpdates.afterRevision({ tokenId, soulHash, archiveId });
    // JSON leaves out undefined fields.
    const isFinal = chronicle.status === "confirmed" && chronicle.txHash !== null;
    return {
      ...commonBody(chronicle),
      status: chronicle.status,
      pendingMetadata: updates?.pendingMetadata.map((entry) => ({ ...entry })),
      needsAgentUriUpdate: updates?.needsAgentUriUpdate,
      agentUriTransaction: updates?.agentUriTransaction,
      approvalTransaction: updates?.approvalTransaction,
      txHash: isFinal ? (chronicle.txHash ?? undefined) : undefined,
      estimatedConfirmation: isFinal
        ? undefined
        : deps.chronicles.estimatedConfirmation(chronicle.recordedAt).toISOString(),
    };
  },
});

async function recorded(
  {
    message,
    signature,
    signer,
    requestId,
    tokenId,
    category,
    data,
  }: z.output<typeof ChronicleBodySchema>,
  { chronicles, chronicleRequests }: ChronicleRoutes,
  c: Context<AppEnv>,
): Promise<RecordedChronicle> {
  const sent = { tokenId, category, data };
  if (!message || !signature || !signer) {
    return chronicles.record(sent, c.get("caller"), c.get("operationKey"));
  }
  const input = requestId === undefined ? sent : await chronicleRequests.fill(requestId, sent);
  const evidence = { message, signature, signer };
  const chronicle = await chronicles.recordSigned(input, evidence, requesterOf(c));
  if (requestId !== undefined) await chronicleRequests.submitted(requestId);
  return chronicle;
}

const requestChronicle = endpoint({
  operationId: "requestChronicle",
  rules: agentWrite,
  method: "post",
  path: "/chronicle/request",
  tag,
  summary: "Ask the owner to sign a chronicle",
  body: ChronicleRequestSchema,
  status: 201,
  done: "A page for the owner, for 24 hours.",
  answer: RequestedSchema,
  errors: ["NOT_OWNER", "NOT_FOUND", "BURNED"],
  async run({ body: { description = null, ...input } }, deps: ChronicleRoutes, c) {
    const { id, expiresAt } = await deps.chronicleRequests.create(
      { ...input, description },
      c.get("caller"),
      c.get("operationKey"),
    );
    return { requestId: id, signUrl: deps.links.sign(id), expiresAt: expiresAt.toISOString() };
  },
});

const getChronicleRequest = endpoint({
  operationId: "getChronicleRequest",
  rules: freshRead,
  method: "get",
  path: "/chronicle/request",
  tag,
  summary: "A chronicle that waits for its owner's signature",
  description: "Any caller with the id may read it: it is 128 random bits.",
  query: { id: ChronicleRequestId },
  done: "The request, and what to sign.",
  answer: OpenRequestSchema,
  errors: ["NOT_FOUND", "GONE", "CHAIN_UNAVAILABLE"],
  async run({ id }, { chronicleRequests, typedDataOf }: ChronicleRoutes) {
    const { request, status, message } = await chronicleRequests.open(id);
    return {
      requestId: request.id,
      tokenId: idNumber(request.tokenId),
      agentName: request.agentName,
      category: request.category,
      changeType: request.changeType,
      data: { ...request.data },
      description: request.description,
      createdAt: request.createdAt.toISOString(),
      expiresAt: request.expiresAt.toISOString(),
      status,
      nonce: request.nonce.toString(),
      eip712Data:
        message && (await typedDataOf(unsigned("SoulRegistry", "RecordEvolution", message))),
    };
  },
});

const getChronicleProof = endpoint({
  operationId: "getChronicleProof",
  rules: readFromDatabase,
  method: "get",
  path: "/chronicle/{queueId}/proof",
  tag,
  summary: "The proof that a chronicle is on chain",
  description:
    "`svc verify chronicle`, or any contract with OpenZeppelin's `MerkleProof`, checks it without this service.",
  params: { queueId: z.string().max(128) },
  done: "The proof, or when to expect it.",
  answer: ChronicleProofSchema,
  errors: ["NOT_FOUND"],
  run: async ({ queueId }, { chronicleProofs }: ChronicleRoutes) =>
    chronicleProofs.proof(await chronicleProofs.find(queueId)),
});

const cursors = listCursors("chronicles", z.strictObject({ chronicleId: IdPart }));

const listChronicles = endpoint({
  operationId: "listChronicles",
  rules: { ...readFromDatabase, legacyPaths: ["/evolution/{name}"] },
  method: "get",
  path: "/chronicle/{name}",
  tag,
  summary: "An agent's chronicles, the newest first",
  params: { name: NameOrTokenIdParam },
  query: {
    page: pageParam,
    limit: limitParam(25),
    cursor: cursors.param,
    category: z.enum(CHRONICLE_CATEGORIES).optional(),
    changeType: z.string().max(64).optional(),
    includeDetails: z.enum(["true", "false"]).default("false"),
  },
  waitsForBlock: true,
  done: "One page.",
  answer: ChronicleListSchema,
  errors: ["INVALID_NAME", "NOT_FOUND", "REGISTRY_PENDING"],
  async run({ name, ...query }, { chronicles, profiles, links }: ChronicleRoutes, c) {
    const { page, limit, cursor, category, changeType, includeDetails } = query;
    const window = pageBy(limit, { cursor, counted: ["page", skippedBy(page, limit)] });
    const { at, value } = await profiles.status(name);
    const { tokenId, erc8004AgentId } = value;
    // No soul has the id 0: the list is empty before the claim.
    const found = await chronicles.list(tokenId ?? 0n, { category, changeType }, window);
    reflectsBlock(c, at);
    return {
      tokenId: idNumberOrNull(tokenId),
      erc8004AgentId: idNumberOrNull(erc8004AgentId),
      chronicles: found.chronicles.map((one) => ({
        ...listedBody(one, links),
        detail: includeDetails === "true" ? detailBody(one) : undefined,
      })),
      pagination: {
        page: pageNumber(page, cursor),
        limit,
        total: found.total,
        totalPages: Math.ceil(found.total / limit),
      },
      nextCursor: cursors.text(found.next),
    };
  },
});

const listedBody = (chronicle: RecordedChronicle, links: Links) => ({
  ...commonBody(chronicle),
  newSoulHash: chronicle.newSoulHash,
  arweaveUrl: links.storage(chronicle.archiveId),
  status: chronicle.status,
  batchId: idNumberOrNull(chronicle.batchId),
  txHash: chronicle.txHash,
  chronicleHash: chronicle.leaf,
  contentHash: chronicle.contentHash,
});

const detailBody = ({ data, authority, evidence }: RecordedChronicle) => ({
  data: { ...data },
  authority,
  signature: evidence?.signature ?? null,
  message: evidence && evolutionMessageJson(evidence.message),
  signer: evidence?.signer ?? null,
});

export const chronicleEndpoints = {
  recordChronicle,
  requestChronicle,
  getChronicleRequest,
  getChronicleProof,
  listChronicles,
};

/** `/chronicle`, and its legacy paths. */
export function chronicleRoutes(deps: ChronicleRoutes & EndpointDeps) {
  const router = createRouter();
  for (const { routes } of Object.values(chronicleEndpoints)) router.route("/", routes(deps));
  return router;
}
