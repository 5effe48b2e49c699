import type { Child } from "hono/jsx";
import { DateTime, Transaction } from "./components.tsx";

const NUMBER = new Intl.NumberFormat("en-GB");

/** One event in a list: what happened, what it means, when and where. */
export function EventItem({
  kit,
  look,
  title,
  text,
  meaning,
  concerned,
  at,
  block,
  hash,
}: {
  kit: Parameters<typeof Transaction>[0]["kit"];
  look?: string;
  title: string;
  text: Child;
  /** Null where an earlier entry of the list says it. */
  meaning: string | null;
  /** Whom it is about; null where the page says it. */
  concerned: Child;
  at: Date;
  block: number | bigint;
  hash: string;
}) {
  return (
    <li class={look} data-block={String(block)}>
      <p>
        <strong>{title}</strong> {text}
      </p>
      {meaning === null ? null : <p class="muted event-meaning">{meaning}</p>}
      <p class="muted event-facts">
        {concerned} <DateTime at={at} /> <span>block {NUMBER.format(block)}</span>{" "}
        <Transaction kit={kit} hash={hash} />
      </p>
    </li>
  );
}
