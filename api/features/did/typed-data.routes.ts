import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import { changeIn, DidChangeBody } from "./did.routes.ts";
import { KeySetChangeBody } from "./key-set.routes.ts";
import type { KeySetUpdates } from "./key-set-update.ts";
import type { DidUpdates } from "./update.ts";

const tag = "DID";

export const prepareDidUpdate = typedDataRoute({
  path: "did",
  operationId: "prepareDidUpdate",
  tag,
  summary: "The EIP-712 data that an owner signs to change its agent's DID document",
  description:
    "Takes the body of `PUT /v1/did/{name}` without its signature. Nothing is stored.",
  body: DidChangeBody,
  errors: TYPED_DATA_ERRORS,
  async prepare(body, { didUpdates }: { readonly didUpdates: DidUpdates }) {
    const request = { tokenId: body.tokenId, name: null, change: changeIn(body) };
    return unsigned("SoulRegistry", "SetDidArchive", await didUpdates.prepare(request));
  },
});

export const prepareAgentKeySet = typedDataRoute({
  path: "agent-keys",
  operationId: "prepareAgentKeySet",
  tag,
  summary: "The EIP-712 data that an owner signs to set its agent's public keys",
  description:
    "Takes the body of `PUT /v1/agents/{name}/jwks.json` without its signature. Nothing is stored.",
  body: KeySetChangeBody,
  errors: TYPED_DATA_ERRORS,
  async prepare(body, { keySetUpdates }: { readonly keySetUpdates: KeySetUpdates }) {
    const message = await keySetUpdates.prepare({ ...body, agent: null });
    return unsigned("AgentKeys", "SetAgentKeys", message);
  },
});
