import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of a few megabytes in memory, to be really filled. */
export interface SmallDisk {
  readonly path: string;
  /** Writes to it until nothing more fits. */
  fill(): void;
  /** Removes what `fill` wrote. */
  free(): void;
  unmount(): void;
}

/** @returns null where this process may not mount a disk. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "small-disk-"));
  const size = `size=${megabytes}m`;
  if (spawnSync("mount", ["-t", "tmpfs", "-o", size, "tmpfs", path]).status !== 0) {
    rmdirSync(path);
    return null;
  }
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      for (const bytes of [1024 * 1024, 4096]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    unmount() {
      spawnSync("umount", ["-l", path]);
      rmdirSync(path);
    },
  };
}
