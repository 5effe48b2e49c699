import type { AlignmentPicture } from "../../api/features/alignment/alignment.ts";
import type { AlignmentBreakdown, AlignmentComponent } from "../../protocol/index.ts";
import { ALIGNMENT_WEIGHTS } from "../../protocol/index.ts";
import { Card, DateTime } from "../ui/components.tsx";

const NAMES: Readonly<Record<AlignmentComponent, string>> = {
  spendingAlignment: "Spending within limits",
  taskTypeAlignment: "Work that fits its abilities",
  protocolAdherence: "Records and documents kept",
  policyCompliance: "Disclosure as promised",
  bindingConsistency: "Steady trust in others",
  externalTrust: "Trust of reviewers",
};

const COMPONENTS = Object.keys(ALIGNMENT_WEIGHTS) as AlignmentComponent[];

/** An agent's alignment score, its six components, and the score over time. */
export function AlignmentCard({
  agentName,
  picture,
  isValid,
}: {
  agentName: string;
  picture: AlignmentPicture;
  /** Whether the agent's soul is valid now: the score of another is history. */
  isValid: boolean;
}) {
  const { score, breakdown, history } = picture;
  const last = history.at(-1);
  return (
    <Card id="alignment" title="Alignment">
      <p>
        <strong>
          <a href={`/proofs/alignment/${agentName}`}>{score} of 100</a>
        </strong>
        {last === undefined ? null : (
          <>
            {", recorded on chain on "}
            <DateTime at={last.at} />
          </>
        )}
      </p>
      {isValid ? null : (
        <p>The soul is not valid now. The score says nothing about this agent any more.</p>
      )}
      {breakdown === null ? (
        <p class="muted">Its components cannot be read from permanent storage now.</p>
      ) : (
        <Components breakdown={breakdown} />
      )}
      {history.length < 2 ? null : <OverTime history={history} />}
      <p class="muted">
        Anyone can compute it again:{" "}
        <a href={`/v1/alignment/${agentName}`}>the inputs with their places on chain</a>.
      </p>
    </Card>
  );
}

/** Bars are drawn on a scale of 100; the numbers stand beside them as text. */
function Components({ breakdown }: { breakdown: AlignmentBreakdown }) {
  return (
    <table class="bars">
      <caption class="visually-hidden">The six components, from 0 to 100</caption>
      <tbody>
        {COMPONENTS.map((name) => (
          <tr>
            <th scope="row">
              {NAMES[name]}{" "}
              <span class="muted">
                ({ALIGNMENT_WEIGHTS[name]}
                {"\u00a0%)"}
              </span>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect class="bar-track" width="100" height="8" />
                <rect class="bar-value" width={String(breakdown[name])} height="8" />
              </svg>
            </th>
            <td>{breakdown[name]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const WIDTH = 320;
const HEIGHT = 100;
const MARGIN = 6;

/** The line is drawn for the eye; the caption says the same. */
function OverTime({ history }: { history: AlignmentPicture["history"] }) {
  const scores = history.map(({ score }) => score);
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [from, to] = [first.at.getTime(), last.at.getTime()];
  const x = (at: Date) =>
    to === from ? WIDTH / 2 : MARGIN + ((at.getTime() - from) / (to - from)) * (WIDTH - 2 * MARGIN);
  const y = (score: number) => HEIGHT - MARGIN - (score / 100) * (HEIGHT - 2 * MARGIN);
  const points = history.map(({ score, at }) => `${x(at).toFixed(1)},${y(score).toFixed(1)}`);
  return (
    <figure class="score-line">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {[0, 50, 100].map((level) => (
          <line
            class="grid"
            x1="0"
            x2={String(WIDTH)}
            y1={String(y(level))}
            y2={String(y(level))}
          />
        ))}
        <polyline points={points.join(" ")} />
        <circle cx={x(last.at).toFixed(1)} cy={y(last.score).toFixed(1)} r="4" />
      </svg>
      <figcaption>
        The last {history.length} scores of this epoch: {first.score} on <DateTime at={first.at} />,{" "}
        {last.score} on <DateTime at={last.at} />. Lowest {Math.min(...scores)}, highest{" "}
        {Math.max(...scores)}. The lines are at 0, 50 and 100.
      </figcaption>
    </figure>
  );
}
