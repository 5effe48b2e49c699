import { CATEGORIES } from "../../../api/features/registration/index.ts";
import type { OwnedSoul } from "../../../api/soul/chain-soul.ts";
import type { DeclaredIdentity } from "../../../api/soul/declared-identity.ts";
import {
  ADDRESS_DISPLAYS,
  DEFAULT_DISPLAY,
  type DisplaySettings,
} from "../../../api/soul/display-settings.ts";
import type { IndexedAgents } from "../../../api/soul/index-reads.ts";
import { byTokenId } from "../../../api/soul/soul-ref.ts";
import { agentTypeName } from "../../../protocol/agent-type.ts";
import { KEY_TYPES, type KeyType } from "../../../protocol/chain-address.ts";
import { ActionArea, SoulText } from "../../owner/components.tsx";
import type { CallAction, SignedAction } from "../../owner/data.ts";
import { Card, DescriptionItem, DescriptionList } from "../../ui/components.tsx";
import { Checkbox, Choice, TextArea, TextField } from "../../ui/fields.tsx";
import { inWords } from "../../ui/text.ts";
import type { Section, SectionContext } from "../sections.page.ts";
import { signedByOwner } from "../signed.page.ts";

const KEY_LABELS: Readonly<Record<KeyType, string>> = {
  EcdsaSecp256k1: "secp256k1, as Ethereum has them",
  Ed25519: "Ed25519, as Solana has them",
};

/** What an agent says and shows of itself, and the accounts and keys that belong to it. */
export async function identitySection(
  {
    current,
  }: {
    readonly current: IndexedAgents;
  },
  { soul, tokenId }: SectionContext,
): Promise<Section> {
  const { value } = await current.agent(byTokenId(soul.tokenId));
  return {
    lead: "What the agent says and shows of itself, and the accounts and keys that are its own.",
    asksWallet: true,
    actions: [
      identityAction(tokenId),
      displayAction(soul.name),
      ...didActions(soul, tokenId),
      keySetAction(soul, tokenId),
      revisionAction(soul, tokenId),
    ],
    body: (
      <>
        <IdentityCard identity={value?.identity ?? null} />
        <DisplayCard settings={value?.display?.settings ?? DEFAULT_DISPLAY} />
        <DidCard name={soul.name} />
        <KeySetCard name={soul.name} />
        <RevisionCard />
      </>
    ),
  };
}

function identityAction(tokenId: number): CallAction {
  return {
    kind: "call",
    id: "identity",
    label: "Publish it",
    form: "identity-form",
    confirm: null,
    request: { method: "PUT", path: `/v1/public-identity/${tokenId}`, body: { tokenId } },
    done: "The agent says this from now on.",
  };
}

function displayAction(name: string): CallAction {
  return {
    kind: "call",
    id: "display",
    label: "Save it",
    form: "display-form",
    confirm: null,
    request: { method: "PUT", path: `/v1/profile/${name}/display`, body: {} },
    done: "The agent's page shows this from now on.",
  };
}

function didActions(soul: OwnedSoul, tokenId: number): SignedAction[] {
  const path = `/v1/did/${soul.name}`;
  const request = { typedData: "did", method: "PUT", path, body: { tokenId } } as const;
  const links = [{ href: path, label: "See the DID document" }];
  return [
    signedByOwner(soul, {
      id: "did-add",
      labels: { start: "Review adding it", sign: "Sign and add it", send: "Write the document" },
      request,
      done: { title: "The account is in the DID document", text: null, links },
    }),
    signedByOwner(soul, {
      id: "did-remove",
      labels: {
        start: "Review removing it",
        sign: "Sign and remove it",
        send: "Write the document",
      },
      request,
      done: { title: "The account is not in the DID document any more", text: null, links },
    }),
  ];
}

function keySetAction(soul: OwnedSoul, tokenId: number): SignedAction {
  const path = `/v1/agents/${soul.name}/jwks.json`;
  return signedByOwner(soul, {
    id: "key-set",
    labels: { start: "Review the keys", sign: "Sign and publish them", send: "Record the keys" },
    request: { typedData: "agent-keys", method: "PUT", path, body: { tokenId } },
    done: {
      title: "The agent's keys are these",
      text: null,
      links: [{ href: path, label: "See them" }],
    },
  });
}

function revisionAction(soul: OwnedSoul, tokenId: number): SignedAction {
  const { name, agentType } = soul;
  return signedByOwner(soul, {
    id: "revision",
    labels: { start: "Review the revision", sign: "Sign and revise it", send: "Revise the soul" },
    soul: { agentName: name, agentType: agentTypeName(agentType), former: null, revises: true },
    request: {
      typedData: "chronicle",
      method: "POST",
      path: "/v1/chronicle",
      body: { tokenId, category: "soul_revision" },
    },
    done: {
      title: "The soul is revised",
      text: "The former hash stays in the agent's history. Keep the new proof file beside your copy of the text.",
      links: [{ href: `/agents/${name}`, label: `To ${name}` }],
    },
  });
}

