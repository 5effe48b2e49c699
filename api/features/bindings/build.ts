import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import type { EventSink } from "../webhooks/index.ts";
import { createBindingLists } from "./binding-list.ts";
import { createBindingChain } from "./bindings.chain.ts";
import { createBindingReads } from "./bindings.store.ts";
import { createBindingService } from "./bindings.ts";
import { BINDINGS_JOB, followBindings } from "./changes.ts";
import { ownerBindingOperation } from "./owner-binding.ts";

type Options = Pick<
  Platform,
  "deployment" | "pool" | "reads" | "chain" | "sponsoredRelayer" | "indexerWaitMs"
> &
  Pick<SoulReads, "index" | "current" | "age" | "souls"> &
  BuiltEngine & {
    readonly unclaimed: UnclaimedReads["unclaimed"];
    readonly events: EventSink;
  };

/** How far agents trust each other. */
export function buildBindings(options: Options) {
  const { deployment, pool, index, age, souls, operations } = options;
  const { bindingRegistry, soulRegistry } = deployment.contracts;
  const reads = createBindingReads(pool);
  const listed = createBindingReads(options.reads.pool);
  const chain = createBindingChain({ client: options.chain, bindingRegistry, soulRegistry });
  const ownerBinding = ownerBindingOperation({ souls, chain });
  return {
    bindings: createBindingService({
      souls,
      chain,
      ownerBinding,
      operations,
      indexed: reads.binding,
      relayer: options.sponsoredRelayer,
      index: { waitForBlock: (block) => index.waitForBlock(block, options.indexerWaitMs) },
    }),
    bindingLists: createBindingLists({
      reads: listed,
      agents: options.current,
      unclaimed: options.unclaimed,
      age,
    }),
    bindingDefinitions: [ownerBinding],
    bindingJobs: {
      [BINDINGS_JOB]: options.follow(
        followBindings({ changes: reads.changes, events: options.events }),
      ),
    },
  };
}
