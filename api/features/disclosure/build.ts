import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { DisclosureContext } from "./context.ts";
import { createDisclosureStore } from "./disclosures.store.ts";
import { createPolicyStore } from "./policies.store.ts";
import { EXPIRY_JOB, expireRequests } from "./requests/expiry.ts";
import { readPair } from "./requests/facts.chain.ts";
import { createRequestStore } from "./requests/requests.store.ts";
import { createSoulSecrets } from "./soul-secrets.store.ts";

type Options = Pick<
  Platform,
  "config" | "deployment" | "db" | "chain" | "secrets" | "clock" | "log"
> &
  Pick<SoulReads, "index" | "current" | "souls"> &
  Pick<DisclosureContext, "unclaimed" | "events" | "receivers" | "sendOnce" | "isSubscribed">;

/** Selective disclosure: single fields of a soul, with proofs, for those whom its owner chooses. */
export function buildDisclosure(options: Options) {
  const { config, db, log, chain, index, current, souls, unclaimed, secrets, clock } = options;
  const { chainId, contracts } = options.deployment;
  const { events, receivers, sendOnce, isSubscribed } = options;
  const disclosure: DisclosureContext = {
    records: createDisclosureStore(db),
    policies: createPolicyStore(db),
    requests: createRequestStore(db),
    sealedLeaves: createSoulSecrets(db).of,
    pair: (target, requester) => readPair(chain, contracts, target, requester),
    index,
    agents: current,
    unclaimed,
    souls,
    secrets,
    events,
    isSubscribed,
    sendOnce,
    unsent: (requestId) => log.warn({ requestId }, "disclosed values could not be sent"),
    receivers,
    publicUrl: config.publicUrl,
    chainId,
    clock,
  };
  return {
    disclosure,
    disclosurePlace: { soulView: contracts.soulView },
    disclosureJobs: {
      [EXPIRY_JOB]: (_: unknown, signal: AbortSignal) => expireRequests(disclosure, signal),
    },
  };
}
