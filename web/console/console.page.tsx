import { consolePage as consoleRules } from "../../api/platform/http/operations.ts";
import { TokenIdParam } from "../../api/platform/http/schemas.ts";
import { consoleSignIn } from "../owner/console-access.ts";
import { Badge, Card, DescriptionItem, DescriptionList } from "../ui/components.tsx";
import { page } from "../ui/page.ts";
import { visibleText } from "../ui/text.ts";
import type { ConsoleReads, OwnAgent, OwnOrganization } from "./console.ts";
import { consolePage, signedOutPage } from "./frame.page.tsx";
import { StandingBadge } from "./standing.page.tsx";

const PAGE_SIZE = 50;

interface Own {
  readonly agents: readonly OwnAgent[];
  /** Where the next page begins; null on the last one. */
  readonly next: bigint | null;
  readonly organizations: readonly OwnOrganization[];
  readonly invitations: number;
}

/** All agents of an account, and what waits for it. */
export const showConsolePage = page({
  operationId: "showConsolePage",
  rules: consoleRules,
  path: "/console",
  query: { after: TokenIdParam.optional() },
  errors: ["INVALID_REQUEST", "REGISTRY_PENDING"],
  async show(
    { after = null },
    {
      consoleReads,
      clock,
    }: {
      readonly consoleReads: ConsoleReads;
      readonly clock: () => Date;
    },
    kit,
    c,
  ) {
    const signedIn = consoleSignIn(c);
    if (signedIn === null) return signedOutPage(kit);
    const { access, caller } = signedIn;
    const { owner } = caller;
    const [found, organizations, invitations] = await Promise.all([
      consoleReads.agentsOf(owner, { limit: PAGE_SIZE + 1, after }, clock()),
      consoleReads.organizationsOf(owner),
      consoleReads.invitationsFor(owner),
    ]);
    const agents = found.slice(0, PAGE_SIZE);
    const next = found.length > PAGE_SIZE ? (agents.at(-1)?.tokenId ?? null) : null;
    const own: Own = { agents, next, organizations, invitations };
    return consolePage(kit, access, {
      title: "Console",
      eyebrow: "Console",
      heading: "Your agents",
      lead: "Every agent whose passport this account owns, and what waits for your decision.",
      actions: [],
      body: (
        <>
          <WaitingCard own={own} />
          <AgentsCard own={own} />
          <OrganizationsCard organizations={organizations} />
        </>
      ),
    });
  },
});

interface WaitingItem {
  readonly what: string;
  readonly about: string;
  readonly href: string;
}

function waitingItems({ agents, organizations, invitations }: Own): WaitingItem[] {
  const items = agents.flatMap((agent) => waitingOf(agent).map((one) => ({ ...one, agent })));
  return [
    ...items.map(({ what, href, agent }) => ({ what, href, about: agent.name })),
    ...(invitations === 0
      ? []
      : [
          {
            what: counted(invitations, "invitation waits", "invitations wait"),
            about: "Organizations",
            href: "/organizations#invitations-title",
          },
        ]),
    ...organizations
      .filter(({ isPending }) => isPending)
      .map(({ id, name }) => ({
        what: "You are named as its next admin",
        about: visibleText(name ?? `Organization ${id}`),
        href: `/organizations/${id}`,
      })),
  ];
}

/** What waits about one agent, with the page on which it is decided. */
function waitingOf(agent: OwnAgent): { readonly what: string; readonly href: string }[] {
  const { tokenId, standing, status } = agent;
  const items: { what: string; href: string }[] = [];
  const add = (count: number, one: string, several: string, href: string) => {
    if (count > 0) items.push({ what: counted(count, one, several), href });
  };
  if (standing === "suspended") {
    items.push({ what: "Reseal or release it", href: `/reseal/${tokenId}` });
  }
  if (standing !== "owned") return items;
  if (status === "PROVISIONAL") {
    items.push({ what: "Seal it", href: `/console/${tokenId}/passport#sealing-title` });
  }
  add(
    agent.chronicleRequests,
    "chronicle to sign",
    "chronicles to sign",
    `/console/${tokenId}/records`,
  );
  add(
    agent.disclosureRequests,
    "request to see its soul",
    "requests to see its soul",
    `/disclosures/${tokenId}`,
  );
  add(agent.failingWebhooks, "webhook fails", "webhooks fail", `/console/${tokenId}/webhooks`);
  if (agent.isMetadataPending) {
    items.push({ what: "Write the soul on the passport", href: `/console/${tokenId}/passport` });
  }
  return items;
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

function WaitingCard({ own }: { own: Own }) {
  const items = waitingItems(own);
  return (
    <Card id="waiting" title={items.length === 0 ? "Nothing waits for you" : "Waiting for you"}>
      {items.length === 0 ? (
        <p class="muted">Requests of your agents and of others appear here.</p>
      ) : (
        <DescriptionList>
          {items.map(({ what, about, href }) => (
            <DescriptionItem name={about}>
              <a href={href}>{what}</a>
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
    </Card>
  );
}

function AgentsCard({ own: { agents, next } }: { own: Own }) {
  return (
    <Card id="agents" title="Agents">
      {agents.length === 0 ? (
        <p>
          This account owns no agent yet. An agent <a href="/docs/registration">registers</a> and
          sends you a link to claim it. A passport that you buy brings its agent with it.
        </p>
      ) : (
        <ul class="console-agents">
          {agents.map((agent) => (
            <li>
              <a href={`/console/${agent.tokenId}`}>{agent.name}</a>
              <span class="muted">certificate {String(agent.tokenId)}</span>
              <StandingBadge standing={agent.standing} status={agent.status} />
            </li>
          ))}
        </ul>
      )}
      {next === null ? null : (
        <p>
          <a class="button secondary" href={`/console?after=${next}`}>
            Older agents
          </a>
        </p>
      )}
    </Card>
  );
}

function OrganizationsCard({ organizations }: { organizations: readonly OwnOrganization[] }) {
  const own = organizations.filter(({ isPending }) => !isPending);
  return (
    <Card id="own-organizations" title="Organizations">
      {own.length === 0 ? (
        <p>
          You administer none. Any account <a href="/organizations">can found one</a>.
        </p>
      ) : (
        <ul class="console-agents">
          {own.map(({ id, name }) => (
            <li>
              <a href={`/organizations/${id}`}>{visibleText(name ?? `Organization ${id}`)}</a>
              <Badge tone="info">admin</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
