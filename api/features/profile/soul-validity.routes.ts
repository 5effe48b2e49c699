import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { publicRead } from "../../platform/http/operations.ts";
import {
  AgentIdsAnswer,
  idNumber,
  TimestampSchema,
  TokenIdParam,
} from "../../platform/http/schemas.ts";
import type { ProfileService } from "./profile.ts";

const Address = z.string().openapi({ pattern: "^0x[0-9a-fA-F]{40}$" });

const SoulValidity = z
  .object({
    ...AgentIdsAnswer,
    valid: z.boolean(),
    sealedBy: Address.nullable().openapi({ description: "Null before the seal." }),
    currentPassportOwner: Address.nullable(),
    sealTimestamp: TimestampSchema.nullable(),
    message: z.string().optional().openapi({ description: "Why it is not valid." }),
  })
  .openapi("SoulValidity");

export const getSoulValidity = endpoint({
  operationId: "getSoulValidity",
  rules: { ...publicRead, rate: "validity", cache: "revalidate", madeFrom: "database" },
  method: "get",
  path: "/soul-validity/{tokenId}",
  tag: "Profile",
  summary: "Whether a soul's sealer still owns its passport",
  params: { tokenId: TokenIdParam },
  waitsForBlock: true,
  done: "The soul as last indexed, or as on chain while the index is too far behind.",
  answer: SoulValidity,
  errors: ["NOT_FOUND"],
  async run({ tokenId }, { profiles }: { readonly profiles: ProfileService }, c) {
    const { at, value } = await profiles.sealCheck(tokenId);
    reflectsBlock(c, at, "same");
    return {
      ...value,
      tokenId: idNumber(value.tokenId),
      erc8004AgentId: idNumber(value.erc8004AgentId),
      sealTimestamp: value.sealTimestamp?.toISOString() ?? null,
    };
  },
});
