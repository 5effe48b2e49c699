import type { AgentRecord, ProfileReads, Reading } from "./index-reads.ts";

/** An agent as a caller names it. */
export type AgentName =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "tokenId"; readonly tokenId: bigint };

/** The agent that a caller names, as last indexed; null for none. */
export function profileOf(
  reads: Pick<ProfileReads, "profileByName" | "profileByTokenId">,
  agent: AgentName,
): Promise<Reading<AgentRecord | null>> {
  return agent.kind === "name"
    ? reads.profileByName(agent.name)
    : reads.profileByTokenId(agent.tokenId);
}
