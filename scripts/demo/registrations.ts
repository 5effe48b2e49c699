import type { RegisterInput } from "../../kit/client/index.ts";
import type { Field } from "../../protocol/index.ts";
import { CAST, type CastMember, type CastName, type DemoSoul } from "./cast.ts";
import type { World } from "./world.ts";

/** Registers an agent by its owner's signature; `change` replaces parts of the registration. */
export async function register(
  { client, person, join }: World,
  name: CastName,
  change: Partial<RegisterInput> = {},
): Promise<void> {
  const { owner, operator, soul, published, publicIdentity }: CastMember = CAST[name];
  const signer = person(owner);
  const registered = await client.register({
    soul: { ...soul },
    signer,
    operatorAddress: person(operator ?? owner).address,
    publicFields: publishedOf(soul, published),
    publicIdentity,
    generatedPicture: true,
    ...change,
  });
  join(name, { ...registered, owner: signer, soul });
}

/** The values of the published fields. */
export function publishedOf(soul: DemoSoul, fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, fieldValue(soul, field)]));
}

/** The value of a field such as `soul.purpose`. */
function fieldValue(soul: DemoSoul, field: Field): unknown {
  const [part, member] = field.split(".") as [keyof DemoSoul, string];
  return (soul[part] as Readonly<Record<string, unknown>>)[member];
}
