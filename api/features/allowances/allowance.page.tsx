import { createRoute, z } from "@hono/zod-openapi";
import type { Address } from "viem";
import { SIGNED_FIELDS, SIGNED_SENTENCES, signedField } from "../../../protocol/index.ts";
import {
  Badge,
  Card,
  Code,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Notice,
  ScriptRoot,
} from "../../pages/components.tsx";
import { TextField } from "../../pages/fields.tsx";
import type { PageKit } from "../../pages/kit.ts";
import type { Page } from "../../pages/layout.tsx";
import { sendPage } from "../../pages/send.tsx";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { idNumber, TokenIdParam } from "../../platform/http/schemas.ts";
import { type AllowanceReading, type Allowances, availableToday } from "./allowances.ts";
import { formatAmount } from "./amounts.ts";
import { operations } from "./operation-rules.ts";
import type { AllowancePageData } from "./page-data.ts";

export interface AllowancePageDeps {
  readonly pages: PageKit;
  readonly allowances: Pick<Allowances, "of">;
  readonly clock: () => Date;
}

const showAllowancePage = createRoute({
  method: "get",
  path: "/allowances/{tokenId}",
  operationId: "showAllowancePage",
  request: { params: z.object({ tokenId: TokenIdParam }) },
  responses: {
    200: { description: "The page." },
    ...errorResponses("NOT_FOUND", "CHAIN_UNAVAILABLE"),
  },
});

/** How long an allowance lasts that the form proposes. */
const PROPOSED_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The page on which an owner sets, changes and ends what its agent may pay. */
export function allowancePageRoutes({ pages, allowances, clock }: AllowancePageDeps) {
  return createRouter(operations).openapi(showAllowancePage, async (c) => {
    const { tokenId } = c.req.valid("param");
    const reading = await allowances.of(tokenId);
    reflectsBlock(c, reading.at);
    return sendPage(c, pages, allowancePage(pages, tokenId, reading, clock()));
  });
}

function allowancePage(kit: PageKit, tokenId: bigint, reading: AllowanceReading, now: Date): Page {
  const { agentName, owner } = reading.state;
  const page: Page = {
    title: `Allowance of ${agentName}`,
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">Allowance</p>
          <h1>What {agentName} may pay</h1>
          <p class="lead">
            An allowance lets the agent pay in the stablecoin, from its owner's wallet, up to limits
            that the owner signs. The contract enforces them.
          </p>
        </div>
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
          <Change kit={kit} tokenId={tokenId} reading={reading} owner={owner} now={now} />
        )}
      </div>
    ),
  };
  // Without an owner there is nothing to sign.
  return owner === null ? page : { ...page, script: "allowance" };
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
              <Badge tone="caution">Ended</Badge>
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
          <DescriptionItem name="Spent today">
            {formatAmount(spentToday)}, in {usage.transactionsToday} payments
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
        Balance and approval are shared by all agents of this wallet. Approve no more than you can
        afford to lose.
      </p>
    </Card>
  );
}

function Change({
  kit,
  tokenId,
  reading: { state },
  owner,
  now,
}: {
  kit: PageKit;
  tokenId: bigint;
  reading: AllowanceReading;
  owner: Address;
  now: Date;
}) {
  const { perTransaction, dailyLimit, active, agentName, version } = state;
  const script: AllowancePageData = {
    tokenId: idNumber(tokenId),
    agentName,
    owner,
    active,
    approved: state.funding.approved.toString(),
    network: kit.network,
    sentences: {
      ...SIGNED_SENTENCES.AllowanceVault,
      Permit: "Let the allowance vault move up to this amount from your wallet.",
    },
    labels: {
      ...Object.fromEntries(
        (Object.keys(SIGNED_FIELDS) as (keyof typeof SIGNED_FIELDS)[]).map((field) => [
          field,
          signedField(field).label,
        ]),
      ),
      spender: "Allowance vault",
      value: "Approval",
    },
  };
  const proposed = (limit: bigint) => (version === 0 ? "" : formatAmount(limit));
  const end = new Date(now.getTime() + PROPOSED_DAYS * DAY_MS).toISOString().slice(0, 10);
  return (
    <Card id="change" title={active ? "Change or end it" : "Set it"}>
      <form id="allowance-form" novalidate>
        <TextField
          name="perTransaction"
          label="At most for one payment"
          hint="In units of the stablecoin, such as 2.50"
          value={proposed(perTransaction)}
        />
        <TextField
          name="dailyLimit"
          label="At most in one UTC day"
          value={proposed(dailyLimit)}
          hint="The day begins at 00:00 UTC"
        />
        <TextField
          name="lastDay"
          label="Last day"
          type="date"
          value={end}
          hint="The allowance ends by itself after this day (UTC)"
        />
        <TextField
          name="approval"
          label="Approval of your wallet"
          hint="What all your agents together may take from your wallet in all. Where more is approved already, nothing changes. Empty leaves it as it is."
        />
      </form>
      <p>
        Only the agent's owner can sign this: <Code>{owner}</Code>. You send no transaction, and the
        service pays the network's fees.
      </p>
      <ScriptRoot script="allowance" data={script} />
    </Card>
  );
}

function timeOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1000);
}
