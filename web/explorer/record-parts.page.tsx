import { hexToString, size } from "viem";
import { UntrustedText } from "../ui/components.tsx";
import { StandingBadge } from "../ui/emblem.tsx";
import type { MetadataEntry, NamedSoul } from "./records.ts";

/** Links to the beginning of a list and to the page after; nothing for a list of one page. */
export function CursorTurner({
  label = "Pages of the list",
  first,
  next,
}: {
  label?: string;
  /** Null on the first page. */
  first: readonly [label: string, href: string] | null;
  /** Null on the last page. */
  next: readonly [label: string, href: string] | null;
}) {
  if (first === null && next === null) return null;
  return (
    <nav class="actions" aria-label={label}>
      {first === null ? null : (
        <a class="button secondary" href={first[1]}>
          {first[0]}
        </a>
      )}
      {next === null ? null : (
        <a class="button secondary" href={next[1]} rel="next">
          {next[0]}
        </a>
      )}
    </nav>
  );
}

/** Souls by name, each with where it stands. */
export function SoulLines({ souls, none }: { souls: readonly NamedSoul[]; none: string }) {
  if (souls.length === 0) return <p class="muted">{none}</p>;
  return (
    <ul class="plain-list">
      {souls.map((soul) => (
        <li>
          <a href={`/agents/${soul.agentName}`}>{soul.agentName}</a> <StandingBadge soul={soul} />{" "}
          <a class="muted" href={`/certificates/${soul.tokenId}`}>
            certificate {String(soul.tokenId)}
          </a>
        </li>
      ))}
    </ul>
  );
}

const LONGEST = 300;

/** At most 300 characters of a text that may be of any length. */
export function ShortText({ text }: { text: string }) {
  const isLong = text.length > LONGEST;
  return (
    <>
      <UntrustedText text={isLong ? text.slice(0, LONGEST) : text} />
      {isLong ? <span class="muted"> … {text.length} characters</span> : null}
    </>
  );
}

/** The registry's own key: its value is an account. */
const AGENT_WALLET = "agentWallet";

/** The key of the certificate's number, which this service writes as a word of the chain. */
const TOKEN_ID = "svcTokenId";

/** Bytes as text where they are some, else in hex. Text of one word is an id or a code. */
export function MetadataValue({ entry: { key, value } }: { entry: MetadataEntry }) {
  if (value === null) return <span class="muted">too long to be indexed</span>;
  if (value === "0x") return <span class="muted">cleared</span>;
  if (key === TOKEN_ID && size(value) === 32) return <>{BigInt(value).toString()}</>;
  const text = hexToString(value);
  const isText = key !== AGENT_WALLET && !/[^\P{Cc}\n\r\t]|\ufffd/u.test(text);
  if (isText && /\s/.test(text)) return <ShortText text={text} />;
  return (
    <span class="code">
      <ShortText text={isText ? text : value} />
    </span>
  );
}
