import type { Hex } from "viem";
import { keccak256, stringToBytes } from "viem";
import type { OwnerMessage } from "../../../protocol/index.ts";
import type { OperationKind } from "../../operations/soul-operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { OwnedSoul } from "../../soul/chain-soul.ts";
import type { FileDeps, OwnerTransaction } from "../passports/index.ts";
import {
  agentUriTransaction,
  fileContent,
  isUnreadableFile,
  NO_EDIT,
  plannedFile,
} from "../passports/index.ts";
import { type EndedGrants, type EndedReads, endedGrants } from "./ended-grants.ts";

export interface BurnRequest {
  readonly tokenId: bigint;
  /** The owner's own words. Only their hash goes on chain. */
  readonly reason: string;
}

export interface BurnPayload {
  readonly name: string;
  readonly passportId: string;
  /** The soul's last archive; null when none is known. */
  readonly archiveId: string | null;
  /** URI of the stored registration file that says `active: false`; null when the present one cannot be read. */
  readonly inactiveUri: string | null;
  readonly ended: EndedGrants;
}

export interface Burned {
  readonly tokenId: string;
  readonly passportId: string;
  readonly name: string;
  readonly archiveId: string | null;
  readonly txHash: Hex;
  /** ISO 8601. */
  readonly burnedAt: string;
  readonly inactiveUri: string | null;
  /** Points the passport at that file: the registry freed the passport, so only its owner may. */
  readonly agentUriTransaction: OwnerTransaction | null;
  readonly ended: EndedGrants;
}

export interface BurnDeps extends FileDeps {
  readonly ended: EndedReads;
  readonly replaced: (tokenId: bigint) => Promise<{ readonly archiveId: string | null }>;
  readonly timeOf: (blockNumber: bigint) => Promise<Date>;
  readonly burnCall: (message: OwnerMessage<"Burn">, signature: Hex) => Call;
}

/** Three times what was measured; the owner's wallet may be a contract. */
const GAS = 300_000n;

/** Ends a soul for ever, by its owner. */
export function createBurnKind(
  deps: BurnDeps,
): OperationKind<BurnRequest, "Burn", BurnPayload, Burned> {
  return {
    kind: "burn",
    messageName: "Burn",
    gas: GAS,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId, reason }) => ({ tokenId: tokenId.toString(), reason }),

    async plan({ reason }, soul) {
      const [file, { archiveId }, ended] = await Promise.all([
        inactiveFile(deps, soul),
        deps.replaced(soul.tokenId),
        endedGrants(deps.ended, soul),
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

    call: ({ evidence }) => deps.burnCall(evidence.message, evidence.signature),

    async result({ tokenId, payload }, { txHash, blockNumber }) {
      const { name, passportId, archiveId, inactiveUri, ended } = payload;
      const burnedAt = (await deps.timeOf(blockNumber)).toISOString();
      return {
        tokenId: tokenId.toString(),
        passportId,
        name,
        archiveId,
        txHash,
        burnedAt,
        inactiveUri,
        agentUriTransaction:
          inactiveUri === null
            ? null
            : agentUriTransaction(deps.context, BigInt(passportId), inactiveUri),
        ended,
      };
    },
  };
}

/** The registration file of an agent that has ended; null when the present one cannot be read: that must not keep it alive. */
async function inactiveFile(deps: BurnDeps, soul: OwnedSoul) {
  try {
    const { file } = await plannedFile(deps, soul, NO_EDIT);
    const content = fileContent({ ...file, active: false });
    return { content, uri: `ar://${await deps.ids.idOf(content)}` };
  } catch (error) {
    if (isUnreadableFile(error)) return null;
    throw error;
  }
}
