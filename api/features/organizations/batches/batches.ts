import type { Hex } from "viem";
import type { OperationEngine } from "../../../operations/engine.ts";
import type { PreparedMessages } from "../../../operations/operation.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import type { Requester } from "../../../platform/sponsorship/gas-budget.ts";
import { apiKeyOf, type RegistrationStore } from "../../registration/index.ts";
import type {
  BatchMessage,
  BatchOperation,
  BatchRequest,
  LeftOutAgent,
  RegisteredAgent,
} from "./batch.ts";

export interface BatchesDeps {
  readonly engine: Pick<OperationEngine, "prepare" | "perform">;
  readonly definition: BatchOperation;
  readonly store: Pick<RegistrationStore, "readAll">;
  readonly secrets: Pick<Secrets, "decrypt">;
}

/** An agent that a batch has registered, with the key that is shown once. */
export type BatchResult = RegisteredAgent & { readonly apiKey: string };

export interface Batches {
  /**
   * The message to sign.
   *
   * @throws ApiError of everything that `register` would refuse before it looks at a signature, with the `index` of the agent.
   */
  prepare(request: BatchRequest): Promise<PreparedMessages>;
  /** @throws ApiError as `OperationEngine.perform`; IDEMPOTENCY_CONFLICT for any request but the first one's repetition. */
  register(
    request: BatchRequest,
    evidence: { readonly message: BatchMessage; readonly signature: Hex; readonly signer: Hex },
    requester: Requester,
  ): Promise<{
    readonly results: readonly BatchResult[];
    readonly leftOut: readonly LeftOutAgent[];
    readonly txHash: Hex;
    readonly indexedBlock: bigint;
  }>;
}

/** Registrations of many agents at once. */
export function createBatches(deps: BatchesDeps): Batches {
  const { definition, engine, store, secrets } = deps;
  return {
    prepare: (request) => engine.prepare(definition, request),

    async register(request, evidence, requester) {
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
