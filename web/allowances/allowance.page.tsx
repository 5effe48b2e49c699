import type { Address } from "viem";
import {
  type AllowanceReading,
  type Allowances,
  availableToday,
} from "../../api/features/allowances/allowances.ts";
import { formatAmount } from "../../api/features/allowances/amounts.ts";
import { endApprovalCall } from "../../api/features/allowances/approval.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import { ActionArea, OwnerHead, WalletCard } from "../owner/components.tsx";
import type { OwnerAction, OwnerPageData, SignedWords } from "../owner/data.ts";
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
import { Checkbox, TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { ofAgent, page } from "../ui/page.ts";

/** How long an allowance lasts that the form proposes. */
const PROPOSED_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

interface MadeWith {
  readonly clock: () => Date;
  readonly deployment: {
    readonly contracts: { readonly stablecoin: Address; readonly allowanceVault: Address };
  };
}

/** The page on which an owner sets, changes and ends what its agent may pay. */
export const showAllowancePage = page({
  operationId: "showAllowancePage",
  rules: unlistedPage,
  path: "/allowances/{tokenId}",
  ...ofAgent,
  async show(
    { tokenId },
    { allowances, ...made }: MadeWith & { readonly allowances: Pick<Allowances, "of"> },
    kit,
    c,
  ) {
    const reading = await allowances.of(tokenId);
    reflectsBlock(c, reading.at);
    return allowancePage(kit, made, tokenId, reading);
  },
});

function allowancePage(
  kit: PageKit,
  made: MadeWith,
  tokenId: bigint,
  reading: AllowanceReading,
): Page {
  const { agentName, owner } = reading.state;
  const page: Page = {
    title: `Allowance of ${agentName}`,
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Allowance" title={`What ${agentName} may pay`}>
          An allowance lets the agent pay in the stablecoin, from its owner's wallet, up to limits
          that the owner signs. The contract enforces them.
        </OwnerHead>
        <Limits reading={reading} />
        <Wallet reading={reading} />
        {owner === null ? (
          <Notice tone="caution" title="The soul is not valid">
            <p>
              The agent can pay nothing, and no allowance can be set. See{" "}
              <a href={`/agents/${agentName}`}>{agentName}</a>.
            </p>
          </Notice>
        ) : (
          <Change
            data={pageData(kit, made, tokenId, reading, owner)}
            reading={reading}
            now={made.clock()}
          />
        )}
      </div>
    ),
  };
  // Without an owner there is nothing to sign.
  return owner === null ? page : { ...page, script: "owner" };
}

function Limits({ reading: { state, usage } }: { reading: AllowanceReading }) {
  const { spentToday, remainingToday, periodEnd } = state.usage;
  return (
    <Card id="limits" title="The limits now">
      {state.version === 0 ? (
        <p>
          <Badge tone="info">Not set</Badge> The agent can pay nothing.
        </p>
      ) : (
        <DescriptionList>
          <DescriptionItem name="State">
            {state.reason === null ? (
              <Badge tone="good">Active</Badge>
            ) : (
              <Badge tone="caution">
                {state.reason === "AGENT_WALLET_NOT_OPERATOR" ? "Without effect" : "Ended"}
              </Badge>
            )}
          </DescriptionItem>
          <DescriptionItem name="At most for one payment">
            {formatAmount(state.perTransaction)}
          </DescriptionItem>
          <DescriptionItem name="At most in one UTC day">
            {formatAmount(state.dailyLimit)}
          </DescriptionItem>
          {state.validUntil === null ? null : (
            <DescriptionItem name="Ends">
              <DateTime at={timeOf(BigInt(state.validUntil))} />
            </DescriptionItem>
          )}
          {state.onlyWithAgentWallet ? (
            <DescriptionItem name="Needs">
              the passport's <Code>agentWallet</Code> to be the operator
              {state.reason === "AGENT_WALLET_NOT_OPERATOR" ? ", which it is not now" : null}
            </DescriptionItem>
          ) : null}
          <DescriptionItem name="Spent today">
            {formatAmount(spentToday)}, in {usage.transactionsToday}{" "}
            {usage.transactionsToday === 1 ? "payment" : "payments"}
          </DescriptionItem>
          <DescriptionItem name="Left today">
            {formatAmount(remainingToday)}, until <DateTime at={timeOf(periodEnd)} />
          </DescriptionItem>
        </DescriptionList>
      )}
    </Card>
  );
}

function Wallet({ reading }: { reading: AllowanceReading }) {
  const { balance, approved } = reading.state.funding;
  return (
    <Card id="wallet" title="The owner's wallet">
      <DescriptionList>
        <DescriptionItem name="Balance">{formatAmount(balance)}</DescriptionItem>
        <DescriptionItem name="Approved for payments">{formatAmount(approved)}</DescriptionItem>
        <DescriptionItem name="Agents that can pay from it">
          {reading.usage.shared.agents}
        </DescriptionItem>
        <DescriptionItem name="All of them together, today">
          at most {formatAmount(availableToday(reading))}
        </DescriptionItem>
      </DescriptionList>
      <p class="muted">
        All amounts are in the stablecoin. Balance and approval are shared by all agents of this
        wallet. Approve no more than you can afford to lose.
      </p>
    </Card>
  );
}

