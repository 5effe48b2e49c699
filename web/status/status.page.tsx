import type { Child } from "hono/jsx";
import type {
  Overview,
  OverviewService,
  SendingState,
} from "../../api/features/status/overview.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { Badge, Card, DateTime, Notice, type Tone } from "../ui/components.tsx";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";

/** How the service is, in words. */
export const showStatusPage = page({
  operationId: "showStatusPage",
  rules: unlistedPage,
  path: "/status",
  async show(
    _,
    {
      overview,
    }: {
      readonly overview: OverviewService;
    },
  ) {
    return statusPage(await overview.now());
  },
});

interface Part {
  readonly id: string;
  readonly title: string;
  readonly tone: Tone;
  readonly badge: string;
  /** What is the case. */
  readonly fact: Child;
  /** What that means for users. */
  readonly meaning: string;
}

/** Jobs are taken within seconds by a worker that runs. */
const LATE_SECONDS = 120;

function statusPage(overview: Overview): Page {
  const parts = [
    reading(overview),
    sending(overview),
    records(overview),
    storage(overview),
    background(overview),
  ];
  const troubled = parts.filter(({ tone }) => tone === "bad" || tone === "caution");
  const failing = Object.entries(overview.checks).filter(([, { ready }]) => !ready);
  const isWell = troubled.length === 0 && failing.length === 0;
  return {
    title: "Status",
    description: isWell ? "Everything works." : "Not everything works at the moment.",
    body: (
      <div class="stack">
        <h1>Status</h1>
        <Notice
          tone={isWell ? "good" : "caution"}
          title={isWell ? "Everything works" : "Not everything works"}
        >
          <p>
            {isWell
              ? "Agents can register, sign in and be checked."
              : "What is on chain is safe, and anyone can read it there. See below what you can do meanwhile."}{" "}
            Read at <DateTime at={overview.readAt} />.
          </p>
        </Notice>
        {parts.map((part) => (
          <PartCard part={part} />
        ))}
        <Card id="checks" title="Parts of the service">
          <ul class="steps">
            {Object.entries(overview.checks).map(([name, { ready, reason }]) => (
              <li class={ready ? "done" : "failed"}>
                {CHECKS[name] ?? name}: {ready ? "works" : (reason ?? "does not answer")}.
              </li>
            ))}
          </ul>
          <p class="muted">
            Programs read <a href="/ready">the same checks</a> and{" "}
            <a href="/v1/status">the numbers</a>.
          </p>
        </Card>
      </div>
    ),
  };
}

function PartCard({ part: { id, title, tone, badge, fact, meaning } }: { part: Part }) {
  return (
    <Card id={id} title={title}>
      <p>
        <Badge tone={tone}>{badge}</Badge> {fact}
      </p>
      <p class="muted">What this means for you: {meaning}</p>
    </Card>
  );
}

const CHECKS: Readonly<Record<string, string>> = {
  postgres: "Database",
  schema: "Tables of the database",
  chain: "Node of the chain",
  indexer: "Index of the chain",
};

const NUMBER = new Intl.NumberFormat("en-GB");
const blocks = (count: number) => `${NUMBER.format(count)} ${count === 1 ? "block" : "blocks"}`;

function reading({ status }: Overview): Part {
  const common = { id: "reading", title: "Reading the chain" };
  if (status === null) {
    return {
      ...common,
      tone: "bad",
      badge: "Not yet",
      fact: "Nothing of the chain has been read yet, or the database does not answer.",
      meaning: "lists and pages of agents are not available. Ask the chain instead.",
    };
  }
  const { indexedBlock, chainBlock, lagBlocks } = status;
  const fact =
    lagBlocks === null || chainBlock === null
      ? `Block ${NUMBER.format(indexedBlock)} was read last. The chain's node does not answer, so the age of that is not known.`
      : `Block ${NUMBER.format(indexedBlock)} of ${NUMBER.format(chainBlock)} was read last: ${blocks(lagBlocks)} behind.`;
  return status.status === "ok"
    ? {
        ...common,
        tone: "good",
        badge: "Up to date",
        fact,
        meaning: "what you see includes what happened on chain a few seconds ago.",
      }
    : {
        ...common,
        tone: "caution",
        badge: "Behind",
        fact,
        meaning:
          "lists and histories can lack what happened last. Decisions about who owns an agent are read from the chain itself, or refused.",
      };
}

