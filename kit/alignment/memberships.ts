import type { Hex } from "viem";
import { organizationRegistryAbi } from "../../protocol/generated/abi.ts";
import { accountTopic, type LogReader, placeOf, topicOf } from "./logs.ts";
import type { UntimedFact } from "./untimed.ts";

interface Member {
  readonly tokenId: bigint;
  /** The soul's current epoch: memberships of earlier ones ended. */
  readonly epoch: number;
}

type Membership = Extract<UntimedFact, { kind: "membership" }>;

/**
 * The active memberships of these souls, and who administers their organizations.
 *
 * @param owners The souls' owners. An organization's batch names them, and not each member.
 */
export async function readMemberships(
  logs: LogReader,
  { address, fromBlock }: { readonly address: Hex; readonly fromBlock: bigint },
  members: readonly Member[],
  owners: readonly Hex[],
): Promise<UntimedFact[]> {
  const place = { address, abi: organizationRegistryAbi, fromBlock };
  const tokenIds = members.map(({ tokenId }) => tokenId);
  const changes = await logs.read({
    ...place,
    events: ["MemberJoined", "MemberLeft", "MemberPruned"],
    topics: [tokenIds.map(topicOf)],
  });
  const batches = await logs.read({
    ...place,
    events: ["MembersJoined"],
    topics: [null, owners.map(accountTopic)],
  });
  const active = new Map<bigint, Membership>();
  // A batch registers its members, so that it comes before all their other changes.
  for (const log of batches) {
    const { firstTokenId, count, organizationId, epoch } = log.args;
    for (const { tokenId, epoch: current } of members) {
      const isMember = tokenId >= firstTokenId && tokenId < firstTokenId + count;
      if (!isMember || epoch !== current) continue;
      active.set(tokenId, { kind: "membership", place: placeOf(log), tokenId, organizationId });
    }
  }
  const epochs = new Map(members.map(({ tokenId, epoch }) => [tokenId, epoch]));
  for (const log of changes) {
    const { tokenId, organizationId, epoch } = log.args;
    active.delete(tokenId);
    if (log.eventName !== "MemberJoined" || epoch !== epochs.get(tokenId)) continue;
    active.set(tokenId, { kind: "membership", place: placeOf(log), tokenId, organizationId });
  }
  const organizationIds = new Set([...active.values()].map(({ organizationId }) => organizationId));
  const admins = await logs.read({
    ...place,
    events: ["OrganizationCreated", "AdminChanged"],
    topics: [[...organizationIds].map(topicOf)],
  });
  const organizations = new Map(
    admins.map((log): [bigint, UntimedFact] => {
      const { organizationId, admin } = log.args;
      return [organizationId, { kind: "organization", place: placeOf(log), organizationId, admin }];
    }),
  );
  return [...active.values(), ...organizations.values()];
}
