import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGuides, GUIDE_FOLDERS, type MarkdownFile } from "./guides.ts";
import { createSearch } from "./search.ts";

const DOCS = fileURLToPath(new URL("../../../docs/", import.meta.url));

/**
 * Reads the documents once, when the server starts.
 *
 * @throws Error when the folder `docs` was not deployed with the code.
 */
export function buildGuides() {
  const guides = createGuides(readMarkdown());
  return { guides, docsSearch: createSearch(guides.all) };
}

function readMarkdown(): MarkdownFile[] {
  return GUIDE_FOLDERS.flatMap((folder) =>
    readdirSync(join(DOCS, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => ({
        path: folder === "" ? name : `${folder}/${name}`,
        text: readFileSync(join(DOCS, folder, name), "utf8"),
      })),
  );
}
