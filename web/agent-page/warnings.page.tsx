import type { AgentProfile, ResembledSoul } from "../../api/features/profile/index.ts";
import { Notice } from "../ui/components.tsx";

/** A reincarnation may repeat its parent: the contract lets only the parent's owner name it. */
export function Duplicate({ profile: { duplicateOf, parentTokenId } }: { profile: AgentProfile }) {
  if (duplicateOf === null || duplicateOf.tokenId === parentTokenId) return null;
  const { agentName, tokenId } = duplicateOf;
  return (
    <Notice tone="caution" title="Another agent sealed this soul first">
      <p>
        This agent has the soul hash or Merkle root of{" "}
        <a href={`/agents/${agentName}`}>{agentName}</a> (certificate {String(tokenId)}). It may be
        a copy.
      </p>
    </Notice>
  );
}

/** The contract gives a name once, and names that look alike to anyone. */
export function LookAlike({
  profile: { parentTokenId },
  resembled,
}: {
  profile: AgentProfile;
  resembled: ResembledSoul | null;
}) {
  if (resembled === null || resembled.tokenId === parentTokenId) return null;
  const { agentName, tokenId } = resembled;
  return (
    <Notice tone="caution" title="Its name is easily mistaken for an older one">
      <p>
        <a href={`/agents/${agentName}`}>{agentName}</a> (certificate {String(tokenId)}) was
        registered first. Compare the names letter by letter.
      </p>
    </Notice>
  );
}
