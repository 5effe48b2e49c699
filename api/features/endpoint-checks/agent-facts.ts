import type {
  AgentFacts,
  EndpointCheckStatement,
  SoulFacts,
} from "../../../protocol/endpoints/index.ts";
import { serviceMetadata } from "../../../protocol/service-metadata.ts";
import type { IndexedAgent } from "../../soul/index-reads.ts";
import { validityOf } from "../../soul/validity.ts";
import type { PassportMetadata } from "./ports.ts";

const SOUL_STATES = { valid: "valid", suspended: "suspended", not_linked: "provisional" } as const;

/** What an agent is graded by: its last check, and the index as it is now. */
export async function factsOf(
  agent: IndexedAgent,
  last: EndpointCheckStatement,
  metadata: PassportMetadata,
  now: Date,
): Promise<AgentFacts> {
  const { soul, identity, agentWallet } = agent;
  const state = SOUL_STATES[validityOf(agent)];
  const isValid = state === "valid";
  const facts: SoulFacts = {
    state,
    metadataCurrent: isValid && (await isCurrent(agent, metadata)),
    didPublished: isValid && soul.didArchiveId !== null,
    identityPublished: isValid && identity !== null,
  };
  return {
    file: last.file,
    endpoints: last.endpoints,
    hasWallet: agentWallet !== null,
    soul: facts,
    now,
  };
}

/** Whether the passport says of the soul what the soul is. */
async function isCurrent({ soul }: IndexedAgent, metadata: PassportMetadata): Promise<boolean> {
  const { tokenId, soulHash } = soul;
  if (soulHash === null) return false;
  const expected = serviceMetadata({ tokenId, soulHash, archiveId: null, status: "SEALED" });
  const found = await metadata.of(
    soul.passportId,
    expected.map(([key]) => key),
  );
  return expected.every(([key, value]) => found.get(key) === value);
}
