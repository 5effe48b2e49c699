import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { renderAsync } from "@resvg/resvg-js";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../api/kernel/errors.ts";

/** Turns drawings of this service into PNG. */
export type Raster = ReturnType<typeof createRaster>;

/** Pictures that are kept: less than 16 MB. */
const MAX_KEPT = 128;
/** Pictures that may wait for the one that is being drawn: less than a second of work. */
const MAX_WAITING = 16;

const { resolve } = createRequire(import.meta.url);
const FONTS = [
  "400Regular/BricolageGrotesque_400Regular.ttf",
  "600SemiBold/BricolageGrotesque_600SemiBold.ttf",
];

/**
 * Draws one picture at a time, in a thread of its own, and keeps it by the hash of its drawing: however many ask for
 * pictures, they take at most one processor, and the same one is drawn once. Only the fonts that are named here are
 * loaded, so that every machine draws the same.
 *
 * @param draw A test replaces it.
 */
export function createRaster(draw: typeof drawPng = drawPng) {
  const kept = new LRUCache<string, Promise<Uint8Array<ArrayBuffer>>>({ max: MAX_KEPT });
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function inTurn(svg: string, width: number) {
    if (waiting >= MAX_WAITING) throw new ApiError("SERVICE_UNAVAILABLE", { retryAfter: 2 });
    waiting += 1;
    const drawn = last.then(() => draw(svg, width));
    last = drawn
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
    return drawn;
  }

  return {
    /** @throws ApiError SERVICE_UNAVAILABLE while too many others wait. */
    png(svg: string, width: number): Promise<Uint8Array<ArrayBuffer>> {
      const key = `${width}:${createHash("sha256").update(svg).digest("base64")}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const drawn = inTurn(svg, width);
      kept.set(key, drawn);
      // What failed is tried again by the next one who asks.
      drawn.catch(() => kept.delete(key));
      return drawn;
    },
  };
}

async function drawPng(svg: string, width: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = await renderAsync(svg, {
    fitTo: { mode: "width", value: width },
    font: {
      loadSystemFonts: false,
      fontFiles: FONTS.map((file) => resolve(`@expo-google-fonts/bricolage-grotesque/${file}`)),
      defaultFontFamily: "Bricolage Grotesque",
    },
  });
  return new Uint8Array(image.asPng());
}
