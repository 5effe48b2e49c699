import { Badge, Card, DescriptionItem, DescriptionList } from "../../pages/components.tsx";
import type { PageKit } from "../../pages/kit.ts";
import type { Page } from "../../pages/layout.tsx";
import { agentPageRoute } from "../../pages/owner/agent-route.ts";
import { OwnerHead } from "../../pages/owner/components.tsx";
import { sendPage } from "../../pages/send.tsx";
import { createRouter } from "../../platform/http/router.ts";
import { type ChainSoul, type ChainSouls, ownerOf } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import { operations } from "./operation-rules.ts";

export interface ManagePageDeps {
  readonly pages: PageKit;
  readonly souls: ChainSouls;
}

const showManagePage = agentPageRoute("/manage/{tokenId}", "showManagePage");

/** Everything that an owner can do for one agent, with the page for it. */
export function managePageRoutes({ pages, souls }: ManagePageDeps) {
  return createRouter(operations).openapi(showManagePage, async (c) => {
    const { tokenId } = c.req.valid("param");
    return sendPage(c, pages, managePage(await requireSoul(souls, tokenId, "registered")));
  });
}

type State = "owned" | "suspended" | "ended";

interface Task {
  readonly label: string;
  readonly why: string;
  readonly path: (soul: ChainSoul) => string;
  /** The states of a soul in which there is something to do. */
  readonly when: readonly State[];
}

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
    label: "Keys and sessions",
    why: "Who can act for the agent. An emergency stop ends all of it.",
    path: ({ tokenId }) => `/access/${tokenId}`,
    when: ["owned"],
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
    why: "Burn the soul. This cannot be undone.",
    path: ({ tokenId }) => `/burn/${tokenId}`,
    when: ["owned"],
  },
  {
    label: "Register its successor",
    why: "For its last owner: a new agent that descends from this one.",
    path: ({ tokenId }) => `/reincarnate/${tokenId}`,
    when: ["ended"],
  },
];

function managePage(soul: ChainSoul): Page {
  const { name, tokenId, passportId } = soul;
  const state = stateOf(soul);
  const tasks = TASKS.filter(({ when }) => when.includes(state));
  return {
    title: `Manage ${name}`,
    body: (
      <div class="stack">
        <OwnerHead eyebrow="For owners" title={`Manage ${name}`}>
          Each page explains what you sign before you sign it. Nothing here needs an API key.
        </OwnerHead>
        <Card id="agent" title="The agent">
          <DescriptionList>
            <DescriptionItem name="Agent">
              <a href={`/agents/${name}`}>{name}</a>, certificate {String(tokenId)}
            </DescriptionItem>
            <DescriptionItem name="State">
              <Standing state={state} />
            </DescriptionItem>
            <DescriptionItem name="Passport">{String(passportId)}</DescriptionItem>
          </DescriptionList>
        </Card>
        <Card id="tasks" title="What you can do">
          <DescriptionList>
            {tasks.map(({ label, why, path }) => (
              <DescriptionItem name={<a href={path(soul)}>{label}</a>}>{why}</DescriptionItem>
            ))}
          </DescriptionList>
        </Card>
      </div>
    ),
  };
}

function stateOf(soul: ChainSoul): State {
  if (soul.status === "BURNED") return "ended";
  return ownerOf(soul) === null ? "suspended" : "owned";
}

function Standing({ state }: { state: State }) {
  if (state === "owned") return <Badge tone="good">With its owner</Badge>;
  if (state === "suspended") return <Badge tone="caution">Suspended until a reseal</Badge>;
  return <Badge tone="bad">Ended</Badge>;
}
