import { z } from "@hono/zod-openapi";
import type { Address } from "viem";
import type {
  AgentBindings,
  BuiltBindings,
  ListedBinding,
} from "../../api/features/bindings/build.ts";
import {
  MAX_CONTEXT_BYTES,
  TRUST_LEVELS,
  type TrustLevel,
} from "../../api/features/bindings/pairs.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { idNumber, TokenIdParam, TypedAgentSchema } from "../../api/platform/http/schemas.ts";
import { type ChainSoul, type ChainSouls, ownerOf } from "../../api/soul/chain-soul.ts";
import type { IndexedAgents } from "../../api/soul/index-reads.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { byTokenId } from "../../api/soul/soul-ref.ts";
import { ActionArea, OwnerHead, WalletCard } from "../owner/components.tsx";
import type { OwnerAction, SignedAction } from "../owner/data.ts";
import { onlyOwner } from "../owner/signers.ts";
import { namingAgents, signedWords } from "../owner/words.ts";
import {
  Badge,
  Card,
  Code,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Notice,
  NumberNote,
  PageTurner,
  type Tone,
  UntrustedText,
} from "../ui/components.tsx";
import { Choice, TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";

const PAGE_SIZE = 20;
/** An agent with more bindings of its own finds the present one in its list. */
const SEARCHED = 100;

/** The agent that the owner has looked for; what was typed when there is no such one. */
type Partner =
  | {
      readonly kind: "found";
      readonly typed: string;
      readonly tokenId: bigint;
      readonly name: string;
    }
  | { readonly kind: "unknown"; readonly typed: string };

interface Shown {
  readonly soul: ChainSoul;
  readonly outbound: AgentBindings;
  readonly inbound: AgentBindings;
  readonly page: number;
  /** Null while the owner has looked for none. */
  readonly partner: Partner | null;
  /** The binding with that agent; null without one. */
  readonly present: ListedBinding | null;
}

async function partnerOf(current: IndexedAgents, typed: string): Promise<Partner> {
  const ref = TypedAgentSchema.safeParse(typed);
  const agent = ref.success ? (await current.agent(ref.data)).value : null;
  if (agent === null) return { kind: "unknown", typed };
  return { kind: "found", typed, tokenId: agent.soul.tokenId, name: agent.soul.name };
}

/** The page on which an owner says how far an agent trusts others. */
export const showBindingsPage = page({
  operationId: "showBindingsPage",
  rules: unlistedPage,
  path: "/bindings/{tokenId}",
  params: { tokenId: TokenIdParam },
  query: {
    partner: z.string().trim().max(64).optional(),
    page: z.coerce.number().int().min(1).max(10_000).default(1),
  },
  errors: ["INVALID_REQUEST", "NOT_FOUND", "CHAIN_UNAVAILABLE", "INDEX_BEHIND"],
  async show(
    { tokenId, partner: typed = "", page },
    {
      souls,
      bindingLists,
      current,
    }: {
      readonly souls: ChainSouls;
      readonly bindingLists: Pick<BuiltBindings["bindingLists"], "ofAgent">;
      readonly current: IndexedAgents;
    },
    kit,
    c,
  ) {
    const soul = await requireSoul(souls, tokenId, "registered");
    const list = (direction: "outbound" | "inbound", number: number, limit: number) =>
      bindingLists.ofAgent(
        byTokenId(tokenId),
        { direction, trustLevel: undefined, includeEnded: false },
        { limit, offset: (number - 1) * limit },
      );
    const [outbound, inbound] = await Promise.all([
      list("outbound", page, PAGE_SIZE),
      list("inbound", page, PAGE_SIZE),
    ]);
    reflectsBlock(c, outbound.at);
    const partner = typed === "" ? null : await partnerOf(current, typed);
    const own = partner?.kind === "found" ? await list("outbound", 1, SEARCHED) : null;
    const present = own?.value.bindings.find(
      ({ toTokenId }) => partner?.kind === "found" && toTokenId === partner.tokenId,
    );
    const shown: Shown = {
      soul,
      outbound: outbound.value,
      inbound: inbound.value,
      page,
      partner,
      present: present ?? null,
    };
    return bindingsPage(kit, shown);
  },
});

function bindingsPage(kit: PageKit, shown: Shown): Page {
  const { soul, outbound, inbound, page, partner } = shown;
  const { name } = soul;
  const owner = soul.status === "SEALED" ? ownerOf(soul) : null;
  const signs = owner !== null && partner?.kind === "found" && partner.tokenId !== soul.tokenId;
  const content: Page = {
    title: `Bindings of ${name}`,
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Bindings" title={`Whom ${name} trusts`}>
          A binding says in public how far one agent trusts another, and what for. Contracts can
          read it.
        </OwnerHead>
        <BindingsCard
          id="outbound"
          title="Bindings that it made"
          list={outbound}
          canChange={owner !== null}
        />
        <BindingsCard
          id="inbound"
          title="Bindings that others made"
          list={inbound}
          canChange={false}
        />
        <PageTurner
          href={(to) => `/bindings/${soul.tokenId}?page=${to}`}
          page={page}
          last={Math.ceil(Math.max(outbound.total, inbound.total) / PAGE_SIZE)}
        />
        {owner === null ? (
          <Notice tone="caution" title="No binding can be made now">
            <p>
              {soul.status === "PROVISIONAL"
                ? "The soul is not sealed yet."
                : "The soul is suspended or has ended."}{" "}
              See <a href={`/agents/${name}`}>{name}</a>.
            </p>
          </Notice>
        ) : (
          <FindCard shown={shown} />
        )}
        {signs ? <ChangeCards kit={kit} shown={shown} owner={owner} partner={partner} /> : null}
      </div>
    ),
  };
  return signs ? { ...content, script: "owner" } : content;
}

