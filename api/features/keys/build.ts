import type { AssertLive } from "../../kernel/access.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createKeyExchange } from "./exchange.store.ts";
import type { ProvisionalKeys } from "./exchange.ts";
import { createAgentKeys } from "./keys.store.ts";
import { createKeyRotation } from "./rotation.store.ts";

type Options = Pick<Platform, "db" | "secrets" | "clock"> &
  Pick<SoulReads, "index" | "souls"> & {
    readonly provisionalKeys: ProvisionalKeys;
    readonly assertLive: AssertLive;
  };

/** The API keys of agents. */
export function buildKeys(options: Options) {
  return {
    keyRotation: createKeyRotation(options),
    keyExchange: createKeyExchange(options),
    agentKeys: createAgentKeys(options.db, options.clock),
  };
}

export type BuiltKeys = ReturnType<typeof buildKeys>;
export type AgentKeys = BuiltKeys["agentKeys"];

/** A key as its agent's owner sees it. */
export type ListedKey = Awaited<ReturnType<AgentKeys["list"]>>["entries"][number];
