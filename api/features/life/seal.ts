import type { Address, Hex } from "viem";
import { sha256, stringToBytes, zeroAddress } from "viem";
import type { HumanProof } from "../../../protocol/index.ts";
import { canonicalJson, didOf, NO_HUMAN_PROOF } from "../../../protocol/index.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { OperationKind, OwnerEvidence } from "../../operations/soul-operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { FileDeps, MetadataUpdates, OwnerTransaction } from "../passports/index.ts";
import {
  agentUriTransaction,
  looseWithoutIds,
  metadataLeft,
  NO_EDIT,
  plannedFile,
} from "../passports/index.ts";
import { signedProof } from "../registration/index.ts";

export interface SealRequest {
  readonly tokenId: bigint;
  /** That the owner is a person; null for no proof. There is no other time for one. */
  readonly humanProof: HumanProof | null;
}

export interface SealPayload {
  readonly passportId: string;
  readonly name: string;
  readonly archiveId: string;
  readonly humanProof: HumanProof | null;
}

export interface Sealed extends MetadataUpdates {
  readonly tokenId: string;
  readonly passportId: string;
  readonly name: string;
  readonly did: string;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  readonly contentHash: Hex;
  readonly archiveId: string;
  readonly txHash: Hex;
  readonly humanVerified: boolean;
  readonly agentURI: string;
  /** Null when the passport points at that file. */
  readonly agentUriTransaction: OwnerTransaction | null;
}

export interface SealDeps extends FileDeps {
  /** Id of the archived soul that a registration of this service made; null when it made none of this name. */
  archiveOfRegistered(name: string): Promise<string | null>;
  sealCall(evidence: OwnerEvidence<"Seal">, archiveId: string, humanProof: HumanProof): Call;
}

/** Seals a provisional soul as it was registered. */
export function createSealKind(
  deps: SealDeps,
): OperationKind<SealRequest, "Seal", SealPayload, Sealed> {
  const { context } = deps;
  return {
    kind: "seal",
    messageName: "Seal",
    // With a proof of personhood, four metadata entries and a URI that are written for the first time.
    gas: 1_200_000n,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId, humanProof }) => ({ tokenId: tokenId.toString(), humanProof }),

    async plan({ humanProof }, soul) {
      if (soul.status === "SEALED") throw new ApiError("ALREADY_SEALED");
      const archiveId = await deps.archiveOfRegistered(soul.name);
      if (archiveId === null) {
        throw new ApiError("NOT_FOUND", {
          message: "This service did not register the soul, and has nothing to publish of it.",
        });
      }
      const stated = { ...soul, humanVerified: humanProof !== null };
      const { passport, file, content, uri } = await plannedFile(deps, stated, NO_EDIT);
      return {
        fields: {
          soulHash: soul.soulHash,
          soulMerkleRoot: soul.soulMerkleRoot,
          contentHash: sha256(stringToBytes(canonicalJson(looseWithoutIds(file)))),
          agentURI: uri,
          ...signedProof(humanProof),
        },
        payload: {
          passportId: passport.passportId.toString(),
          name: soul.name,
          archiveId,
          humanProof,
        },
        items: [content],
      };
    },

    isSuperseded: async ({ evidence }, { status, soulHash }) =>
      status === "SEALED" && soulHash === evidence.message.soulHash,

    call: ({ payload, evidence }) =>
      deps.sealCall(evidence, payload.archiveId, payload.humanProof ?? NO_HUMAN_PROOF),

    async result({ tokenId, payload, evidence }, { txHash }) {
      const { name, archiveId, humanProof } = payload;
      const { soulHash, soulMerkleRoot, contentHash, agentURI } = evidence.message;
      const passportId = BigInt(payload.passportId);
      const passport = await deps.passports.read(passportId);
      const isCurrent = passport?.uri === agentURI;
      return {
        tokenId: tokenId.toString(),
        passportId: payload.passportId,
        name,
        did: didOf(context.chainId, name),
        soulHash,
        soulMerkleRoot,
        contentHash,
        archiveId,
        txHash,
        agentURI,
        humanVerified: humanProof !== null,
        agentUriTransaction: isCurrent ? null : agentUriTransaction(context, passportId, agentURI),
        ...(await metadataLeft(deps, passportId, {
          tokenId,
          soulHash,
          archiveId,
          status: "SEALED",
        })),
      };
    },
  };
}

/** The adapter's address and its data, as a caller may send them, or a World ID proof for the deployment's own adapter. */
export function humanProofFor(
  {
    humanProof,
    worldIdProof,
  }: {
    readonly humanProof?: HumanProof | undefined;
    readonly worldIdProof?: Hex | undefined;
  },
  worldIdVerifier: Address | null,
): HumanProof | null {
  const refuse = (message: string, path = "worldIdProof") => badRequest(path, message);
  // To the contract the zero address means that there is no proof.
  if (humanProof?.verifier === zeroAddress) {
    throw refuse("The zero address is no adapter", "humanProof.verifier");
  }
  if (worldIdProof === undefined) return humanProof ?? null;
  if (humanProof !== undefined) throw refuse("There is a humanProof already");
  if (worldIdVerifier === null) throw refuse("This deployment verifies no such proofs");
  return { verifier: worldIdVerifier, data: worldIdProof };
}
