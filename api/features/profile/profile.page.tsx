import { createRoute, z } from "@hono/zod-openapi";
import { avatarSvg, type ReadRegistrationFile } from "../../../protocol/index.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { CertificateImage } from "../../pages/certificate.tsx";
import {
  AccountLink,
  Badge,
  Card,
  Code,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Notice,
  ScriptRoot,
  UntrustedText,
} from "../../pages/components.tsx";
import type { PageKit } from "../../pages/kit.ts";
import type { Page } from "../../pages/layout.tsx";
import { sendPage } from "../../pages/send.tsx";
import { inWords } from "../../pages/text.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { AGENT_READ_ERRORS, createRouter, errorResponses } from "../../platform/http/router.ts";
import { NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import type { IndexedPoint } from "../../soul/index-reads.ts";
import { type SoulStanding, soulStanding } from "../../soul/standing.ts";
import type { DealingsOf } from "../agent-page/index.ts";
import { AllowanceCard, ConnectCard, PartnersCard, SoulTree } from "../agent-page/index.ts";
import type { AlignmentPicture } from "../alignment/index.ts";
import { AlignmentCard } from "../alignment/index.ts";
import type { EndpointChecks, SignedCheck } from "../endpoint-checks/index.ts";
import { CheckedWhen, checkedService, StateBadge } from "../endpoint-checks/index.ts";
import {
  TIMELINE_SIZE,
  type Timeline,
  TimelineCard,
  type TimelineService,
  timelineCursors,
} from "../events/index.ts";
import type { Resemblances, ResembledSoul } from "./agents.ts";
import { operations } from "./operation-rules.ts";
import type { ProfilePageData } from "./page-data.ts";
import type { AgentProfile, ProfileService } from "./profile.ts";

export interface ProfilePageDeps {
  readonly pages: PageKit;
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
  readonly registrationFileOf: (agentName: string) => Promise<ReadRegistrationFile | null>;
}

const showProfilePage = createRoute({
  method: "get",
  path: "/agents/{name}",
  operationId: "showProfilePage",
  request: {
    params: z.object({ name: NameOrTokenIdParam }),
    query: z.object({ before: timelineCursors.param }),
  },
  responses: {
    200: { description: "The page." },
    ...errorResponses(...AGENT_READ_ERRORS),
  },
});

/** An agent's page: who it is, what is proven of it, and how to check that. */
export function profilePageRoutes(deps: ProfilePageDeps) {
  const { pages, profiles, timelines, alignments, dealingsOf } = deps;
  const { endpointChecks, resemblances, registrationFileOf } = deps;

  return createRouter(operations).openapi(showProfilePage, async (c) => {
    const { at, value: profile } = await profiles.profile(c.req.valid("param").name);
    const { tokenId, soulAlignment } = profile;
    // Asked only of those that have a score.
    const scored = soulAlignment.score === null ? null : tokenId;
    const { before = null } = c.req.valid("query");
    const [file, timeline, alignment, dealings, check, resembled] = await Promise.all([
      registrationFileOf(profile.agentName),
      tokenId === null ? null : timelines.page(tokenId, { before, limit: TIMELINE_SIZE }),
      scored === null ? null : alignments.picture(scored),
      tokenId === null ? null : dealingsOf(tokenId),
      tokenId === null ? null : endpointChecks.last(tokenId),
      resemblances.resembled(profile.agentName, tokenId),
    ]);
    reflectsBlock(c, at);
    if (profile.soulValidity.status === "valid") aboutValidSeal(c);
    return sendPage(
      c,
      pages,
      profilePage(pages, {
        at,
        profile,
        file,
        past: { timeline, isFirst: before === null },
        alignment,
        dealings,
        check,
        resembled,
      }),
    );
  });
}

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
            <People profile={profile} />
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

function Head({
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

/**
 * The agent's own picture where this page may load it, else the one that is drawn of its soul, else
 * its initial.
 */
function Portrait({ kit, profile }: { kit: PageKit; profile: AgentProfile }) {
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
function isLoadable(kit: PageKit, { avatarUrl, profileUrl }: AgentProfile): boolean {
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

/** Where a visitor checks the soul, and the root that its fields are proven against. */
function certificateProof({ tokenId }: AgentProfile): string | undefined {
  return tokenId === null ? undefined : `/proofs/certificates/${tokenId}`;
}

interface StandingWords {
  readonly tone: "good" | "caution" | "bad" | "info";
  readonly badge: string;
  readonly title: string;
  readonly meaning: string;
}

/**
 * The meaning of the states in docs/architecture.md for a visitor who considers using the agent.
 */
const STANDINGS: Readonly<Record<SoulStanding, StandingWords>> = {
  valid: {
    tone: "good",
    badge: "Sealed and valid",
    title: "Sealed and valid",
    meaning: "The sealer of this soul still owns the passport that it is bound to.",
  },
  suspended: {
    tone: "caution",
    badge: "Suspended",
    title: "The passport left the owner who sealed the soul",
    meaning:
      "Nothing that its owner granted counts, and nothing says that this is still the same agent, until the passport's owner reseals the soul. A passport that came back does not end this.",
  },
  not_linked: {
    tone: "bad",
    badge: "Passport not readable",
    title: "The owner of its passport cannot be read",
    meaning:
      "The soul was sealed, and it is not known who holds its passport now. Do not rely on it.",
  },
  not_sealed: {
    tone: "info",
    badge: "Provisional",
    title: "This soul is not sealed yet",
    meaning: "It is registered, but its owner has not vouched for it with a seal.",
  },
  burned: {
    tone: "bad",
    badge: "Burned",
    title: "This agent's soul was burned by its owner",
    meaning: "It cannot act any more. What it did stays on record.",
  },
};

const UNCLAIMED: StandingWords = {
  tone: "info",
  badge: "Not claimed yet",
  title: "This agent has not been claimed yet",
  meaning: "It registered itself. Until its owner signs, nothing about it is on chain.",
};

function standingOf({ genesisStatus, soulValidity, tokenId }: AgentProfile): StandingWords {
  if (tokenId === null) return UNCLAIMED;
  return STANDINGS[soulStanding({ genesisStatus, soulValidity: soulValidity.status })];
}

function Standing({ profile, at }: Pick<ShownAgent, "profile" | "at">) {
  const { tone, title, meaning } = standingOf(profile);
  const { standingSince, tokenId } = profile;
  return (
    <Notice tone={tone} title={title}>
      <p>{meaning}</p>
      {tokenId === null ? null : (
        <p>
          {standingSince === null ? null : (
            <>
              Since <DateTime at={standingSince} />.{" "}
            </>
          )}
          <Known profile={profile} at={at} />
        </p>
      )}
      <p>
        A passport can be sold at any moment. Before you decide anything by this page, ask
        <code> isValid </code>
        on chain.
      </p>
    </Notice>
  );
}

/** With a late index, who holds the passport is read from the chain itself. */
function Known({ profile: { soulValidity }, at }: Pick<ShownAgent, "profile" | "at">) {
  const indexed = dateOf(at.timestamp);
  const checked = soulValidity.lastChecked ?? indexed;
  if (checked > indexed) {
    return (
      <>
        Read from the chain, in its block of <DateTime at={checked} />.
      </>
    );
  }
  return (
    <>
      Known as of block {NUMBER.format(at.block)}, of <DateTime at={indexed} />.
    </>
  );
}

const NUMBER = new Intl.NumberFormat("en-GB");

/** A reincarnation may repeat its parent: the contract lets only the parent's owner name it. */
function Duplicate({ profile: { duplicateOf, parentTokenId } }: { profile: AgentProfile }) {
  if (duplicateOf === null || duplicateOf.tokenId === parentTokenId) return null;
  const { agentName, tokenId } = duplicateOf;
  return (
    <Notice tone="caution" title="Another agent sealed this soul first">
      <p>
        This agent has the soul hash or Merkle root of{" "}
        <a href={`/agents/${tokenId}`}>{agentName}</a> (certificate {String(tokenId)}). It may be a
        copy.
      </p>
    </Notice>
  );
}

/** The contract gives a name once, and names that look alike to anyone. */
function LookAlike({
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

function Proven({ kit, profile }: { kit: PageKit; profile: AgentProfile }) {
  const { agentName, tokenId, sealedAt, soulHash, soulMerkleRoot } = profile;
  const script: ProfilePageData = { agentName, explorer: kit.network.explorer };
  const isValid = profile.soulValidity.status === "valid";
  return (
    <Card id="proven" title={tokenId === null || isValid ? "What is proven" : "What is on record"}>
      {tokenId === null ? (
        <p>Nothing yet: proof begins when the owner claims the agent.</p>
      ) : (
        <>
          <DescriptionList>
            <DescriptionItem name="Certificate">
              <a href={`/certificates/${tokenId}`}>{String(tokenId)}</a>, which cannot be sold, on{" "}
              {kit.network.name}
            </DescriptionItem>
            <DescriptionItem name="Passport (ERC-8004)">
              <a href={`/passports/${profile.erc8004AgentId}`}>{String(profile.erc8004AgentId)}</a>
              {profile.erc8004Url === null ? null : (
                <>
                  {" · "}
                  <a href={profile.erc8004Url} rel="noopener nofollow">
                    its registration file
                  </a>
                </>
              )}
            </DescriptionItem>
            {sealedAt === null ? null : (
              <DescriptionItem name="Sealed on">
                <DateTime at={sealedAt} />
              </DescriptionItem>
            )}
            {soulHash === null ? null : (
              <DescriptionItem name="Soul hash">
                <Code>{soulHash}</Code>
                <br />
                <span class="muted">of everything it is made of, most of which stays private</span>
              </DescriptionItem>
            )}
            {soulMerkleRoot === null ? null : (
              <DescriptionItem name="Root of its fields">
                <Code>{soulMerkleRoot}</Code>
                <br />
                <span class="muted">lets it prove one field without showing the others</span>
              </DescriptionItem>
            )}
            {profile.arweaveUrl === null ? null : (
              <DescriptionItem name="Archive">
                <a href={profile.arweaveUrl} rel="noopener">
                  <Code>{profile.arweaveTxId}</Code>
                </a>
              </DescriptionItem>
            )}
          </DescriptionList>
          {soulMerkleRoot === null ? null : (
            <>
              <h3>{isValid ? "Its soul, leaf by leaf" : "Its last sealed soul, leaf by leaf"}</h3>
              <SoulTree
                publicFields={profile.disclosedFields}
                proof={isValid ? `/proofs/certificates/${tokenId}` : null}
              />
            </>
          )}
          <p>
            Did it show you another one? <a href="/verify">Verify what it showed you</a>.
          </p>
          <h3>Check it now</h3>
          <p>
            Reads the chain, fetches the archive and hashes it again. Contracts do the same with{" "}
            <Code>isValid({String(tokenId)})</Code>; programs read{" "}
            <a href={`/v1/verify/${agentName}`}>the verification</a>.
          </p>
          <ScriptRoot
            script="profile"
            data={script}
            why="The check is made by a script of this site."
          />
        </>
      )}
    </Card>
  );
}

function Endpoints({
  file,
  profile,
  check,
}: {
  file: ReadRegistrationFile | null;
  profile: AgentProfile;
  check: SignedCheck | null;
}) {
  const services = file?.services ?? [];
  const stateOf = (service: ReadRegistrationFile["services"][number]) => {
    const checked = checkedService(check, service);
    return checked === null ? null : <StateBadge state={checked.state} />;
  };
  return (
    <Card id="endpoints" title="Endpoints">
      {services.length === 0 ? (
        <p class="muted">
          {profile.erc8004Url === null
            ? "Its passport points to no file that can be shown."
            : "Its registration file names none, or could not be read here."}
        </p>
      ) : (
        <DescriptionList>
          {services.map((service) => {
            const { name, endpoint, version } = service;
            return (
              <DescriptionItem
                name={<UntrustedText text={version === null ? name : `${name} ${version}`} />}
              >
                <Endpoint url={endpoint} /> {stateOf(service)}
              </DescriptionItem>
            );
          })}
        </DescriptionList>
      )}
      {profile.tokenId === null || profile.genesisStatus === "BURNED" ? null : (
        <CheckedWhen agentName={profile.agentName} check={check} />
      )}
    </Card>
  );
}

/** A link only where it can be one: `javascript:` and the like are text. */
function Endpoint({ url }: { url: string }) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const linked =
    parsed !== null &&
    (parsed.protocol === "https:" || parsed.protocol === "http:") &&
    parsed.username === "" &&
    parsed.password === "";
  const text = (
    <span class="code">
      <UntrustedText text={url} />
    </span>
  );
  return linked ? (
    <a href={url} rel="noopener noreferrer nofollow">
      {text}
    </a>
  ) : (
    text
  );
}

/** The owner's own statements, which are not verified. */
function OwnWords({ kit, profile }: { kit: PageKit; profile: AgentProfile }) {
  const { publicIdentity, birthBundle, avatarUrl } = profile;
  const { bio, category, tags, modelFamily, contacts } = publicIdentity ?? NOTHING_SAID;
  const { note, creatorName } = birthBundle ?? { note: "", creatorName: "" };
  const facts = [
    bio === null ? null : (
      <DescriptionItem name="About it">
        <UntrustedText text={bio} />
      </DescriptionItem>
    ),
    category === null ? null : (
      <DescriptionItem name="Category">{inWords(category)}</DescriptionItem>
    ),
    tags.length === 0 ? null : (
      <DescriptionItem name="Tags">
        <ul class="tags">
          {tags.map((tag) => (
            <li class="badge">
              <UntrustedText text={tag} />
            </li>
          ))}
        </ul>
      </DescriptionItem>
    ),
    modelFamily === null ? null : (
      <DescriptionItem name="Model family">
        <UntrustedText text={modelFamily} />
      </DescriptionItem>
    ),
    ...contacts.map(({ type, value }) => (
      <DescriptionItem name={<UntrustedText text={inWords(type)} />}>
        <Endpoint url={value} />
      </DescriptionItem>
    )),
    note === "" ? null : (
      <DescriptionItem name="At its birth">
        <UntrustedText text={note} />
      </DescriptionItem>
    ),
    creatorName === "" ? null : (
      <DescriptionItem name="Created by">
        <UntrustedText text={creatorName} />
      </DescriptionItem>
    ),
    avatarUrl === null || isLoadable(kit, profile) ? null : (
      <DescriptionItem name="Its own picture">
        <Endpoint url={avatarUrl} />
      </DescriptionItem>
    ),
  ].filter((fact) => fact !== null);
  if (facts.length === 0) return null;
  return (
    <Card id="words" title="In its owner's words">
      <DescriptionList>{facts}</DescriptionList>
      <p class="muted">None of it is verified.</p>
    </Card>
  );
}

const NOTHING_SAID: NonNullable<AgentProfile["publicIdentity"]> = {
  bio: null,
  category: null,
  tags: [],
  modelFamily: null,
  contacts: [],
};

function People({ profile }: { profile: AgentProfile }) {
  const { owner, operator, operatorLabel, organizationId, chainAddresses } = profile;
  const { parentTokenId, successorTokenId } = profile;
  return (
    <Card id="people" title="Who stands behind it">
      <DescriptionList>
        <DescriptionItem name="Owner">
          {owner === null ? <Withheld /> : <AccountLink address={owner} />}
        </DescriptionItem>
        <DescriptionItem name="Acts through">
          {operatorLabel === null ? null : (
            <>
              <UntrustedText text={operatorLabel} />
              <br />
            </>
          )}
          {operator === null ? (
            <Withheld />
          ) : operator === owner ? (
            "its owner's account"
          ) : (
            <AccountLink address={operator} />
          )}
        </DescriptionItem>
        {organizationId === 0n ? null : (
          <DescriptionItem name="Organization">
            <a href={`/organizations/${organizationId}`}>number {String(organizationId)}</a>
          </DescriptionItem>
        )}
        {parentTokenId === 0n ? null : (
          <DescriptionItem name="Descends from">
            <a href={`/agents/${parentTokenId}`}>certificate {String(parentTokenId)}</a>
          </DescriptionItem>
        )}
        {successorTokenId === null ? null : (
          <DescriptionItem name="Reincarnated as">
            <a href={`/agents/${successorTokenId}`}>certificate {String(successorTokenId)}</a>
          </DescriptionItem>
        )}
        {chainAddresses.map(({ chain, address, label }) => (
          <DescriptionItem
            name={<UntrustedText text={label === "" ? chain : `${label} (${chain})`} />}
          >
            <Code>
              <UntrustedText text={address} />
            </Code>
          </DescriptionItem>
        ))}
      </DescriptionList>
      {profile.tokenId === null ? null : (
        <p>
          <a href={`/allowances/${profile.tokenId}`}>What it may pay</a> ·{" "}
          <a href={`/bindings/${profile.tokenId}`}>Whom it trusts</a> ·{" "}
          <a href={`/console/${profile.tokenId}`}>Manage it, as its owner</a>
        </p>
      )}
    </Card>
  );
}

const Withheld = () => <span class="muted">not shown</span>;

function Activity({ profile }: { profile: AgentProfile }) {
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
