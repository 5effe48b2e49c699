import type { Hex } from "viem";
import type { OperationEngine } from "../../../operations/engine.ts";
import { signingDeadline } from "../../../operations/signing-deadline.ts";
import type { Requester } from "../../../platform/sponsorship/gas-budget.ts";

import type {
  BatchMessage,
  BatchOperation,
  BatchRegistry,
  BatchRequest,
  RegisteredAgent,
} from "./batch.ts";

export interface BatchesDeps<Transaction> {
  readonly engine: Pick<OperationEngine<Transaction>, "perform">;
  readonly definition: BatchOperation<Transaction>;
  readonly batches: Pick<BatchRegistry, "simulateUnsigned">;
  readonly store: {
    apiKeys(ids: readonly string[], operationKey: string): Promise<string[]>;
  };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
}

/** An agent that a batch has registered, with the key that is shown once. */
export type BatchResult = RegisteredAgent & { readonly apiKey: string };

export interface Batches {
  /**
   * The message to sign. Only the registrar may send a batch, so it is simulated with any signature accepted.
   *
   * @throws ApiError of everything that `register` would refuse before it looks at a signature, with the `index` of the agent.
   */
  prepare(request: BatchRequest): Promise<BatchMessage>;
  /** @throws ApiError as `OperationEngine.perform`; IDEMPOTENCY_CONFLICT for any request but the first one's repetition. */
  register(
    request: BatchRequest,
    evidence: { readonly message: BatchMessage; readonly signature: Hex; readonly signer: Hex },
    requester: Requester,
  ): Promise<{
    readonly results: readonly BatchResult[];
    readonly txHash: Hex;
    readonly indexedBlock: bigint;
  }>;
}

/** Registrations of many agents at once. */
export function createBatches<Transaction>(deps: BatchesDeps<Transaction>): Batches {
  const { definition, engine, store } = deps;
  return {
    async prepare(request) {
      const snapshot = await definition.read(request);
      const { messages, payload } = await definition.plan(request, snapshot);
      const message = {
        ...messages.owner,
        nonce: deps.randomNonce(),
        deadline: signingDeadline(deps.clock()),
      } as BatchMessage;
      await deps.batches.simulateUnsigned(message, payload.agents, definition.gas(payload));
      return message;
    },

    async register(request, evidence, requester) {
      const given = [{ ...evidence, role: "owner" as const }];
      const done = await engine.perform(definition, request, given, requester);
      const { result, txHash, indexedBlock } = done;
      const ids = result.map(({ id }) => id);
      const keys = await store.apiKeys(ids, requester.operationKey);
      const results = result.map((agent, index) => ({ ...agent, apiKey: keys[index] ?? "" }));
      return { results, txHash, indexedBlock };
    },
  };
}
