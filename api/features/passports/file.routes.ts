import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { publicRead } from "../../platform/http/operations.ts";
import { NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import type { RegistrationFileService } from "./registration-file.ts";

interface FileReads {
  readonly registrationFiles: RegistrationFileService;
}

export const getRegistrationFile = endpoint({
  operationId: "getRegistrationFile",
  rules: publicRead,
  method: "get",
  path: "/registration-file/{name}",
  tag: "Registration file",
  summary: "The ERC-8004 registration file of an agent",
  params: { name: NameOrTokenIdParam },
  waitsForBlock: true,
  done: "The file behind the passport's agentURI, from permanent storage.",
  answer: z.looseObject({ type: z.string().optional() }),
  errors: [
    "INVALID_REQUEST",
    "INVALID_NAME",
    "NOT_FOUND",
    "STORAGE_UNAVAILABLE",
    "REGISTRY_PENDING",
  ],
  async run({ name }, { registrationFiles }: FileReads, c) {
    const { at, value } = await registrationFiles.of(name);
    reflectsBlock(c, at);
    if (value.isValid) aboutValidSeal(c);
    return value.file;
  },
});
