import type { Child } from "hono/jsx";
import { isAddress } from "viem";
import { shortHex } from "../../protocol/short-hex.ts";
import type { PageScript } from "../assets.ts";
import type { WalletNetwork } from "./network.ts";
import { momentText, visibleText } from "./text.ts";

/** What a notice is about, and how it is coloured. */
export type Tone = "info" | "good" | "caution" | "bad";

/** A box with a heading of its own, which links reach by the id `<id>-title`. */
export function Card({ id, title, children }: { id?: string; title: string; children?: Child }) {
  const titleId = id && `${id}-title`;
  return (
    <section class="card" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </section>
  );
}

/** A state in a word or two. One that claims a proof leads to the page that makes it again. */
export function Badge({
  tone,
  href,
  children,
}: {
  tone: Tone;
  /** The proof page. */
  href?: string | undefined;
  children?: Child;
}) {
  const name = `badge ${tone}`;
  if (href === undefined) return <span class={name}>{children}</span>;
  return (
    <a class={name} href={href}>
      {children}
    </a>
  );
}

/** A few sentences that must not be overlooked. */
export function Notice({
  tone,
  title,
  children,
}: {
  tone: Tone;
  title?: string;
  children?: Child;
}) {
  return (
    <div class={`notice ${tone}`}>
      {title === undefined ? null : <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}

/** Names and values, side by side where there is room. */
export function DescriptionList({ children }: { children?: Child }) {
  return <dl class="facts">{children}</dl>;
}

export function DescriptionItem({ name, children }: { name: Child; children?: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Names with their values, as a list. What is null is left out. */
export function Facts({ of }: { of: Readonly<Record<string, Child>> }) {
  return (
    <DescriptionList>
      {Object.entries(of).map(([name, value]) =>
        value === null ? null : <DescriptionItem name={name}>{value}</DescriptionItem>,
      )}
    </DescriptionList>
  );
}

/** A hash, address or id: long, without spaces, and compared letter by letter. */
export function Code({ children }: { children?: Child }) {
  return <code class="code">{children}</code>;
}

/**
 * An account, with the page of everything that it has. Other text, such as an address that its
 * owner wants shortened, leads nowhere.
 */
export function AccountLink({ address }: { address: string }) {
  if (!isAddress(address)) return <Code>{address}</Code>;
  return (
    <a href={`/owners/${address}`}>
      <Code>{address}</Code>
    </a>
  );
}

/**
 * Text that an agent or a stranger wrote: kept apart, and without characters that reorder what
 * stands around it.
 */
export function UntrustedText({ text }: { text: string }) {
  return (
    <span class="said" dir="auto">
      {visibleText(text)}
    </span>
  );
}

/** A link only where it can be one: `javascript:` and the like are text. */
export function UntrustedLink({ url }: { url: string }) {
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

/** A moment in UTC, and for machines. */
export function DateTime({ at }: { at: Date }) {
  return <time datetime={at.toISOString()}>{momentText(at.getTime())}</time>;
}

/**
 * Where a script takes over. What it works on is handed over in an attribute, which the policy
 * allows and escaping makes safe. Without scripts the text inside stays.
 */
export function ScriptRoot({
  script,
  data,
  why = "Talking to your wallet happens in this page, in a script of this site.",
}: {
  script: PageScript;
  data: unknown;
  /** What the script is for. */
  why?: string;
}) {
  return (
    <div id={`${script}-root`} data-page={JSON.stringify(data)}>
      <noscript>
        <Notice tone="caution" title="This needs JavaScript">
          <p>{why}</p>
        </Notice>
      </noscript>
    </div>
  );
}

/** Says what digits were read as. Anything else that was typed has one meaning. */
export function NumberNote({ typed }: { typed: string }) {
  if (!/^[0-9]+$/.test(typed)) return null;
  return (
    <Notice tone="info" title={`${typed} is read as a passport`}>
      <p>
        A certificate may have the same number and belong to another agent:{" "}
        <a href={`/agents?q=${typed}`}>see both</a>, and use the agent's name.
      </p>
    </Notice>
  );
}

/** Links to the page before and the next one of a list; nothing for a single page. */
export function PageTurner({
  href,
  page,
  last,
}: {
  /** The address of a page, from 1 on. */
  href: (page: number) => string;
  page: number;
  last: number;
}) {
  if (last <= 1) return null;
  return (
    <nav class="actions" aria-label="Pages of the list">
      {page > 1 ? (
        <a class="button secondary" href={href(page - 1)}>
          Newer
        </a>
      ) : null}
      {page < last ? (
        <a class="button secondary" href={href(page + 1)}>
          Older
        </a>
      ) : null}
    </nav>
  );
}

/**
 * The transaction at the explorer, or its hash without an explorer. Shortened: readers do not compare it letter by letter, and a list
 * of whole hashes hides what happened.
 */
export function Transaction({
  kit: { network },
  hash,
}: {
  kit: { readonly network: Pick<WalletNetwork, "explorer"> };
  hash: string;
}) {
  const { explorer } = network;
  const short = (
    <code class="code" title={hash}>
      {shortHex(hash)}
    </code>
  );
  if (explorer === null) return short;
  return (
    <a href={`${explorer}/tx/${hash}`} rel="noopener">
      {short}
    </a>
  );
}

/** Stands where a person is about to publish something. */
export function PublishedForEver() {
  return (
    <p class="muted">
      What you publish is on chain and on permanent storage for ever. No service can delete it:{" "}
      <a href="/private-data">what can be deleted</a>.
    </p>
  );
}
