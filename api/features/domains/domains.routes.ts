import { createRoute, z } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";
import { accepts } from "../../platform/http/bodies/compression.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { isHeld } from "../../platform/http/conditional.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { IdAnswer, NameOrTokenIdParam, NameParam } from "../../platform/http/schemas.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import { byName } from "../../soul/soul-ref.ts";
import type { RegistrationFileService } from "../passports/index.ts";
import type { DomainVerification } from "./domains.ts";
import { operations } from "./operation-rules.ts";

const Proof = z
  .object({
    registrations: z.array(
      z.object({
        agentId: IdAnswer,
        agentRegistry: z.string().openapi({ description: "`eip155:<chain id>:<registry>`." }),
      }),
    ),
  })
  .openapi("DomainProof");

const getServiceProof = createRoute({
  method: "get",
  path: "/.well-known/agent-registration.json",
  operationId: "getServiceDomainProof",
  tags: ["Registration file"],
  summary: "Every agent registered here: the service's own domain proof",
  description: "One file, as the standard has it. It is rebuilt at most once a minute.",
  responses: {
    200: {
      description: "The passports of all souls that are not burned, in their order.",
      content: { "application/json": { schema: Proof } },
    },
    304: { description: "The caller holds this file already." },
    ...errorResponses("REGISTRY_PENDING", "INDEX_BEHIND"),
  },
});

const getStaticFile = createRoute({
  method: "get",
  path: "/agents/{name}/registration.json",
  operationId: "getStaticRegistrationFile",
  tags: ["Registration file"],
  summary: "The registration file of an agent, beside its page",
  request: { params: z.object({ name: NameParam }) },
  responses: {
    200: {
      description: "What `GET /v1/registration-file/{name}` answers.",
      content: { "application/json": { schema: z.looseObject({ type: z.string().optional() }) } },
    },
    ...errorResponses("INVALID_NAME", "NOT_FOUND", "STORAGE_UNAVAILABLE", "REGISTRY_PENDING"),
  },
});

/** Files at fixed paths of the service's origin. */
export const identityFileRoutes = ({
  domains,
  registrationFiles,
}: {
  readonly domains: DomainVerification;
  readonly registrationFiles: Pick<RegistrationFileService, "of">;
}) =>
  createRouter(operations)
    .openapi(getServiceProof, async (c) => {
      const { plain, gzipped, tag } = await domains.ofService();
      // One tag for both encodings: a weak one names what they mean.
      c.header("ETag", `W/${tag}`);
      c.header("Vary", "Accept-Encoding", { append: true });
      if (isHeld(c, tag)) return c.body(null, 304);
      if (!accepts(c, "gzip")) return jsonBytes(c, plain);
      c.header("Content-Encoding", "gzip");
      return jsonBytes(c, gzipped);
    })
    .openapi(getStaticFile, async (c) => {
      const { name } = c.req.valid("param");
      const { at, value } = await registrationFiles.of(byName(name));
      reflectsBlock(c, at);
      if (value.isValid) aboutValidSeal(c);
      return c.json(value.file, 200);
    });

/** `GET /domain-verification/{name}`. */
export function domainVerificationRoutes({
  domains,
  index,
  indexerWaitMs,
}: {
  readonly domains: DomainVerification;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}) {
  const getProof = createRoute({
    method: "get",
    path: "/domain-verification/{name}",
    operationId: "getDomainProof",
    tags: ["Registration file"],
    summary: "What the owner of an agent publishes on its own domain",
    description:
      "Served as it is at `https://<domain>/.well-known/agent-registration.json`, it proves that the domain is the agent's.",
    request: {
      params: z.object({ name: NameOrTokenIdParam }),
      query: MinBlockQuery,
    },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: {
        description: "The pair that names the agent in the ERC-8004 registry.",
        content: { "application/json": { schema: Proof } },
      },
      ...errorResponses("INVALID_REQUEST", "INVALID_NAME", "NOT_FOUND", "REGISTRY_PENDING"),
    },
  });

  return createRouter(operations).openapi(getProof, async (c) => {
    const { at, value } = await domains.ofAgent(c.req.valid("param").name);
    reflectsBlock(c, at);
    if (value.isValid) aboutValidSeal(c);
    return c.json({ registrations: [...value.registrations] }, 200);
  });
}

/** A proof that has been written as JSON already, once for everybody. */
function jsonBytes(c: Context, bytes: Uint8Array<ArrayBuffer>) {
  const answer = c.body(bytes, 200, { "Content-Type": "application/json" });
  return answer as unknown as Response & TypedResponse<z.infer<typeof Proof>, 200, "json">;
}
