import { lineProgress } from "./lib/progress.ts";
import { readArguments, UsageError } from "./lib/usage.ts";
import { type Ports, parsePort } from "./local-stack/ports.ts";
import { type Stack, startStack } from "./local-stack/stack.ts";

const HELP = `Usage: npm start [-- options]

Boots the whole stack on this machine (chain, PostgreSQL, indexer, API), drives one agent's life through it and stays up until
Ctrl-C. Everything listens on loopback only. Chain and database begin empty at every start. A component that dies is started
again; without the chain, whose state dies with it, the stack ends.

Options
  --no-demo              Only boot the stack
  --fresh                Also make new secrets
  --api-port <n>         Default 8787   (SVC_API_PORT); 0 takes any free port, here and below
  --indexer-port <n>     Default 42069  (SVC_INDEXER_PORT)
  --chain-port <n>       Default 8545   (SVC_CHAIN_PORT)
  --postgres-port <n>    Default 55432  (SVC_POSTGRES_PORT)
  --help                 Show this

Data, logs and secrets are kept in .local (SVC_LOCAL_DIR).
`;

const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

interface Arguments {
  readonly demo: boolean;
  readonly fresh: boolean;
  readonly help: boolean;
  readonly ports: Partial<Ports>;
}

function startArguments(): Arguments {
  try {
    const { values } = readArguments({
      options: {
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
      demo: !values["no-demo"],
      fresh: values.fresh,
      help: values.help,
      ports: { ...port("api"), ...port("indexer"), ...port("chain"), ...port("postgres") },
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function describe(stack: Stack): string {
  const { accounts, urls } = stack;
  const line = (role: string, { address, privateKey }: { address: string; privateKey: string }) =>
    `  ${role.padEnd(9)} ${address}  ${privateKey}`;
  return `
The stack is ready.

  API        ${urls.api}         described at ${urls.api}/v1/openapi.json
  Chain      ${urls.rpc}         chain id ${stack.deployment.chainId}, also ${urls.rpcWs}
  Indexer    ${urls.indexer}
  Postgres   ${urls.database}
  Logs       ${stack.directory}/logs

Test accounts with 10,000 ether each. Their keys are public knowledge: never send real value to them.
${line("admin", accounts.admin)}
${line("relayer", accounts.relayer)}
${accounts.users
  .slice(0, 3)
  .map((account) => line(`user ${account.index}`, account))
  .join("\n")}
`;
}

async function main(): Promise<number> {
  const { demo, fresh, help, ports } = startArguments();
  if (help) {
    process.stdout.write(HELP);
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
      supervised: true,
      progress: lineProgress(),
      signal: abort.signal,
    });
  } catch (error) {
    if (abort.signal.aborted) return stopped;
    throw error;
  }

  try {
    const failed = stack.failure.then((error) => {
      throw error;
    });
    const life = async () => {
      if (demo) await runFirstLife(stack);
      process.stdout.write(describe(stack));
      return stopped;
    };
    return await Promise.race([life(), stopped, failed]);
  } finally {
    await stack.stop();
  }
}

/** Loaded only here, so that a stack without the demonstration does not pay for it. */
async function runFirstLife(stack: Stack): Promise<void> {
  const { firstLife } = await import("./first-life.ts");
  await firstLife({
    stack,
    print: (line: string) => process.stdout.write(`${line}\n`),
  });
}

process.exitCode = await main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\nnpm start -- --help lists the options.\n`);
    return 2;
  }
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
process.exit();
