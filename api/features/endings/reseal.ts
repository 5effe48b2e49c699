import type { Address, Hex } from "viem";
import { hexToBytes, isAddressEqual, sha256, stringToBytes, zeroAddress } from "viem";
import type { Field, FieldLeaf, HumanProof } from "../../../protocol/index.ts";
import { canonicalJson, NO_HUMAN_PROOF } from "../../../protocol/index.ts";
import { apiKeyOf, storedKeyOf } from "../../kernel/api-keys.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { OperationSecrets } from "../../operations/operation.ts";
import type { OperationKind, OwnerOperation } from "../../operations/soul-operation.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import { issueOwnerKey } from "../keys/index.ts";
import type { FileDeps, MetadataUpdates, OwnerTransaction } from "../passports/index.ts";
import {
  agentUriTransaction,
  editedFile,
  fileContent,
  isUnreadableFile,
  looseWithoutIds,
  metadataLeft,
  NO_EDIT,
  plannedFile,
} from "../passports/index.ts";
import {
  assertConsistent,
  assertNamed,
  jsonContent,
  signedProof,
  soulArchiveJson,
} from "../registration/index.ts";
import { type EndedGrants, endedGrants } from "./ended-grants.ts";
import { storeSecret } from "./endings.store.ts";
import type { Endings } from "./endings.ts";
import { type MovedSoul, readMoved } from "./moved-soul.ts";

/** A new soul for an agent whose passport has a new owner, or came back. */
interface ResealRequest {
  readonly tokenId: bigint;
  readonly soulHash: Hex;
  /** Never published. */
  readonly soulSalt: Hex;
  readonly soulMerkleRoot: Hex;
  readonly merkleLeaves: readonly FieldLeaf[];
  readonly publicFields: Readonly<Partial<Record<Field, unknown>>>;
  /** The agent's own account from now on; null: the owner acts for it. */
  readonly operator: Address | null;
  /** An archive that its owner stored; null for the one that the service makes. */
  readonly archiveId: string | null;
  /** That the new owner is a person; null for no proof. */
  readonly humanProof: HumanProof | null;
}

interface ResealPayload {
  readonly name: string;
  readonly passportId: string;
  readonly archiveId: string;
  /** Of the soul before; null when none is known. */
  readonly previousArchiveId: string | null;
  readonly humanProof: HumanProof | null;
  readonly leaves: readonly FieldLeaf[];
  /** Undefined in operations of versions that did not store them. */
  readonly publicFields: Readonly<Partial<Record<Field, unknown>>> | undefined;
  readonly ended: EndedGrants;
}

interface Resealed extends MetadataUpdates {
  readonly tokenId: string;
  readonly passportId: string;
  readonly name: string;
  readonly epoch: number;
  readonly newOwner: Address;
  readonly soulHash: Hex;
  readonly archiveId: string;
  readonly previousArchiveId: string | null;
  readonly txHash: Hex;
  readonly valid: boolean;
  readonly agentURI: string;
  /** Null when the passport points at that file. */
  readonly agentUriTransaction: OwnerTransaction | null;
  readonly ended: EndedGrants;
}

const SALT = "soulSalt";
const API_KEY_PURPOSE = "resealed-api-key";

/** With a proof of personhood, four metadata entries and a URI that are written for the first time. */
const GAS = 1_400_000n;

/** The new owner's API key: derived, so that the request that was accepted can show it again, and no copy of it rests anywhere. */
export function resealKey(secrets: Secrets, operationKey: string, tokenId: bigint): string {
  return apiKeyOf("live", secrets.hmac(API_KEY_PURPOSE, [operationKey, tokenId.toString()]));
}

/** Seals a new soul, by which the passport's owner ends a suspension and begins an epoch. */
export function createResealKind(
  endings: Endings,
): OperationKind<ResealRequest, "Reseal", ResealPayload, Resealed> {
  return {
    kind: "reseal",
    messageName: "Reseal",
    role: "newOwner",
    gas: GAS,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId, ...request }) => ({ ...request, tokenId: tokenId.toString() }),
    read: ({ tokenId }) => readMoved(endings, tokenId),
    plan: (request, soul: MovedSoul) => plan(endings, request, soul),

    call({ payload, evidence: { message, signature } }) {
      const { archiveId, humanProof } = payload;
      return endings.chain.reseal(message, signature, archiveId, humanProof ?? NO_HUMAN_PROOF);
    },

    result: (operation, { txHash }) => resultOf(endings, operation, txHash),

    async follow(tx, { tokenId, epoch, payload, evidence, secrets: kept, operationKey }) {
      const { soulHash } = evidence.message;
      const saltEncrypted = kept?.[SALT];
      if (!saltEncrypted) throw new Error("A reseal has lost its salt.");
      const grants = { tokenId, epoch: epoch + 1 };
      await storeSecret(tx, {
        ...grants,
        soulHash,
        saltEncrypted,
        leaves: payload.leaves,
        publicFields: payload.publicFields ?? null,
      });
      const key = storedKeyOf(resealKey(endings.secrets, operationKey, tokenId));
      await issueOwnerKey(tx, { ...key, ...grants, at: endings.clock() }, endings.wasStopped);
    },

    isSuperseded: async ({ evidence: { message } }, { epoch, soulHash }) =>
      epoch === message.epoch + 1 && soulHash === message.soulHash,
  };
}

