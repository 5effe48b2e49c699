import type { Context } from "hono";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { endpoint } from "../../platform/endpoint.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { pageBy, pageNumber, skippedBy } from "../../platform/http/lists/pages.ts";
import { agentWrite, publicList } from "../../platform/http/operations.ts";
import { AGENT_READ_ERRORS } from "../../platform/http/router.ts";
import { idNumber, idNumberOrNull, NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import {
  authoriseBinder,
  type BindingWrites,
  changedBinding,
  type WriteAuthority,
  writeBinding,
} from "./bindings.ts";
import type { BuiltBindings } from "./build.ts";
import type { BindingRequest } from "./pairs.ts";
import {
  BindingHistorySchema,
  BindingIdParam,
  BindingListSchema,
  BindingQuery,
  bindingCursors,
  ChangeQuery,
  CreateBindingSchema,
  CreatedBindingSchema,
  changeCursors,
  type OwnerEvidence,
  UpdateBindingSchema,
  UpdatedBindingSchema,
} from "./schemas.ts";

interface Writes {
  readonly bindings: BindingWrites;
}
type Lists = Pick<BuiltBindings, "bindingLists">;

const written = {
  rules: { ...agentWrite, access: "agent-or-signature", typedData: "binding" },
  tag: "Bindings",
  errors: [...OWNER_OPERATION_ERRORS, "FORBIDDEN", "WALLET_SIGNATURE_REQUIRED"],
} as const;

const listed = {
  rules: { ...publicList, madeFrom: "database" },
  method: "get",
  tag: "Bindings",
  waitsForBlock: true,
  done: "One page.",
  otherAnswers: { 304: { description: "The client's copy is still valid." } },
} as const;

export const createBinding = endpoint({
  ...written,
  operationId: "createBinding",
  method: "post",
  path: "/binding",
  summary: "Bind an agent to another one: how far it trusts it",
  description:
    "With the agent's API key or its owner's session the binding has `SERVICE` authority. With the owner's EIP-712 signature (`signature`, `message`, `signer`) over `SetBinding`, from `POST /v1/typed-data/binding`, it has `OWNER` authority. What the owner set, only the owner's signature changes. Two agents have one binding in each direction: a second request changes it.",
  body: CreateBindingSchema,
  status: 201,
  done: "The binding is on chain.",
  answer: CreatedBindingSchema,
  async run({ body }, { bindings }: Writes, c) {
    const { tokenId, partnerTokenId, trustLevel, context, ...signed } = body;
    const request = { fromTokenId: tokenId, toTokenId: partnerTokenId, trustLevel, context };
    const {
      updatedAt: _same,
      previousTrustLevel: _none,
      ...created
    } = await write(c, bindings, request, signed);
    return created;
  },
});

export const updateBinding = endpoint({
  ...written,
  operationId: "updateBinding",
  method: "put",
  path: "/binding/{bindingId}",
  params: { bindingId: BindingIdParam },
  summary: "Change how far an agent trusts another, or revoke it",
  description:
    "With the credentials of `POST /v1/binding`. `tokenId` is the agent that trusts. It can revoke a binding with an agent that was sold or burned.",
  body: UpdateBindingSchema,
  done: "The change is on chain.",
  answer: UpdatedBindingSchema,
  async run({ bindingId, body }, { bindings }: Writes, c) {
    const { tokenId: fromTokenId, trustLevel, context, ...signed } = body;
    const caller = c.get("caller");
    // Before the binding is looked up: a caller without authority learns nothing else.
    if (!signed.signature) await authoriseBinder(bindings, caller, fromTokenId);
    const change = { bindingId, fromTokenId, trustLevel, context };
    return write(c, bindings, await changedBinding(bindings, change), signed);
  },
});

export const listBindings = endpoint({
  ...listed,
  operationId: "listBindings",
  path: "/binding/{name}",
  params: { name: NameOrTokenIdParam },
  query: BindingQuery,
  summary: "The bindings of an agent, the newest first",
  done: "One page. A reseal of either agent ends a binding.",
  answer: BindingListSchema,
  errors: AGENT_READ_ERRORS,
  async run({ name, page, limit, cursor, ...query }, { bindingLists }: Lists, c) {
    const { direction, trustLevel, includeEnded } = query;
    const { at, value } = await bindingLists.ofAgent(
      name,
      { direction, trustLevel, includeEnded },
      pageBy(limit, { cursor, counted: ["page", skippedBy(page, limit)] }),
    );
    reflectsBlock(c, at);
    return {
      agentName: value.agentName,
      tokenId: idNumberOrNull(value.tokenId),
      erc8004AgentId: idNumberOrNull(value.passportId),
      genesisStatus: value.genesisStatus,
      totalBindings: value.total,
      page: pageNumber(page, cursor),
      limit,
      bindings: value.bindings.map((binding) => ({
        bindingId: binding.bindingId,
        partnerAgent: binding.partnerAgent,
        partnerTokenId: idNumber(binding.partnerTokenId),
        trustLevel: binding.trustLevel,
        direction: binding.direction,
        context: binding.context,
        authority: binding.authority,
        authoritySince: binding.authoritySince.toISOString(),
        live: binding.live,
        createdAt: binding.createdAt.toISOString(),
        updatedAt: binding.updatedAt.toISOString(),
        txHash: binding.txHash,
      })),
      nextCursor: bindingCursors.text(value.next),
    };
  },
});

export const getBindingHistory = endpoint({
  ...listed,
  operationId: "getBindingHistory",
  path: "/binding/{bindingId}/history",
  params: { bindingId: BindingIdParam },
  query: ChangeQuery,
  summary: "Every change of a binding, the newest first",
  answer: BindingHistorySchema,
  errors: ["INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING"],
  async run({ bindingId, page, limit, cursor }, { bindingLists }: Lists, c) {
    const window = pageBy(limit, { cursor, counted: ["page", skippedBy(page, limit)] });
    const { at, value } = await bindingLists.history(bindingId, window);
    reflectsBlock(c, at);
    return {
      bindingId,
      fromAgent: value.fromAgent,
      toAgent: value.toAgent,
      totalChanges: value.total,
      page: pageNumber(page, cursor),
      limit,
      changes: value.changes.map(({ toEpoch, changedAt, ...change }) => ({
        ...change,
        partnerEpoch: toEpoch,
        changedAt: changedAt.toISOString(),
      })),
      nextCursor: changeCursors.text(value.next),
    };
  },
});

/** Writes with the signature of a request, or else as its caller. The schema lets no part of a signature through alone. */
async function write(
  c: Context<AppEnv>,
  bindings: BindingWrites,
  request: BindingRequest,
  { message, signature, signer }: OwnerEvidence,
) {
  const authority: WriteAuthority =
    message && signature && signer
      ? { kind: "owner", evidence: { message, signature, signer } }
      : { kind: "caller", caller: c.get("caller") };
  const binding = await writeBinding(bindings, request, authority, requesterOf(c));
  c.header(INDEXED_BLOCK_HEADER, binding.indexedBlock.toString());
  return {
    bindingId: binding.bindingId,
    fromAgent: binding.fromAgent,
    toAgent: binding.toAgent,
    fromTokenId: Number(binding.fromTokenId),
    toTokenId: Number(binding.toTokenId),
    trustLevel: binding.trustLevel,
    context: binding.context,
    authority: binding.authority,
    authoritySince: binding.authoritySince.toISOString(),
    txHash: binding.txHash,
    previousTrustLevel: binding.previousTrustLevel,
    createdAt: binding.createdAt.toISOString(),
    updatedAt: binding.writtenAt,
  };
}
