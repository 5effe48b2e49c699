import { z } from "@hono/zod-openapi";
import { KEY_USES } from "../../../protocol/agent-keys.ts";
import { KEY_TYPES } from "../../../protocol/chain-address.ts";

export const ReferenceParam = z.string().max(256).openapi({
  description: "The agent's name or token id, `did:svc:<name>` or `did:svc:<chain id>:<name>`.",
  example: "aurora",
});

const AccountMethod = z.object({
  id: z.string(),
  type: z.enum(["EcdsaSecp256k1RecoveryMethod2020", "Ed25519VerificationKey2020"]),
  keyType: z.enum(KEY_TYPES).openapi({ description: "The short name of the type." }),
  controller: z.string(),
  blockchainAccountId: z.string().openapi({ description: "CAIP-10." }),
  publicKeyMultibase: z.string().optional().openapi({ description: "Of an Ed25519 key." }),
  label: z.string().optional().openapi({ description: "The owner's own words: untrusted text." }),
});

const JsonWebKeyMethod = z.object({
  id: z.string(),
  type: z.literal("JsonWebKey"),
  controller: z.string(),
  expires: z.string().openapi({ description: "The key's end." }),
  publicKeyJwk: z
    .object({
      kid: z.string(),
      kty: z.enum(["EC", "OKP"]),
      crv: z.enum(["P-256", "Ed25519"]),
      x: z.string(),
      y: z.string().optional(),
      use: z.enum(KEY_USES),
    })
    .openapi({ description: "As in `GET /v1/agents/{name}/jwks.json`." }),
});

const VerificationMethod = z.union([AccountMethod, JsonWebKeyMethod]);

/** A DID document in an answer. */
export const DidDocumentAnswer = z
  .object({
    "@context": z.array(z.union([z.string(), z.record(z.string(), z.string())])),
    id: z.string(),
    alsoKnownAs: z.array(z.string()).optional(),
    controller: z
      .string()
      .optional()
      .openapi({ description: "The owner's account; absent once the agent is burned." }),
    verificationMethod: z.array(VerificationMethod),
    authentication: z.array(z.string()),
    assertionMethod: z.array(z.string()),
    keyAgreement: z.array(z.string()).optional(),
    service: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        serviceEndpoint: z.string().openapi({ description: "http or https." }),
      }),
    ),
  })
  .openapi("DidDocument");
