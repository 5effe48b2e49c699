import type { AssertLive } from "../../kernel/access.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { ProvisionalKeys } from "./exchange.ts";
import { createKeyExchange } from "./exchange.ts";
import { createAgentKeys, createKeyExchangeStore } from "./keys.store.ts";
import { keyRotationStore } from "./rotation.store.ts";
import { createKeyRotation } from "./rotation.ts";

type Options = Pick<Platform, "db" | "secrets" | "clock"> &
  Pick<SoulReads, "index" | "souls"> & {
    readonly provisionalKeys: ProvisionalKeys;
    readonly assertLive: AssertLive;
  };

/** The API keys of agents. */
export function buildKeys(options: Options) {
  const { db, secrets, clock, index, souls, provisionalKeys } = options;
  return {
    keyRotation: createKeyRotation({
      store: keyRotationStore(db, options.assertLive),
      souls,
      secrets,
      clock,
    }),
    keyExchange: createKeyExchange({
      store: createKeyExchangeStore(db, provisionalKeys),
      agents: index,
      souls,
      secrets,
      clock,
    }),
    agentKeys: createAgentKeys(db, clock),
  };
}
