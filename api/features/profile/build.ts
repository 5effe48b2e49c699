import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import type { DerivedChronicleStore, DerivedChronicles } from "../chronicles/index.ts";
import type { DidRecords } from "../did/index.ts";
import { createAgentList } from "./agents.store.ts";
import { createAgentListService } from "./agents.ts";
import type { Displays } from "./display.ts";
import { createProfileService } from "./profile.ts";
import { createPublicIdentityStore } from "./public-identity.store.ts";
import type { PublicIdentities } from "./public-identity.ts";

type Options = Pick<Platform, "deployment" | "db" | "reads" | "links" | "clock"> &
  Pick<SoulReads, "index" | "age" | "current" | "souls"> &
  UnclaimedReads & {
    readonly derivedStore: DerivedChronicleStore;
    readonly derivedChronicles: DerivedChronicles;
    readonly didRecords: DidRecords;
  };

/** What is shown of agents, and what they say and show of themselves. */
export function buildProfile(options: Options) {
  const { db, links, clock, age, current, souls, unclaimed, didRecords } = options;
  const { chainId } = options.deployment;
  const agents = createAgentList(options.reads.pool);
  const displays: Displays = { db, souls, clock, reads: options.index };
  const publicIdentities: PublicIdentities = {
    souls,
    clock,
    derived: options.derivedChronicles,
    store: createPublicIdentityStore({ db, derived: options.derivedStore }),
  };
  return {
    profiles: createProfileService({ reads: current, unclaimed, chainId, links, didRecords }),
    agentList: createAgentListService({ reads: agents, age, chainId, links }),
    resemblances: agents,
    /** The passports of all registered agents. */
    registered: agents,
    publicIdentities,
    displays,
  };
}
