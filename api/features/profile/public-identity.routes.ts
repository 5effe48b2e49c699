import { endpoint } from "../../platform/endpoint.ts";
import { authorise } from "../../platform/http/guard.ts";
import { agentWrite } from "../../platform/http/operations.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import { declaredIdentity } from "../../soul/declared-identity.ts";
import {
  identityBody,
  PublicIdentityBodySchema,
  UpdatedIdentitySchema,
} from "./public-identity.schemas.ts";
import { type PublicIdentities, replaceIdentity } from "./public-identity.ts";

export const putPublicIdentity = endpoint({
  operationId: "putPublicIdentity",
  rules: agentWrite,
  method: "put",
  path: "/public-identity/{tokenId}",
  tag: "Public identity",
  summary: "Replace what an agent says of itself in public",
  description:
    "Self-declared and unchecked. Neither the soul hash nor the alignment depends on it; every change is recorded as a chronicle, which does not count for the day.",
  params: { tokenId: TokenIdParam },
  body: PublicIdentityBodySchema,
  done: "What it says from now on.",
  answer: UpdatedIdentitySchema,
  errors: ["NOT_FOUND", "BURNED"],
  async run(
    { tokenId, body },
    { publicIdentities }: { readonly publicIdentities: PublicIdentities },
    c,
  ) {
    await authorise(c, tokenId);
    assertSameAgent(tokenId, body.tokenId);
    const updated = await replaceIdentity(
      publicIdentities,
      tokenId,
      declaredIdentity(body.publicIdentity),
    );
    return {
      ...agentIds(updated),
      agentName: updated.agentName,
      publicIdentity: identityBody(updated.publicIdentity),
      updatedAt: updated.updatedAt.toISOString(),
    };
  },
});
