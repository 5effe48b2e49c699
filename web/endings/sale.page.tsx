import type { Child } from "hono/jsx";
import type { Address } from "viem";
import { type Allowances, formatAmount } from "../../api/features/allowances/index.ts";
import {
  type EndedGrants,
  type EndedReads,
  endedGrants,
} from "../../api/features/endings/ended-grants.ts";
import { type Observation, suspendCall } from "../../api/features/endings/moved-soul.ts";
import { dateOf } from "../../api/kernel/chain-time.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import { type ChainSoul, type ChainSouls, ownerOf } from "../../api/soul/chain-soul.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { ActionArea, OwnerHead, WalletCard } from "../owner/components.tsx";
import type { OwnerAction } from "../owner/data.ts";
import { emergencyStop, STOP_WORDS } from "../owner/emergency-stop.ts";
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
} from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { ofAgent, page } from "../ui/page.ts";
import { GrantsList } from "./grants.page.tsx";

/** What a seller sees: the soul, what was granted, and the money that the agent can reach. */
interface Sale {
  readonly soul: ChainSoul;
  readonly grants: EndedGrants;
  readonly funding: { readonly dailyLimit: bigint; readonly approved: bigint };
  readonly observation: Observation;
}

/** The page on which an owner prepares a sale, and closes it. */
export const showSalePage = page({
  operationId: "showSalePage",
  rules: unlistedPage,
  path: "/sales/{tokenId}",
  ...ofAgent,
  async show(
    { tokenId },
    deps: {
      readonly souls: ChainSouls;
      readonly endedReads: EndedReads;
      readonly allowances: Pick<Allowances, "of">;
      /** What `suspend` recorded last. */
      readonly suspensionOf: (tokenId: bigint, block: bigint) => Promise<Observation>;
      readonly deployment: { readonly contracts: { readonly soulRegistry: Address } };
    },
    kit,
  ) {
    const { souls, endedReads, allowances } = deps;
    const soul = await requireSoul(souls, tokenId, "registered");
    if (soul.status === "BURNED") return endedPage(soul);
    const [grants, { state }, observation] = await Promise.all([
      endedGrants(endedReads, soul),
      allowances.of(tokenId),
      deps.suspensionOf(tokenId, soul.block),
    ]);
    const { dailyLimit, funding } = state;
    const sale: Sale = {
      soul,
      grants,
      funding: { dailyLimit, approved: funding.approved },
      observation,
    };
    const { soulRegistry } = deps.deployment.contracts;
    return salePage(kit, sale, soulRegistry);
  },
});

function salePage(kit: PageKit, sale: Sale, soulRegistry: Address): Page {
  const { soul } = sale;
  const { name } = soul;
  const owner = ownerOf(soul);
  const isSold = soul.passportOwner !== null && soul.passportOwner !== soul.sealer;
  const isRecorded = sale.observation.owner !== null;
  const page: Page = {
    title: `Sell ${name}`,
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Checklist for sellers" title={`Sell ${name}`}>
          A sale is a transfer of passport {String(soul.passportId)}. From its block on, nothing
          that you granted acts. What you end before cannot come back if the passport does.
        </OwnerHead>
        {owner !== null ? (
          <Before kit={kit} sale={sale} owner={owner} />
        ) : (
          <After kit={kit} sale={sale} isSold={isSold} soulRegistry={soulRegistry} />
        )}
      </div>
    ),
  };
  const hasAction = owner !== null || (isSold && !isRecorded);
  return hasAction ? { ...page, script: "owner" } : page;
}

function endedPage({ name, tokenId }: ChainSoul): Page {
  const title = `${name} has ended`;
  return {
    title,
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Checklist for sellers" title={title}>
          There is nothing to sell: the soul was burned, and its passport is free.
        </OwnerHead>
        <Notice tone="caution" title="The soul has ended">
          <p>
            See <a href={`/agents/${name}`}>what stays of it</a>. Its last owner can{" "}
            <a href={`/reincarnate/${tokenId}`}>register its successor</a>.
          </p>
        </Notice>
      </div>
    ),
  };
}

function Before({ kit, sale, owner }: { kit: PageKit; sale: Sale; owner: Address }) {
  const { soul, grants, funding } = sale;
  const tokenId = idNumber(soul.tokenId);
  const page = `/sales/${tokenId}`;
  const stop = emergencyStop({ tokenId, name: soul.name, owner, page });
  const suspend = suspendBeforeSale({ tokenId, name: soul.name, owner, page });
  const allowance = `/allowances/${tokenId}`;
  const access = `/access/${tokenId}`;
  return (
    <>
      <Card id="checklist" title="Before the sale: what is open">
        <DescriptionList>
          <Item name="Allowance" isOpen={grants.allowance} href={allowance}>
            {grants.allowance
              ? `the agent may pay ${formatAmount(funding.dailyLimit)} of the stablecoin a day`
              : "the agent may pay nothing"}
          </Item>
          <Item name="Approval of your wallet" isOpen={funding.approved > 0n} href={allowance}>
            {funding.approved > 0n
              ? `the vault may move ${formatAmount(funding.approved)}, for all your agents together`
              : "the vault may move nothing"}
          </Item>
          <Item name="API keys" isOpen={grants.apiKeys > 0} href={access}>
            {grants.apiKeys === 0 ? "none works" : `${grants.apiKeys} in use`}
          </Item>
          <Item name="Sessions" isOpen={null} href={access}>
            a sign-in shows them
          </Item>
          <Item name="Webhooks" isOpen={grants.webhooks > 0} href={access}>
            {grants.webhooks === 0 ? "none" : `${grants.webhooks} set up`}
          </Item>
        </DescriptionList>
        <p class="muted">
          Approvals of the passport itself end with its transfer. The buyer's reseal ends operator,
          membership, bindings and public keys.
        </p>
      </Card>
      <WalletCard
        data={{
          network: kit.network,
          actions: [stop, suspend],
          words: namingAgents(SALE_WORDS, soul),
        }}
      >
        <p>
          Only the agent's owner can sign these: <Code>{owner}</Code>
        </p>
      </WalletCard>
      <Card id="stopping" title="Stop the agent in one click">
        <p>
          One signature ends the allowance and every key, session and webhook. The approval of your
          wallet stays, because other agents may use it. You can still call the sale off: the soul
          stays valid, and you can create new keys.
        </p>
        <ActionArea id="stop" />
      </Card>
      <Card id="suspending" title="Suspend it right before the sale">
        <p>
          A buyer's contract can take the passport and return it in one transaction. No account can
          record that sale, and what you granted and did not end acts again. Once you have suspended
          the agent, nothing acts, wherever the passport goes. This cannot be taken back: only a
          reseal makes the soul valid again, yours or the buyer's.
        </p>
        <ActionArea id="suspend" />
      </Card>
      <Card id="later" title="After the sale">
        <p>
          The service records the buyer on chain within seconds. Come back to this page to see it,
          or to record it yourself.
        </p>
      </Card>
    </>
  );
}

