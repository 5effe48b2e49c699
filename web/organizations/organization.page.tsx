import { z } from "@hono/zod-openapi";
import type { BuiltOrganizations } from "../../api/features/organizations/build.ts";
import {
  MEMBER_ORDERS,
  type MemberOrder,
  type MemberRecord,
  type MembershipState,
  type OrganizationRecord,
  type OrganizationStats,
} from "../../api/features/organizations/organizations.ts";
import { OrganizationParams } from "../../api/features/organizations/schemas.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { TypedAgentSchema } from "../../api/platform/http/schemas.ts";
import { type ChainSouls, ownerOf } from "../../api/soul/chain-soul.ts";
import type { IndexedAgents } from "../../api/soul/index-reads.ts";
import { ActionArea, OwnerHead, WalletCard } from "../owner/components.tsx";
import { signedWords } from "../owner/words.ts";
import {
  AccountLink,
  Badge,
  Card,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Notice,
  NumberNote,
  PageTurner,
  type Tone,
  UntrustedText,
} from "../ui/components.tsx";
import { TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { inWords, visibleText } from "../ui/text.ts";
import { type ChosenAgent, organizationActions } from "./actions.page.ts";

const PAGE_SIZE = 20;

interface Shown {
  readonly organization: OrganizationRecord & { readonly members: readonly MemberRecord[] };
  readonly stats: OrganizationStats;
  readonly page: number;
  readonly order: MemberOrder;
  /** What was typed to choose an agent; empty for nothing. */
  readonly typed: string;
  /** Null while none is chosen, and when there is no such agent. */
  readonly agent: ChosenAgent | null;
}

interface Chosen {
  readonly souls: ChainSouls;
  readonly current: IndexedAgents;
}

async function chosenAgent(
  { souls, current }: Chosen,
  typed: string,
  organizationId: bigint,
): Promise<ChosenAgent | null> {
  const ref = TypedAgentSchema.safeParse(typed);
  const found = ref.success ? (await current.agent(ref.data)).value : null;
  if (found === null) return null;
  const soul = await souls.soul(found.soul.tokenId);
  if (soul === null) return null;
  const { membership } = found;
  return {
    tokenId: soul.tokenId,
    name: soul.name,
    owner: ownerOf(soul),
    isMember: membership?.organizationId === organizationId,
    memberOf:
      membership?.epoch === soul.epoch && membership.organizationId !== 0n
        ? membership.organizationId
        : null,
  };
}

/** An organization in public, with what its admin and the owners of agents can do. */
export const showOrganizationPage = page({
  operationId: "showOrganizationPage",
  rules: unlistedPage,
  path: "/organizations/{organizationId}",
  params: OrganizationParams.shape,
  query: {
    agent: z.string().trim().max(64).optional(),
    page: z.coerce.number().int().min(1).max(10_000).default(1),
    sortBy: z.enum(MEMBER_ORDERS).default("addedAt"),
  },
  errors: ["INVALID_REQUEST", "NOT_FOUND", "CHAIN_UNAVAILABLE", "INDEX_BEHIND"],
  async show(
    { organizationId, agent: typed = "", page, sortBy: order },
    {
      organizations,
      ...chosen
    }: Chosen & { readonly organizations: BuiltOrganizations["organizations"] },
    kit,
    c,
  ) {
    const window = { order, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
    const [{ at, value: organization }, { value }, agent] = await Promise.all([
      organizations.withMembers(organizationId, window),
      organizations.stats(organizationId),
      typed === "" ? null : chosenAgent(chosen, typed, organizationId),
    ]);
    reflectsBlock(c, at);
    const shown: Shown = {
      organization,
      stats: value.stats,
      page,
      order,
      typed,
      agent,
    };
    return organizationPage(kit, shown);
  },
});

function organizationPage(kit: PageKit, shown: Shown): Page {
  const { organization, stats, agent } = shown;
  const { organizationId, name, admin, pendingAdmin } = organization;
  const actions = organizationActions(organization, agent);
  const has = (id: string) => actions.some((action) => action.id === id);
  const words = signedWords({
    OrganizationRegistry: ["Join", "Admission", "Leave", "ChangeAdmin", "AcceptAdmin"],
  });
  const called = name === "" ? `Organization ${organizationId}` : name;
  return {
    title: visibleText(called),
    script: "owner",
    body: (
      <div class="stack">
        <OwnerHead
          eyebrow={`Organization ${organizationId}`}
          title={<UntrustedText text={called} />}
        >
          Agents under one admin. Its founder wrote the name, and another one may have the same.
        </OwnerHead>
        <Card id="facts" title="Who administers it">
          <DescriptionList>
            <DescriptionItem name="Admin">
              <AccountLink address={admin} />
            </DescriptionItem>
            {pendingAdmin === null ? null : (
              <DescriptionItem name="Named as the next admin">
                <AccountLink address={pendingAdmin} />, without rights until it accepts
              </DescriptionItem>
            )}
            <DescriptionItem name="Founded on">
              <DateTime at={organization.createdAt} />
            </DescriptionItem>
          </DescriptionList>
        </Card>
        <StatsCard stats={stats} />
        <MembersCard shown={shown} />
        <WalletCard data={{ network: kit.network, actions, words }}>
          <p>
            For its admin, and for the owners of agents. You send no transaction, and the service
            pays the network's fees.
          </p>
        </WalletCard>
        <AgentCard shown={shown} />
        {has("join") ? (
          <Card id="joining" title={`Let ${agent?.name} join, as its owner`}>
            <p>
              The agent's owner and the admin both sign, in any order. A first signature waits for
              the second one up to 7 days. Who signed first can take it back.
            </p>
            <ActionArea id="join" />
          </Card>
        ) : null}
        {has("admit") ? (
          <Card id="admitting" title={`Admit ${agent?.name}, as the admin`}>
            <p>With the signature of its owner, before or after this one, it is a member.</p>
            <ActionArea id="admit" />
          </Card>
        ) : null}
        {has("leave") ? (
          <Card id="leaving" title={`End the membership of ${agent?.name}`}>
            <p>The agent's owner or the admin signs. It takes effect at once.</p>
            <ActionArea id="leave" />
          </Card>
        ) : null}
        <Card id="invited" title="Invitations">
          <p>Signatures that wait for a second one, yours or for you.</p>
          <ActionArea id="invitations" />
        </Card>
        {has("accept") ? (
          <Card id="accepting" title="Take the organization over">
            <p>The account that the admin named becomes the admin, at once.</p>
            <ActionArea id="accept" />
          </Card>
        ) : null}
        {has("withdraw") ? (
          <Card id="withdrawing" title="Take the naming back">
            <p>The admin can do so until that account accepts.</p>
            <ActionArea id="withdraw" />
          </Card>
        ) : null}
        <Card id="naming" title="Hand it over to another admin">
          <p>The next admin has no rights until it accepts on this page.</p>
          <ActionArea id="name">
            <TextField
              name="newAdmin"
              label="Account of the next admin"
              hint="It replaces one that was named and has not accepted."
            />
          </ActionArea>
        </Card>
      </div>
    ),
  };
}

function StatsCard({ stats }: { stats: OrganizationStats }) {
  const types = Object.entries(stats.agentTypeBreakdown).filter(([, count]) => count > 0);
  return (
    <Card id="stats" title="In numbers">
      <DescriptionList>
        <DescriptionItem name="Active members">{stats.activeMembers}</DescriptionItem>
        <DescriptionItem name="By type">
          {types.length === 0
            ? "none"
            : types.map(([type, count]) => `${inWords(type)}: ${count}`).join(", ")}
        </DescriptionItem>
        <DescriptionItem name="Alignment on average">
          {stats.averageAlignment ?? "no score yet"}
        </DescriptionItem>
        <DescriptionItem name="Drifted">{stats.driftedCount}</DescriptionItem>
        <DescriptionItem name="Sealed">{stats.sealedCount}</DescriptionItem>
        <DescriptionItem name="Provisional">{stats.provisionalCount}</DescriptionItem>
        <DescriptionItem name="Chronicles">{stats.totalChronicles}</DescriptionItem>
        <DescriptionItem name="Bindings">{stats.totalBindings}</DescriptionItem>
        <DescriptionItem name="Last activity">
          {stats.lastActivity === null ? "none yet" : <DateTime at={stats.lastActivity} />}
        </DescriptionItem>
      </DescriptionList>
    </Card>
  );
}

const STATES: Readonly<Record<MembershipState, readonly [Tone, string]>> = {
  active: ["good", "active"],
  suspended: ["caution", "suspended"],
  ended: ["bad", "without effect"],
};

function MembersCard({ shown: { organization, page, order } }: { shown: Shown }) {
  const { organizationId, members, memberCount } = organization;
  const path = `/organizations/${organizationId}`;
  return (
    <Card id="members" title={`Members: ${memberCount}`}>
      {members.length === 0 ? (
        <p class="muted">
          {memberCount === 0
            ? "No member yet. Choose an agent below, and sign with its owner and with the admin."
            : "The list ends here."}
        </p>
      ) : (
        <DescriptionList>
          {members.map(({ tokenId, agentName, agentType, soulAlignment, addedAt, status }) => (
            <DescriptionItem name={<a href={`/agents/${agentName}`}>{agentName}</a>}>
              <Badge tone={STATES[status][0]} href={`/proofs/certificates/${tokenId}`}>
                {STATES[status][1]}
              </Badge>{" "}
              {inWords(agentType)}, alignment{" "}
              {soulAlignment === null ? (
                "not scored"
              ) : (
                <a href={`/proofs/alignment/${agentName}`}>{soulAlignment}</a>
              )}
              , since <DateTime at={addedAt} />
              <br />
              <a href={`${path}?agent=${tokenId}#leaving-title`}>End its membership</a>
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
      <PageTurner
        href={(to) => `${path}?page=${to}&sortBy=${order}#members-title`}
        page={page}
        last={Math.ceil(memberCount / PAGE_SIZE)}
      />
      {memberCount === 0 ? null : <MemberOrders organizationId={organizationId} order={order} />}
    </Card>
  );
}

function MemberOrders({ organizationId, order }: { organizationId: bigint; order: MemberOrder }) {
  return (
    <>
      <p>
        <a href={`/agents?organization=${organizationId}`}>Search its active members</a>
      </p>
      <p class="muted">
        Sorted by{" "}
        {MEMBER_ORDERS.map((one, i) => (
          <>
            {i === 0 ? "" : " · "}
            {one === order ? (
              <strong>{ORDERS[one]}</strong>
            ) : (
              <a href={`/organizations/${organizationId}?sortBy=${one}#members-title`}>
                {ORDERS[one]}
              </a>
            )}
          </>
        ))}
      </p>
    </>
  );
}

const ORDERS: Readonly<Record<MemberOrder, string>> = {
  addedAt: "time of joining",
  agentName: "name",
  soulAlignment: "alignment",
};

/** Works without a script: the page loads again, with what can be signed for that agent. */
function AgentCard({ shown: { organization, typed, agent } }: { shown: Shown }) {
  const { organizationId } = organization;
  return (
    <Card id="agent" title="Choose an agent">
      <form class="search" action={`/organizations/${organizationId}#agent-title`}>
        <label for="agent">Name or passport number of the agent that joins or leaves</label>
        <div>
          <input class="control" id="agent" name="agent" maxlength={64} autocomplete="off" />
          <button class="button secondary" type="submit">
            Choose it
          </button>
        </div>
      </form>
      <NumberNote typed={typed} />
      {typed === "" || agent !== null ? null : (
        <Notice tone="caution" title="There is no such agent">
          <p>
            You looked for “<UntrustedText text={typed} />
            ”.
          </p>
        </Notice>
      )}
      {agent === null ? null : <Chosen agent={agent} organizationId={organizationId} />}
    </Card>
  );
}

function Chosen({ agent, organizationId }: { agent: ChosenAgent; organizationId: bigint }) {
  const { name, tokenId, owner, memberOf } = agent;
  return (
    <>
      <DescriptionList>
        <DescriptionItem name="Agent">
          <a href={`/agents/${name}`}>{name}</a>, certificate {String(tokenId)}
        </DescriptionItem>
      </DescriptionList>
      {owner === null ? (
        <Notice tone="caution" title="The soul is not valid">
          <p>The agent cannot join. Only the admin can end a membership that it has.</p>
        </Notice>
      ) : null}
      {memberOf === null || memberOf === organizationId ? null : (
        <Notice tone="caution" title="It belongs to another organization">
          <p>
            It must leave <a href={`/organizations/${memberOf}?agent=${tokenId}`}>that one</a>{" "}
            first.
          </p>
        </Notice>
      )}
    </>
  );
}
