import type { Hex } from "viem";
import { keccak256, stringToBytes } from "viem";
import type { OperationKind } from "../../operations/soul-operation.ts";
import type { OwnedSoul } from "../../soul/chain-soul.ts";
import type { FileDeps, OwnerTransaction } from "../passports/index.ts";
import {
  agentUriTransaction,
  fileContent,
  isUnreadableFile,
  NO_EDIT,
  plannedFile,
} from "../passports/index.ts";
import { type EndedGrants, endedGrants } from "./ended-grants.ts";
import type { Endings } from "./endings.ts";

interface BurnPayload {
  readonly name: string;
  readonly passportId: string;
  /** The soul's last archive; null when none is known. */
  readonly archiveId: string | null;
  /** URI of the stored registration file that says `active: false`; null when the present one cannot be read. */
  readonly inactiveUri: string | null;
  readonly ended: EndedGrants;
}

interface Burned extends BurnPayload {
  readonly tokenId: string;
  readonly txHash: Hex;
  /** ISO 8601. */
  readonly burnedAt: string;
  /** Points the passport at that file: the registry freed the passport, so only its owner may. */
  readonly agentUriTransaction: OwnerTransaction | null;
}

/** Three times what was measured; the owner's wallet may be a contract. */
const GAS = 300_000n;

/** Ends a soul for ever, by its owner. */
export function createBurnKind(endings: Endings): OperationKind<
  /** The reason is the owner's own words. Only their hash goes on chain. */
  { readonly tokenId: bigint; readonly reason: string },
  "Burn",
  BurnPayload,
  Burned
> {
  return {
    kind: "burn",
    messageName: "Burn",
    gas: GAS,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId, reason }) => ({ tokenId: tokenId.toString(), reason }),

    async plan({ reason }, soul) {
      const [file, { archiveId }, ended] = await Promise.all([
        inactiveFile(endings, soul),
        endings.replaced(soul.tokenId),
        endedGrants(endings.ended, soul),
      ]);
      return {
        fields: { reasonHash: keccak256(stringToBytes(reason)) },
        payload: {
          name: soul.name,
          passportId: soul.passportId.toString(),
          archiveId,
          inactiveUri: file?.uri ?? null,
          ended,
        },
        items: file === null ? [] : [file.content],
      };
    },

    isSuperseded: async (_operation, { status }) => status === "BURNED",

    call: ({ evidence }) => endings.chain.burn(evidence.message, evidence.signature),

    async result({ tokenId, payload }, { txHash, blockNumber }) {
      const { passportId, inactiveUri } = payload;
      const burnedAt = (await endings.chain.timeOf(blockNumber)).toISOString();
      return {
        ...payload,
        tokenId: tokenId.toString(),
        txHash,
        burnedAt,
        agentUriTransaction:
          inactiveUri === null
            ? null
            : agentUriTransaction(endings.context, BigInt(passportId), inactiveUri),
      };
    },
  };
}

/** The registration file of an agent that has ended; null when the present one cannot be read: that must not keep it alive. */
async function inactiveFile(files: FileDeps, soul: OwnedSoul) {
  try {
    const { file } = await plannedFile(files, soul, NO_EDIT);
    const content = fileContent({ ...file, active: false });
    return { content, uri: `ar://${await files.ids.idOf(content)}` };
  } catch (error) {
    if (isUnreadableFile(error)) return null;
    throw error;
  }
}
