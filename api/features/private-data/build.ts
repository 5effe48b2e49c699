import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createPrivateDataStore } from "./private-data.store.ts";

type Options = Pick<Platform, "db" | "secrets"> & Pick<SoulReads, "age">;

/** What an owner does with the data that the service holds about it. */
export function buildPrivateData(options: Options) {
  return { privateData: createPrivateDataStore(options) };
}
