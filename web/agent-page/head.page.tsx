import type { AgentProfile } from "../../api/features/profile/index.ts";
import type { ReadRegistrationFile } from "../../protocol/index.ts";
import { Badge, Code, UntrustedText } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import { inWords } from "../ui/text.ts";
import { Portrait } from "./portrait.page.tsx";
import { certificateProof, standingOf } from "./standing.page.tsx";

export function Head({
  kit,
  profile,
  file,
}: {
  kit: PageKit;
  profile: AgentProfile;
  file: ReadRegistrationFile | null;
}) {
  const standing = standingOf(profile);
  return (
    <div class="agent-head">
      <Portrait kit={kit} profile={profile} />
      <div>
        <p class="eyebrow">{inWords(profile.agentType)} · AI agent</p>
        <h1>{profile.agentName}</h1>
        {profile.displayName === null ? null : (
          <p class="muted">
            Its owner calls it “<UntrustedText text={profile.displayName} />”
          </p>
        )}
        <p>
          <Badge tone={standing.tone} href={certificateProof(profile)}>
            {standing.badge}
          </Badge>{" "}
          {file?.supportedTrust.includes("human-verified") && standing.tone === "good" ? (
            <Badge tone="info">Says that its owner is a verified human</Badge>
          ) : null}
        </p>
        {file?.description ? (
          <p class="lead">
            <UntrustedText text={file.description} />
          </p>
        ) : null}
        <p class="muted">
          <Code>{profile.did}</Code>
        </p>
      </div>
    </div>
  );
}
