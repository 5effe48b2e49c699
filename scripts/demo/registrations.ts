import { bytesToHex } from "viem";
import type { RegisterInput } from "../../kit/client/index.ts";
import { buildFieldTree, type Field, normaliseCcsf, soulHash } from "../../protocol/index.ts";
import { CAST, type CastMember, type CastName, type DemoSoul } from "./cast.ts";
import type { World } from "./world.ts";

/** Registers an agent by its owner's signature; `change` replaces parts of the registration. */
export async function register(
  { client, stack, endpoints, person, join }: World,
  name: CastName,
  change: Partial<RegisterInput> = {},
): Promise<void> {
  const member: CastMember = CAST[name];
  const { owner, operator, soul, published, publicIdentity, services = [] } = member;
  const signer = person(owner);
  const { identity, capabilities } = soul;
  endpoints.describe(name, { ...identity, skills: capabilities.skills });
  const registered = await client.register({
    soul: { ...soul },
    signer,
    operatorAddress: person(operator ?? owner).address,
    publicFields: publishedOf(soul, published),
    publicIdentity: {
      ...publicIdentity,
      tags: [...publicIdentity.tags],
      serviceEndpoints: Object.fromEntries(
        services.map((service) => [service, `${endpoints.url}/${name}/${service}`]),
      ),
      x402Support: member.isPaid === true,
    },
    generatedPicture: true,
    ...change,
  });
  join(name, { ...registered, owner: signer, soul });
  if (member.provesDomain !== true) return;
  const { chainId, contracts } = stack.deployment;
  endpoints.prove({
    agentRegistry: `eip155:${chainId}:${contracts.identityRegistry.toLowerCase()}`,
    agentId: registered.passportId,
  });
}

/** The values of the published fields. */
export function publishedOf(soul: DemoSoul, fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, fieldValue(soul, field)]));
}

/** The value of a field such as `soul.purpose`. */
export function fieldValue(soul: DemoSoul, field: Field): string | readonly string[] {
  const [part, member] = field.split(".") as [keyof DemoSoul, string];
  const members = soul[part] as unknown as Readonly<Record<string, string | readonly string[]>>;
  const value = members[member];
  if (value === undefined) throw new Error(`The soul has no ${field}.`);
  return value;
}

/** Hashes a soul with a new salt, as its owner does. */
export function sealedSoul(soul: DemoSoul) {
  const ccsf = normaliseCcsf(soul);
  const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
  const hash = soulHash(salt, ccsf);
  const { root, leaves } = buildFieldTree({ ccsf, salt, soulHash: hash });
  return { salt, hash, root, leaves: [...leaves] };
}
