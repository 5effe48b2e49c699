import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { accepts } from "../../platform/http/bodies/compression.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { isHeld } from "../../platform/http/conditional.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { publicRead } from "../../platform/http/operations.ts";
import { IdAnswer, NameOrTokenIdParam, NameParam } from "../../platform/http/schemas.ts";
import { byName } from "../../soul/soul-ref.ts";
import type { RegistrationFileService } from "../passports/index.ts";
import type { DomainVerification } from "./domains.ts";

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

interface Domains {
  readonly domains: DomainVerification;
}

const common = { method: "get", tag: "Registration file" } as const;

export const getServiceDomainProof = endpoint({
  ...common,
  operationId: "getServiceDomainProof",
  rules: { ...publicRead, cache: "published" },
  at: "/",
  path: "/.well-known/agent-registration.json",
  summary: "Every agent registered here: the service's own domain proof",
  description: "One file, as the standard has it. It is rebuilt at most once a minute.",
  done: "The passports of all souls that are not burned, in their order.",
  answer: Proof,
  otherAnswers: { 304: { description: "The caller holds this file already." } },
  errors: ["REGISTRY_PENDING", "INDEX_BEHIND"],
  async run(_input, { domains }: Domains, c) {
    const { plain, gzipped, tag } = await domains.ofService();
    // One tag for both encodings: a weak one names what they mean.
    c.header("ETag", `W/${tag}`);
    c.header("Vary", "Accept-Encoding", { append: true });
    if (isHeld(c, tag)) return c.body(null, 304);
    const type = { "Content-Type": "application/json" };
    if (!accepts(c, "gzip")) return c.body(plain, 200, type);
    c.header("Content-Encoding", "gzip");
    return c.body(gzipped, 200, type);
  },
});

export const getStaticRegistrationFile = endpoint({
  ...common,
  operationId: "getStaticRegistrationFile",
  rules: publicRead,
  at: "/",
  path: "/agents/{name}/registration.json",
  params: { name: NameParam },
  summary: "The registration file of an agent, beside its page",
  done: "What `GET /v1/registration-file/{name}` answers.",
  answer: z.looseObject({ type: z.string().optional() }),
  errors: ["INVALID_NAME", "NOT_FOUND", "STORAGE_UNAVAILABLE", "REGISTRY_PENDING"],
  async run(
    { name },
    { registrationFiles }: { readonly registrationFiles: Pick<RegistrationFileService, "of"> },
    c,
  ) {
    const { at, value } = await registrationFiles.of(byName(name));
    reflectsBlock(c, at);
    if (value.isValid) aboutValidSeal(c);
    return { ...value.file };
  },
});

export const getDomainProof = endpoint({
  ...common,
  operationId: "getDomainProof",
  rules: publicRead,
  path: "/domain-verification/{name}",
  params: { name: NameOrTokenIdParam },
  summary: "What the owner of an agent publishes on its own domain",
  description:
    "Served as it is at `https://<domain>/.well-known/agent-registration.json`, it proves that the domain is the agent's.",
  waitsForBlock: true,
  done: "The pair that names the agent in the ERC-8004 registry.",
  answer: Proof,
  errors: ["INVALID_REQUEST", "INVALID_NAME", "NOT_FOUND", "REGISTRY_PENDING"],
  async run({ name }, { domains }: Domains, c) {
    const { at, value } = await domains.ofAgent(name);
    reflectsBlock(c, at);
    if (value.isValid) aboutValidSeal(c);
    return { registrations: value.registrations };
  },
});
