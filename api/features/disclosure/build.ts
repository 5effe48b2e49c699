import { randomUUID } from "node:crypto";
import type { Platform } from "../../platform/build.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import type { AgentEvent, EventName, EventSink, SentOnce } from "../webhooks/index.ts";
import { createDisclosureStore } from "./disclosures.store.ts";
import { createDisclosures } from "./disclosures.ts";
import { activePolicy, createPolicyStore } from "./policies.store.ts";
import { createPolicies } from "./policies.ts";
import { createFieldProver } from "./proving.ts";
import { createRequestExpiry, EXPIRY_JOB } from "./requests/expiry.ts";
import { createPairReads } from "./requests/facts.chain.ts";
import { createFulfilment } from "./requests/fulfilment.ts";
import { createRequestStore } from "./requests/requests.store.ts";
import { createRequests } from "./requests/requests.ts";
import { createSoulSecrets } from "./soul-secrets.store.ts";
import { createDisclosureSummaries } from "./summary.ts";
import { createProofChecks } from "./verification.ts";

type Options = Pick<
  Platform,
  "config" | "deployment" | "db" | "chain" | "secrets" | "clock" | "log"
> &
  Pick<SoulReads, "index" | "current" | "souls"> & {
    readonly unclaimed: UnclaimedReads["unclaimed"];
    readonly events: EventSink;
    readonly receivers: Pick<OutboundHttp, "assertPublicUrl">;
    readonly sendOnce: (event: AgentEvent, epoch: number) => Promise<SentOnce>;
    readonly isSubscribed: (event: EventName, tokenId: bigint) => Promise<boolean>;
  };

/** Selective disclosure: single fields of a soul, with proofs, for those whom its owner chooses. */
export function buildDisclosure(options: Options) {
  const { config, deployment, db, secrets, clock, index, current, souls, events } = options;
  const { chainId, contracts } = deployment;
  const records = createDisclosureStore(db);
  const store = createRequestStore(db);
  const chain = createPairReads({ client: options.chain, contracts });
  const prover = createFieldProver({ sealed: createSoulSecrets(db), secrets });
  const common = {
    store,
    activePolicy,
    disclosures: records,
    chain,
    agents: current,
    souls,
    prover,
    events,
    isSubscribed: options.isSubscribed,
    chainId,
    clock,
    newId: randomUUID,
  };
  const expire = createRequestExpiry(common);
  return {
    disclosurePlace: { soulView: contracts.soulView },
    disclosurePolicies: createPolicies({ store: createPolicyStore(db), souls, chainId, clock }),
    proofChecks: createProofChecks({ index, souls }),
    disclosures: createDisclosures({ ...common, store: records }),
    disclosureSummaries: createDisclosureSummaries({
      agents: current,
      unclaimed: options.unclaimed,
      activePolicy: (soul) => activePolicy(db, soul),
      publicFields: records.publicFields,
      clock,
    }),
    disclosureRequests: createRequests({
      ...common,
      outbound: options.receivers,
      fulfilUrl: (id) => new URL(`/v1/disclose/request/${id}/fulfill`, config.publicUrl).href,
    }),
    disclosureAnswers: createFulfilment({
      ...common,
      sendOnce: options.sendOnce,
      unsent: (requestId) => options.log.warn({ requestId }, "disclosed values could not be sent"),
    }),
    disclosureJobs: { [EXPIRY_JOB]: (_: unknown, signal: AbortSignal) => expire(signal) },
  };
}
