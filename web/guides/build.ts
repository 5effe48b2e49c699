import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AsPlainObject } from "minisearch";
import {
  createGuides,
  GUIDE_FOLDERS,
  type Guide,
  listGuides,
  type MarkdownFile,
} from "./guides.ts";
import { createSearch, indexGuides, openSearch } from "./search.ts";

const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));

/** Written by `npm run build:service` in its output; a clone has none. */
export const RENDERED_GUIDES_FILE = new URL("./guides.built.json", import.meta.url);

/** The documents as pages, and their index, as they are stored. */
interface RenderedGuides {
  readonly guides: readonly Guide[];
  readonly index: AsPlainObject;
}

/**
 * Reads the documents once, when the server starts. A clone has only their sources, which are
 * rendered then.
 *
 * @throws Error when neither was deployed with the code.
 */
export function buildGuides() {
  if (existsSync(RENDERED_GUIDES_FILE)) {
    const rendered = JSON.parse(readFileSync(RENDERED_GUIDES_FILE, "utf8")) as RenderedGuides;
    return { guides: listGuides(rendered.guides), docsSearch: openSearch(rendered.index) };
  }
  const guides = createGuides(readMarkdown());
  return { guides, docsSearch: createSearch(guides.all) };
}

/** Renders and indexes the documents, for a start that only reads the result. */
export function renderGuides(): RenderedGuides {
  const guides = createGuides(readMarkdown()).all;
  return { guides, index: indexGuides(guides).toJSON() };
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
