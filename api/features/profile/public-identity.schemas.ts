import { z } from "@hono/zod-openapi";
import { AgentIdsAnswer, TimestampSchema, TokenIdSchema } from "../../platform/http/schemas.ts";
import type { DeclaredIdentity } from "../../soul/declared-identity.ts";
import { PublicIdentitySchema } from "../registration/index.ts";

const { bio, category, tags, modelFamily, contacts } = PublicIdentitySchema.shape;

/** Contacts that pages make links of. The others are names, which mean nothing but themselves. */
const LINKS = new Set(["website", "a2a", "mcp"]);
const DID = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/;

/** Why a contact cannot be one of its type; null when it can. */
function wrongWith({ type, value }: { readonly type: string; readonly value: string }) {
  if (/\p{Cc}/u.test(value)) return "Holds control characters";
  if (type === "did") return DID.test(value) ? null : "Not a DID";
  if (!LINKS.has(type)) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isLink = url?.protocol === "https:" || url?.protocol === "http:";
  return isLink && url.username === "" && url.password === "" ? null : "Not an http or https URL";
}

const Contacts = contacts.superRefine((entries, context) => {
  entries?.forEach((entry, index) => {
    const message = wrongWith(entry);
    if (message) context.addIssue({ code: "custom", path: [index, "value"], message });
  });
});

/** The body of `PUT /v1/public-identity/{tokenId}`. What is left out is empty afterwards. */
export const PublicIdentityBodySchema = z
  .strictObject({
    tokenId: TokenIdSchema,
    publicIdentity: z.strictObject({ bio, category, tags, modelFamily, contacts: Contacts }),
  })
  .openapi("PublicIdentityBody");

/** An identity in an answer. */
export const DeclaredIdentitySchema = z
  .object({
    bio: z.string().nullable(),
    category: z.string().nullable(),
    tags: z.array(z.string()),
    modelFamily: z.string().nullable(),
    contacts: z.array(z.object({ type: z.string(), value: z.string() })),
  })
  .openapi("DeclaredIdentity", {
    description: "The owner's public statements about the agent. They are not verified.",
  });

/** The answer of `PUT /v1/public-identity/{tokenId}`. */
export const UpdatedIdentitySchema = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    publicIdentity: DeclaredIdentitySchema,
    updatedAt: TimestampSchema,
  })
  .openapi("UpdatedIdentity");

/** An identity as it goes into an answer. */
export function identityBody(identity: DeclaredIdentity): z.output<typeof DeclaredIdentitySchema> {
  return {
    bio: identity.bio,
    category: identity.category,
    tags: [...identity.tags],
    modelFamily: identity.modelFamily,
    contacts: identity.contacts.map(({ type, value }) => ({ type, value })),
  };
}
