import type { Child } from "hono/jsx";
import {
  consolePage as consoleRules,
  page as pageRules,
} from "../../api/platform/http/operations.ts";
import type { ChainSoul, ChainSouls } from "../../api/soul/chain-soul.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { consoleSignIn } from "../owner/console-access.ts";
import { Card, Code, DescriptionItem, DescriptionList, Notice } from "../ui/components.tsx";
import { ofAgent, page } from "../ui/page.ts";
import type { Standing } from "./console.ts";
import { consolePage, foreignPage, SectionLinks, signedOutPage } from "./frame.page.tsx";
import { SECTION_IDS, SECTIONS } from "./sections.page.ts";
import { StandingBadge, standingOf } from "./standing.page.tsx";

/** One agent in the console: how it stands, and everything that its owner can do. */
export const showConsoleAgentPage = page({
  operationId: "showConsoleAgentPage",
  rules: consoleRules,
  path: "/console/{tokenId}",
  ...ofAgent,
  async show({ tokenId }, { souls }: { readonly souls: ChainSouls }, kit, c) {
    const signedIn = consoleSignIn(c);
    if (signedIn === null) return signedOutPage(kit);
    const { access, caller } = signedIn;
    const soul = await requireSoul(souls, tokenId, "registered");
    const standing = standingOf(soul, caller.owner);
    if (standing === null) return foreignPage(kit, access, soul.name);
    return consolePage(kit, access, {
      title: `Console of ${soul.name}`,
      eyebrow: "Console",
      heading: soul.name,
      lead: "How the agent stands, and everything that you can do for it.",
      actions: [],
      body: <Overview soul={soul} standing={standing} />,
    });
  },
});

/** The console's former address. */
export const showManagePage = page({
  operationId: "showManagePage",
  rules: pageRules,
  path: "/manage/{tokenId}",
  params: ofAgent.params,
  errors: ["INVALID_REQUEST"],
  show: ({ tokenId }, _deps, _kit, c) => c.redirect(`/console/${tokenId}`, 301),
});

interface Task {
  readonly label: string;
  readonly why: string;
  readonly path: (soul: ChainSoul) => string;
  /** How the agent stands when there is something to do. */
  readonly when: readonly Standing[];
}

/** What has a page of its own, on which the wallet signs. */
const TASKS: readonly Task[] = [
  {
    label: "Allowance",
    why: "What the agent may pay from your wallet: set, change and end it.",
    path: ({ tokenId }) => `/allowances/${tokenId}`,
    when: ["owned"],
  },
  {
    label: "Bindings",
    why: "How far the agent trusts others, and who trusts it.",
    path: ({ tokenId }) => `/bindings/${tokenId}`,
    when: ["owned", "suspended"],
  },
  {
    label: "Organizations",
    why: "Found one, answer invitations, join and leave.",
    path: ({ tokenId }) => `/organizations?tokenId=${tokenId}`,
    when: ["owned", "suspended"],
  },
  {
    label: "Disclosures",
    why: "Who asks to see a part of the soul, who may, and what was shown.",
    path: ({ tokenId }) => `/disclosures/${tokenId}`,
    when: ["owned"],
  },
  {
    label: "Sell it",
    why: "The checklist for sellers: what is open, and how each of it ends.",
    path: ({ tokenId }) => `/sales/${tokenId}`,
    when: ["owned", "suspended"],
  },
  {
    label: "Take it over",
    why: "For the passport's new owner: reseal the soul, or release it.",
    path: ({ tokenId }) => `/reseal/${tokenId}`,
    when: ["suspended"],
  },
  {
    label: "End it",
    why: "Burn the soul. You type its name first: this cannot be undone.",
    path: ({ tokenId }) => `/burn/${tokenId}`,
    when: ["owned"],
  },
  {
    label: "Register its successor",
    why: "A new agent that descends from this one.",
    path: ({ tokenId }) => `/reincarnate/${tokenId}`,
    when: ["ended"],
  },
];

function Overview({ soul, standing }: { soul: ChainSoul; standing: Standing }) {
  const { name, tokenId, passportId, operator, status } = soul;
  const tasks = TASKS.filter(({ when }) => when.includes(standing));
  return (
    <>
      {standing === "owned" ? <SectionLinks tokenId={tokenId} present={null} /> : null}
      <Next soul={soul} standing={standing} />
      <Card id="agent" title="The agent">
        <DescriptionList>
          <DescriptionItem name="State">
            <StandingBadge standing={standing} status={status} />
          </DescriptionItem>
          <DescriptionItem name="Public page">
            <a href={`/agents/${name}`}>{name}</a>
          </DescriptionItem>
          <DescriptionItem name="Certificate">{String(tokenId)}</DescriptionItem>
          <DescriptionItem name="Passport">{String(passportId)}</DescriptionItem>
          <DescriptionItem name="Operator">
            {operator === null ? "you, its owner" : <Code>{operator}</Code>}
          </DescriptionItem>
        </DescriptionList>
      </Card>
      {standing === "owned" ? (
        <TaskCard
          id="parts"
          title="Here in the console"
          tasks={SECTION_IDS.map((id) => ({
            label: SECTIONS[id].title,
            why: SECTIONS[id].why,
            href: `/console/${tokenId}/${id}`,
          }))}
        />
      ) : null}
      <TaskCard
        id="tasks"
        title="On pages of their own, signed by your wallet"
        tasks={tasks.map(({ label, why, path }) => ({ label, why, href: path(soul) }))}
      />
    </>
  );
}

/** What is to be done first, if anything is. */
function Next({ soul: { tokenId }, standing }: { soul: ChainSoul; standing: Standing }): Child {
  if (standing === "suspended") {
    return (
      <Notice tone="caution" title="The soul waits for your decision">
        <p>
          You own its passport, and another account sealed it, or a suspension stands.{" "}
          <a href={`/reseal/${tokenId}`}>Reseal it, or release the passport</a>.
        </p>
      </Notice>
    );
  }
  if (standing === "ended") {
    return (
      <Notice tone="info" title="The soul has ended">
        <p>Its profile and history stay. Nothing acts for it any more.</p>
      </Notice>
    );
  }
  return null;
}

function TaskCard({
  id,
  title,
  tasks,
}: {
  id: string;
  title: string;
  tasks: readonly { readonly label: string; readonly why: string; readonly href: string }[];
}) {
  return (
    <Card id={id} title={title}>
      <DescriptionList>
        {tasks.map(({ label, why, href }) => (
          <DescriptionItem name={<a href={href}>{label}</a>}>{why}</DescriptionItem>
        ))}
      </DescriptionList>
    </Card>
  );
}