async function plan(endings: Endings, request: ResealRequest, soul: MovedSoul) {
  const { tokenId, name, owner: newOwner, observedBlock } = soul;
  assertConsistent({ ...request, soulDocuments: null });
  assertNamed({
    ...request,
    agentName: name,
    agentType: soul.agentType,
    publicIdentity: {},
  });
  const replaced = await endings.replaced(tokenId);
  // The sealer who takes its soul back is still the person who was attested.
  const isAttested = isAddressEqual(newOwner, soul.sealer) && replaced.humanVerifier !== null;
  const humanVerified = request.humanProof !== null || isAttested;
  const { file, content, uri } = await fileOf(endings, {
    ...soul,
    soulHash: request.soulHash,
    humanVerified,
  });
  const archive = jsonContent(
    soulArchiveJson(
      {
        ...request,
        agentName: name,
        agentType: soul.agentType,
        ownerAddress: newOwner,
        operatorAddress: request.operator,
        publicIdentity: {},
        birthBundle: null,
        soulDocuments: null,
        parentTokenId: replaced.parentTokenId,
        organizationId: 0n,
        sourceFormat: null,
      },
      endings.registrationContext,
    ),
  );
  const madeId = await endings.ids.idOf(archive);
  const isOwn = request.archiveId !== null && request.archiveId !== madeId;
  if (isOwn) await assertArchive(endings.archive, request);
  const fields = {
    newOwner,
    operator: request.operator ?? zeroAddress,
    observedBlock,
    soulHash: request.soulHash,
    soulMerkleRoot: request.soulMerkleRoot,
    contentHash: sha256(stringToBytes(canonicalJson(looseWithoutIds(file)))),
    agentURI: uri,
    ...signedProof(request.humanProof),
  };
  const ended = await endedGrants(endings.ended, soul);
  const salt = hexToBytes(request.soulSalt);
  const kept: OperationSecrets = {
    [SALT]: endings.secrets.encrypt(SALT_PURPOSE, salt, request.soulHash),
  };
  return {
    fields,
    payload: {
      name,
      passportId: soul.passportId.toString(),
      archiveId: isOwn ? (request.archiveId ?? madeId) : madeId,
      previousArchiveId: replaced.archiveId,
      humanProof: request.humanProof,
      leaves: request.merkleLeaves,
      publicFields: request.publicFields,
      ended,
    },
    secrets: kept,
    items: isOwn ? [content] : [content, archive],
  };
}

/** What the passport points at, with the new soul. What cannot be read is not carried over. */
async function fileOf(files: FileDeps, soul: Parameters<typeof plannedFile>[1]) {
  try {
    return await plannedFile(files, soul, NO_EDIT);
  } catch (error) {
    if (!isUnreadableFile(error)) throw error;
    const file = editedFile(null, NO_EDIT, soul, files.context);
    const content = fileContent(file);
    return { file, content, uri: `ar://${await files.ids.idOf(content)}` };
  }
}

async function resultOf(
  endings: Endings,
  { tokenId, payload, evidence: { message } }: OwnerOperation<"Reseal", ResealPayload>,
  txHash: Hex,
): Promise<Resealed> {
  const { soulHash, newOwner, agentURI } = message;
  const { name, archiveId, previousArchiveId, ended } = payload;
  const passportId = BigInt(payload.passportId);
  const epoch = message.epoch + 1;
  const [passport, now] = await Promise.all([
    endings.passports.read(passportId),
    endings.souls.soul(tokenId),
  ]);
  const isCurrent = passport?.uri === agentURI;
  return {
    tokenId: tokenId.toString(),
    passportId: payload.passportId,
    name,
    epoch,
    newOwner,
    soulHash,
    archiveId,
    previousArchiveId,
    txHash,
    valid: now?.epoch === epoch && now.validity === "valid",
    agentURI,
    agentUriTransaction: isCurrent
      ? null
      : agentUriTransaction(endings.context, passportId, agentURI),
    ended,
    ...(await metadataLeft(endings, passportId, {
      tokenId,
      soulHash,
      archiveId,
      status: "SEALED",
    })),
  };
}

/**
 * Refuses an archive of the owner's own that is not of this soul.
 *
 * @throws ApiError NOT_FOUND when it cannot be read; HASH_MISMATCH.
 */
async function assertArchive(
  archive: Endings["archive"],
  { archiveId, soulHash, soulMerkleRoot }: ResealRequest,
): Promise<void> {
  const item = archiveId === null ? null : await archive.read(archiveId);
  if (item === null) {
    throw new ApiError("NOT_FOUND", {
      message: "There is no item with the id of newArweaveTxId. Leave it out to have one made.",
      details: { newArweaveTxId: archiveId },
    });
  }
  const archived = parsed(item.data);
  if (archived?.soulHash === soulHash && archived.soulMerkleRoot === soulMerkleRoot) return;
  throw new ApiError("HASH_MISMATCH", {
    message: "The item of newArweaveTxId is not an archive of this soul.",
    details: { newArweaveTxId: archiveId, soulHash, soulMerkleRoot },
  });
}

function parsed(data: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(data));
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
