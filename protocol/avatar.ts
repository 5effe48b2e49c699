import type { Hex } from "viem";
import { hashBytes, isHash } from "./bytes.ts";
import { xmlText } from "./xml-text.ts";

/**
 * Format tag of the drawing; bump it when any rule below changes, because stored avatars are found
 * by their content.
 */
export const AVATAR_FORMAT = "svc-avatar/1";

interface Palette {
  ground: string;
  /** The disc that the flower lies on. */
  disc: string;
  petal: string;
  accent: string;
}

/**
 * Sixteen palettes. On both ground and disc the petals keep a contrast of at least 4.5 and the
 * accent of at least 3 (WCAG 2), so that no hash gives a picture that cannot be made out.
 */
export const AVATAR_PALETTES: readonly Palette[] = [
  { ground: "#14213d", disc: "#1f3358", petal: "#fca311", accent: "#e5e5e5" },
  { ground: "#0b3d3a", disc: "#0f524d", petal: "#a7f3d0", accent: "#fbbf24" },
  { ground: "#3b0d2e", disc: "#561443", petal: "#ff9ebb", accent: "#ffd6a5" },
  { ground: "#1b1464", disc: "#2a2185", petal: "#8be9fd", accent: "#ff9ff3" },
  { ground: "#3d1308", disc: "#5a1f0e", petal: "#ffb703", accent: "#ffdcc2" },
  { ground: "#10331a", disc: "#184a26", petal: "#d9f99d", accent: "#fda4af" },
  { ground: "#2b2d42", disc: "#3a3d59", petal: "#edf2f4", accent: "#ff8fa3" },
  { ground: "#0a2540", disc: "#103a63", petal: "#7dd3fc", accent: "#fde68a" },
  { ground: "#faedcd", disc: "#fffaf0", petal: "#9c4a1a", accent: "#386641" },
  { ground: "#e0f2fe", disc: "#f8fcff", petal: "#1d4ed8", accent: "#c2410c" },
  { ground: "#fce7f3", disc: "#fff7fb", petal: "#9d174d", accent: "#6d28d9" },
  { ground: "#dcfce7", disc: "#f6fff9", petal: "#166534", accent: "#b45309" },
  { ground: "#ede9fe", disc: "#fbfaff", petal: "#5b21b6", accent: "#be185d" },
  { ground: "#ffe8d6", disc: "#fff8f2", petal: "#9a3412", accent: "#0f766e" },
  { ground: "#fef3c7", disc: "#fffdf2", petal: "#1e3a5f", accent: "#b91c1c" },
  { ground: "#e2e8f0", disc: "#fbfcfe", petal: "#1f2937", accent: "#0e7490" },
];

/**
 * Number of petals, each a divisor of a circle. With more petals each is narrower, so that they do
 * not overlap.
 */
const COUNTS = [
  { step: 120, width: "1.4" },
  { step: 90, width: "1.25" },
  { step: 72, width: "1.1" },
  { step: 60, width: "1" },
  { step: 45, width: ".82" },
  { step: 40, width: ".74" },
  { step: 36, width: ".68" },
  { step: 30, width: ".58" },
] as const;

/** A petal pointing up from the centre. The last two are slanted, like the blades of a wheel. */
const PETALS = [
  "M0-44C46-84 46-132 0-172C-46-132-46-84 0-44Z",
  "M0-36L34-130A34 34 0 1 0-34-130Z",
  "M0-172L42-108L0-44L-42-108Z",
  "M0-168A42 42 0 1 1 0-84A42 42 0 1 1 0-168Z",
  "M-20-66V-148A20 20 0 0 1 20-148V-66A20 20 0 0 1-20-66Z",
  "M0-44C58-80 52-146 30-170L0-142L-30-170C-52-146-58-80 0-44Z",
  "M0-40C64-64 70-138 4-172C28-130 14-84 0-40Z",
  "M0-48L20-98C52-104 52-168 0-168C-52-168-52-104-20-98Z",
];

