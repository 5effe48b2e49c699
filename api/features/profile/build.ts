import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import type { DerivedChronicleStore, DerivedChronicles } from "../chronicles/index.ts";
import type { DidRecords } from "../did/index.ts";
import { createAgentList } from "./agents.store.ts";
import { createAgentListService, currentList, type Resemblances } from "./agents.ts";
import { createDisplayService } from "./display.ts";
import { createProfileService } from "./profile.ts";
import { createDisplayStore, createPublicIdentityStore } from "./public-identity.store.ts";
import { createPublicIdentityService } from "./public-identity.ts";

type Options = Pick<Platform, "deployment" | "db" | "reads" | "links" | "clock"> &
  Pick<SoulReads, "index" | "age" | "current" | "souls"> &
  UnclaimedReads & {
    readonly derivedStore: DerivedChronicleStore;
    readonly derivedChronicles: DerivedChronicles;
    readonly didRecords: DidRecords;
  };

/** What is shown of agents, and what they say and show of themselves. */
export function buildProfile(options: Options) {
  const { deployment, db, reads, links, clock, index, age, current, souls } = options;
  const { chainId } = deployment;
  const agents = createAgentList(reads.pool);
  return {
    profiles: createProfileService({
      reads: current,
      unclaimed: options.unclaimed,
      chainId,
      links,
      didRecords: options.didRecords,
    }),
    agentList: createAgentListService({
      reads: currentList(agents, age),
      chainId,
      links,
    }),
    resemblances: agents as Resemblances,
    /** The passports of all registered agents. */
    registered: agents,
    publicIdentities: createPublicIdentityService({
      souls,
      clock,
      derived: options.derivedChronicles,
      store: createPublicIdentityStore({ db, derived: options.derivedStore }),
    }),
    displays: createDisplayService({ souls, clock, reads: index, store: createDisplayStore(db) }),
  };
}
