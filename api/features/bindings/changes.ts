import type { Hex } from "viem";
import type { FollowedEvents } from "../../operations/event-follower.ts";
import type { EventSink } from "../webhooks/index.ts";
import type { BindingAuthority, TrustLevel } from "./pairs.ts";

/** A change of a binding, as the index has it. */
export interface ChangedBinding {
  readonly block: bigint;
  readonly key: string;
  readonly bindingId: Hex;
  readonly fromTokenId: bigint;
  readonly toTokenId: bigint;
  readonly fromAgent: string;
  readonly toAgent: string;
  readonly previousTrustLevel: TrustLevel | null;
  readonly trustLevel: TrustLevel;
  readonly authority: BindingAuthority;
  readonly changedAt: Date;
  /** Whether the binding that it replaced belonged to another epoch of one of the two. */
  readonly replacesEnded: boolean;
}

/** Name of the job that follows the changes of bindings. */
export const BINDINGS_JOB = "bindings.follow";

/** Notifies both agents of a binding, also when the owner called the contract itself. */
export function followBindings(
  events: EventSink,
  page: FollowedEvents<ChangedBinding>["page"],
): FollowedEvents<ChangedBinding> {
  return {
    name: "bindings",
    page,
    async handle(tx, change) {
      const event = eventOf(change);
      if (event === null) return;
      const { fromTokenId, toTokenId, key } = change;
      for (const [direction, tokenId] of [
        ["outbound", fromTokenId],
        ["inbound", toTokenId],
      ] as const) {
        await events.emit(tx, {
          event,
          tokenId,
          registrationId: null,
          key: `binding:${key}`,
          data: eventData(event, change, direction),
        });
      }
    },
  };
}

/** A changed level is no event of its own: it neither begins nor ends the binding. */
function eventOf({
  previousTrustLevel,
  trustLevel,
  replacesEnded,
}: ChangedBinding): "binding.created" | "binding.revoked" | null {
  if (trustLevel === "revoked") {
    return previousTrustLevel === "revoked" ? null : "binding.revoked";
  }
  const stood = previousTrustLevel !== null && previousTrustLevel !== "revoked" && !replacesEnded;
  return stood ? null : "binding.created";
}

function eventData(
  event: "binding.created" | "binding.revoked",
  change: ChangedBinding,
  direction: "inbound" | "outbound",
) {
  const { bindingId, fromAgent, toAgent, trustLevel, authority, changedAt } = change;
  const data = {
    bindingId,
    fromAgent,
    fromTokenId: Number(change.fromTokenId),
    toAgent,
    toTokenId: Number(change.toTokenId),
    direction,
    trustLevel,
    authority,
  };
  if (event === "binding.created") return { ...data, createdAt: changedAt.toISOString() };
  const { previousTrustLevel } = change;
  return { ...data, previousTrustLevel, revokedAt: changedAt.toISOString() };
}
