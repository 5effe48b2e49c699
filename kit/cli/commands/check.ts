import {
  type CheckedEndpoint,
  checkEndpoints,
  type Fix,
  GRADES,
  type Grade,
  type GradeReport,
  gradeAgent,
} from "../../../protocol/endpoints/index.ts";
import { agentRegistry } from "../../../protocol/registration-file.ts";
import { storageIdIn } from "../../../protocol/storage-id.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import { AGENT_ARGUMENT, CERTIFICATE_OPTION } from "../agent/reference.ts";
import { type OnChain, readOnChain } from "../check/facts.ts";
import { type FoundFile, readFile } from "../check/file.ts";
import { createSender } from "../check/send.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { DEPLOYMENT_OPTION } from "../deployment.ts";
import { GATEWAY_OPTION, gatewaysOf } from "../gateways.ts";
import { listed } from "../listed.ts";
import { nodeOf, RPC_OPTION } from "../node.ts";
import { SERVICE_OPTION } from "../service.ts";

export const check: Command = {
  name: "check",
  summary: "Do an agent's endpoints answer, and what can be mended? For any ERC-8004 passport",
  argument: AGENT_ARGUMENT,
  options: [
    CERTIFICATE_OPTION,
    RPC_OPTION,
    DEPLOYMENT_OPTION,
    { name: "registry", value: "address", summary: "The identity registry, without a deployment" },
    GATEWAY_OPTION,
    {
      name: "ipfs",
      value: "url",
      summary: "Where IPFS content is served, with {id} for its path",
      variable: "SVC_IPFS",
    },
    SERVICE_OPTION,
    {
      name: "loopback-http",
      value: null,
      summary: "Also ask endpoints on this machine, over http",
    },
    {
      name: "at-least",
      value: "grade",
      summary: "Exit with 1 for a grade below this one. Default: F, which every agent reaches",
    },
  ],
  details: `Reads the passport from the node, its registration file from where the passport points, and asks every endpoint
from this machine. No secret is sent, and no tool is called. A number names a passport. For a passport the node is enough;
a deployment adds the soul, and a service the public identity. What is not known is left out of the grade.`,
  examples: [
    "check 22 --rpc https://your.node",
    "check heron --rpc https://your.node --deployment deployments/base.json --json",
  ],
  async run(input) {
    const atLeast = wantedGrade(input);
    const send = createSender(input.flag("loopback-http"));
    const chain = await readOnChain(input, nodeOf(input));
    const { chainId, registry, agentId, uri } = chain;
    const passport = { registry: agentRegistry(chainId, registry), agentId };
    const gateways = gatewaysFor(input);
    const found = await readFile({ uri, passport, gateways, ipfs: input.option("ipfs"), send });
    const { facts: file } = found;
    if (found.file !== null) input.io.note("Asking its endpoints ...");
    const endpoints =
      found.file === null
        ? []
        : await checkEndpoints(
            { file: found.file, fileNamesPassport: file.namesPassport, uri, passport },
            send,
          );
    const report = gradeAgent({
      file,
      endpoints,
      hasWallet: chain.hasWallet,
      soul: chain.soul,
      now: new Date(),
    });
    return {
      code: GRADES.indexOf(report.grade) <= GRADES.indexOf(atLeast) ? 0 : 1,
      json: {
        grade: report.grade,
        reached: report.reached,
        of: report.of,
        checks: report.checks,
        fixes: report.fixes,
        agentId,
        agentRegistry: passport.registry,
        block: chain.blockNumber,
        owner: chain.owner,
        soul: chain.soul,
        file: { ...file, source: found.source },
        endpoints,
      },
      text: text(input, { chain, found, endpoints, report }),
    };
  },
};

/** Signed items are checked, so the service that was named may serve them too. */
function gatewaysFor(input: CommandInput): readonly string[] {
  const service = input.option("service");
  const named = gatewaysOf(input);
  if (named.length > 0 || service === undefined || !URL.canParse(service)) return named;
  return [`${new URL(service).origin}/ar/{id}/item`];
}

function wantedGrade({ option }: CommandInput): Grade {
  const wanted = option("at-least")?.toUpperCase() ?? "F";
  const grade = GRADES.find((one) => one === wanted);
  if (grade === undefined) throw new UsageError("--at-least is a grade from A to F.");
  return grade;
}

interface Shown {
  readonly chain: OnChain;
  readonly found: FoundFile;
  readonly endpoints: readonly CheckedEndpoint[];
  readonly report: GradeReport;
}

function text(input: CommandInput, { chain, found, endpoints, report }: Shown): string {
  const { grade, reached, of, fixes } = report;
  const named = chain.soul?.name ?? null;
  const asked = endpoints.length === 0 ? [] : ["", "Endpoints", ...endpoints.map(endpointLine)];
  const isUnread = input.option("service") === undefined && chain.soul !== null;
  return [
    `grade ${grade}: ${reached} of ${of} points, for ${named ?? `passport ${chain.agentId}`}`,
    listed([
      ["passport", `${chain.agentId} of ${chain.registry}, owned by ${chain.owner}`],
      ["block", `${chain.blockNumber} of chain ${chain.chainId}`],
      ["file", fileLine(chain, found)],
      ["soul", chain.soul === null ? "not known without --deployment" : chain.soul.state],
    ]),
    ...asked,
    "",
    fixes.length === 0 ? "Nothing is left to mend." : "To mend, in this order",
    ...fixes.map(fixLines),
    isUnread ? "\nThe public identity was not read: give --service." : "",
  ]
    .join("\n")
    .trimEnd();
}

const READINGS = {
  no_uri: "the passport points at none",
  unavailable: "does not answer",
  unsupported: "its address cannot be read",
  invalid: "not a JSON object of at most 1 MiB",
  read: "read",
} as const;

const STATES = {
  answers: "answers",
  silent: "silent",
  domain_not_proven: "domain not proven",
  not_checked: "not checked",
} as const;

function fileLine({ uri }: OnChain, { facts, source }: FoundFile): string {
  if (source !== null) return `from ${source}`;
  const isStored = facts.reading === "unavailable" && storageIdIn(uri) !== null;
  const hint = isStored ? ". Say with --gateway or --service where permanent storage is read" : "";
  return `${READINGS[facts.reading]}${hint}`;
}

function endpointLine({ service, endpoint, state, seen, latencyMs }: CheckedEndpoint): string {
  const time = latencyMs === null ? "" : ` ${latencyMs} ms.`;
  return `  ${STATES[state].padEnd(17)}  ${shown(service)}  ${shown(endpoint)}\n${" ".repeat(21)}${seen}${time}`;
}

function fixLines({ title, action, about, adds }: Fix, index: number): string {
  const number = `${index + 1}.`.padStart(4);
  const lines = [
    `${number} ${title} (+${adds})`,
    `     ${action}`,
    ...about.map((endpoint) => `       ${shown(endpoint)}`),
  ];
  return lines.join("\n");
}

/** A text of the registration file on one line, with nothing in it that a terminal would obey. */
function shown(untrusted: string): string {
  const line = visibleText(untrusted).replaceAll(/[\n\t]/g, " ");
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
