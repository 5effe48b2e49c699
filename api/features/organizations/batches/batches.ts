import type { Hex } from "viem";
import type { OperationEngine } from "../../../operations/engine.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import type { Requester } from "../../../platform/sponsorship/gas-budget.ts";
import { apiKeyOf, type RegistrationStore } from "../../registration/index.ts";
import type { BatchMessage, BatchOperation, BatchRequest } from "./batch.ts";

interface BatchEvidence {
  readonly message: BatchMessage;
  readonly signature: Hex;
  readonly signer: Hex;
}

/** Registrations of many agents at once. */
export function createBatches({
  definition,
  engine,
  store,
  secrets,
}: {
  readonly engine: Pick<OperationEngine, "prepare" | "perform">;
  readonly definition: BatchOperation;
  readonly store: Pick<RegistrationStore, "readAll">;
  readonly secrets: Pick<Secrets, "decrypt">;
}) {
  return {
    /**
     * The message to sign.
     *
     * @throws ApiError of everything that `register` would refuse before it looks at a signature, with the `index` of the agent.
     */
    prepare: (request: BatchRequest) => engine.prepare(definition, request),

    /** @throws ApiError as `OperationEngine.perform`; IDEMPOTENCY_CONFLICT for any request but the first one's repetition. */
    async register(request: BatchRequest, evidence: BatchEvidence, requester: Requester) {
      const given = [{ ...evidence, role: "owner" as const }];
      const done = await engine.perform(definition, request, given, requester);
      const { result, txHash, indexedBlock } = done;
      const leftOut = result.filter((outcome) => "takenBy" in outcome);
      const registered = result.filter((outcome) => "tokenId" in outcome);
      const records = await store.readAll(registered.map(({ id }) => id));
      const keys = records.map((record) => apiKeyOf(record, secrets));
      const results = registered.map((agent, index) => ({ ...agent, apiKey: keys[index] ?? "" }));
      return { results, leftOut, txHash, indexedBlock };
    },
  };
}
