import { join, resolve } from "node:path";
import { makeBundle, takeBundle } from "../local-stack/bundle/bundle.ts";
import { buildService } from "./build.ts";
import { linkPackages } from "./packages.ts";

const BUILDS = resolve(import.meta.dirname, "../../.local/cache/services");
const FOLDER = "service";

let made: Promise<string> | undefined;

/**
 * The folder with what `npm run build:service` writes from exactly these sources, and its packages.
 * It is made once for all processes that ask, and stays until the sources have changed.
 */
export function sharedBuild(): Promise<string> {
  made ??= makeOnce();
  return made;
}

async function makeOnce(): Promise<string> {
  await makeBundle(async (folder) => {
    const out = join(folder, FOLDER);
    await buildService(out);
    linkPackages(out);
    // Its packages are links, and the lock file is among the sources.
    return [];
  }, BUILDS);
  const folder = takeBundle(BUILDS);
  if (folder === undefined) throw new Error("The sources changed while the service was built.");
  return join(folder, FOLDER);
}