function Change({ data, now, reading: { state } }: ChangeProps) {
  const { perTransaction, dailyLimit, active, version, validUntil } = state;
  const proposed = (limit: bigint) => (version === 0 ? "" : formatAmount(limit));
  const present = active && validUntil !== null ? timeOf(BigInt(validUntil)) : null;
  const proposedEnd = present ?? new Date(now.getTime() + PROPOSED_DAYS * DAY_MS);
  return (
    <>
      <WalletCard data={data}>
        <p>
          Only the agent's owner can sign this: <Code>{state.owner}</Code>. You send no transaction,
          and the service pays the network's fees.
        </p>
      </WalletCard>
      <Card id="change" title={active ? "Change the limits" : "Set the limits"}>
        <ActionArea id="allowance">
          <TextField
            name="perTransaction"
            label="At most for one payment"
            hint="In units of the stablecoin, such as 2.50"
            value={proposed(perTransaction)}
            reads="amount"
          />
          <TextField
            name="dailyLimit"
            label="At most in one UTC day"
            value={proposed(dailyLimit)}
            hint="The day begins at 00:00 UTC"
            reads="amount"
          />
          <TextField
            name="validUntil"
            label="Last day"
            type="date"
            value={proposedEnd.toISOString().slice(0, 10)}
            hint="The allowance ends by itself after this day (UTC)"
            reads="day"
          />
          <TextField
            name="approval"
            label="Approval of your wallet"
            hint="What all your agents together may take from your wallet in all. Where more is approved already, nothing changes. Leave it empty to keep it."
            reads="optional-amount"
          />
          <Checkbox
            name="onlyWithAgentWallet"
            label="Only while the passport's agentWallet is the operator"
            hint="Every transfer of the passport clears agentWallet, so no sale leaves this allowance in force, not even one that is undone at once. Set the agentWallet first."
            checked={state.onlyWithAgentWallet}
          />
        </ActionArea>
      </Card>
      {active ? (
        <Card id="end" title="End the allowance">
          <p>One signature, and the agent pays nothing any more.</p>
          <ActionArea id="end" />
        </Card>
      ) : null}
      {state.funding.approved === 0n ? null : (
        <Card id="approval-end" title="End the approval of your wallet">
          <p>
            After this transaction of your own wallet, none of your agents can pay from it. Their
            allowances stay, and have no effect. Your wallet pays a small fee.
          </p>
          <ActionArea id="approval" />
        </Card>
      )}
    </>
  );
}

interface ChangeProps {
  readonly data: OwnerPageData;
  readonly now: Date;
  readonly reading: AllowanceReading;
}

function pageData(
  kit: PageKit,
  { deployment }: MadeWith,
  id: bigint,
  { state }: AllowanceReading,
  owner: Address,
): OwnerPageData {
  const { agentName, active, funding } = state;
  const tokenId = idNumber(id);
  const signers = onlyOwner({ owner, name: agentName });
  const path = `/v1/allowance/${tokenId}`;
  const links = [{ href: `/allowances/${tokenId}`, label: "See the allowance now" }];
  const set: OwnerAction = {
    kind: "sign",
    id: "allowance",
    signers,
    labels: { start: "Review what you sign", sign: "Sign and set", send: "Set the limits" },
    form: "allowance-form",
    confirm: null,
    soul: null,
    request: { typedData: "allowance", method: "POST", path, body: { tokenId }, preparation: {} },
    done: { done: { title: "The limits are in force", text: null, links } },
  };
  const end: OwnerAction = {
    ...set,
    id: "end",
    labels: { start: "End the allowance", sign: "Sign and end", send: "End the allowance" },
    form: null,
    request: { ...set.request, typedData: "allowance-end", method: "DELETE" },
    done: { done: { title: "The allowance has ended", text: null, links } },
  };
  const approval: OwnerAction = {
    kind: "send",
    id: "approval",
    signers,
    label: "End the approval",
    ...endApprovalCall(deployment.contracts),
    done: "Once it is confirmed, the vault moves nothing from your wallet.",
  };
  const actions: OwnerAction[] = [set];
  if (active) actions.push(end);
  if (funding.approved !== 0n) actions.push(approval);
  const words = signedWords({ AllowanceVault: ["SetAllowance", "DeactivateAllowance"] });
  const named = namingAgents(withPermit(words), { tokenId, name: agentName });
  return { network: kit.network, actions, words: named };
}

/** The stablecoin verifies the permit, so it is not among the protocol's messages. */
function withPermit({ sentences, fields, ...words }: SignedWords): SignedWords {
  return {
    ...words,
    sentences: {
      ...sentences,
      Permit: "Let the allowance vault move up to this amount from your wallet.",
    },
    fields: {
      ...fields,
      owner: { label: "Owner", format: "account", note: null },
      spender: { label: "Allowance vault", format: "account", note: null },
      value: { label: "Approval", format: "usd", note: null },
    },
  };
}

function timeOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1000);
}
