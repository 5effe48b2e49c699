import { inflateSync } from "node:zlib";

/** The picture in a PNG of 8 bits a channel without interlacing, as the service's renderer writes it. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of a pixel, as "#rrggbb". */
  at(x: number, y: number): string;
}

/** @throws Error for anything else. */
export function readPng(bytes: Uint8Array): Picture {
  const file = Buffer.from(bytes);
  if (file.subarray(0, 8).toString("hex") !== "89504e470d0a1a0a") throw new Error("Not a PNG.");
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      channels = { 2: 3, 6: 4 }[data.readUInt8(9)] ?? 0;
      if (data.readUInt8(8) !== 8 || channels === 0) throw new Error("Another form of PNG.");
    }
    if (type === "IDAT") parts.push(data);
    at += 12 + length;
  }
  const lines = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  return {
    width,
    height,
    at: (x, y) => {
      const start = y * width * channels + x * channels;
      return `#${Buffer.from(lines.subarray(start, start + 3)).toString("hex")}`;
    },
  };
}

/** Every line is stored as its difference from what is left of it and above it (PNG, section 9). */
function unfiltered(raw: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const predict = FILTERS[raw[y * (stride + 1)] ?? 0] ?? FILTERS[0];
    for (let x = 0; x < stride; x++) {
      const here = y * stride + x;
      const left = x < channels ? 0 : (out[here - channels] as number);
      const up = y === 0 ? 0 : (out[here - stride] as number);
      const corner = x < channels || y === 0 ? 0 : (out[here - stride - channels] as number);
      out[here] = (raw[here + y + 1] as number) + predict(left, up, corner);
    }
  }
  return out;
}

type Predict = (left: number, up: number, corner: number) => number;

const FILTERS: readonly [Predict, ...Predict[]] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const estimate = left + up - corner;
    const a = Math.abs(estimate - left);
    const b = Math.abs(estimate - up);
    const c = Math.abs(estimate - corner);
    if (a <= b && a <= c) return left;
    return b <= c ? up : corner;
  },
];
