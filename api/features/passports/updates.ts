import type { Hex } from "viem";
import type { ServiceMetadata } from "../../../protocol/service-metadata.ts";
import { serviceMetadata } from "../../../protocol/service-metadata.ts";
import type { ArchivedContent } from "../../operations/operation.ts";
import type { ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { NO_EDIT } from "./file-edit.ts";
import type { FileDeps, PlannedFile } from "./file-update.ts";
import { isUnreadableFile, plannedFile } from "./file-update.ts";
import type { OwnerTransaction } from "./owner-transactions.ts";
import {
  agentUriTransaction,
  approvalTransaction,
  metadataTransaction,
  syncTransaction,
} from "./owner-transactions.ts";

/** The metadata of a passport that does not follow its soul. */
export interface MetadataUpdates {
  readonly pendingMetadata: readonly {
    readonly key: string;
    readonly value: Hex;
    /** Writes it. Entries that the passport writer writes share one transaction. */
    readonly transaction: OwnerTransaction;
  }[];
  /** Sent before the others, it lets the passport writer write; null when nothing needs it. */
  readonly approvalTransaction: OwnerTransaction | null;
}

/** What of a passport does not follow its soul, with the transactions that change it. */
export interface PassportUpdates extends MetadataUpdates {
  /** Whether the passport points at a registration file that says something else of the soul. */
  readonly needsAgentUriUpdate: boolean;
  /** Null when nothing is to be updated, and when the file that the passport points at now cannot be read. */
  readonly agentUriTransaction: OwnerTransaction | null;
}

const NOTHING_LEFT: PassportUpdates = {
  pendingMetadata: [],
  approvalTransaction: null,
  needsAgentUriUpdate: false,
  agentUriTransaction: null,
};

export type PassportUpdateService = ReturnType<typeof createPassportUpdates>;

/** Finds what a soul that changed has left behind on its passport. */
export function createPassportUpdates(
  deps: FileDeps & {
    readonly souls: ChainSouls;
    readonly archive: { archive(content: ArchivedContent): Promise<string> };
  },
) {
  /**
   * What is left after a revision; the new registration file is stored. Nothing once the soul was changed or sold again: then
   * this is no longer what its passport should say.
   *
   * @throws ApiError CHAIN_UNAVAILABLE
   */
  async function afterRevision(revision: {
    readonly tokenId: bigint;
    readonly soulHash: Hex;
    readonly archiveId: string;
  }): Promise<PassportUpdates> {
    const { tokenId, soulHash, archiveId } = revision;
    const soul = await deps.souls.soul(tokenId);
    if (soul?.validity !== "valid" || soul.soulHash !== soulHash) return NOTHING_LEFT;
    const metadata = await metadataLeft(deps, soul.passportId, {
      tokenId,
      soulHash,
      archiveId,
      status: "SEALED",
    });
    return { ...metadata, ...(await fileLeft(soul)) };
  }

  async function fileLeft(soul: ChainSoul): Promise<Omit<PassportUpdates, keyof MetadataUpdates>> {
    const planned = await revisedFile(soul, soul.soulHash);
    // The revision is done. A file that cannot be read now must not turn its answer into an error.
    if (planned === null) return { needsAgentUriUpdate: true, agentUriTransaction: null };
    const { passport, uri, content } = planned;
    if (passport.uri === uri) return { needsAgentUriUpdate: false, agentUriTransaction: null };
    await deps.archive.archive(content);
    return {
      needsAgentUriUpdate: true,
      agentUriTransaction: agentUriTransaction(deps.context, passport.passportId, uri),
    };
  }

  /**
   * The registration file of a soul once it has that hash. Null when the file that its passport
   * points at now cannot be read.
   */
  async function revisedFile(soul: ChainSoul, soulHash: Hex): Promise<PlannedFile | null> {
    try {
      return await plannedFile(deps, { ...soul, soulHash }, NO_EDIT);
    } catch (error) {
      if (isUnreadableFile(error)) return null;
      throw error;
    }
  }

  return { afterRevision, revisedFile };
}

/** The service's metadata entries that a passport does not have as they should be, after a seal or a revision. */
export async function metadataLeft(
  { passports, context }: Pick<FileDeps, "passports" | "context">,
  passportId: bigint,
  soul: ServiceMetadata,
): Promise<MetadataUpdates> {
  const expected = serviceMetadata(soul);
  const [passport, ...current] = await Promise.all([
    passports.read(passportId),
    ...expected.map(([key]) => passports.metadata(passportId, key)),
  ]);
  return metadataUpdates(expected, current, {
    passportId,
    tokenId: soul.tokenId,
    isApproved: passport?.approved ?? false,
    isSynced: () => true,
    context,
  });
}

/** The entries of `expected` whose `current` value is another one, with what writes them. */
export function metadataUpdates(
  expected: readonly (readonly [string, Hex])[],
  current: readonly Hex[],
  soul: {
    readonly passportId: bigint;
    readonly tokenId: bigint;
    /** Whether the passport writer may write to the passport. */
    readonly isApproved: boolean;
    /** Whether `sync` writes an entry. Only the owner can write the others. */
    readonly isSynced: (key: string) => boolean;
    readonly context: FileDeps["context"];
  },
): MetadataUpdates {
  const { passportId, tokenId, isApproved, isSynced, context } = soul;
  const pendingMetadata = expected
    .filter(([, value], index) => current[index] !== value)
    .map(([key, value]) => ({
      key,
      value,
      transaction: isSynced(key)
        ? syncTransaction(context, tokenId)
        : metadataTransaction(context, passportId, key, value),
    }));
  const needsApproval = !isApproved && pendingMetadata.some(({ key }) => isSynced(key));
  return {
    pendingMetadata,
    approvalTransaction: needsApproval ? approvalTransaction(context, passportId) : null,
  };
}
