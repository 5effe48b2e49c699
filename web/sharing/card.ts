import type { Hex } from "viem";
import { avatarSvg } from "../../protocol/avatar.ts";
import { xmlText } from "../../protocol/xml-text.ts";
import type { PictureStanding } from "./standing.ts";

/** Pixels, as sites that show links expect them. */
export const CARD = { width: 1200, height: 630 } as const;

/** What the picture of an agent shows: what its certificate does, and the day. */
export interface AgentCard {
  readonly agentName: string;
  readonly agentType: string;
  /** Null for an agent without a soul: it has no emblem. */
  readonly soulHash: Hex | null;
  readonly tokenId: bigint | null;
  readonly passportId: bigint | null;
  readonly network: string;
  readonly standing: PictureStanding;
  /** The time that the standing is of; only its day is shown, so that a picture is drawn at most once a day. */
  readonly asOf: Date | null;
}

const PAPER = "#f5f4ef";
const INK = "#1c1f24";
const MUTED = "#565c66";

const HEAVY = 'font-weight="600"';

/** The picture that a link to an agent's page shows, as SVG in the typeface of the site's headings. */
export function agentCardSvg(card: AgentCard): string {
  const { agentName, agentType, soulHash, standing, asOf, network } = card;
  const ids = [
    card.tokenId === null ? null : `certificate ${card.tokenId}`,
    card.passportId === null ? null : `passport ${card.passportId}`,
    network,
  ].filter((part) => part !== null);
  const pill = Math.ceil(standing.word.length * 21) + 64;
  return frame(
    emblem(agentName, soulHash, standing.word === "valid") +
      `<text x="420" y="150" font-size="34" fill="${MUTED}">AI agent · ${xmlText(agentType)}</text>` +
      `<rect x="420" y="190" width="${pill}" height="72" rx="36" fill="${standing.fill}"/>` +
      `<text x="${420 + pill / 2}" y="239" font-size="38" text-anchor="middle" ${HEAVY} fill="${standing.ink}">${xmlText(standing.word)}</text>` +
      (asOf === null
        ? ""
        : `<text x="420" y="320" font-size="30" fill="${MUTED}">as of ${dayOf(asOf)}</text>`) +
      `<text x="80" y="500" font-size="${nameSize(agentName)}" ${HEAVY} fill="${INK}">${xmlText(agentName)}</text>` +
      `<text x="80" y="566" font-size="32" fill="${MUTED}">${xmlText(ids.join(" · "))}</text>`,
  );
}

/** The picture that links to all other pages show. */
export function serviceCardSvg(icon: string): string {
  return frame(
    nested(icon, 80, 72, 200) +
      `<g font-size="57" ${HEAVY} fill="${INK}"><text x="80" y="396">A passport says that an agent exists.</text>` +
      '<text x="80" y="472">A soul says which one it is.</text></g>' +
      `<text x="80" y="566" font-size="32" fill="${MUTED}">Identity for AI agents, sealed on chain by their owners</text>`,
  );
}

function frame(content: string): string {
  const { width, height } = CARD;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Bricolage Grotesque">` +
    `<rect width="${width}" height="${height}" fill="${PAPER}"/>` +
    `<rect width="${width}" height="14" fill="#0e5a54"/>` +
    `<text x="1120" y="96" font-size="30" text-anchor="end" ${HEAVY} fill="#0e5a54">Agent Identity</text>` +
    `${content}</svg>`
  );
}

/** Faded, as on the certificate, when the soul may not be relied on. */
function emblem(name: string, soulHash: Hex | null, isValid: boolean): string {
  if (soulHash === null) {
    return '<rect x="80" y="72" width="300" height="300" rx="66" fill="#e2dfd4"/>';
  }
  return `<g${isValid ? "" : ' opacity=".35"'}>${nested(avatarSvg({ name, soulHash }), 80, 72, 300)}</g>`;
}

/** A standalone SVG with a view box as a part of another. */
function nested(svg: string, x: number, y: number, size: number): string {
  return svg.replace("<svg ", `<svg x="${x}" y="${y}" width="${size}" height="${size}" `);
}

/** Widths of the typeface's letters as parts of its size; all others are at most 0.67. */
const LETTER_WIDTHS = new Map([
  ...[..."fijlrt1-"].map((letter) => [letter, 0.43] as const),
  ...[..."mw"].map((letter) => [letter, 0.93] as const),
]);

/** As large as fits between the margins. */
function nameSize(name: string): number {
  const width = [...name].reduce((sum, letter) => sum + (LETTER_WIDTHS.get(letter) ?? 0.67), 0);
  return Math.min(110, Math.floor(1040 / Math.max(1, width)));
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

function dayOf(at: Date): string {
  return DAY.format(at);
}
