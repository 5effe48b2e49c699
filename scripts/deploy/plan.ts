import type { Abi, Address } from "viem";
import { addressOf } from "./create3.ts";
import type { PlannedContract, PlannedRole } from "./planned-contract.ts";
import type { Protocol } from "./protocol.ts";
import {
  isRoleName,
  isRoleOfTheRegistrar,
  ROLE_NAMES,
  ROLES_OF_THE_REGISTRAR,
  type RoleHolders,
  type RoleName,
  rolesGranted,
} from "./roles.ts";
import { addressProblems, planProblems } from "./rules.ts";
import type { DeployTarget } from "./targets.ts";

/**
 * Constructor arguments by contract and name, and the addresses of what a chain already has, as in
 * deployments/parameters/*.json. Those under `$global` apply to contracts without their own value.
 */
export type Parameters = Readonly<Record<string, Readonly<Record<string, ParameterValue>>>>;
type ParameterValue = string | number | boolean;

export interface DeployPlan {
  readonly target: DeployTarget;
  /** In the order in which they are deployed. */
  readonly contracts: readonly PlannedContract[];
  /** The file's, overridden by the command line. */
  readonly parameters: Parameters;
  /** Where `parameters` were read, for messages. */
  readonly parameterFile: string;
}

/**
 * The deployment is rejected before anything was sent; `problems` are sentences for the operator.
 */
export class DeployRefusedError extends Error {
  override readonly name = "DeployRefusedError";
  constructor(
    readonly target: string,
    readonly problems: readonly string[],
  ) {
    super(
      [`The protocol is not deployed to ${target}:`, ...problems.map((text) => `  - ${text}`)].join(
        "\n",
      ),
    );
  }
}

export interface PlanOptions {
  readonly target: DeployTarget;
  readonly parameters: Parameters;
  /** Where they were read, for messages. */
  readonly parameterFile: string;
  /** From the command line: put over the parameter file's, for every contract. */
  readonly roles: RoleHolders;
  readonly abiOf: (contractName: string) => Abi;
}

/** Seconds that a change waits in public before it takes effect, where no parameter says otherwise. */
const TWO_DAYS = 2 * 24 * 60 * 60;
const DEFAULTS: Readonly<Record<string, ParameterValue>> = {
  delay: TWO_DAYS,
  adminDelay: TWO_DAYS,
};

/** Constructor arguments that a deployment file calls otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  certificate: "soulCertificate",
  humanVerifiers: "humanVerifierRegistry",
  router: "worldIdRouter",
};

/**
 * Derives the steps of a deployment from the contracts' constructors, without a chain or a key.
 * After the deployment, the chain is compared with the plan.
 *
 * @throws DeployRefusedError naming everything that is missing or forbidden.
 */
export function planDeployment(options: PlanOptions): DeployPlan {
  const { target, parameters, parameterFile, abiOf } = options;
  const { deploys, uses } = protocolFor(target, parameters);
  const { values, defaulted } = withRoles(target, parameters, options.roles);
  const problems: string[] = [];

  /** The value for a contract, or for every contract. */
  const parameter = (name: string, contractName = "$global"): string => {
    const value = values[contractName]?.[name] ?? values.$global?.[name] ?? DEFAULTS[name];
    if (value !== undefined) return String(value);
    // Roles that default to the registrar are reported with the registrar.
    if (target.production || !isRoleOfTheRegistrar(name)) {
      problems.push(missing(parameterFile, contractName, name));
    }
    return "";
  };

  const used = Object.entries(uses).map(([key, contractName]): PlannedContract => {
    const address = parameter(key);
    problems.push(...addressProblems(target, key, address));
    return { key, contractName, action: "use", address, arguments: [], roles: [] };
  });

  const deployed = Object.entries(deploys).map(([key, contractName]): PlannedContract => {
    const abi = abiOf(contractName);
    const granted = rolesGranted(contractName, abi);
    const args = constructorInputs(abi).map(({ name: argument = "", type }) => {
      const name = NAMES[argument] ?? argument;
      if (name in deploys) return { name: argument, type, value: `<${name}>` };
      const other = used.find((contract) => contract.key === name);
      if (other !== undefined) return { name: argument, type, value: other.address };
      const value = parameter(name, contractName);
      if (type === "address") {
        const what = granted.has(name) ? name : `${contractName}.${name}`;
        problems.push(...addressProblems(target, what, value));
      }
      return { name: argument, type, value };
    });
    const roles = args.flatMap(({ name, value }): PlannedRole[] => {
      const role = granted.get(name);
      if (role === undefined) return [];
      const own = parameters[contractName]?.[name] !== undefined;
      const source = !own && isRoleName(name) && defaulted.has(name) ? "registrar" : "given";
      return [{ role, holder: value, source }];
    });
    return { key, contractName, action: "deploy", address: `<${key}>`, arguments: args, roles };
  });

  const contracts = [...deployed, ...used];
  problems.push(...planProblems(target, contracts));
  if (problems.length > 0) throw new DeployRefusedError(target.title, [...new Set(problems)]);
  return { target, contracts, parameters: values, parameterFile };
}

/** The plan with the addresses that follow from the deployer's. */
export function placeContracts(plan: DeployPlan, deployer: Address): DeployPlan {
  const place = (text: string) =>
    text.replace(/^<(\w+)>$/, (_text, key: string) => addressOf(deployer, key));
  const contracts = plan.contracts.map((contract) => ({
    ...contract,
    address: place(contract.address),
    arguments: contract.arguments.map((argument) => ({
      ...argument,
      value: argument.type === "address" ? place(argument.value) : argument.value,
    })),
  }));
  return { ...plan, contracts };
}

/** The adapter needs World's application id, so it is deployed only with one. */
function protocolFor(target: DeployTarget, parameters: Parameters): Protocol {
  const appId = parameters.WorldIdVerifier?.appId ?? "";
  return appId === "" ? target.protocol : (target.protocolWithWorldId ?? target.protocol);
}

/** The parameters with each known role holder, and the roles without a named account. */
function withRoles(
  target: DeployTarget,
  parameters: Parameters,
  holders: RoleHolders,
): { values: Parameters; defaulted: ReadonlySet<RoleName> } {
  const { $global, ...contracts } = structuredClone({ ...parameters }) as Record<
    string,
    Record<string, ParameterValue>
  >;
  const shared: Record<string, ParameterValue> = { ...$global };
  for (const name of ROLE_NAMES) {
    const holder = holders[name];
    if (holder === undefined) continue;
    for (const values of Object.values(contracts)) delete values[name];
    shared[name] = holder;
  }
  const defaulted = new Set<RoleName>();
  const registrar = contracts.Registrars?.registrar ?? shared.registrar;
  if (!target.production && registrar !== undefined) {
    for (const name of ROLES_OF_THE_REGISTRAR) {
      if (shared[name] !== undefined) continue;
      shared[name] = registrar;
      defaulted.add(name);
    }
  }
  return { values: { ...contracts, $global: shared }, defaulted };
}

function missing(file: string, section: string, name: string): string {
  return isRoleName(name)
    ? `${name} is not set: give --${name} <address>, or put "${name}" under "$global" in ${file}.`
    : `${name} is not set: put "${name}" under "${section}" in ${file}.`;
}

function constructorInputs(abi: Abi) {
  return abi.find((item) => item.type === "constructor")?.inputs ?? [];
}
