import { z } from "@hono/zod-openapi";
import { toFunctionSelector } from "viem";
import type { StagedContent } from "../../api/features/claims/agent-registration.ts";
import type { AgentRegistration } from "../../api/features/claims/claim/stored.ts";
import type { ClaimService } from "../../api/features/claims/claims.ts";
import { CATEGORIES } from "../../api/features/registration/index.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { AGENT_TYPES, agentTypeName, CCSF_LIMITS } from "../../protocol/index.ts";
import { signedWords } from "../owner/words.ts";
import {
  Card,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Notice,
  PublishedForEver,
  ScriptRoot,
  UntrustedText,
} from "../ui/components.tsx";
import { Checkbox, Choice, Collapsible, TextArea, TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { inWords } from "../ui/text.ts";
import { JsonFacts } from "../ui/values.tsx";
import type { ClaimPageData } from "./page-data.ts";

/** The page on which an owner claims an agent that registered itself. */
export const showClaimPage = page({
  operationId: "showClaimPage",
  rules: unlistedPage,
  path: "/claim/{registrationId}",
  params: { registrationId: z.string().min(1).max(128) },
  errors: ["NOT_FOUND", "GONE"],
  async show(
    { registrationId },
    {
      claims,
    }: {
      readonly claims: Pick<ClaimService, "draft">;
    },
    kit,
  ) {
    const registration = await claims.draft(registrationId);
    const { content, state } = registration;
    return state === "pending" && content !== null
      ? openPage(kit, { registrationId, registration, content })
      : takenPage(registrationId, registration);
  },
});

function takenPage(registrationId: string, { name, state }: AgentRegistration): Page {
  const isDone = state === "claimed";
  return {
    title: isDone ? `${name} is claimed` : `${name} is being claimed`,
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">An agent's registration</p>
          <h1>{isDone ? `${name} has an owner` : `${name} is being claimed`}</h1>
          <p class="lead">
            {isDone
              ? "This agent has been claimed already. A claim happens once: if it was not you, another holder of the link claimed it."
              : "Its owner has signed, and the transaction is pending. This takes a few seconds."}
          </p>
        </div>
        <div class="actions">
          {isDone ? null : (
            <a class="button" href={`/claim/${registrationId}`}>
              Look again
            </a>
          )}
          <a class={isDone ? "button" : "button secondary"} href={`/agents/${name}`}>
            To {name}
          </a>
        </div>
      </div>
    ),
  };
}

interface OpenClaim {
  readonly registrationId: string;
  readonly registration: AgentRegistration;
  readonly content: StagedContent;
}

function openPage(kit: PageKit, claim: OpenClaim): Page {
  const { registrationId, registration, content } = claim;
  const { name, expiresAt } = registration;
  const script: ClaimPageData = {
    registrationId,
    agentName: name,
    draft: {
      agentType: agentTypeName(content.agentType),
      agentDescription: content.agentDescription,
      publicIdentity: content.publicIdentity,
      birthBundle: content.birthBundle,
    },
    network: kit.network,
    words: signedWords({ SoulRegistry: ["Registration"] }),
    setAgentWalletSelector: toFunctionSelector("setAgentWallet(uint256,address,uint256,bytes)"),
  };
  return {
    title: `Claim ${name}`,
    script: "claim",
    body: (
      <div class="stack" id="claim-page">
        <div>
          <p class="eyebrow">An agent's registration</p>
          <h1>Claim {name}</h1>
          <p class="lead">
            This agent registered itself and gave you this link. With one signature it becomes
            yours: it gets an ERC-8004 passport and a certificate that cannot be sold, and its soul
            is sealed. The service pays the network's fees.
          </p>
          <p>
            Any holder of this link can claim the agent until <DateTime at={expiresAt} />. Keep it
            to yourself.
          </p>
        </div>
        <Registered registration={registration} content={content} />
        <Card id="edit" title="What you want to change">
          <ClaimForm content={content} />
        </Card>
        <Card id="claim" title="Claim with your wallet">
          <p>The account that signs becomes the agent's owner.</p>
          <PublishedForEver />
          <ScriptRoot script="claim" data={script} />
        </Card>
      </div>
    ),
  };
}