const SENDING: Readonly<Record<SendingState, readonly [Part["tone"], string, string]>> = {
  usable: ["good", "Can send", "have an account with enough gas"],
  no_money: ["bad", "No gas", "have an account that ran out of gas"],
  no_role: ["bad", "Not allowed", "have an account that the contracts do not admit"],
  unknown: ["caution", "Unknown", "were not checked yet: the chain's node has not answered"],
};

function sending({ registrations, operations }: Overview): Part {
  const worst = SENDING[registrations === "usable" ? operations : registrations];
  const [tone, badge] = worst;
  return {
    id: "sending",
    title: "Sending transactions",
    tone,
    badge,
    fact: `Registrations ${SENDING[registrations][2]}. Other operations ${SENDING[operations][2]}.`,
    meaning:
      tone === "good"
        ? "what you sign is sent at once, and you pay no gas."
        : "what you sign may be refused for now. Nothing is lost: sign again later, or send your signed operation to the contract yourself.",
  };
}

function records({ lastBatch }: Overview): Part {
  const common = { id: "records", title: "Records on chain" };
  if (lastBatch === "unknown") {
    return {
      ...common,
      tone: "caution",
      badge: "Unknown",
      fact: "The last batch of records cannot be read.",
      meaning: "records are kept. Their proofs are available again once the index answers.",
    };
  }
  if (lastBatch === null) {
    return {
      ...common,
      tone: "info",
      badge: "None yet",
      fact: "No batch of records has been put on chain.",
      meaning: "records are collected, and can be proven once the first batch is on chain.",
    };
  }
  const { id, records: count, anchoredAt } = lastBatch;
  return {
    ...common,
    tone: "good",
    badge: `Batch ${id}`,
    fact: (
      <>
        The last batch, with {NUMBER.format(count)} {count === 1n ? "record" : "records"}, was put
        on chain on <DateTime at={anchoredAt} />.
      </>
    ),
    meaning: "records wait for the next full hour. An hour without records has no batch.",
  };
}

function storage({ status }: Overview): Part {
  const driver = status?.storage.driver ?? null;
  return {
    id: "storage",
    title: "Permanent storage",
    tone: "info",
    badge: driver === null ? "Unknown" : driver === "local" ? "On this server" : "Permanent",
    fact:
      driver === null
        ? "It is not known at the moment."
        : driver === "local"
          ? "Items are signed, and stored by this server alone."
          : "Items are signed, and handed to permanent storage.",
    meaning:
      driver === "local"
        ? "keep copies of what you publish: it is as lasting as this server."
        : "what you publish stays readable without this service, for ever.",
  };
}

function background({ jobsWaitSeconds }: Overview): Part {
  const common = { id: "background", title: "Work in the background" };
  if (jobsWaitSeconds === null || jobsWaitSeconds >= LATE_SECONDS) {
    return {
      ...common,
      tone: "caution",
      badge: jobsWaitSeconds === null ? "Unknown" : "Late",
      fact:
        jobsWaitSeconds === null
          ? "The queue of work cannot be read."
          : `The oldest work that is due has waited for ${NUMBER.format(Math.round(jobsWaitSeconds))} seconds.`,
      meaning: "webhooks, records and checks of sold passports come later. None is lost.",
    };
  }
  return {
    ...common,
    tone: "good",
    badge: "In time",
    fact: "No work waits for long.",
    meaning: "webhooks, records and checks of sold passports are on time.",
  };
}
