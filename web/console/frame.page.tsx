import type { Child } from "hono/jsx";
import type { Address } from "viem";
import { ActionArea, OwnerHead, WalletCard } from "../owner/components.tsx";
import type { CallAction, ConsoleAccess, OwnerAction, SignedWords } from "../owner/data.ts";
import { signedWords } from "../owner/words.ts";
import { Card, Code, Notice, ScriptRoot } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { SECTION_IDS, SECTIONS, type SectionId } from "./sections.page.ts";

/** What a page of the console shows beside its frame. */
export interface ConsolePage {
  /** Of the window. */
  readonly title: string;
  readonly eyebrow: string;
  readonly heading: Child;
  readonly lead: Child;
  readonly actions: readonly OwnerAction[];
  readonly words?: SignedWords;
  /** Above the wallet, so that it stays in its place from page to page. Default: none. */
  readonly links?: Child;
  readonly body: Child;
  /** Who signs what is signed here. Default: nothing is. */
  readonly signer?: Address;
}

const SIGN_OUT: readonly CallAction[] = [
  {
    kind: "call",
    id: "sign-out",
    label: "Sign out",
    look: "button secondary",
    form: null,
    confirm: null,
    request: { method: "DELETE", path: "/v1/sessions", body: null },
    done: "You are signed out.",
  },
  {
    kind: "call",
    id: "sign-out-everywhere",
    label: "Sign out everywhere",
    look: "button secondary",
    form: null,
    confirm: null,
    request: { method: "DELETE", path: "/v1/sessions?everywhere=true", body: null },
    done: "Every sign-in of this account has ended, in every browser and at every service.",
  },
];

/** A page of someone who is signed in. */
export function consolePage(kit: PageKit, access: ConsoleAccess, page: ConsolePage): Page {
  const { title, eyebrow, heading, lead, links, body, signer, words = signedWords({}) } = page;
  const actions = [...page.actions, ...SIGN_OUT];
  const data = { network: kit.network, actions, words, console: access };
  return {
    title,
    script: "owner",
    width: "overview",
    body: (
      <div class="stack console">
        <OwnerHead eyebrow={eyebrow} title={heading}>
          {lead}
        </OwnerHead>
        {links}
        <div id="console-said" role="status" />
        {signer === undefined ? (
          <ScriptRoot script="owner" data={data} why={WHY_SCRIPT} />
        ) : (
          <WalletCard data={data}>
            <p>
              For what is signed here. Only this account can: <Code>{signer}</Code>. What needs no
              signature works without the wallet.
            </p>
          </WalletCard>
        )}
        {body}
        <Card id="signed-in" title="You are signed in">
          <p>
            As <Code>{access.account}</Code>, for eight hours at most, in this browser. The sign-in
            never signs for you: what moves money or ends a soul asks your wallet.
          </p>
          <div class="console-row">
            <ActionArea id="sign-out" />
            <ActionArea id="sign-out-everywhere" />
          </div>
        </Card>
      </div>
    ),
  };
}

const WHY_SCRIPT = "Buttons send their requests from this page, with a script of this site.";

/** The page of someone who is not signed in. */
export function signedOutPage(kit: PageKit): Page {
  const signIn: OwnerAction = {
    kind: "console-sign-in",
    id: "sign-in",
    signers: { accounts: [], refusal: "" },
  };
  const data = { network: kit.network, actions: [signIn], words: signedWords({}), console: null };
  return {
    title: "Console",
    script: "owner",
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Console" title="Manage your agents">
          Sign in once with your wallet. You see all agents of the account, what waits for you, and
          everything that you can do.
        </OwnerHead>
        <div id="console-said" role="status" />
        <WalletCard data={data} next={<ActionArea id="sign-in" />}>
          <p>
            You sign a message. It costs nothing and sends no transaction. An account without an
            agent can sign in, too.
          </p>
        </WalletCard>
        <Card id="permits" title="What the sign-in permits">
          <ul>
            <li>It lasts for eight hours in this browser, and you can end it at any time.</li>
            <li>It changes keys, webhooks, profile and records of agents that you own now.</li>
            <li>
              It never replaces your signature. To sell, reseal, burn or pay, your wallet asks you
              again.
            </li>
          </ul>
        </Card>
      </div>
    ),
  };
}

/** The page of someone who is signed in as another account. */
export function foreignPage(kit: PageKit, access: ConsoleAccess, name: string): Page {
  return consolePage(kit, access, {
    title: name,
    eyebrow: "Console",
    heading: name,
    lead: "You are signed in with another account.",
    actions: [],
    body: (
      <Notice tone="caution" title={`This account does not own ${name}`}>
        <p>
          Sign out below, then sign in with the account that owns its passport. See{" "}
          <a href={`/agents/${name}`}>its public page</a>, or <a href="/console">your agents</a>.
        </p>
      </Notice>
    ),
  });
}

/** Links between an agent's pages, with the present one marked. */
export function SectionLinks({
  tokenId,
  present,
}: {
  tokenId: bigint;
  /** Null on the agent's own page. */
  present: SectionId | null;
}) {
  return (
    <nav class="console-sections" aria-label="Parts of the console">
      <a href={`/console/${tokenId}`} aria-current={present === null ? "page" : undefined}>
        Overview
      </a>
      {SECTION_IDS.map((id) => (
        <a href={`/console/${tokenId}/${id}`} aria-current={present === id ? "page" : undefined}>
          {SECTIONS[id].title}
        </a>
      ))}
    </nav>
  );
}