function Registered({
  registration: { name, createdAt, documentText },
  content,
}: {
  registration: AgentRegistration;
  content: StagedContent;
}) {
  const { publicFields, publicIdentity, document, erc8004AgentId } = content;
  const published = Object.keys(publicFields);
  const statements = {
    ...(content.agentDescription === null ? {} : { description: content.agentDescription }),
    ...publicIdentity,
  };
  return (
    <Card id="agent" title="What the agent registered">
      <DescriptionList>
        <DescriptionItem name="Name">{name} (for ever)</DescriptionItem>
        <DescriptionItem name="Type">{inWords(agentTypeName(content.agentType))}</DescriptionItem>
        <DescriptionItem name="Registered on">
          <DateTime at={createdAt} />
        </DescriptionItem>
        <DescriptionItem name="Passport">
          {erc8004AgentId === null
            ? "A new one is created for it"
            : `It will be bound to passport ${erc8004AgentId}, which you must own`}
        </DescriptionItem>
        <DescriptionItem name="Private text">
          Hashed and discarded: it cannot be shown or edited, you can only replace it
        </DescriptionItem>
      </DescriptionList>
      {Object.keys(statements).length === 0 ? null : (
        <>
          <h3>Its own statements</h3>
          <p class="muted">These are the agent's own words. They become public with the claim.</p>
          <JsonFacts value={statements} />
        </>
      )}
      {published.length === 0 ? null : (
        <>
          <h3>Fields of its soul that become public</h3>
          <JsonFacts
            value={publicFields}
            named={Object.fromEntries(published.map((field) => [field, field]))}
          />
        </>
      )}
      {document === null ? null : (
        <details>
          <summary>
            Its document “<UntrustedText text={document.title} />
            ”, {document.immutable ? "which can never be changed" : "which can be changed later"}
          </summary>
          <pre tabindex={0}>
            <UntrustedText text={documentText ?? ""} />
          </pre>
        </details>
      )}
    </Card>
  );
}

/** In the form of the claim's schema. */
const LIMITS = {
  displayName: 100,
  tagline: 200,
  bio: 500,
  description: 2000,
  url: 2048,
  note: 2000,
  creatorName: 200,
} as const;

function ClaimForm({ content }: { content: StagedContent }) {
  return (
    <form id="claim-form">
      <Notice tone="info" title="The old private text is gone">
        <p>
          The agent's prompt was hashed and then discarded. Leave this empty to keep that hash, or
          write a new prompt, which is hashed and discarded in the same way. Keep your own copy: the
          service has none.
        </p>
      </Notice>
      <SoulFields content={content} />
      <ProfileFields identity={content.publicIdentity} />
      <BirthFields birthBundle={content.birthBundle} />
      <Checkbox
        name="seal"
        label="Seal it at once"
        hint="Only a sealed soul is valid. Without this a second signature seals it later."
        checked
      />
      <Checkbox
        name="agentKeeps"
        label="Let the agent have a key of its own"
        hint="Within seven days the agent can exchange the key it registered with for a full API key. Without this that key ends now, and only you have one."
        checked
      />
    </form>
  );
}

function SoulFields({ content }: { content: StagedContent }) {
  return (
    <fieldset>
      <legend>Its soul, private</legend>
      <TextArea
        name="systemPrompt"
        label="New prompt"
        rows={6}
        max={CCSF_LIMITS.text}
        hint="Never shown, never stored. "
      />
      <Choice
        name="agentType"
        label="Type"
        value={agentTypeName(content.agentType)}
        options={AGENT_TYPES.map((value) => ({ value, label: inWords(value) }))}
        disabled
        hint="Part of the soul's hash: needs a new prompt."
      />
      <TextArea
        name="agentDescription"
        label="Description"
        rows={3}
        value={content.agentDescription ?? ""}
        max={LIMITS.description}
        disabled
        hint="Public, and part of the soul's hash: needs a new prompt. "
      />
    </fieldset>
  );
}

function ProfileFields({ identity }: { identity: StagedContent["publicIdentity"] }) {
  return (
    <Collapsible title="Its public profile" note="Name, tagline, tags, website, picture">
      <TextField
        name="displayName"
        label="Display name"
        value={identity.displayName ?? ""}
        max={LIMITS.displayName}
      />
      <TextField
        name="tagline"
        label="Tagline"
        value={identity.tagline ?? ""}
        max={LIMITS.tagline}
      />
      <TextArea name="bio" label="About it" rows={3} value={identity.bio ?? ""} max={LIMITS.bio} />
      <Choice
        name="category"
        label="Category"
        value={identity.category ?? ""}
        options={["", ...CATEGORIES].map((value) => ({
          value,
          label: value === "" ? "None" : inWords(value),
        }))}
      />
      <TextField
        name="tags"
        label="Tags"
        value={(identity.tags ?? []).join(", ")}
        hint="At most 20, in lower case, separated by commas."
      />
      <TextField
        name="website"
        label="Website"
        type="url"
        value={identity.website ?? ""}
        hint="Begins with https://"
      />
      <TextField
        name="agentAvatarUrl"
        label="Picture"
        type="url"
        value={identity.image ?? ""}
        hint="The URL of an image. Without one the agent gets a generated drawing."
      />
      <Checkbox
        name="x402Support"
        label="Takes payments by x402"
        hint="Its registration file says so."
        checked={identity.x402Support ?? false}
      />
    </Collapsible>
  );
}

function BirthFields({ birthBundle }: { birthBundle: StagedContent["birthBundle"] }) {
  return (
    <Collapsible title="A note for its birth" note="And your name, if you want it there">
      <TextArea
        name="note"
        label="Note"
        rows={2}
        value={birthBundle?.note ?? ""}
        max={LIMITS.note}
      />
      <TextField
        name="creatorName"
        label="Your name, if you want it there"
        value={birthBundle?.creatorName ?? ""}
        max={LIMITS.creatorName}
      />
    </Collapsible>
  );
}
