import type { DemoAgent } from "../first-life.ts";
import { lineProgress } from "../lib/progress.ts";
import { helpText, readArguments, UsageError } from "../lib/usage.ts";
import type { Bundle } from "./bundle/bundle.ts";
import { refreshBundle } from "./bundle/refresh.ts";
import { type Ports, parsePort } from "./ports.ts";
import { readyText } from "./ready-text.ts";
import { type Stack, startStack } from "./stack.ts";

/** Days before now at which the chain of the full demonstration begins. */
const DEMO_DAYS = 41;

const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const DEMOS = ["one", "full"] as const;
type Demo = (typeof DEMOS)[number];

interface Arguments {
  readonly demo: Demo | null;
  readonly fresh: boolean;
  readonly help: boolean;
  readonly ports: Partial<Ports>;
}

function startArguments(): Arguments {
  try {
    const { values } = readArguments({
      options: {
        demo: { type: "string" },
        "no-demo": { type: "boolean", default: false },
        fresh: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        "api-port": { type: "string" },
        "indexer-port": { type: "string" },
        "chain-port": { type: "string" },
        "postgres-port": { type: "string" },
      },
    });
    const port = (name: keyof Ports) => {
      const flag = `${name}-port` as const;
      const value = values[flag];
      return value === undefined ? {} : { [name]: parsePort(value, `--${flag}`) };
    };
    return {
      demo: parseDemo(values.demo, values["no-demo"]),
      fresh: values.fresh,
      help: values.help,
      ports: { ...port("api"), ...port("indexer"), ...port("chain"), ...port("postgres") },
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function parseDemo(value: string | undefined, isLeftOut: boolean): Demo | null {
  if (isLeftOut) {
    if (value === undefined) return null;
    throw new UsageError("--demo and --no-demo exclude each other: leave one out.");
  }
  const demo = DEMOS.find((one) => one === (value ?? "one"));
  if (demo) return demo;
  throw new UsageError(`--demo must be ${DEMOS.join(" or ")}; it is "${value}".`);
}

async function main(bundle: Bundle | undefined): Promise<number> {
  const { demo, fresh, help, ports } = startArguments();
  if (help) {
    process.stdout.write(helpText("start"));
    return 0;
  }

  const abort = new AbortController();
  const stopped = new Promise<number>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        // A second signal means that the user stops waiting: what still runs is killed on exit.
        if (abort.signal.aborted) process.exit(SIGNAL_EXIT[signal]);
        process.stderr.write("\nStopping …\n");
        abort.abort(new Error("The start was interrupted."));
        resolve(SIGNAL_EXIT[signal]);
      });
    }
  });

  let stack: Stack;
  try {
    stack = await startStack({
      ports,
      fresh,
      chainStart: demo === "full" ? daysAgo(DEMO_DAYS) : undefined,
      supervised: true,
      bundle,
      progress: lineProgress(),
      signal: abort.signal,
    });
  } catch (error) {
    if (abort.signal.aborted) return stopped;
    throw error;
  }

  let endRefresh = async () => {};
  try {
    const failed = stack.failure.then((error) => {
      throw error;
    });
    const life = async () => {
      const agent = demo === null ? undefined : await runDemo(stack, demo);
      process.stdout.write(readyText(stack, agent));
      // This start ran from a bundle of these sources.
      if (bundle === undefined && !abort.signal.aborted) endRefresh = refreshBundle(stack);
      return stopped;
    };
    return await Promise.race([life(), stopped, failed]);
  } finally {
    await endRefresh();
    await stack.stop();
  }
}

/** Loaded only here, so that a stack without the demonstration does not pay for it. */
async function runDemo(stack: Stack, demo: Demo): Promise<DemoAgent> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const { firstLife } = await import("../first-life.ts");
  const agent = await firstLife({ stack, print });
  if (demo === "full") {
    const { fullDemo } = await import("../demo/full-demo.ts");
    await fullDemo({ stack, first: agent, print });
  }
  return agent;
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000);
}

/**
 * `npm start`: runs until it is interrupted, and ends this process.
 *
 * @param bundle What the stack runs from. Default: the bundle of these sources, where there is one.
 */
export async function startCommand(bundle?: Bundle): Promise<never> {
  process.exitCode = await main(bundle).catch((error: unknown) => {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\nnpm start -- --help lists the options.\n`);
      return 2;
    }
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  });
  process.exit();
}
