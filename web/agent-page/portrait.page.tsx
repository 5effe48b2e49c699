import type { AgentProfile } from "../../api/features/profile/index.ts";
import { avatarSvg } from "../../protocol/index.ts";
import type { PageKit } from "../ui/kit.ts";

/**
 * The agent's own picture where this page may load it, else the one that is drawn of its soul, else
 * its initial.
 */
export function Portrait({ kit, profile }: { kit: PageKit; profile: AgentProfile }) {
  const { avatarUrl, agentName, soulHash } = profile;
  const drawn = soulHash === null ? null : svgUrl(avatarSvg({ name: agentName, soulHash }));
  const own = isLoadable(kit, profile) ? avatarUrl : null;
  const source = own ?? drawn;
  if (source === null) {
    return (
      <span class="portrait" aria-hidden="true">
        {agentName.charAt(0).toUpperCase()}
      </span>
    );
  }
  // What the owner named may be gone by now: then the script shows the drawing.
  const instead = own === null || drawn === null ? {} : { "data-drawn": drawn };
  const isValid = profile.soulValidity.status === "valid";
  const name = isValid ? "portrait" : "portrait faded";
  return <img class={name} src={source} alt="" width="112" height="112" {...instead} />;
}

/** The policy blocks pictures from other hosts: they would learn who views the agent. */
export function isLoadable(kit: PageKit, { avatarUrl, profileUrl }: AgentProfile): boolean {
  return (
    avatarUrl !== null &&
    [new URL(profileUrl).origin, kit.imageOrigin].includes(originOf(avatarUrl))
  );
}

/** An image runs no scripts, with any content. */
function svgUrl(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
