import { endpoint } from "../../platform/endpoint.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { ownerSigned } from "../../platform/http/operations.ts";
import { idNumber } from "../../platform/http/schemas.ts";
import {
  REINCARNATION_ERRORS,
  ReincarnatedSchema,
  ReincarnationSchema,
  successorInput,
} from "./reincarnation.schemas.ts";
import type { Reincarnations } from "./reincarnation.ts";

export const reincarnateAgent = endpoint({
  operationId: "reincarnateAgent",
  rules: {
    ...ownerSigned,
    typedData: "reincarnate",
    rate: "register",
    largeIntegers: "text",
  },
  method: "post",
  path: "/reincarnate",
  tag: "Death and reincarnation",
  summary: "Register the successor of a burned agent, by its last owner's signature",
  description:
    "A registration on a new passport, under a new name, that names the soul that ended as its parent. Send an `Idempotency-Key`, so that the answer, which holds the API key, can be read again after a lost connection.",
  body: ReincarnationSchema,
  status: 201,
  done: "Registered, and visible to reads from block `X-Svc-Block` on.",
  answer: ReincarnatedSchema,
  errors: [
    ...REINCARNATION_ERRORS,
    ...(["INVALID_SIGNATURE", "NONCE_EXPIRED", "NONCE_USED", "WALLET_NOT_DEPLOYED"] as const),
    ...(["IDEMPOTENCY_CONFLICT", "GAS_BUDGET_EXHAUSTED", "REGISTRY_PENDING"] as const),
  ],
  async run({ body }, { reincarnations }: { readonly reincarnations: Reincarnations }, c) {
    const { message, signature, signer, ...request } = body;
    const { registered, parent, ...likeness } = await reincarnations.reincarnate(
      successorInput(request),
      { message, signature, signer },
      requesterOf(c),
    );
    c.header(INDEXED_BLOCK_HEADER, registered.indexedBlock.toString());
    return {
      tokenId: idNumber(registered.tokenId),
      erc8004AgentId: idNumber(registered.erc8004AgentId),
      agentName: registered.agentName,
      did: registered.did,
      profileUrl: registered.profileUrl,
      parentTokenId: idNumber(parent.tokenId),
      parentErc8004AgentId: idNumber(parent.passportId),
      parentName: parent.name,
      ...likeness,
      genesisStatus: registered.genesisStatus,
      soulHash: registered.soulHash,
      soulMerkleRoot: registered.soulMerkleRoot,
      arweaveTxId: registered.arweaveTxId,
      mintTxHash: registered.mintTxHash,
      erc8004TxHash: registered.mintTxHash,
      apiKey: registered.apiKey,
      documentUploadUrls: registered.documentUploadUrls.map((upload) => ({
        ...upload,
        expiresAt: upload.expiresAt.toISOString(),
      })),
    };
  },
});
