import { z } from "@hono/zod-openapi";
import type { RecordedChronicle } from "../../api/features/chronicles/index.ts";
import { queueIdOf } from "../../api/features/chronicles/index.ts";
import type { Timeline, TimelineBand, TimelineEntry } from "../../api/features/events/timeline.ts";
import { dateOf } from "../../api/kernel/chain-time.ts";
import { IdPart, listCursors } from "../../api/platform/http/lists/cursors.ts";
import { shortHex } from "../../protocol/short-hex.ts";
import { Card, Code, DateTime, Notice, Transaction, UntrustedText } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import { inWords } from "../ui/text.ts";
import { EventEntry, firstOfKind } from "./entries.page.tsx";

/** Entries of one page. */
export const TIMELINE_SIZE = 20;

/** Cursors of an agent's timeline. */
export const timelineCursors = listCursors(
  "timeline",
  z.strictObject({
    event: z.strictObject({ block: IdPart, logIndex: z.int32().min(0), part: IdPart }),
    chronicleId: IdPart,
  }),
);

/** Colours of epochs, which repeat. */
const COLOURS = 4;

/** The history of an agent: everything that happened to it, by epochs, the newest first. */
export function TimelineCard({
  kit,
  agentName,
  timeline,
  isFirst,
  isSuspended,
  namesAccounts,
}: {
  kit: PageKit;
  agentName: string;
  /** Null for an agent without a soul. */
  timeline: Timeline | null;
  /** Whether it is the page with the newest entries. */
  isFirst: boolean;
  isSuspended: boolean;
  /** Whether the owner shows owner and operator on the agent's page. */
  namesAccounts: boolean;
}) {
  const bands = timeline?.bands ?? [];
  const explained = firstOfKind(
    bands.flatMap(({ entries }) => entries),
    (entry) => (entry.type === "event" ? entry.event.kind : meaningOf(entry.chronicle)),
  );
  const older = timelineCursors.text(timeline?.older ?? null);
  return (
    <Card id="history" title="History">
      {isSuspended ? (
        <Notice tone="caution" title="This agent is suspended">
          <p>
            This is what happened. It says nothing about the agent now: nothing of it is proven
            until the passport's owner reseals it.
          </p>
        </Notice>
      ) : null}
      {bands.length === 0 ? (
        <p class="muted">
          {isFirst
            ? "Nothing is on record yet. The first entry is its registration on chain."
            : "There are no older entries."}
        </p>
      ) : (
        bands.map((band) => (
          <Band kit={kit} band={band} namesAccounts={namesAccounts} explained={explained} />
        ))
      )}
      {isFirst && older === null ? null : (
        <nav class="actions" aria-label="Pages of the history">
          {isFirst ? null : (
            <a class="button secondary" href={`/agents/${agentName}#history-title`}>
              Newest
            </a>
          )}
          {older === null ? null : (
            <a class="button secondary" href={`/agents/${agentName}?before=${older}#history-title`}>
              Older
            </a>
          )}
        </nav>
      )}
      <p class="muted">
        Entries are only ever added. Programs read{" "}
        <a href={`/v1/events?agent=${agentName}`}>its events</a> and{" "}
        <a href={`/v1/chronicle/${agentName}`}>its records</a>, or ask any node of the chain.
      </p>
    </Card>
  );
}

function Band({
  kit,
  band: { epoch, span, entries },
  namesAccounts,
  explained,
}: {
  kit: PageKit;
  band: TimelineBand;
  namesAccounts: boolean;
  /** The entries that say what such an entry means. */
  explained: ReadonlySet<TimelineEntry>;
}) {
  const colour = epoch === null ? "" : ` epoch-${epoch % COLOURS}`;
  return (
    <section class={`epoch${colour}`}>
      {span === null ? null : (
        <h3 class="epoch-title">
          Epoch {span.epoch}{" "}
          {namesAccounts ? (
            <>
              <span class="muted">of owner</span> <Code>{shortHex(span.owner)}</Code>{" "}
            </>
          ) : null}
          <span class="muted">
            since <DateTime at={dateOf(span.startedAt)} />
            {span.endedAt === null ? null : (
              <>
                {" "}
                until <DateTime at={dateOf(span.endedAt)} />
              </>
            )}
          </span>
        </h3>
      )}
      <ol class="timeline">
        {entries.map((entry) => (
          <Entry
            kit={kit}
            entry={entry}
            namesAccounts={namesAccounts}
            explains={explained.has(entry)}
          />
        ))}
      </ol>
    </section>
  );
}

function Entry({
  kit,
  entry,
  namesAccounts,
  explains,
}: {
  kit: PageKit;
  entry: TimelineEntry;
  namesAccounts: boolean;
  explains: boolean;
}) {
  return entry.type === "event" ? (
    <EventEntry
      kit={kit}
      event={entry.event}
      shows={namesAccounts ? "accounts" : "title"}
      explains={explains}
    />
  ) : (
    <Chronicle kit={kit} chronicle={entry.chronicle} explains={explains} />
  );
}

const STATES: Readonly<Record<RecordedChronicle["status"], string>> = {
  queued: "waits for the next batch",
  batched: "on chain",
  confirmed: "confirmed",
};

function meaningOf({ evidence, category, changeType }: RecordedChronicle): string {
  const by = evidence === null ? "the agent" : "the owner, by signature";
  const about = category === changeType ? "" : `, about ${inWords(category).toLowerCase()}`;
  return `A record of ${by}${about}. The service checks that it is on record, not that it is true.`;
}

function Chronicle({
  kit,
  chronicle,
  explains,
}: {
  kit: PageKit;
  chronicle: RecordedChronicle;
  explains: boolean;
}) {
  const { changeType, recordedAt, status, txHash, data } = chronicle;
  const title = typeof data.title === "string" ? data.title : null;
  return (
    <li class="record">
      <p>
        <strong>{inWords(changeType)}</strong>
        {title === null ? null : (
          <>
            {": "}
            <UntrustedText text={title} />
          </>
        )}
      </p>
      {explains ? <p class="muted event-meaning">{meaningOf(chronicle)}</p> : null}
      <p class="muted event-facts">
        <DateTime at={recordedAt} />{" "}
        <a href={`/proofs/chronicles/${queueIdOf(chronicle)}`}>{STATES[status]}</a>{" "}
        {txHash === null ? null : <Transaction kit={kit} hash={txHash} />}
      </p>
    </li>
  );
}
