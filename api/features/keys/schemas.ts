import { z } from "@hono/zod-openapi";
import { SERVICE_SEGMENT } from "../../../protocol/constants.ts";
import { IdAnswer, TimestampSchema } from "../../platform/http/schemas.ts";
import type { ListedKey } from "./build.ts";

export const KeySchema = z
  .object({
    keyId: z.uuid(),
    kind: z.enum(["full", "provisional"]),
    holder: z.enum(["owner", "agent"]).openapi({
      description: "Who was given the key: the owner, at the claim or by a rotation, or the agent.",
    }),
    hint: z.string().openapi({
      example: `${SERVICE_SEGMENT}_live_…Q3xk`,
      description: "How the key begins and ends, to recognise it by.",
    }),
    epoch: IdAnswer.openapi({ description: "Seal epoch that the key belongs to." }),
    createdAt: TimestampSchema,
    revokedAt: TimestampSchema.nullable().openapi({
      description: "When the key ends or ended; null while it has no end.",
    }),
    lastUsedAt: TimestampSchema.nullable().openapi({
      description: "When the key was last accepted, to the minute; null before the first use.",
    }),
    exchangedAt: TimestampSchema.nullable().openapi({
      description: "When the agent exchanged this provisional key for a full one.",
    }),
  })
  .openapi("ApiKey");

export function keyAnswer(key: ListedKey): z.output<typeof KeySchema> {
  return {
    keyId: key.id,
    kind: key.kind === "live" ? "full" : "provisional",
    holder: key.holder,
    hint: `${SERVICE_SEGMENT}_${key.kind}_…${key.hint}`,
    // A key of an agent always has an epoch.
    epoch: key.epoch ?? 0,
    createdAt: key.createdAt.toISOString(),
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    exchangedAt: key.exchangedAt?.toISOString() ?? null,
  };
}
