import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { type Abi, type Address, getAddress, isAddress } from "viem";
import { GAS_FILE, type GasReport } from "../generate/gas-report.ts";
import { artifactOf, ROOT } from "../lib/artifacts.ts";
import { readJson } from "../lib/json-file.ts";
import { helpText, readArguments, UsageError } from "../lib/usage.ts";
import { readPorts } from "../local-stack/ports.ts";
import { describeCosts, estimateGas, readPrices } from "./costs.ts";
import type { Patience } from "./create.ts";
import { deployPlanLocally, deployPublicly, parametersPath, readParameters } from "./deploy.ts";
import type { Deployment } from "./deployment.ts";
import { type DeployPlan, DeployRefusedError, placeContracts, planDeployment } from "./plan.ts";
import { describePlan, manualSteps, verifyCommands } from "./report.ts";
import { ROLE_NAMES, type RoleHolders } from "./roles.ts";
import { DEPLOY_TARGETS, type DeployTarget } from "./targets.ts";

/** Inputs of the command from outside. */
export interface DeployCommandContext {
  readonly environment: NodeJS.ProcessEnv;
  /** The repository: where deployments/ is. */
  readonly root: string;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** How long to wait for blocks on a public network. Default: suitable for such a network. */
  readonly patience?: Patience;
}

interface Arguments {
  readonly target: DeployTarget;
  readonly dryRun: boolean;
  readonly roles: RoleHolders;
  readonly parameters: string;
  readonly deployer?: Address;
  readonly identityRegistryStartBlock?: number;
}

/**
 * Runs `npm run deploy` and returns its exit status: 0 done, 1 rejected or failed, 2 wrong usage.
 */
export async function deployCommand(
  args: readonly string[],
  context: DeployCommandContext,
): Promise<number> {
  try {
    const options = deployArguments(args);
    if (options === "help") {
      context.print(helpText("deploy"));
      return 0;
    }
    const { target, deployer } = options;
    const plan = planDeployment({
      target,
      parameters: readParameters(options.parameters),
      parameterFile: relative(process.cwd(), options.parameters),
      roles: options.roles,
      abiOf: (name) => artifactOf(name).abi as Abi,
    });
    context.print(`${describePlan(deployer ? placeContracts(plan, deployer) : plan)}\n`);
    if (options.dryRun) {
      context.print(await costs(plan, context.environment));
      context.print("This was a dry run: nothing was sent.\n");
      return 0;
    }
    await deploy(plan, options, context);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      context.complain(`${error.message}\nnpm run deploy -- --help explains the options.\n`);
      return 2;
    }
    context.complain(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** The costs of a deployment to a public chain; empty for a local node, where ether is free. */
async function costs(plan: DeployPlan, environment: NodeJS.ProcessEnv): Promise<string> {
  if (plan.target.hardhatNetwork === null) return "";
  const gas = estimateGas(plan, readJson<GasReport>(join(ROOT, GAS_FILE)), artifactOf);
  const url = environment[plan.target.secrets[0] ?? ""];
  const prices = url ? await readPrices(plan, gas, url) : null;
  return `${describeCosts(plan, gas, prices)}\n`;
}

async function deploy(plan: DeployPlan, options: Arguments, context: DeployCommandContext) {
  const { target } = plan;
  const { root, print } = context;
  const file = join(root, "deployments", `${target.name}.json`);
  let deployment: Deployment;
  let placed = plan;
  if (target.hardhatNetwork === null) {
    const url = `http://127.0.0.1:${readPorts(context.environment).chain}`;
    print(`Deploying to ${url}.\n`);
    deployment = await deployPlanLocally(plan, url, file, options.deployer);
  } else {
    const { deployer, identityRegistryStartBlock } = options;
    ({ deployment, placed } = await deployPublicly({
      plan,
      file,
      ...(deployer === undefined ? {} : { deployer }),
      ...(identityRegistryStartBlock === undefined ? {} : { identityRegistryStartBlock }),
      ...(context.patience === undefined ? {} : { patience: context.patience }),
      note: (text) => print(`${text}\n`),
    }).catch((error: unknown) => {
      throw explained(error, target);
    }));
  }
  const { contracts, startBlock } = deployment;
  const links = Object.entries(contracts).map(([name, address]) => {
    const link = address && target.explorer ? `  ${target.explorer}/address/${address}` : "";
    return `  ${name.padEnd(20)} ${address ?? "none"}${link}`;
  });
  print(["", `Deployed from block ${startBlock} on:`, ...links, ""].join("\n"));
  const steps = manualSteps(placed);
  if (steps.length > 0) print(["", "Left to be done by hand:", ...steps, ""].join("\n"));
  const commands = verifyCommands(placed);
  if (commands.length > 0) print(["", "Verify the sources:", ...commands, ""].join("\n"));
  print(`\nWrote ${relative(process.cwd(), file)}.\n`);
}

/** Hardhat's own message about a missing variable names a plugin; this one says what to do. */
function explained(error: unknown, target: DeployTarget): unknown {
  const name = target.secrets.find(
    (secret) => error instanceof Error && error.message.includes(`"${secret}"`),
  );
  if (name === undefined) return error;
  return new DeployRefusedError(target.title, [
    `${name} is not set: npx hardhat keystore set ${name}, or put it into the environment.`,
  ]);
}

function deployArguments(args: readonly string[]): Arguments | "help" {
  const values = parse(args);
  if (values.help) return "help";
  const names = DEPLOY_TARGETS.map(({ name }) => name).join(", ");
  if (values.network === undefined) throw new UsageError(`--network is missing: one of ${names}.`);
  const target = DEPLOY_TARGETS.find(({ name }) => name === values.network);
  if (!target) throw new UsageError(`Unknown network ${values.network}. Use one of ${names}.`);
  const parameters = values.parameters ?? parametersPath(target.name);
  if (!existsSync(parameters)) throw new UsageError(`There is no parameter file ${parameters}.`);
  const block = values["identity-registry-start-block"];
  if (block !== undefined && !/^\d{1,15}$/.test(block)) {
    throw new UsageError(
      `--identity-registry-start-block must be a block number; it is "${block}".`,
    );
  }
  const { deployer } = values;
  if (deployer !== undefined && !isAddress(deployer)) {
    throw new UsageError(`--deployer is not an address, or its checksum is wrong: ${deployer}`);
  }
  return {
    target,
    dryRun: values["dry-run"],
    roles: Object.fromEntries(
      ROLE_NAMES.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
    ),
    parameters,
    ...(deployer === undefined ? {} : { deployer: getAddress(deployer) }),
    ...(block === undefined ? {} : { identityRegistryStartBlock: Number(block) }),
  };
}

function parse(args: readonly string[]) {
  return readArguments({
    args: [...args],
    options: {
      network: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      deployer: { type: "string" },
      admin: { type: "string" },
      registrar: { type: "string" },
      binder: { type: "string" },
      anchorer: { type: "string" },
      recorder: { type: "string" },
      parameters: { type: "string" },
      "identity-registry-start-block": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  }).values;
}