/** What an owner may sign before a sale. */
const SALE_WORDS = signedWords({
  AllowanceVault: ["DeactivateAllowance"],
  SoulRegistry: ["EmergencyStop", "Suspend"],
});

function suspendBeforeSale(agent: {
  readonly tokenId: number;
  readonly name: string;
  readonly owner: string;
  readonly page: string;
}): OwnerAction {
  const { tokenId, name, owner, page } = agent;
  return {
    kind: "sign",
    id: "suspend",
    signers: onlyOwner({ owner, name }),
    labels: { start: "Suspend it", sign: "Sign and suspend", send: "Suspend the soul" },
    form: null,
    confirm: null,
    soul: null,
    isFinal: true,
    request: {
      typedData: "suspend",
      method: "POST",
      path: "/v1/suspend",
      body: { tokenId },
      preparation: {},
    },
    done: {
      done: {
        title: `${name} is suspended`,
        text: "Nothing that you granted acts any more. You can sell the passport now.",
        links: [{ href: page, label: "See what was granted" }],
      },
    },
  };
}

/** @param isOpen Null when the page does not know. */
function Item(props: { name: string; isOpen: boolean | null; href: string; children?: Child }) {
  const { name, isOpen, href, children } = props;
  return (
    <DescriptionItem name={name}>
      {isOpen === null ? null : (
        <Badge tone={isOpen ? "caution" : "good"}>{isOpen ? "Open" : "Closed"}</Badge>
      )}{" "}
      {children}
      {isOpen === false ? null : (
        <>
          {". "}
          <a href={href}>{isOpen === null ? "See them" : "End it"}</a>
        </>
      )}
    </DescriptionItem>
  );
}

function After({
  kit,
  sale,
  isSold,
  soulRegistry,
}: {
  kit: PageKit;
  sale: Sale;
  isSold: boolean;
  soulRegistry: Address;
}) {
  const { soul, grants, observation } = sale;
  const { name, tokenId, passportOwner } = soul;
  return (
    <>
      {isSold ? (
        <Notice tone="info" title="The passport was sold">
          <p>
            Its owner now: <Code>{passportOwner}</Code>. Only that account decides about the soul,
            and may <a href={`/reseal/${tokenId}`}>reseal or release</a> it.
          </p>
        </Notice>
      ) : (
        <Notice tone="caution" title="The passport is with its seller, and the suspension stands">
          <p>
            What was granted before stays dead, also if it is sold and comes back.{" "}
            <a href={`/reseal/${tokenId}`}>Reseal {name}</a> to make it valid again.
          </p>
        </Notice>
      )}
      {observation.owner === null ? (
        <Unrecorded kit={kit} soul={soul} soulRegistry={soulRegistry} />
      ) : (
        <Notice tone="good" title="The suspension is recorded on chain">
          <p>
            Since <DateTime at={dateOf(observation.observedAt)} />, block{" "}
            {String(observation.block)}. Nothing that you granted comes back, also if the passport
            does.
          </p>
        </Notice>
      )}
      <Card id="granted" title="What was granted before, and does not act any more">
        <GrantsList grants={grants} />
      </Card>
    </>
  );
}

function Unrecorded({
  kit,
  soul,
  soulRegistry,
}: {
  kit: PageKit;
  soul: ChainSoul;
  soulRegistry: Address;
}) {
  const suspend: OwnerAction = {
    kind: "send",
    id: "suspend",
    signers: { accounts: [], refusal: "" },
    label: "Record the suspension",
    ...suspendCall(soulRegistry, soul.tokenId),
    done: "Once it is confirmed, a passport that comes back revives nothing. Reload to see it.",
  };
  return (
    <>
      <Notice tone="caution" title="The suspension is not recorded yet">
        <p>
          Until it is, a passport that comes back revives what you granted. The service records it
          within seconds: reload this page. Or record it yourself, from any account.
        </p>
      </Notice>
      <WalletCard data={{ network: kit.network, actions: [suspend], words: STOP_WORDS }}>
        <p>A transaction of your own wallet, which pays a small fee. Any account may send it.</p>
      </WalletCard>
      <Card id="recording" title="Record it in one click">
        <ActionArea id="suspend" />
      </Card>
    </>
  );
}