/** The shape between two petals, drawn on the petal's axis and then turned by half a step. */
const BETWEEN = [
  "M0-168A14 14 0 1 1 0-140A14 14 0 1 1 0-168Z",
  "M0-174L16-154L0-134L-16-154Z",
  "M-7-120V-160A7 7 0 0 1 7-160V-120A7 7 0 0 1-7-120Z",
  "M-18-166H18L0-134Z",
  "M0-168L18-136H-18Z",
  "M0-172A9 9 0 1 1 0-154A9 9 0 1 1 0-172ZM0-142A6 6 0 1 1 0-130A6 6 0 1 1 0-142Z",
  "M0-174C18-158 18-138 0-122C-18-138-18-158 0-174Z",
  "M-14-168H14V-140H-14Z",
];

/** The centre of the flower. */
const CORES = [
  '<circle r="30"/>',
  '<path d="M0-34L34 0L0 34L-34 0Z"/>',
  '<path d="M0-32A32 32 0 1 1 0 32A32 32 0 1 1 0-32ZM0-16A16 16 0 1 0 0 16A16 16 0 1 0 0-16Z"/>',
  '<path d="M0-38C5-12 12-5 38 0C12 5 5 12 0 38C-5 12-12 5-38 0C-12-5-5-12 0-38Z"/>',
];

const RAYS = 64;

/**
 * The flower of a soul hash as SVG markup around the origin, within a radius of 240. The first four bytes choose palette,
 * number and shape of the petals, what stands between them, and the heart; each of the 64 rays around it is as long as its
 * hexadecimal digit is high, so no two hashes give the same picture. The certificate draws the same on chain.
 * @throws RangeError when `soulHash` is not 32 bytes.
 */
export function soulEmblem(soulHash: Hex): string {
  const { palette, count, petal, between, core } = traits(soulHash);
  const { step, width } = count;
  return (
    `<g stroke="${palette.petal}" stroke-opacity=".6" stroke-width="7" stroke-linecap="round">${rays(soulHash)}</g>` +
    `<circle r="184" fill="${palette.disc}"/>` +
    `<g fill="${palette.petal}">${around(petal, step, ` scale(${width} 1)`)}</g>` +
    `<g fill="${palette.accent}"><g transform="rotate(${step / 2})">${around(between, step, "")}</g>${core}</g>`
  );
}

/**
 * An agent's avatar: a standalone SVG of 512 by 512 units with rounded corners, also meant to be cut to a circle. It has no
 * scripts, references or ids, so it may be put into a page any number of times; the same input gives the same bytes.
 * @param name Any text: markup in it is escaped, and characters that XML cannot hold are replaced. It becomes the title.
 * @throws RangeError when `soulHash` is not 32 bytes.
 */
export function avatarSvg({ name, soulHash }: { name: string; soulHash: Hex }): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" role="img">' +
    `<title>${xmlText(name)}</title>` +
    `<rect width="512" height="512" rx="112" fill="${traits(soulHash).palette.ground}"/>` +
    `<g transform="translate(256 256)">${soulEmblem(soulHash)}</g></svg>`
  );
}

function traits(soulHash: Hex) {
  if (!isHash(soulHash)) throw new RangeError("A soul hash is 0x and 64 hexadecimal digits.");
  const bytes = hashBytes(soulHash);
  return {
    palette: pick(AVATAR_PALETTES, bytes[0]),
    count: pick(COUNTS, bytes[1]),
    petal: pick(PETALS, bytes[2]),
    between: pick(BETWEEN, bytes[3]),
    core: pick(CORES, bytes[4]),
  };
}

/** Every list has a power of two of entries, so each entry is equally likely. */
function pick<Item>(items: readonly Item[], byte = 0): Item {
  return items[byte % items.length] as Item;
}

function around(path: string, step: number, shaping: string): string {
  let markup = "";
  for (let degrees = 0; degrees < 360; degrees += step) {
    markup += `<path d="${path}" transform="rotate(${degrees})${shaping}"/>`;
  }
  return markup;
}

/**
 * The renderer rotates: sine and cosine differ between engines in the last digits; the bytes must
 * not.
 */
function rays(soulHash: Hex): string {
  let markup = "";
  for (let index = 0; index < RAYS; index++) {
    const digit = Number.parseInt(soulHash[2 + index] as string, 16);
    markup += `<path d="M0-202v-${4 + 2 * digit}" transform="rotate(${(index * 360) / RAYS})"/>`;
  }
  return markup;
}
