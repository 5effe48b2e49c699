import type { Hex } from "viem";
import type { OwnerMessage } from "../../../protocol/index.ts";
import { apiKeyOf, hashApiKey } from "../../kernel/api-keys.ts";
import type { OperationEngine } from "../../operations/engine.ts";
import type { ChainOperation, PerformedOperation } from "../../operations/operation.ts";
import type { OwnerEvidence } from "../../operations/soul-operation.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { MovedSoul } from "./moved-soul.ts";
import type { Released, ReleasePayload, ReleaseRequest } from "./release.ts";
import type { Resealed, ResealPayload, ResealRequest } from "./reseal.ts";
import { resealKeyBytes } from "./reseal.ts";

export interface HandoverDeps {
  readonly operations: Pick<OperationEngine, "prepare" | "perform">;
  readonly reseal: ChainOperation<ResealRequest, MovedSoul, ResealPayload, Resealed>;
  readonly release: ChainOperation<ReleaseRequest, MovedSoul, ReleasePayload, Released>;
  readonly secrets: Secrets;
  /** Whether a key with this hash was issued. */
  readonly isIssued: (hash: Buffer) => Promise<boolean>;
}

export type Handovers = ReturnType<typeof createHandovers>;

/** What the owner of a passport decides about the soul that came with it. */
export function createHandovers(deps: HandoverDeps) {
  const { operations, reseal, release, secrets } = deps;

  const bySigner = ({ message, signature, signer }: Evidence) => [
    { role: "newOwner" as const, message, signature, signer },
  ];

  return {
    async prepareReseal(request: ResealRequest): Promise<OwnerMessage<"Reseal">> {
      const [prepared] = await operations.prepare(reseal, request);
      return prepared?.message as unknown as OwnerMessage<"Reseal">;
    },

    /**
     * Seals the new soul. Only the request that was accepted first reads the API key, also again: a signature is public once it
     * is on chain.
     */
    async reseal(
      request: ResealRequest,
      evidence: OwnerEvidence<"Reseal">,
      requester: Requester,
    ): Promise<PerformedOperation<Resealed> & { readonly apiKey: string | null }> {
      const performed = await operations.perform(reseal, request, bySigner(evidence), requester);
      const { operationKey } = requester;
      const { tokenId } = request;
      const apiKey = apiKeyOf("live", resealKeyBytes(secrets, { operationKey, tokenId }));
      const isIssued = await deps.isIssued(hashApiKey(apiKey));
      return { ...performed, apiKey: isIssued ? apiKey : null };
    },

    async prepareRelease(request: ReleaseRequest): Promise<OwnerMessage<"Release">> {
      const [prepared] = await operations.prepare(release, request);
      return prepared?.message as unknown as OwnerMessage<"Release">;
    },

    release: (
      request: ReleaseRequest,
      evidence: OwnerEvidence<"Release">,
      requester: Requester,
    ): Promise<PerformedOperation<Released>> =>
      operations.perform(release, request, bySigner(evidence), requester),
  };
}

type Evidence = {
  readonly message: OwnerMessage<"Reseal"> | OwnerMessage<"Release">;
  readonly signature: Hex;
  readonly signer: OwnerEvidence["signer"];
};
