import type { DisclosurePolicy, Field } from "../../../protocol/index.ts";
import { FIELDS, fieldAvailability } from "../../../protocol/index.ts";
import { noSuchSoul, type SoulRef } from "../../soul/soul-ref.ts";
import type { DisclosureContext } from "./context.ts";

/**
 * What the public can know of an agent's fields. Its ids are null before the claim.
 *
 * @throws ApiError NOT_FOUND, REGISTRY_PENDING, INDEX_BEHIND
 */
export async function disclosureSummary(context: DisclosureContext, reference: SoulRef) {
  const { value: agent } = await context.agents.agent(reference);
  if (agent === null) {
    const name = reference.kind === "name" ? reference.name : null;
    if (name === null || (await context.unclaimed(name)) === null) throw noSuchSoul(reference);
    const fields = summaries(null, {}, []);
    return { agentName: name, tokenId: null, passportId: null, fields, policy: null };
  }
  const { soul, published } = agent;
  const [policy, disclosed] = await Promise.all([
    context.policies.active(soul),
    context.records.publicFields(soul, context.clock()),
  ]);
  const fields = summaries(policy, published?.publicFields ?? {}, disclosed);
  return {
    agentName: soul.name,
    tokenId: soul.tokenId,
    passportId: soul.passportId,
    fields,
    policy,
  };
}

function summaries(
  policy: DisclosurePolicy | null,
  values: Readonly<Record<string, unknown>>,
  disclosed: readonly Field[],
) {
  return FIELDS.map((field) => {
    const value = values[field];
    const published = value !== undefined;
    const availability = fieldAvailability(policy, { field, published });
    return {
      field,
      /** Whether its value was published, or disclosed to the public by its owner. */
      disclosed: published || disclosed.includes(field),
      /** Whether the service gives its value out at once. */
      publiclyAvailable: availability === "public",
      /** Entries of a published list. */
      count: Array.isArray(value) ? value.length : undefined,
      /** Who can receive it, unless it is publicly available. */
      availableTo: availability === "public" ? undefined : availability,
    };
  });
}
