import type { AgentProfile } from "../../api/features/profile/index.ts";
import { Card, DateTime, DescriptionItem, DescriptionList } from "../ui/components.tsx";

export function Activity({ profile }: { profile: AgentProfile }) {
  const { activity, soulAlignment, mintTimestamp } = profile;
  return (
    <Card id="activity" title="Activity">
      <DescriptionList>
        {mintTimestamp === null ? null : (
          <DescriptionItem name="Registered on">
            <DateTime at={mintTimestamp} />
          </DescriptionItem>
        )}
        {activity.lastActive === null ? null : (
          <DescriptionItem name="Last active">
            <DateTime at={activity.lastActive} />
          </DescriptionItem>
        )}
        <DescriptionItem name="Alignment">
          {soulAlignment.score === null ? (
            <span class="muted">no score yet</span>
          ) : (
            <a href={`/proofs/alignment/${profile.agentName}`}>{soulAlignment.score} of 100</a>
          )}
        </DescriptionItem>
        <DescriptionItem name="Tasks completed">{activity.tasksCompleted}</DescriptionItem>
        <DescriptionItem name="Earned">
          {activity.lifetimeEarned} {activity.currency}
        </DescriptionItem>
        <DescriptionItem name="Agents that it trusts">{activity.agentBindings}</DescriptionItem>
      </DescriptionList>
    </Card>
  );
}
