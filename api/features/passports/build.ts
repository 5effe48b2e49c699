import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createFileUpdateKind, type FileDeps } from "./file-update.ts";
import { createOperatedPassports } from "./operated.chain.ts";
import { createPassportFiles } from "./passport-files.ts";
import { createRegistrationFileService } from "./registration-file.ts";
import { createRegistrationFiles } from "./remembered-files.ts";
import { createPassportUpdates } from "./updates.ts";

/** Longest wait for one passport's registration file: to show it, and before it is changed. */
const READ_TIMEOUT_MS = 1_000;
const CHANGE_TIMEOUT_MS = 5_000;
const REGISTRATION_FILES_REMEMBERED = 2_000;

/** Registration files as they are read, shown and changed, and what is left to write on passports. */
export function buildPassports({
  deployment,
  chain,
  archive,
  links,
  outbound: http,
  index,
  souls,
}: Pick<Platform, "deployment" | "chain" | "archive" | "links" | "outbound"> &
  Pick<SoulReads, "index" | "souls">) {
  const { chainId, contracts } = deployment;
  const { soulRegistry, passportWriter, identityRegistry } = contracts;
  const filesWithin = (timeoutMs: number) =>
    createPassportFiles({ stored: archive.read, http, storageUrl: links.storage(""), timeoutMs });
  const passportFiles: FileDeps = {
    context: { chainId, identityRegistry, soulRegistry, passportWriter, links },
    passports: createOperatedPassports(chain, contracts),
    files: filesWithin(CHANGE_TIMEOUT_MS),
    ids: archive,
  };
  const readable = filesWithin(READ_TIMEOUT_MS);
  const files = createRegistrationFiles(readable, REGISTRATION_FILES_REMEMBERED);
  return {
    files,
    passportFiles,
    fileUpdate: createFileUpdateKind(passportFiles),
    passportUpdates: createPassportUpdates({ ...passportFiles, archive, souls }),
    registrationFiles: createRegistrationFileService({ reads: index, files: readable }),
    /** What the file at a passport's URI says; null when it cannot be read here. */
    registrationFileAt: async (uri: string | null) => (uri === null ? null : files.read(uri)),
  };
}
