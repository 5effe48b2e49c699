import { styleText } from "node:util";

/** Reports the steps of a script. Each step is announced, then ended once with its duration. */
export interface Progress {
  step(title: string): Step;
  note(text: string): void;
}

export interface Step {
  done(detail?: string): void;
  fail(detail?: string): void;
}

/**
 * Progress as plain lines, one at the end of each step, so that parallel steps do not overwrite
 * each other. Colours only on a terminal (NO_COLOR is respected).
 */
export function lineProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const paint = (style: "green" | "red" | "dim", text: string) =>
    styleText(style, text, { stream, validateStream: true });

  return {
    step(title) {
      const startedAt = performance.now();
      const end = (mark: string, detail?: string) => {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        const suffix = detail === undefined ? "" : `: ${detail}`;
        stream.write(`${mark} ${title}${suffix} ${paint("dim", `(${seconds} s)`)}\n`);
      };
      return {
        done: (detail) => end(paint("green", "ok  "), detail),
        fail: (detail) => end(paint("red", "FAIL"), detail),
      };
    },
    note(text) {
      stream.write(`${text}\n`);
    },
  };
}

/** For callers that want no output, such as tests. */
export const silentProgress: Progress = {
  step: () => ({ done: () => {}, fail: () => {} }),
  note: () => {},
};
