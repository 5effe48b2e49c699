import type { CheckedDay } from "../../api/features/endpoint-checks/checks.ts";
import type { EndpointState } from "../../protocol/endpoints/index.ts";
import { STATE_WORDS } from "./states.page.tsx";

const DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Units of the picture. */
const STEP = 4;
const HEIGHT = 14;

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** Which state a day is drawn in: the worst that was seen. */
const WORST_FIRST = ["silent", "domain_not_proven", "answers", "not_checked"] as const;

/** A bar for each of the last days, the newest on the right, with the same as a table. */
export function HistoryStrip({ days, now }: { days: readonly CheckedDay[]; now: Date }) {
  if (days.length === 0) return <p class="muted">No endpoint has been checked yet.</p>;
  const byDay = new Map(days.map((day) => [day.day, day]));
  const shown = Array.from({ length: DAYS }, (_, index) => {
    const at = new Date(now.getTime() - (DAYS - 1 - index) * DAY_MS);
    return byDay.get(at.toISOString().slice(0, 10)) ?? null;
  });
  const seen = (state: EndpointState) =>
    days.filter((day) => worstOf(day) === state && state !== "not_checked").length;
  const summary = WORST_FIRST.filter((state) => seen(state) > 0)
    .map((state) => `${STATE_WORDS[state].label} on ${seen(state)}`)
    .join(", ");
  return (
    <>
      <svg
        class="day-strip"
        viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Of the days with a check: ${summary}.`}
      >
        {shown.map((day, index) => (
          <rect
            class={day === null ? "unknown" : STATE_WORDS[worstOf(day)].tone}
            x={index * STEP}
            y="0"
            width={STEP - 1}
            height={HEIGHT}
          />
        ))}
      </svg>
      <p class="day-strip-ends muted">
        <span>90 days ago</span>
        <span>today</span>
      </p>
      <p class="muted">Of the days with a check: {summary}. A day is drawn by its worst result.</p>
      <details class="fold">
        <summary>Day by day</summary>
        <section class="table-scroll" aria-label="Day by day" tabindex={0}>
          <table class="day-table">
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                {WORST_FIRST.map((state) => (
                  <th scope="col">{STATE_WORDS[state].label}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map(({ day, states }) => (
                <tr>
                  <th scope="row">
                    <time datetime={day}>{DATE.format(new Date(day))}</time>
                  </th>
                  {WORST_FIRST.map((state) => (
                    <td>{states[state]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  );
}

function worstOf({ states }: CheckedDay): EndpointState {
  return WORST_FIRST.find((state) => states[state] > 0) ?? "not_checked";
}
