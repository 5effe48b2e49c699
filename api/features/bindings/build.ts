import { drizzle } from "drizzle-orm/node-postgres";
import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import type { EventSink } from "../webhooks/index.ts";
import { createBindingChain } from "./bindings.chain.ts";
import { bindingChanges, createBindingLists } from "./bindings.store.ts";
import type { BindingWrites } from "./bindings.ts";
import { BINDINGS_JOB, followBindings } from "./changes.ts";
import { ownerBindingOperation } from "./owner-binding.ts";

type Options = Pick<
  Platform,
  "deployment" | "pool" | "reads" | "chain" | "sponsoredRelayer" | "indexerWaitMs"
> &
  Pick<SoulReads, "index" | "current" | "age" | "souls"> &
  BuiltEngine &
  UnclaimedReads & { readonly events: EventSink };

export type { AgentBindings, ListedBinding } from "./bindings.store.ts";
export type BuiltBindings = ReturnType<typeof buildBindings>;

/** How far agents trust each other. */
export function buildBindings(options: Options) {
  const { index, souls, events } = options;
  const db = drizzle(options.pool);
  const chain = createBindingChain(options.chain, options.deployment.contracts);
  const ownerBinding = ownerBindingOperation({ souls, chain });
  const bindings: BindingWrites = {
    souls,
    chain,
    ownerBinding,
    operations: options.operations,
    db,
    relayer: options.sponsoredRelayer,
    waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs),
  };
  return {
    bindings,
    bindingLists: createBindingLists({ ...options, db: drizzle(options.reads.pool) }),
    bindingDefinitions: [ownerBinding],
    bindingJobs: {
      [BINDINGS_JOB]: options.follow(
        followBindings(events, (...page) => bindingChanges(db, ...page)),
      ),
    },
  };
}
