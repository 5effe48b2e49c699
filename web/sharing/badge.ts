import { xmlText } from "../../protocol/xml-text.ts";
import type { PictureStanding } from "./standing.ts";

/** What a badge says. */
export interface Badge {
  readonly agentName: string;
  readonly standing: PictureStanding;
  /** The time of the block that it is read from; null for an agent that is not on chain. */
  readonly asOf: Date | null;
}

const HEIGHT = 22;
/** Room on each side of a part's text. */
const PADDING = 8;
/** Mean width of a character at 11 pixels. `textLength` holds the text to it in every font. */
const CHARACTER = 6.6;

const FONT = "Verdana,DejaVu Sans,Geneva,sans-serif";

/**
 * A badge for READMEs: name, standing, and the time that the standing is of, because a copy of it can be older than its
 * reader thinks. No scripts, references or ids.
 */
export function badgeSvg({ agentName, standing, asOf }: Badge): string {
  const time = asOf === null ? null : minuteOf(asOf);
  const parts = [
    { text: agentName, ink: "#ffffff", fill: "#0b3d3a" },
    { text: standing.word, ink: standing.ink, fill: standing.fill },
  ];
  if (time !== null) parts.push({ text: time, ink: "#1c1f24", fill: "#d9d6cb" });
  let x = 0;
  const drawn = parts.map(({ text, ink, fill }) => {
    const length = Math.ceil([...text].length * CHARACTER);
    const width = length + 2 * PADDING;
    const part =
      `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${fill}"/>` +
      `<text x="${x + PADDING}" y="15" fill="${ink}" textLength="${length}">${xmlText(text)}</text>`;
    x += width;
    return part;
  });
  const label = xmlText(
    `${agentName}: ${standing.word}${time === null ? "" : `, as of ${time}`}. Agent Identity`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${x}" height="${HEIGHT}" role="img" aria-label="${label}">` +
    `<title>${label}</title>` +
    `<g font-family="${FONT}" font-size="11">${drawn.join("")}</g></svg>`
  );
}

/** Such as "2026-11-23 09:04 UTC". */
function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
