import type { Command, CommandOption } from "./command.ts";

const COMMON: readonly CommandOption[] = [
  { name: "json", value: null, summary: "Answer with one JSON object, errors included" },
  { name: "help", value: null, summary: "Show this" },
];

const EXIT_CODES = `Exit codes
  0  yes: valid, done
  1  no: invalid, or refused by the service
  2  no answer: wrong usage, or node, service, gateway or file could not be read
`;

const VARIABLES = `Keys are never arguments. They come from
  --keystore <file>        a keystore file (Web3 Secret Storage), also SVC_KEYSTORE. Its password: SVC_KEYSTORE_PASSWORD,
                           --password-file <file>, or the terminal, which is asked
  SVC_PRIVATE_KEY          a private key, 0x and 64 hexadecimal digits
  SVC_API_KEY              an agent's API key, or --api-key-file <file>
  SVC_ACCESS_TOKEN         an access token of a sign-in

Settings
  SVC_SERVICE              the service's origin, as --service
  SVC_RPC_URL              a node of the chain, as --rpc
  SVC_DEPLOYMENT           the deployment file that you trust, as --deployment
  SVC_GATEWAYS             gateways of permanent storage, as --gateway
`;

/** The help of the whole command. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => synopsis(command).length));
  const list = commands.map(
    (command) => `  ${synopsis(command).padEnd(width)}  ${command.summary}\n`,
  );
  return `svc: identities of AI agents, from the command line

Usage: svc <subcommand> [argument] [options]

Subcommands
${list.join("")}
Every subcommand has --json and --help. The answer alone is written to standard output, everything else to standard error.

${VARIABLES}
${EXIT_CODES}
Examples
  svc verify agent heron --rpc https://your.node
  svc hash soul.md --json
  svc help register
`;
}

/** The help of one subcommand. */
export function helpOf(command: Command): string {
  const options = [...command.options, ...COMMON];
  const left = options.map(({ name, value }) => (value === null ? name : `${name} <${value}>`));
  const { argument } = command;
  const words = argument === undefined ? [] : [`<${argument.value}>`];
  const width = Math.max(...left.map((text) => text.length + 2), ...words.map((w) => w.length));
  const rows = options.map(({ summary, variable, isRepeated = false }, index) => {
    const ends = [
      isRepeated ? "May be repeated" : null,
      variable === undefined ? null : `Also ${variable}`,
    ].filter((text) => text !== null);
    return `  ${`--${left[index]}`.padEnd(width)}  ${[summary, ...ends].join(". ")}\n`;
  });
  const about = argument === undefined ? "" : `  ${words[0]?.padEnd(width)}  ${argument.summary}\n`;
  const details = command.details === undefined ? "" : `${command.details.trim()}\n\n`;
  return `svc ${command.name}: ${command.summary}

Usage: svc ${synopsis(command)} [options]

${about}${rows.join("")}
${details}Examples
${command.examples.map((example) => `  svc ${example}\n`).join("")}
${EXIT_CODES}`;
}

function synopsis({ name, argument }: Command): string {
  if (argument === undefined) return name;
  return `${name} ${argument.isOptional === true ? `[${argument.value}]` : `<${argument.value}>`}`;
}
