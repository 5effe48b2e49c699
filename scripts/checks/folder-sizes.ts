import { dirname } from "node:path";

/** The most files that a folder of `api/` or `web/` may hold. A reader finds a file by its folder's name. */
const FOLDER_FILE_LIMIT = 22;

/** Sentences about folders that hold more; migrations are written by a tool, one file each. */
export function folderProblems(paths: readonly string[], limit = FOLDER_FILE_LIMIT): string[] {
  const files = new Map<string, number>();
  for (const path of paths) {
    const folder = dirname(path);
    if (!folder.includes("/migrations")) files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  return [...files]
    .filter(([, count]) => count > limit)
    .map(
      ([folder, count]) => `${folder} holds ${count} files, above the limit of ${limit}: split it.`,
    );
}
