import { z } from "@hono/zod-openapi";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import { TypedDataSchema } from "../../operations/typed-data.schemas.ts";
import type { PreparedRegistration } from "./registration.ts";

/** The answer of the routes under `/v1/typed-data` that prepare a registration. */
export const RegistrationToSignSchema = TypedDataSchema.extend({
  registrationFile: z
    .looseObject({ type: z.string().openapi({ description: "The URI of the file's format." }) })
    .openapi({ description: "The file without ids whose SHA-256 is `contentHash`" }),
}).openapi("RegistrationTypedData");

/** The message with the file whose hash it names. */
export function registrationToSign({ message, registrationFile }: PreparedRegistration) {
  return { ...unsigned("SoulRegistry", "Registration", message), beside: { registrationFile } };
}
