import type { Address, Hex } from "viem";
import { isAddressEqual } from "viem";
import { ApiError } from "../errors.ts";
import type { ArchivedContent, OperatedSoul } from "./owner-operations.ts";
import type { OwnerTransaction } from "./owner-transactions.ts";
import { agentUriTransaction, metadataTransaction } from "./owner-transactions.ts";
import type { ServiceMetadata } from "./pending-metadata.ts";
import { serviceMetadata } from "./pending-metadata.ts";
import { NO_EDIT } from "./registration-file-edit.ts";
import type { FileDeps } from "./registration-file-update.ts";
import { plannedFile } from "./registration-file-update.ts";

/** A metadata entry that is left for the owner to write on the passport. */
export interface PendingPassportMetadata {
  readonly key: string;
  readonly value: Hex;
  readonly transaction: OwnerTransaction;
}

/** What of a passport does not follow its soul, with the owner's transactions that change it. */
export interface PassportUpdates {
  readonly pendingMetadata: readonly PendingPassportMetadata[];
  /** Whether the passport points at a registration file that says something else of the soul. */
  readonly needsAgentUriUpdate: boolean;
  /** Null when nothing is to be updated, and when the file that the passport points at now cannot be read. */
  readonly agentUriTransaction: OwnerTransaction | null;
}

const NOTHING_LEFT: PassportUpdates = {
  pendingMetadata: [],
  needsAgentUriUpdate: false,
  agentUriTransaction: null,
};

export interface PassportUpdateDeps extends FileDeps {
  readonly souls: { soul(tokenId: bigint): Promise<OperatedSoul> };
  readonly archive: { archive(content: ArchivedContent): Promise<string> };
}

export type PassportUpdateService = ReturnType<typeof createPassportUpdates>;

/** Finds what a soul that changed has left behind on its passport. */
export function createPassportUpdates(deps: PassportUpdateDeps) {
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
    const { status, sealer, passportOwner } = soul;
    const isOwned = passportOwner !== null && isAddressEqual(passportOwner, sealer);
    if (status !== "SEALED" || !isOwned || soul.soulHash !== soulHash) return NOTHING_LEFT;
    const pendingMetadata = await metadataLeft(deps, soul.passportId, {
      ...{ tokenId, soulHash, archiveId, status },
    });
    return { pendingMetadata, ...(await fileLeft(soul)) };
  }

  async function fileLeft(soul: OperatedSoul): Promise<Omit<PassportUpdates, "pendingMetadata">> {
    try {
      const { passport, uri, content } = await plannedFile(deps, soul, NO_EDIT);
      if (passport.uri === uri) return { needsAgentUriUpdate: false, agentUriTransaction: null };
      await deps.archive.archive(content);
      return {
        needsAgentUriUpdate: true,
        agentUriTransaction: agentUriTransaction(deps.context, passport.passportId, uri),
      };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      // The revision is done. A file that cannot be read now must not turn its answer into an error.
      return { needsAgentUriUpdate: true, agentUriTransaction: null };
    }
  }

  return { afterRevision };
}

/** The service's metadata entries that a passport does not have as they should be. Contracts read none of them. */
export async function metadataLeft(
  { passports, context }: Pick<FileDeps, "passports" | "context">,
  passportId: bigint,
  soul: ServiceMetadata,
): Promise<PendingPassportMetadata[]> {
  const expected = serviceMetadata(soul);
  const current = await Promise.all(expected.map(([key]) => passports.metadata(passportId, key)));
  return pendingEntries(expected, current, { passportId, context });
}

/** The entries of `expected` whose `current` value is another one. */
export function pendingEntries(
  expected: readonly (readonly [string, Hex])[],
  current: readonly Hex[],
  {
    passportId,
    context,
  }: {
    readonly passportId: bigint;
    readonly context: {
      readonly chainId: number;
      readonly identityRegistry: Address;
      readonly soulRegistry: Address;
    };
  },
): PendingPassportMetadata[] {
  return expected
    .filter(([, value], index) => current[index] !== value)
    .map(([key, value]) => ({
      ...{ key, value },
      transaction: metadataTransaction(context, passportId, key, value),
    }));
}

function isUnreadable(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.type === "INVALID_REQUEST" || error.type === "STORAGE_UNAVAILABLE")
  );
}
