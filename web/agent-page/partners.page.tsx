import { raw } from "hono/html";
import type { Hex } from "viem";
import type { TrustLevel } from "../../api/features/bindings/index.ts";
import { Badge, Card, type Tone } from "../ui/components.tsx";
import { Emblem, emblemAt } from "../ui/emblem.tsx";
import type { AgentDealings, BoundPartner } from "./dealings.ts";

/** Whom the agent trusts, and who trusts it: drawn around it, and listed. */
export function PartnersCard({
  tokenId,
  soulHash,
  isValid,
  bindings,
}: {
  tokenId: bigint;
  soulHash: Hex | null;
  /** Whether the soul is valid now: no binding of another one counts. */
  isValid: boolean;
  bindings: AgentDealings["bindings"];
}) {
  const { partners } = bindings;
  return (
    <Card id="partners" title="Whom it trusts, and who trusts it">
      {isValid ? null : <p>The soul is not valid, so none of its bindings counts.</p>}
      {isValid && partners.length === 0 ? <p class="muted">No binding of it counts now.</p> : null}
      {isValid && partners.length > 0 ? (
        <>
          <Graph soulHash={soulHash} partners={partners} />
          <p class="muted">
            An arrow points to the agent that is trusted. Thick lines mean trusted, thin ones
            verified, dashed ones limited.
          </p>
          <ol class="partners">
            {partners.map((partner) => (
              <Partner partner={partner} />
            ))}
          </ol>
          <More bindings={bindings} />
        </>
      ) : null}
      <p>
        <a href={`/bindings/${tokenId}`}>All its bindings, and making one as its owner</a>
      </p>
    </Card>
  );
}

function More({ bindings: { more, isPartial } }: { bindings: AgentDealings["bindings"] }) {
  if (more === 0 && !isPartial) return null;
  if (more === 0) return <p class="muted">There may be more of them.</p>;
  return (
    <p class="muted">
      And {isPartial ? "at least " : null}
      {more} more.
    </p>
  );
}

const TONES: Readonly<Record<TrustLevel, Tone>> = {
  trusted: "good",
  verified: "good",
  limited: "info",
  revoked: "bad",
};

function Partner({
  partner: { agentName, soulHash, outbound, inbound },
}: {
  partner: BoundPartner;
}) {
  return (
    <li>
      <Emblem soulHash={soulHash} isValid={true} />
      <div>
        <a href={`/agents/${agentName}`}>{agentName}</a>
        <p>
          {outbound === null ? null : (
            <Badge tone={TONES[outbound]}>it trusts them: {outbound}</Badge>
          )}{" "}
          {inbound === null ? null : <Badge tone={TONES[inbound]}>they trust it: {inbound}</Badge>}
        </p>
      </div>
    </li>
  );
}

const [WIDTH, HEIGHT] = [480, 340] as const;
const MIDDLE = { x: WIDTH / 2, y: HEIGHT / 2 };
/** Half the sizes of emblems, and what lines keep away from them. */
const [OWN, OTHER, DISTANCE] = [40, 27, 8] as const;
/** Between the two lines of agents that trust each other. */
const APART = 7;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** For the eye: the list after it says the same, by the same numbers. */
function Graph({
  soulHash,
  partners,
}: {
  soulHash: Hex | null;
  partners: readonly BoundPartner[];
}) {
  const placed = partners.map((partner, index) => ({
    partner,
    ...placeOf(index, partners.length),
  }));
  return (
    <svg class="graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {placed.map(({ partner: { outbound, inbound }, ...to }) => {
        const apart = outbound !== null && inbound !== null ? APART : 0;
        return (
          <>
            {outbound === null ? null : (
              <Arrow
                from={{ ...MIDDLE, size: OWN }}
                to={{ ...to, size: OTHER }}
                apart={apart}
                level={outbound}
              />
            )}
            {inbound === null ? null : (
              <Arrow
                from={{ ...to, size: OTHER }}
                to={{ ...MIDDLE, size: OWN }}
                apart={apart}
                level={inbound}
              />
            )}
          </>
        );
      })}
      <Node place={MIDDLE} half={OWN} soulHash={soulHash} />
      {placed.map(({ partner, x, y }, index) => (
        <>
          <Node place={{ x, y }} half={OTHER} soulHash={partner.soulHash} />
          <circle class="number" cx={number(x + OTHER - 3)} cy={number(y + OTHER - 3)} r="11" />
          <text x={number(x + OTHER - 3)} y={number(y + OTHER + 1.5)}>
            {index + 1}
          </text>
        </>
      ))}
    </svg>
  );
}

/** On an ellipse, from the top on and clockwise. */
function placeOf(index: number, count: number): Place {
  const angle = (2 * Math.PI * index) / count - Math.PI / 2;
  return {
    x: MIDDLE.x + (MIDDLE.x - OTHER - 14) * Math.cos(angle),
    y: MIDDLE.y + (MIDDLE.y - OTHER - 14) * Math.sin(angle),
  };
}

function Node({
  place: { x, y },
  half,
  soulHash,
}: {
  place: Place;
  half: number;
  soulHash: Hex | null;
}) {
  if (soulHash === null) {
    return (
      <rect
        class="unsealed"
        x={number(x - half)}
        y={number(y - half)}
        width={String(2 * half)}
        height={String(2 * half)}
        rx="10"
      />
    );
  }
  return raw(emblemAt(soulHash, { x: x - half, y: y - half, size: 2 * half }));
}

function Arrow({
  from,
  to,
  apart,
  level,
}: {
  from: Place & { readonly size: number };
  to: Place & { readonly size: number };
  apart: number;
  level: TrustLevel;
}) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  /** A point of the line, so far from its beginning, and so far to its right. */
  const at = (along: number, beside: number): Place => ({
    x: from.x + dx * along - dy * (apart + beside),
    y: from.y + dy * along + dx * (apart + beside),
  });
  // Emblems are squares: along this direction their edge is so many times their half size away.
  const edge = 1 / Math.max(Math.abs(dx), Math.abs(dy));
  const start = at(from.size * edge + DISTANCE, 0);
  const tip = length - to.size * edge - DISTANCE;
  const end = at(tip - 9, 0);
  const head = [at(tip, 0), at(tip - 11, 6), at(tip - 11, -6)];
  return (
    <g class={`arrow ${level}`}>
      <line x1={number(start.x)} y1={number(start.y)} x2={number(end.x)} y2={number(end.y)} />
      <polygon points={head.map(({ x, y }) => `${number(x)},${number(y)}`).join(" ")} />
    </g>
  );
}

function number(value: number): string {
  return value.toFixed(1);
}
