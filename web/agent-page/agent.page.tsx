import type { AlignmentPicture } from "../../api/features/alignment/index.ts";
import type { EndpointChecks, SignedCheck } from "../../api/features/endpoint-checks/index.ts";
import type { Timeline, TimelineService } from "../../api/features/events/index.ts";
import type {
  AgentProfile,
  ProfileService,
  Resemblances,
  ResembledSoul,
} from "../../api/features/profile/index.ts";
import { aboutValidSeal } from "../../api/platform/http/caching.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { listedPage } from "../../api/platform/http/operations.ts";
import { AGENT_READ_ERRORS } from "../../api/platform/http/router.ts";
import { TypedAgentSchema } from "../../api/platform/http/schemas.ts";
import type { IndexedPoint } from "../../api/soul/index-reads.ts";
import type { ReadRegistrationFile } from "../../protocol/index.ts";
import { AlignmentCard } from "../alignment/picture.page.tsx";
import { TIMELINE_SIZE, TimelineCard, timelineCursors } from "../events/timeline.page.tsx";
import { CertificateImage } from "../ui/certificate.tsx";
import { Card } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { leadFromDigits } from "../ui/typed-digits.ts";
import { Activity } from "./activity.page.tsx";
import { AllowanceCard } from "./allowance.page.tsx";
import { ConnectCard } from "./connect.page.tsx";
import type { DealingsOf } from "./dealings.ts";
import { Endpoints } from "./endpoints.page.tsx";
import { Head } from "./head.page.tsx";
import { PartnersCard } from "./partners.page.tsx";
import { People } from "./people.page.tsx";
import { Proven } from "./proven.page.tsx";
import { Known, Standing, standingOf } from "./standing.page.tsx";
import { Duplicate, LookAlike } from "./warnings.page.tsx";
import { OwnWords } from "./words.page.tsx";

/** An agent's page: who it is, what is proven of it, and how to check that. */
export const showProfilePage = page({
  operationId: "showProfilePage",
  rules: listedPage,
  path: "/agents/{name}",
  params: { name: TypedAgentSchema },
  query: { before: timelineCursors.param },
  errors: [...AGENT_READ_ERRORS],
  async show(
    { name, before = null },
    deps: {
      readonly profiles: Pick<ProfileService, "profile">;
      readonly timelines: TimelineService;
      readonly alignments: {
        /** Null without a score in the present epoch. */
        picture(tokenId: bigint): Promise<AlignmentPicture | null>;
      };
      readonly dealingsOf: DealingsOf;
      readonly endpointChecks: Pick<EndpointChecks, "last">;
      readonly resemblances: Resemblances;
      /**
       * The content of the passport's registration file: untrusted; null when it cannot be read here.
       */
      readonly registrationFileAt: (uri: string | null) => Promise<ReadRegistrationFile | null>;
    },
    kit,
    c,
  ) {
    const { profiles, timelines, alignments, dealingsOf } = deps;
    const { endpointChecks, resemblances, registrationFileAt } = deps;
    if (name.kind !== "name") return leadFromDigits(c);
    const { at, value: profile } = await profiles.profile(name);
    const { tokenId, soulAlignment } = profile;
    // Asked only of those that have a score.
    const scored = soulAlignment.score === null ? null : tokenId;
    const [file, timeline, alignment, dealings, check, resembled] = await Promise.all([
      registrationFileAt(profile.passportUri),
      tokenId === null ? null : timelines.page(tokenId, { before, limit: TIMELINE_SIZE }),
      scored === null ? null : alignments.picture(scored),
      tokenId === null ? null : dealingsOf(tokenId),
      tokenId === null ? null : endpointChecks.last(tokenId),
      resemblances.resembled(profile.agentName, tokenId),
    ]);
    reflectsBlock(c, at);
    if (profile.soulValidity.status === "valid") aboutValidSeal(c);
    return profilePage(kit, {
      at,
      profile,
      file,
      past: { timeline, isFirst: before === null },
      alignment,
      dealings,
      check,
      resembled,
    });
  },
});

interface ShownAgent {
  readonly at: IndexedPoint;
  readonly profile: AgentProfile;
  readonly file: ReadRegistrationFile | null;
  readonly past: { readonly timeline: Timeline | null; readonly isFirst: boolean };
  readonly alignment: AlignmentPicture | null;
  readonly dealings: Awaited<ReturnType<DealingsOf>>;
  readonly check: SignedCheck | null;
  readonly resembled: ResembledSoul | null;
}

function profilePage(kit: PageKit, shown: ShownAgent): Page {
  const { at, profile, file, past, alignment, dealings, check, resembled } = shown;
  const { agentName } = profile;
  return {
    title: agentName,
    ofBlock: dependsOnDay(dealings) ? undefined : (later) => String(Known({ profile, at: later })),
    description: `${agentName}, an AI agent: ${standingOf(profile).title.toLowerCase()}.`,
    canonical: `/agents/${agentName}`,
    picture: {
      path: `/agents/${agentName}/card.png`,
      alt: `${agentName}: its emblem, and whether its seal is valid.`,
    },
    script: "profile",
    width: "overview",
    body: (
      <div class="stack">
        <Head kit={kit} profile={profile} file={file} />
        <Standing profile={profile} at={at} />
        <Duplicate profile={profile} />
        <LookAlike profile={profile} resembled={resembled} />
        <div class="columns">
          <div class="stack">
            <Proven kit={kit} profile={profile} />
            <People profile={profile} organizationName={dealings?.value.organizationName ?? null} />
            <TimelineCard
              kit={kit}
              agentName={agentName}
              isSuspended={profile.soulValidity.status === "suspended"}
              namesAccounts={profile.owner !== null && profile.operator !== null}
              {...past}
            />
          </div>
          <div class="stack">
            {profile.tokenId === null || profile.genesisStatus === "BURNED" ? null : (
              <Card id="certificate" title="Its certificate">
                <CertificateImage tokenId={profile.tokenId} agentName={agentName} />
                <p>
                  <a href={`/certificates/${profile.tokenId}`}>Its holder and its epochs</a>
                </p>
              </Card>
            )}
            <OwnWords kit={kit} profile={profile} />
            <Endpoints file={file} profile={profile} check={check} />
            {profile.tokenId === null || profile.soulValidity.status !== "valid" ? null : (
              <ConnectCard
                service={kit.origin}
                agentName={agentName}
                tokenId={profile.tokenId}
                file={file}
              />
            )}
            {alignment === null ? null : (
              <AlignmentCard
                agentName={agentName}
                picture={alignment}
                isValid={profile.soulValidity.status === "valid"}
              />
            )}
            <Activity profile={profile} />
            <Dealings profile={profile} dealings={dealings} />
          </div>
        </div>
      </div>
    ),
  };
}

/** Whether the page says what an allowance permits today, or what was paid in the last days. */
function dependsOnDay(dealings: ShownAgent["dealings"]): boolean {
  if (dealings === null) return false;
  const { allowance, spending } = dealings.value;
  return allowance !== null || spending.length > 0;
}

function Dealings({ profile, dealings }: Pick<ShownAgent, "profile" | "dealings">) {
  const { tokenId, soulHash, soulValidity } = profile;
  if (tokenId === null || dealings === null) return null;
  const isValid = soulValidity.status === "valid";
  const { at, value } = dealings;
  return (
    <>
      <AllowanceCard tokenId={tokenId} at={at} isValid={isValid} dealings={value} />
      <PartnersCard
        tokenId={tokenId}
        soulHash={soulHash}
        isValid={isValid}
        bindings={value.bindings}
      />
    </>
  );
}
