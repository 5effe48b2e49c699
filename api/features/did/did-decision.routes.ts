import { z } from "@hono/zod-openapi";
import {
  type ChainAddress,
  type DidChange,
  InvalidChainAddressError,
  KEY_TYPES,
  parseAccount,
  parseChainAddress,
} from "../../../protocol/index.ts";
import { soulDecision } from "../../operations/decisions/soul-decision.routes.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { IdAnswer, idNumber, idNumberOrNull } from "../../platform/http/schemas.ts";
import { type DidDocuments, nameIn } from "./documents.ts";
import { ReferenceParam } from "./schemas.ts";
import type { DidUpdateKind } from "./update.ts";

const AccountShape = {
  chain: z.string().max(64).openapi({
    description: "CAIP-2 (`eip155:1`, `solana:<genesis>`), or a well-known chain's name.",
    example: "solana",
  }),
  address: z.string().max(128).openapi({ description: "EIP-55, or base58 of 32 bytes." }),
};

const AddAddress = z
  .strictObject({
    ...AccountShape,
    label: z.string().max(256).openapi({ description: "1 to 64 characters." }),
    keyType: z.enum(KEY_TYPES),
  })
  .transform((input, context) => orIssue(context, () => parseChainAddress(input)))
  .openapi({ type: "object" });

const RemoveAddress = z
  .strictObject(AccountShape)
  .transform((input, context) => orIssue(context, () => parseAccount(input)))
  .openapi({ type: "object" });

const Updated = z
  .object({
    did: z.string(),
    tokenId: IdAnswer,
    erc8004AgentId: IdAnswer.nullable().openapi({
      description: "Null for a change that an earlier release accepted.",
    }),
    updated: z.literal(true),
    arweaveTxId: z.string(),
    totalAddresses: z.int().min(0).openapi({ description: "Addresses that the owner lists now." }),
    txHash: z.string(),
  })
  .openapi("DidUpdated");

export const didUpdate = soulDecision({
  path: "did",
  method: "put",
  route: "/did/{name}",
  parameters: { name: ReferenceParam },
  tag: "DID",
  prepare: {
    operationId: "prepareDidUpdate",
    summary: "The EIP-712 data that an owner signs to change its agent's DID document",
  },
  perform: {
    operationId: "updateDidDocument",
    summary: "Add an address to an agent's DID document, or remove one",
    description:
      "With the owner's signature over `SetDidArchive`, from `POST /v1/typed-data/did`. The new record is stored first; the registry then names it. At most 20 addresses; their ownership is not checked.",
    done: "The document as it is from now on.",
    errors: [...OWNER_OPERATION_ERRORS, "INVALID_NAME"],
  },
  messageName: "SetDidArchive",
  shape: { addAddress: AddAddress.optional(), removeAddress: RemoveAddress.optional() },
  together: {
    isFulfilled: ({ addAddress, removeAddress }) =>
      (addAddress === undefined) !== (removeAddress === undefined),
    words: "Exactly one of addAddress and removeAddress",
  },
  answer: Updated,
  errors: [],
  kind: ({
    didUpdate,
  }: {
    readonly didUpdate: DidUpdateKind;
    readonly dids: Pick<DidDocuments, "chainId">;
  }) => didUpdate,
  request: ({ tokenId, name, ...change }, { dids }) => ({
    tokenId,
    name: name === undefined ? null : nameIn(dids, name),
    change: changeIn(change),
  }),
  answerOf: ({ tokenId, passportId, ...updated }) => ({
    ...updated,
    tokenId: idNumber(tokenId),
    erc8004AgentId: idNumberOrNull(passportId),
  }),
});

/** The change that a validated body asks for. */
function changeIn(body: {
  addAddress?: ChainAddress | undefined;
  removeAddress?: Pick<ChainAddress, "chain" | "address"> | undefined;
}): DidChange {
  if (body.addAddress !== undefined) return { kind: "add", address: body.addAddress };
  if (body.removeAddress === undefined) throw new Error("The schema lets no such body through.");
  const { chain, address } = body.removeAddress;
  return { kind: "remove", chain, address };
}

function orIssue<T>(context: z.RefinementCtx, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InvalidChainAddressError)) throw error;
    context.addIssue({ code: "custom", path: [error.field], message: error.reason });
    return z.NEVER;
  }
}