function IdentityCard({ identity }: { identity: DeclaredIdentity | null }) {
  const { bio, category, tags = [], modelFamily, contacts = [] } = identity ?? {};
  return (
    <Card id="saying" title="Public identity">
      <p>
        In your own words: the service checks only their form. The form replaces all of it, and each
        change is recorded.
      </p>
      <ActionArea id="identity">
        <TextArea
          name="publicIdentity.bio"
          label="About it"
          rows={4}
          max={500}
          value={bio ?? ""}
          reads="optional"
        />
        <Choice
          name="publicIdentity.category"
          label="Category"
          value={category ?? ""}
          options={[
            { value: "", label: "none" },
            ...CATEGORIES.map((value) => ({ value, label: inWords(value) })),
          ]}
          reads="optional"
        />
        <TextArea
          name="publicIdentity.tags"
          label="Tags"
          rows={3}
          value={tags.join("\n")}
          hint="One per line, in lower case."
          reads="lines"
        />
        <TextField
          name="publicIdentity.modelFamily"
          label="Model family"
          max={64}
          value={modelFamily ?? ""}
          reads="optional"
        />
        <TextArea
          name="publicIdentity.contacts"
          label="Contacts"
          rows={3}
          value={contacts.map(({ type, value }) => `${type} ${value}`).join("\n")}
          hint="One per line: website, x, github, discord, did, a2a, mcp or neural, and the address. Such as: github heron."
          reads="pairs"
        />
      </ActionArea>
    </Card>
  );
}

const DISPLAYS = ADDRESS_DISPLAYS.map((value) => ({ value, label: inWords(value) }));

function DisplayCard({ settings }: { settings: DisplaySettings }) {
  return (
    <Card id="showing" title="What its page shows">
      <p>For readers of pages. It hides nothing: addresses are on chain.</p>
      <ActionArea id="display">
        <Choice
          name="displaySettings.ownerAddress"
          label="The owner's address"
          value={settings.ownerAddress}
          options={DISPLAYS}
        />
        <Choice
          name="displaySettings.operatorAddress"
          label="The operator's address"
          value={settings.operatorAddress}
          options={DISPLAYS}
        />
        <TextField
          name="displaySettings.operatorLabel"
          label="The operator's label"
          max={128}
          value={settings.operatorLabel}
          reads="any"
        />
        <Checkbox
          name="displaySettings.showWalletBalances"
          label="Programs may show balances"
          checked={settings.showWalletBalances}
        />
        <Checkbox
          name="displaySettings.showTransactionCount"
          label="Programs may count transactions"
          checked={settings.showTransactionCount}
        />
      </ActionArea>
    </Card>
  );
}

function DidCard({ name }: { name: string }) {
  return (
    <Card id="did" title="DID document">
      <p>
        Accounts on other chains that belong to the agent. The document is public:{" "}
        <a href={`/v1/did/${name}`}>see it</a>. You sign each change.
      </p>
      <h3>Add an account</h3>
      <ActionArea id="did-add">
        <TextField
          name="addAddress.chain"
          label="Chain"
          hint="Such as solana, ethereum, or eip155:1."
        />
        <TextField name="addAddress.address" label="Address" />
        <TextField name="addAddress.label" label="Label" max={64} />
        <Choice
          name="addAddress.keyType"
          label="Kind of key"
          options={KEY_TYPES.map((value) => ({ value, label: KEY_LABELS[value] }))}
        />
      </ActionArea>
      <h3>Remove an account</h3>
      <ActionArea id="did-remove">
        <TextField name="removeAddress.chain" label="Its chain" />
        <TextField name="removeAddress.address" label="Its address" />
      </ActionArea>
    </Card>
  );
}

function KeySetCard({ name }: { name: string }) {
  return (
    <Card id="agent-keys" title="The agent's public keys">
      <p>
        Keys with which the agent signs and receives what is encrypted for it. Only public halves
        belong here.
      </p>
      <DescriptionList>
        <DescriptionItem name="Now">
          <a href={`/v1/agents/${name}/jwks.json`}>The published key set</a>
        </DescriptionItem>
      </DescriptionList>
      <ActionArea id="key-set">
        <TextArea
          name="keys"
          label="Public JWKs"
          rows={6}
          hint="A JSON list. An empty one, [], withdraws the agent's keys."
          reads="json"
        />
        <Checkbox
          name="onlyWithAgentWallet"
          label="Only while the passport's agentWallet is the operator"
          hint="Every transfer of the passport clears agentWallet, so no sale leaves these keys in force, not even one that is undone at once. Set the agentWallet first."
          checked={false}
        />
      </ActionArea>
    </Card>
  );
}

function RevisionCard() {
  return (
    <Card id="revising" title="Revise the soul">
      <p>
        When the agent's prompt changes, its soul does. You sign the new hashes, and the agent keeps
        its name, passport and keys.
      </p>
      <ActionArea id="revision">
        <SoulText />
      </ActionArea>
    </Card>
  );
}
