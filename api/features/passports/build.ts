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

type FileOptions = Pick<Platform, "deployment" | "chain" | "archive" | "links" | "outbound">;

function passportFilesOf({ archive, links, outbound }: FileOptions, timeoutMs: number) {
  const storageUrl = links.storage("");
  return createPassportFiles({ stored: archive.read, http: outbound, storageUrl, timeoutMs });
}

/** What reads and plans the registration files that passports point at. */
function buildPassportFiles(options: FileOptions): FileDeps {
  const { deployment, chain: client, archive, links } = options;
  const { soulRegistry, passportWriter, identityRegistry } = deployment.contracts;
  return {
    context: {
      chainId: deployment.chainId,
      identityRegistry,
      soulRegistry,
      passportWriter,
      links,
    },
    passports: createOperatedPassports({
      client,
      soulRegistry,
      passportWriter,
      identityRegistry,
    }),
    files: passportFilesOf(options, CHANGE_TIMEOUT_MS),
    ids: archive,
  };
}

/** Registration files as they are read, shown and changed, and what is left to write on passports. */
export function buildPassports(options: FileOptions & Pick<SoulReads, "index" | "souls">) {
  const { archive, index, souls } = options;
  const passportFiles = buildPassportFiles(options);
  const readable = passportFilesOf(options, READ_TIMEOUT_MS);
  const files = createRegistrationFiles(readable, REGISTRATION_FILES_REMEMBERED);
  return {
    files,
    passportFiles,
    fileUpdate: createFileUpdateKind(passportFiles),
    passportUpdates: createPassportUpdates({ ...passportFiles, archive, souls }),
    registrationFiles: createRegistrationFileService({
      reads: index,
      files: readable,
    }),
    /** What the file at a passport's URI says; null when it cannot be read here. */
    registrationFileAt: async (uri: string | null) => (uri === null ? null : files.read(uri)),
  };
}
