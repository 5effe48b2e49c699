import { z } from "@hono/zod-openapi";
import type { TypedDataDefinition } from "viem";
import type { SigningDomain } from "../../protocol/index.ts";
import { EIP712_DOMAIN_TYPE } from "../../protocol/index.ts";

const FieldsSchema = z.array(z.object({ name: z.string(), type: z.string() })).readonly();

/** EIP-712 data as `eth_signTypedData_v4` takes it: `types` includes the domain's own type. Wide integers are decimal strings. */
export function typedDataSchema<Message extends z.ZodType>(message: Message) {
  return z.object({
    domain: z.object({
      name: z.string(),
      version: z.string(),
      chainId: z.int(),
      verifyingContract: z.string(),
    }),
    types: z.record(z.string(), FieldsSchema),
    primaryType: z.string(),
    message,
  });
}

/** The answer of `POST /v1/typed-data/{operation}`. */
export const TypedDataSchema = typedDataSchema(
  z.looseObject({ nonce: z.string(), deadline: z.string() }),
).openapi("TypedData", {
  description:
    "EIP-712 data, signed as it is by `eth_signTypedData_v4` and viem. ethers wants `types` without `EIP712Domain`.",
});

/** What is to be signed: the message as JSON, and its types without the domain's. */
interface Unsigned<Message> {
  readonly domain: SigningDomain & { readonly name: string; readonly version: string };
  readonly types: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string }[]>
  >;
  readonly primaryType: string;
  readonly message: Message;
}

/** The answer that has a wallet sign `message`. */
export function typedDataAnswer<Message>({
  domain,
  types,
  primaryType,
  message,
}: Unsigned<Message>) {
  return {
    domain,
    types: { EIP712Domain: EIP712_DOMAIN_TYPE, ...types },
    primaryType,
    message,
  };
}

/** The same for data as viem hashes it: the wide integers of its message become decimal strings. */
export function typedDataText(data: TypedDataDefinition) {
  const { domain, types, primaryType, message } = data as unknown as Unsigned<object>;
  const fields = Object.entries(message).map(([field, value]: [string, unknown]) => [
    field,
    typeof value === "bigint" ? value.toString() : value,
  ]);
  const text = Object.fromEntries(fields) as { nonce: string; deadline: string };
  return typedDataAnswer({ domain, types, primaryType, message: text });
}
