import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { freshRead } from "../../platform/http/operations.ts";
import type { NameService } from "./names.ts";

interface NameParts {
  readonly names: NameService;
}

const ofName = {
  rules: freshRead,
  method: "get",
  tag: "Registration",
  params: {
    name: z.string().max(256).toLowerCase().openapi({ type: "string", example: "aurora" }),
  },
} as const;

export const checkName = endpoint({
  ...ofName,
  operationId: "checkName",
  path: "/register/check-name/{name}",
  summary: "Whether a name can be registered",
  done: "Read from the chain now.",
  answer: z.object({ available: z.boolean(), reason: z.string().optional() }),
  errors: ["INVALID_NAME", "CHAIN_UNAVAILABLE"],
  run: ({ name }, { names }: NameParts) => names.check(name),
});

export const nameAvailable = endpoint({
  ...ofName,
  operationId: "nameAvailable",
  path: "/name-available/{name}",
  summary: "Whether a name can be registered, and a name that can",
  done: "`suggestion` is the name itself when it is available.",
  answer: z.object({ name: z.string(), available: z.boolean(), suggestion: z.string() }),
  errors: ["INVALID_NAME", "NAME_TAKEN", "CHAIN_UNAVAILABLE"],
  async run({ name }, { names }: NameParts) {
    const { available, suggestion } = await names.suggest(name);
    return { name, available, suggestion };
  },
});
