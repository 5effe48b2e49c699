import { statfs } from "node:fs/promises";

const MEGABYTE = 1_048_576;

class DiskFullError extends Error {
  override readonly name = "DiskFullError";
  constructor(
    readonly directory: string,
    readonly freeMegabytes: number,
    readonly neededMegabytes: number,
  ) {
    super(
      `Only ${freeMegabytes} MB are free on the disk that holds ${directory}; ${neededMegabytes} MB are needed. Free some space and try again.`,
    );
  }
}

/** Throws DiskFullError unless this user may still write `neededMegabytes` to the disk of `directory`. */
export async function requireFreeSpace(directory: string, neededMegabytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const freeMegabytes = Math.floor((bavail * bsize) / MEGABYTE);
  if (freeMegabytes < neededMegabytes) {
    throw new DiskFullError(directory, freeMegabytes, neededMegabytes);
  }
}
