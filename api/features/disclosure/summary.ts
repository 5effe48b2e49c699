import type { DisclosurePolicy, Field, FieldAvailability } from "../../../protocol/index.ts";
import { FIELDS, fieldAvailability } from "../../../protocol/index.ts";
import type { IndexedAgents, UnclaimedReads } from "../../soul/index-reads.ts";
import { noSuchSoul, type SoulEpoch, type SoulRef } from "../../soul/soul-ref.ts";

/** What the public knows of one field. */
export interface FieldSummary {
  /** Whether its value was published, or disclosed to the public by its owner. */
  readonly disclosed: boolean;
  /** Whether the service gives its value out at once. */
  readonly publiclyAvailable: boolean;
  /** Entries of a published list; null for other values. */
  readonly count: number | null;
  /** Who can receive it; null when it is publicly available. */
  readonly availableTo: Exclude<FieldAvailability, "public"> | null;
}

export interface DisclosureSummary {
  readonly agentName: string;
  /** Null before the claim. */
  readonly tokenId: bigint | null;
  readonly passportId: bigint | null;
  readonly fields: ReadonlyMap<Field, FieldSummary>;
  readonly policy: DisclosurePolicy | null;
}

export type DisclosureSummaries = ReturnType<typeof createDisclosureSummaries>;

/** What the public can know of an agent's fields. */
export function createDisclosureSummaries(deps: {
  readonly agents: IndexedAgents;
  readonly unclaimed: UnclaimedReads["unclaimed"];
  readonly activePolicy: (soul: SoulEpoch) => Promise<DisclosurePolicy | null>;
  readonly publicFields: (soul: SoulEpoch, at: Date) => Promise<readonly Field[]>;
  readonly clock: () => Date;
}) {
  return {
    /** @throws ApiError NOT_FOUND, REGISTRY_PENDING, INDEX_BEHIND */
    async summary(reference: SoulRef): Promise<DisclosureSummary> {
      const { value: agent } = await deps.agents.agent(reference);
      if (agent === null) {
        const name = reference.kind === "name" ? reference.name : null;
        if (name === null || (await deps.unclaimed(name)) === null) throw noSuchSoul(reference);
        return {
          agentName: name,
          tokenId: null,
          passportId: null,
          fields: summaries(null, {}, []),
          policy: null,
        };
      }
      const { soul, published } = agent;
      const [policy, disclosed] = await Promise.all([
        deps.activePolicy(soul),
        deps.publicFields(soul, deps.clock()),
      ]);
      return {
        agentName: soul.name,
        tokenId: soul.tokenId,
        passportId: soul.passportId,
        fields: summaries(policy, published?.publicFields ?? {}, disclosed),
        policy,
      };
    },
  };
}

function summaries(
  policy: DisclosurePolicy | null,
  values: Readonly<Record<string, unknown>>,
  disclosed: readonly Field[],
): ReadonlyMap<Field, FieldSummary> {
  return new Map(
    FIELDS.map((field) => {
      const value = values[field];
      const published = value !== undefined;
      const availability = fieldAvailability(policy, { field, published });
      const summary: FieldSummary = {
        disclosed: published || disclosed.includes(field),
        publiclyAvailable: availability === "public",
        count: Array.isArray(value) ? value.length : null,
        availableTo: availability === "public" ? null : availability,
      };
      return [field, summary];
    }),
  );
}
