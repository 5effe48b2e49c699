import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createPrivateDataStore } from "./private-data.store.ts";
import { privateDataOperations } from "./private-data.ts";

type Options = Pick<Platform, "db" | "secrets" | "clock"> &
  Pick<SoulReads, "age"> &
  Pick<BuiltEngine, "operations">;

/** What an owner does with the data that the service holds about it. */
export function buildPrivateData({ db, secrets, clock, age, operations }: Options) {
  const store = createPrivateDataStore({ db, secrets, age });
  return {
    privateData: { engine: operations, ...privateDataOperations(store, clock) },
  };
}
