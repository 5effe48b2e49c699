import type { Child } from "hono/jsx";
import { PUBLISHABLE_FIELDS } from "../../protocol/fields.ts";
import { Card, Notice, PublishedForEver, ScriptRoot } from "../ui/components.tsx";
import { Checkbox, Choice, Collapsible, TextArea } from "../ui/fields.tsx";
import type { OwnerPageData } from "./data.ts";

/** Where the wallet is chosen. The actions of the page follow its account. */
export function WalletCard({
  data,
  next,
  children,
}: {
  data: OwnerPageData;
  /** What is done with the wallet in the same card, below it. */
  next?: Child;
  children?: Child;
}) {
  return (
    <Card id="wallet-choice" title="Your wallet">
      {children}
      <ScriptRoot script="owner" data={data} />
      {next}
    </Card>
  );
}

/** Where the script shows an action, with its form above it. */
export function ActionArea({ id, children }: { id: string; children?: Child }) {
  return (
    <>
      {children === undefined ? null : (
        // A form of this method sends nothing by itself: what is typed here stays in the page.
        <form id={`${id}-form`} method="dialog" novalidate>
          {children}
        </form>
      )}
      <div id={`${id}-action`} class="stack" tabindex={-1} />
    </>
  );
}

/** A name with hyphens is broken only where it is longer than the line. */
function wholeNames(title: string): Child {
  return title
    .split(/( )/)
    .map((part) => (part.includes("-") ? <span class="whole">{part}</span> : part));
}

/** How a page for owners begins: what it is, about whom, and what it is for. */
export function OwnerHead({
  eyebrow,
  title,
  children,
}: {
  eyebrow: string;
  title: Child;
  children?: Child;
}) {
  return (
    <div>
      <p class="eyebrow">{eyebrow}</p>
      <h1>{typeof title === "string" ? wholeNames(title) : title}</h1>
      <p class="lead">{children}</p>
    </div>
  );
}

/** Why a page offers no action: no account owns the agent as its sealer. */
export function NoOwnerNotice({ title, name }: { title: string; name: string }) {
  return (
    <Notice tone="caution" title={title}>
      <p>
        The soul is suspended or has ended. See <a href={`/agents/${name}`}>{name}</a>.
      </p>
    </Notice>
  );
}

/** Formats in which a soul can be written, as people know them. */
const SOUL_FORMATS = [
  { value: "plaintext", label: "System prompt" },
  { value: "soul_md", label: "SOUL.md" },
  { value: "ccsf_yaml", label: "CCSF, YAML" },
  { value: "ccsf_json", label: "CCSF, JSON" },
];

/** The text of a new soul, which the service hashes and does not store. */
export function SoulText() {
  return (
    <>
      <TextArea
        name="soulText"
        label="Text of the new soul"
        rows={8}
        hint="The agent's system prompt, or the document that describes it. The service hashes it and stores no copy, so keep it."
        reads="own"
      />
      <Choice name="soulFormat" label="Written as" options={SOUL_FORMATS} reads="own" />
    </>
  );
}

/** The same, with the choice of what becomes public. */
export function SoulFields() {
  return (
    <>
      <SoulText />
      <Collapsible title="Publish fields of the soul" note="None unless you choose them">
        <p class="hint">
          Each chosen value becomes public, with the proof that the soul holds it. What you do not
          choose stays private.
        </p>
        <PublishedForEver />
        {PUBLISHABLE_FIELDS.map((field) => (
          <Checkbox name={field} label={field} checked={false} reads="own" />
        ))}
      </Collapsible>
    </>
  );
}
