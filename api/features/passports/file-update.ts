import type { Address, Hex } from "viem";
import { keccak256, stringToBytes } from "viem";
import { isPlainObject } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ContentIds } from "../../operations/operation.ts";
import { setAgentUriCall } from "../../operations/operations.chain.ts";
import type { OperationKind } from "../../operations/soul-operation.ts";
import type { FileContext, FileEdit, FileSoul, LooseFile } from "./file-edit.ts";
import { changedFields, editedFile, fileContent, MAX_FILE_BYTES } from "./file-edit.ts";
import type { OperatedPassports } from "./operated.chain.ts";
import { approvalTransaction } from "./owner-transactions.ts";
import { ANYWHERE, type PassportFiles, unreadableFile } from "./passport-files.ts";

/** What registration files are read and planned with. */
export interface FileDeps {
  readonly context: FileContext & {
    readonly soulRegistry: Address;
    readonly passportWriter: Address;
  };
  readonly passports: OperatedPassports;
  readonly files: PassportFiles;
  readonly ids: ContentIds;
}

/** A new registration file for a passport, before anything of it is stored. */
export type PlannedFile = Awaited<ReturnType<typeof plannedFile>>;

/** Applies an edit to the current registration file of a soul's passport. */
export async function plannedFile(
  { context, passports, files, ids }: FileDeps,
  soul: FileSoul,
  edit: FileEdit,
) {
  const passport = await passports.read(soul.passportId);
  // The passport was freed between two reads.
  if (passport === null || passport.tokenId !== soul.tokenId) throw new ApiError("NOT_FOUND");
  const current = await currentFile(files, passport.uri);
  const file = editedFile(current, edit, soul, context);
  const content = fileContent(file);
  const storageId = await ids.idOf(content);
  const previousURIHash = keccak256(stringToBytes(passport.uri));
  const uri = `ar://${storageId}`;
  return { passport, current, file, content, storageId, uri, previousURIHash };
}

/**
 * The file that a passport points at now; null when its URI is empty.
 *
 * @throws ApiError STORAGE_UNAVAILABLE when it does not answer now; INVALID_REQUEST when it cannot be
 * read, or is no registration file: what it holds would be lost with the next one.
 */
async function currentFile(files: PassportFiles, uri: string): Promise<LooseFile | null> {
  if (uri === "") return null;
  const found = await files.read(uri, ANYWHERE);
  if ("refused" in found) throw unreadableFile(uri, found.refused);
  const file = jsonObject(found.text);
  if (file === null || Buffer.byteLength(found.text) > MAX_FILE_BYTES) {
    throw unreadableFile(uri, "unusable");
  }
  return file;
}

function jsonObject(text: string): LooseFile | null {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether {@link plannedFile} failed because the file that the passport points at cannot be read. */
export function isUnreadableFile(error: unknown): boolean {
  const unreadable = ["INVALID_REQUEST", "STORAGE_UNAVAILABLE"];
  return error instanceof ApiError && unreadable.includes(error.type);
}

/** Refuses a file that the passport points at already. */
export function assertFileChanges({ passport, uri }: PlannedFile): void {
  if (uri !== passport.uri) return;
  throw new ApiError("INVALID_REQUEST", {
    message: "The passport points at exactly this registration file already.",
    details: { agentUri: uri },
  });
}

interface FileUpdate {
  readonly passportId: string;
  readonly updatedFields: readonly string[];
}

/**
 * Writes a new registration file, and points the passport at it through the passport writer.
 *
 * Its plan refuses with APPROVAL_REQUIRED, with the owner's ready transaction, while the passport writer may not write to the passport.
 */
export function createFileUpdateKind(
  deps: FileDeps,
): OperationKind<
  { readonly tokenId: bigint; readonly edit: FileEdit },
  "SetAgentURI",
  FileUpdate,
  FileUpdate & { readonly agentURI: string; readonly txHash: Hex }
> {
  return {
    kind: "registration_file",
    messageName: "SetAgentURI",
    // A long URI in a word for each 32 bytes; twice what the largest was measured with.
    gas: 400_000n,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId, edit }) => ({ tokenId: tokenId.toString(), edit: definedOnly(edit) }),

    async plan({ edit }, soul) {
      const planned = await plannedFile(deps, soul, edit);
      const { passport, current, file, content, uri, previousURIHash } = planned;
      if (!passport.approved) {
        throw new ApiError("APPROVAL_REQUIRED", {
          details: {
            erc8004AgentId: passport.passportId,
            transaction: approvalTransaction(deps.context, passport.passportId),
          },
        });
      }
      assertFileChanges(planned);
      return {
        fields: { previousURIHash, agentURI: uri },
        payload: {
          passportId: passport.passportId.toString(),
          updatedFields: changedFields(current, file),
        },
        items: [content],
      };
    },

    async isSuperseded({ payload, evidence }) {
      const passport = await deps.passports.read(BigInt(payload.passportId));
      return passport?.uri === evidence.message.agentURI;
    },

    call: ({ evidence }) => setAgentUriCall(deps.context.passportWriter, evidence),

    result: async ({ payload, evidence }, { txHash }) => ({
      ...payload,
      agentURI: evidence.message.agentURI,
      txHash,
    }),
  };
}

/** JSON has no `undefined`. */
export function definedOnly(edit: FileEdit): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({
      ...edit,
      services: edit.services.map((entry) =>
        Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)),
      ),
    }).filter(([, value]) => value !== undefined),
  );
}