const TONES: Readonly<Record<TrustLevel, Tone>> = {
  trusted: "good",
  verified: "good",
  limited: "info",
  revoked: "bad",
};

function BindingsCard(props: {
  id: string;
  title: string;
  list: AgentBindings;
  canChange: boolean;
}) {
  const { id, title, list, canChange } = props;
  return (
    <Card id={id} title={`${title}: ${list.total}`}>
      {list.bindings.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <DescriptionList>
          {list.bindings.map((binding) => (
            <DescriptionItem
              name={<a href={`/agents/${binding.partnerAgent}`}>{binding.partnerAgent}</a>}
            >
              <Badge tone={TONES[binding.trustLevel]}>{binding.trustLevel}</Badge>{" "}
              {binding.live ? null : (
                <Badge tone="caution">without effect: a soul is not valid</Badge>
              )}
              <p>
                {binding.context === null ? (
                  <span class="muted">words that cannot be shown</span>
                ) : (
                  <UntrustedText text={binding.context} />
                )}
              </p>
              <p class="muted">
                {binding.authority === "OWNER" ? "By its owner" : "By its API key"}, since{" "}
                <DateTime at={binding.authoritySince} />
                {canChange ? (
                  <>
                    {". "}
                    <a
                      href={`/bindings/${list.tokenId}?partner=${binding.partnerTokenId}#binding-title`}
                    >
                      Change or revoke it
                    </a>
                  </>
                ) : null}
              </p>
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
    </Card>
  );
}

/** Works without a script: the page loads again, with the agent that was found. */
function FindCard({ shown: { soul, partner } }: { shown: Shown }) {
  const isItself = partner?.kind === "found" && partner.tokenId === soul.tokenId;
  return (
    <Card id="find" title="Bind it to another agent">
      <form class="search" action={`/bindings/${soul.tokenId}#find-title`}>
        <label for="partner">Name or passport number of that agent</label>
        <div>
          <input class="control" id="partner" name="partner" maxlength={64} autocomplete="off" />
          <button class="button secondary" type="submit">
            Find it
          </button>
        </div>
      </form>
      <NumberNote typed={partner?.typed ?? ""} />
      {partner?.kind === "unknown" ? (
        <Notice tone="caution" title="There is no such agent">
          <p>
            You looked for “<UntrustedText text={partner.typed} />
            ”.
          </p>
        </Notice>
      ) : null}
      {isItself ? <Notice tone="caution" title="An agent is not bound to itself" /> : null}
    </Card>
  );
}

function ChangeCards({
  kit,
  shown,
  owner,
  partner,
}: {
  kit: PageKit;
  shown: Shown;
  owner: Address;
  partner: Extract<Partner, { kind: "found" }>;
}) {
  const { soul, present } = shown;
  const canRevoke = present !== null && present.trustLevel !== "revoked";
  const set = bindAction(soul, owner, partner);
  const actions: OwnerAction[] = canRevoke ? [set, revokeAction(set, present)] : [set];
  const words = namingAgents(signedWords({ BindingRegistry: ["SetBinding"] }), soul, partner);
  return (
    <>
      <WalletCard data={{ network: kit.network, actions, words }}>
        <p>
          Only the agent's owner can sign this: <Code>{owner}</Code>. You send no transaction, and
          the service pays the network's fees.
        </p>
      </WalletCard>
      <Card id="binding" title={`How far ${soul.name} trusts ${partner.name}`}>
        <ActionArea id="bind">
          <Choice
            name="trustLevel"
            label="Trust"
            value={present?.trustLevel ?? "verified"}
            options={TRUST_LEVELS.filter((level) => level !== "revoked").map((value) => ({
              value,
              label: value,
            }))}
          />
          <TextField
            name="context"
            label="What for"
            value={present?.context ?? ""}
            hint={`In words. They are public, at most ${MAX_CONTEXT_BYTES} bytes.`}
          />
        </ActionArea>
      </Card>
      {canRevoke ? (
        <Card id="revoking" title="Revoke it">
          <p>
            From then on {soul.name} does not trust {partner.name}. That stays in the history.
          </p>
          <ActionArea id="revoke" />
        </Card>
      ) : null}
    </>
  );
}

function bindAction(
  soul: ChainSoul,
  owner: Address,
  partner: Extract<Partner, { kind: "found" }>,
): SignedAction {
  const tokenId = idNumber(soul.tokenId);
  return {
    kind: "sign",
    id: "bind",
    signers: onlyOwner({ owner, name: soul.name }),
    labels: { start: "Review what you sign", sign: "Sign and bind", send: "Set the binding" },
    form: "bind-form",
    confirm: null,
    soul: null,
    request: {
      typedData: "binding",
      method: "POST",
      path: "/v1/binding",
      body: { tokenId, partnerTokenId: idNumber(partner.tokenId) },
      preparation: {},
    },
    done: {
      done: {
        title: "The binding is set",
        text: null,
        links: [{ href: `/bindings/${tokenId}`, label: "See the bindings" }],
      },
    },
  };
}

function revokeAction(set: SignedAction, present: ListedBinding): SignedAction {
  const body = {
    ...set.request.body,
    trustLevel: "revoked",
    context: present.context ?? "",
  };
  return {
    ...set,
    id: "revoke",
    labels: { start: "Review the end", sign: "Sign and revoke", send: "Revoke the binding" },
    form: null,
    request: { ...set.request, body },
    done: { done: { ...set.done.done, title: "The binding is revoked" } },
  };
}
