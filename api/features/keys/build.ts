import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createKeyExchange } from "./exchange.ts";
import { createAgentKeys, createKeyExchangeStore } from "./keys.store.ts";
import { keyRotationStore } from "./rotation.store.ts";
import { createKeyRotation } from "./rotation.ts";

type Options = Pick<Platform, "db" | "secrets" | "clock"> & Pick<SoulReads, "index" | "souls">;

/** The API keys of agents. */
export function buildKeys({ db, secrets, clock, index, souls }: Options) {
  return {
    keyRotation: createKeyRotation({ store: keyRotationStore(db), souls, secrets, clock }),
    keyExchange: createKeyExchange({
      store: createKeyExchangeStore(db),
      agents: index,
      souls,
      secrets,
      clock,
    }),
    agentKeys: createAgentKeys(db, clock),
  };
}
