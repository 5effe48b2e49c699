import { formatAmount } from "../../api/features/allowances/index.ts";
import type { IndexedPoint } from "../../api/soul/index-reads.ts";
import { Card, DateTime, DescriptionItem, DescriptionList } from "../ui/components.tsx";
import {
  type AgentDealings,
  allowanceStanding,
  type DaySpending,
  everyDay,
  type IndexedAllowance,
  SPENDING_DAYS,
} from "./dealings.ts";

const DAY_MS = 86_400_000;

/** What the agent may pay from its owner's wallet, and what it paid in the last days. */
export function AllowanceCard({
  tokenId,
  at,
  isValid,
  dealings: { allowance, spending },
}: {
  tokenId: bigint;
  at: IndexedPoint;
  /** Whether the soul is valid now: no other one can pay. */
  isValid: boolean;
  dealings: Pick<AgentDealings, "allowance" | "spending">;
}) {
  const days = everyDay(spending, at);
  return (
    <Card id="allowance" title="What it may pay">
      {isValid ? (
        <Permitted allowance={allowance} at={at} spentToday={days.at(-1)?.spent ?? 0n} />
      ) : (
        <p>The soul is not valid, so the agent can pay nothing.</p>
      )}
      {spending.length === 0 ? (
        <p class="muted">It paid nothing in the last {SPENDING_DAYS} days.</p>
      ) : (
        <SpendingByDay days={days} dailyLimit={isValid ? (allowance?.dailyLimit ?? 0n) : 0n} />
      )}
      <p>
        <a href={`/allowances/${tokenId}`}>Its allowance, and setting it as its owner</a>
      </p>
    </Card>
  );
}

function Permitted({
  allowance,
  at,
  spentToday,
}: {
  allowance: IndexedAllowance | null;
  at: IndexedPoint;
  spentToday: bigint;
}) {
  const standing = allowanceStanding(allowance, at);
  if (allowance === null || standing === "none") {
    return <p>Its owner has set no allowance, so it can pay nothing from its owner's wallet.</p>;
  }
  if (standing !== "active") {
    const why =
      standing === "expired" ? "Its allowance has expired" : "Its owner ended the allowance";
    return <p>{why}, so it can pay nothing from its owner's wallet.</p>;
  }
  const { perTransaction, dailyLimit, validUntil, onlyWithAgentWallet } = allowance;
  return (
    <>
      <Gauge spent={spentToday} limit={dailyLimit} />
      <DescriptionList>
        <DescriptionItem name="At most for one payment">{inUnits(perTransaction)}</DescriptionItem>
        <DescriptionItem name="At most in one UTC day">{inUnits(dailyLimit)}</DescriptionItem>
        {validUntil === null ? null : (
          <DescriptionItem name="Until">
            <DateTime at={new Date(Number(validUntil) * 1000)} />
          </DescriptionItem>
        )}
        {onlyWithAgentWallet ? (
          <DescriptionItem name="Only while">its passport names it as agentWallet</DescriptionItem>
        ) : null}
      </DescriptionList>
    </>
  );
}

/** The bar is drawn for the eye; the caption says the same. */
function Gauge({ spent, limit }: { spent: bigint; limit: bigint }) {
  const share = limit === 0n ? 100 : partOf(spent, limit, 100);
  return (
    <figure class="gauge">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-track" width="100" height="6" />
        <rect class="bar-value" width={String(share)} height="6" />
      </svg>
      <figcaption>
        <strong>{inUnits(spent)}</strong> of {inUnits(limit)} spent today
      </figcaption>
    </figure>
  );
}

const [WIDTH, HEIGHT, GAP] = [300, 90, 2] as const;

/** The bars are drawn for the eye; caption and list say the same. */
function SpendingByDay({ days, dailyLimit }: { days: readonly DaySpending[]; dailyLimit: bigint }) {
  const paid = days.filter(({ spent }) => spent > 0n);
  const most = paid.reduce((high, one) => (one.spent > high.spent ? one : high));
  const total = paid.reduce((sum, { spent }) => sum + spent, 0n);
  // An operator may report any amount: far above the limit the bar is cut, so that the rest can be seen.
  const cut = dailyLimit * 2n;
  const scale = dailyLimit > 0n && most.spent > cut ? cut : greater(most.spent, dailyLimit);
  const step = WIDTH / days.length;
  const level = HEIGHT - partOf(dailyLimit, scale, HEIGHT);
  return (
    <figure class="day-bars">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {days.map(({ spent }, index) => {
          const height = partOf(spent, scale, HEIGHT);
          return (
            <rect
              class={dailyLimit > 0n && spent > dailyLimit ? "bar-value over" : "bar-value"}
              x={(index * step + GAP / 2).toFixed(1)}
              y={String(HEIGHT - height)}
              width={(step - GAP).toFixed(1)}
              height={String(height)}
            />
          );
        })}
        <line class="ground" x1="0" x2={String(WIDTH)} y1={String(HEIGHT)} y2={String(HEIGHT)} />
        {dailyLimit === 0n ? null : (
          <line class="limit" x1="0" x2={String(WIDTH)} y1={String(level)} y2={String(level)} />
        )}
      </svg>
      <figcaption>
        {inUnits(total)} in the last {days.length} days, most on <Day of={most.day} />:{" "}
        {inUnits(most.spent)}.{dailyLimit === 0n ? null : " The dashed line is the daily limit."}
      </figcaption>
      <details>
        <summary>Day by day</summary>
        <DescriptionList>
          {paid.toReversed().map(({ day, spent }) => (
            <DescriptionItem name={<Day of={day} />}>{inUnits(spent)}</DescriptionItem>
          ))}
        </DescriptionList>
      </details>
    </figure>
  );
}

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

function Day({ of }: { of: number }) {
  const date = new Date(of * DAY_MS);
  return <time datetime={date.toISOString().slice(0, 10)}>{DATE.format(date)}</time>;
}

function inUnits(amount: bigint): string {
  return `${formatAmount(amount)} USDC`;
}

/** `part` of `whole` on a scale up to `length`, with one decimal, and never beyond it. */
function partOf(part: bigint, whole: bigint, length: number): number {
  if (part >= whole) return length;
  return Number((part * BigInt(length * 10)) / whole) / 10;
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
