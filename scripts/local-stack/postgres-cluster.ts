import {
  chownSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";

/** A user of this machine, with its group. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Copies the directory of a PostgreSQL cluster that does not run. Until the copy is whole it has
 * another name.
 *
 * @param owner Default: this process's user.
 */
export function copyCluster(from: string, to: string, owner?: Owner): void {
  const draft = `${to}.new`;
  rmSync(draft, { recursive: true, force: true });
  copyDirectory(from, draft, owner);
  renameSync(draft, to);
}

/** PostgreSQL refuses directories that other users can read. */
function copyDirectory(from: string, to: string, owner?: Owner): void {
  mkdirSync(to, { mode: 0o700 });
  if (owner) chownSync(to, owner.uid, owner.gid);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      copyDirectory(source, copy, owner);
      continue;
    }
    copyFileSync(source, copy, constants.COPYFILE_FICLONE);
    if (owner) chownSync(copy, owner.uid, owner.gid);
  }
}
