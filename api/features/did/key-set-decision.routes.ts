import { z } from "@hono/zod-openapi";
import {
  type AgentKey,
  InvalidKeySetError,
  KEY_USES,
  MAX_AGENT_KEYS,
  publicKeys,
} from "../../../protocol/index.ts";
import { soulDecision } from "../../operations/decisions/soul-decision.routes.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import {
  AgentIdsAnswer,
  agentIds,
  Hex32Schema,
  NameOrTokenIdParam,
} from "../../platform/http/schemas.ts";
import type { KeySetUpdateKind } from "./key-set-update.ts";

/** The keys of a request in their canonical order; null for an empty list, which withdraws them. */
const KeysInput = z
  .array(z.unknown())
  .transform((keys, context): readonly AgentKey[] | null => {
    if (keys.length === 0) return null;
    try {
      return publicKeys(keys);
    } catch (error) {
      if (!(error instanceof InvalidKeySetError)) throw error;
      const [, index, member] = /^keys\[(\d+)\](?:\.(.+))?$/.exec(error.path) ?? [];
      const path = [index === undefined ? undefined : Number(index), member].filter(
        (part) => part !== undefined,
      );
      context.addIssue({ code: "custom", path, message: capitalized(error.reason) });
      return z.NEVER;
    }
  })
  .openapi({
    type: "array",
    maxItems: MAX_AGENT_KEYS,
    items: {
      type: "object",
      required: ["kty", "crv", "x", "use", "exp"],
      properties: {
        kty: { type: "string", enum: ["EC", "OKP"] },
        crv: { type: "string", enum: ["P-256", "Ed25519"] },
        x: { type: "string" },
        y: { type: "string" },
        use: { type: "string", enum: [...KEY_USES] },
        exp: { type: "integer" },
        kid: { type: "string" },
      },
    },
    description:
      "Public JWKs in any order; `kid` may be left out. An empty list withdraws the agent's keys.",
  });

const OnlyWithAgentWallet = z.boolean().default(false).openapi({
  description:
    "Whether the keys need the passport's `agentWallet` to be the operator: every transfer of the passport clears it. Each change sets this anew.",
});

const Updated = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    totalKeys: z.int().min(0),
    keysHash: Hex32Schema.nullable().openapi({
      description:
        "What `AgentKeys.keysOf(tokenId)` answers while the soul is valid; null once withdrawn.",
    }),
    onlyWithAgentWallet: z.boolean().openapi({
      description: "Whether the keys need the passport's `agentWallet` to be the operator.",
    }),
    arweaveTxId: z.string().nullable().openapi({ description: "Where the key set is stored." }),
    txHash: Hex32Schema,
  })
  .openapi("AgentKeysUpdated");

export const agentKeySet = soulDecision({
  path: "agent-keys",
  method: "put",
  route: "/agents/{name}/jwks.json",
  parameters: { name: NameOrTokenIdParam },
  tag: "DID",
  prepare: {
    operationId: "prepareAgentKeySet",
    summary: "The EIP-712 data that an owner signs to set its agent's public keys",
  },
  perform: {
    operationId: "updateAgentKeySet",
    summary: "Set the public keys that speak for an agent, or withdraw them",
    description:
      "With the owner's signature over `SetAgentKeys`, from `POST /v1/typed-data/agent-keys`. The set is stored first in canonical form; the contract AgentKeys then names its hash. It replaces all keys set before.",
    done: "The keys are in force.",
    errors: [...OWNER_OPERATION_ERRORS, "INVALID_NAME"],
  },
  messageName: "SetAgentKeys",
  schemaName: "AgentKeysChange",
  shape: { keys: KeysInput, onlyWithAgentWallet: OnlyWithAgentWallet },
  answer: Updated,
  errors: [],
  kind: ({ keySetUpdate }: { readonly keySetUpdate: KeySetUpdateKind }) => keySetUpdate,
  request: ({ name = null, ...body }) => ({ ...body, agent: name }),
  answerOf: ({ passportId, name, archiveId, ...updated }, { tokenId }) => ({
    ...agentIds({ tokenId, passportId }),
    agentName: name,
    arweaveTxId: archiveId,
    ...updated,
  }),
});

function capitalized(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}
