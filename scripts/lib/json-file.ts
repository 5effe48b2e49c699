import { readFileSync } from "node:fs";

/** Reads a JSON file written by this project; its shape is not checked. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}
